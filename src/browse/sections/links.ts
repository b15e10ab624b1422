import type { PageLink } from '../reading/page.ts';
import { markdownToPlainText } from '../reducing/plain-text.ts';

const MAX_ADDRESS_CHARS = 2000;
const MAX_TITLE_CHARS = 200;

const LINK =
  /(?<![!\\])\[((?:[^\][\n\\]|\\.|!\[[^\][\n]{0,300}\]\([^()\s]{0,2000}\)|\[[^\][\n]{0,100}\]){0,500})\]\(<?(https?:(?:[^\s()>]|\([^\s()]{0,200}\)){1,2000})/g;

export type CountedLinks = ReturnType<typeof listLinks>;

export function listLinks(markdown: string, more: readonly PageLink[], most: number) {
  const found = new Map<string, string>();
  const add = (url: string, text: string) => {
    if (url.length <= MAX_ADDRESS_CHARS && URL.canParse(url) && !found.get(url))
      found.set(url, text.slice(0, MAX_TITLE_CHARS));
  };
  for (const [, text, url] of markdown.matchAll(LINK)) add(url ?? '', markdownToPlainText(text ?? ''));
  for (const { url, text } of more) add(url, text);
  const links = [...found].slice(0, most).map(([url, text]) => ({ url, text }));
  return { links, count: found.size };
}
