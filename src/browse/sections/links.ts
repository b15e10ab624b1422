import type { PageLink } from '../reading/page.ts';
import { plainText } from '../reducing/plain-text.ts';

/** Characters of an address, and of a link's words. */
const MAX_ADDRESS_CHARS = 2000;
const MAX_TITLE_CHARS = 200;

/** A link; its words may have brackets in them, escaped or in pairs, or be a picture. */
const LINK =
  /(?<![!\\])\[((?:[^\][\n\\]|\\.|!\[[^\][\n]{0,300}\]\([^()\s]{0,2000}\)|\[[^\][\n]{0,100}\]){0,500})\]\(<?(https?:(?:[^\s()>]|\([^\s()]{0,200}\)){1,2000})/g;

/** The first links, and how many there are. */
export interface LinkList {
  readonly links: readonly PageLink[];
  readonly count: number;
}

/**
 * The links of a text in its order, each address once; then those of `more` that it does not have: the first `most`, since a
 * page may have hundreds of thousands, and to hand them all over takes longer than to find them.
 */
export function listLinks(markdown: string, more: readonly PageLink[], most: number): LinkList {
  const found = new Map<string, string>();
  const add = (url: string, text: string) => {
    if (url.length <= MAX_ADDRESS_CHARS && URL.canParse(url) && !found.get(url))
      found.set(url, text.slice(0, MAX_TITLE_CHARS));
  };
  for (const [, text, url] of markdown.matchAll(LINK)) add(url ?? '', plainText(text ?? ''));
  for (const { url, text } of more) add(url, text);
  const links = [...found].slice(0, most).map(([url, text]) => ({ url, text }));
  return { links, count: found.size };
}
