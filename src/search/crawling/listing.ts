import { gunzipSync } from 'node:zlib';
import { DomUtils, parseDocument } from 'htmlparser2';
import { AppError, tooLargeError } from '../../errors.ts';
import { decodeBytes } from '../../lib/encoding/decode-bytes.ts';
import { parseInstant } from '../../lib/time/written-date.ts';
import { isSitemap, MAX_SITEMAP_BYTES, parseSitemap, type SitemapOrFeedPage } from './sitemap.ts';

/** Content of a sitemap or feed. A file of the kind `other` lists no pages. */
export interface SitemapOrFeed {
  readonly kind: 'sitemap' | 'feed' | 'other';
  readonly pages: readonly SitemapOrFeedPage[];
  readonly sitemaps: readonly string[];
  readonly cut: boolean;
}

/** Parses a file, gzipped or not. Throws AppError `too_large` over 50 MB, or `unsupported`. */
export function readSitemapOrFeed(packed: Uint8Array, url: string): SitemapOrFeed {
  const body = decompressIfGzip(packed);
  if (isSitemap(body)) return { kind: 'sitemap', ...parseSitemap(body, url) };
  if (!isFeed(body)) return { kind: 'other', pages: [], sitemaps: [], cut: false };
  return { kind: 'feed', pages: feedLinks(body, url), sitemaps: [], cut: false };
}

export const isGzip = (body: Uint8Array): boolean => body[0] === 0x1f && body[1] === 0x8b;

export function decompressIfGzip(body: Uint8Array): Uint8Array {
  if (!isGzip(body)) return body;
  try {
    return gunzipSync(body, { maxOutputLength: MAX_SITEMAP_BYTES });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLargeError('ResponseTooLarge: a sitemap has at most 50 MB', { cause })
      : new AppError('unsupported', 'the file is not a gzip archive that can be read', { cause });
  }
}

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

export function feedLinks(body: Uint8Array, url: string): SitemapOrFeedPage[] {
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
