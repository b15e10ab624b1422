import { parseFeed } from 'htmlparser2';
import { decodeBytes } from '../../lib/encoding/decode-bytes.ts';
import type { ListedPage } from './sitemap.ts';

const MAX_ENTRIES = 1000;
const MAX_TITLE_CHARS = 200;
const MAX_ADDRESS_CHARS = 2048;

/** True if the bytes are an RSS, RDF or Atom feed, judged by the first element. */
export function isFeed(body: Uint8Array): boolean {
  const head = new TextDecoder().decode(body.subarray(0, 4096));
  return (
    /^\W{0,3}<(?:\?xml|!--|rss|feed|rdf:rdf)/i.test(head.trimStart()) &&
    /<(?:rss|feed|rdf:rdf)[\s>]/i.test(head)
  );
}

export function feedLinks(body: Uint8Array, url: string): ListedPage[] {
  const { items = [] } = parseFeed(decodeBytes(body, { url, declares: 'xml' }).text) ?? {};
  return items.slice(0, MAX_ENTRIES).flatMap(({ link, title, pubDate }) => {
    if (!link || link.length > MAX_ADDRESS_CHARS || !URL.canParse(link, url)) return [];
    const words = title?.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARS);
    const time = pubDate && !Number.isNaN(pubDate.getTime()) ? pubDate.toISOString() : undefined;
    return [
      { url: new URL(link, url).href, ...(words && { title: words }), ...(time && { modified: time }) },
    ];
  });
}
