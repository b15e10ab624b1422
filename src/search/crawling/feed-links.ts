import { DomUtils, parseDocument } from 'htmlparser2';
import { decodeBytes } from '../../lib/encoding/decode-bytes.ts';
import { parseInstant } from '../../lib/time/written-date.ts';
import type { ListedPage } from './sitemap.ts';

const MAX_ENTRIES = 1000;
const MAX_LINKS = 20;
const MAX_TITLE_CHARS = 200;
const MAX_ADDRESS_CHARS = 2048;

export function isFeed(body: Uint8Array): boolean {
  const head = new TextDecoder().decode(body.subarray(0, 4096));
  return (
    /^\W{0,3}<(?:\?xml|!--|rss|feed|rdf:rdf)/i.test(head.trimStart()) &&
    /<(?:rss|feed|rdf:rdf)[\s>]/i.test(head)
  );
}

export function feedLinks(body: Uint8Array, url: string): ListedPage[] {
  const document = parseDocument(decodeBytes(body, { url, declares: 'xml' }).text, { xmlMode: true });
  const isEntry = (name: string) => name === 'item' || name === 'entry';
  return DomUtils.getElementsByTagName(isEntry, document, true, MAX_ENTRIES).flatMap(({ children }) => {
    const find = (...names: string[]) =>
      DomUtils.getElementsByTagName((name) => names.includes(name), children, false, MAX_LINKS);
    const textOf = (...names: string[]) => DomUtils.textContent(find(...names)[0] ?? []).trim();
    const links = find('link');
    const pages = links.filter(({ attribs: { rel = 'alternate' } }) => rel === 'alternate');
    const page =
      pages.find(({ attribs: { type = 'text/html' } }) => /html/i.test(type)) ?? pages[0] ?? links[0];
    const link = page?.attribs.href ?? textOf('link');
    if (!link || link.length > MAX_ADDRESS_CHARS || !URL.canParse(link, url)) return [];
    const words = textOf('title').replace(/\s+/g, ' ').slice(0, MAX_TITLE_CHARS);
    const time = parseInstant(textOf('updated', 'pubDate', 'dc:date'));
    const modified = time === undefined ? undefined : new Date(time).toISOString();
    return [{ url: new URL(link, url).href, ...(words && { title: words }), ...(modified && { modified }) }];
  });
}
