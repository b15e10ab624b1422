import { gunzipSync } from 'node:zlib';
import { AppError } from '../../errors.ts';
import { feedLinks, isFeed } from './feed-links.ts';
import { isSitemap, type ListedPage, MAX_SITEMAP_BYTES, parseSitemap } from './sitemap.ts';

/** Content of a sitemap or feed. The kind `other` is any other file, which lists no pages. */
export interface Listing {
  readonly kind: 'sitemap' | 'feed' | 'other';
  readonly pages: readonly ListedPage[];
  readonly sitemaps: readonly string[];
  readonly cut: boolean;
}

/** Parses a file, gzipped or not. Throws AppError `too_large` above 50 MB, `unsupported` for a broken archive. */
export function readListing(packed: Uint8Array, url: string): Listing {
  const body = decompressIfGzip(packed);
  if (isSitemap(body)) return { kind: 'sitemap', ...parseSitemap(body, url) };
  if (!isFeed(body)) return { kind: 'other', pages: [], sitemaps: [], cut: false };
  return { kind: 'feed', pages: feedLinks(body, url), sitemaps: [], cut: false };
}

export function isGzip(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

export function decompressIfGzip(body: Uint8Array): Uint8Array {
  if (!isGzip(body)) return body;
  try {
    return gunzipSync(body, { maxOutputLength: MAX_SITEMAP_BYTES });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw code === 'ERR_BUFFER_TOO_LARGE'
      ? new AppError('too_large', 'ResponseTooLarge: a sitemap has at most 50 MB', { cause })
      : new AppError('unsupported', 'the file is not a gzip archive that can be read', { cause });
  }
}
