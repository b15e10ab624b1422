import { parseFeed } from 'htmlparser2';

/** Entries of a feed that are read. */
const MAX_ENTRIES = 1000;

/** Whether the bytes are an RSS, RDF or Atom feed, judged by their first element. */
export function isFeed(body: Uint8Array): boolean {
  const head = new TextDecoder().decode(body.subarray(0, 4096));
  return (
    /^\W{0,3}<(?:\?xml|!--|rss|feed|rdf:rdf)/i.test(head.trimStart()) &&
    /<(?:rss|feed|rdf:rdf)[\s>]/i.test(head)
  );
}

/** Addresses of the pages that a feed announces, absolute and in its order. */
export function feedLinks(body: Uint8Array, url: string): string[] {
  const { items = [] } = parseFeed(new TextDecoder().decode(body)) ?? {};
  return items
    .slice(0, MAX_ENTRIES)
    .flatMap(({ link }) => (link && URL.canParse(link, url) ? [new URL(link, url).href] : []));
}
