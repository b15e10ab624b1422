import { gunzipSync } from 'node:zlib';
import { AppError } from '../../errors.ts';
import { feedLinks, isFeed } from './feed-links.ts';
import { isSitemap, type ListedPage, parseSitemap, SITEMAP_BYTES } from './sitemap.ts';

/** What a file lists: a sitemap or a feed; `other` for every other file, which lists nothing. */
export interface Listing {
  readonly kind: 'sitemap' | 'feed' | 'other';
  readonly pages: readonly ListedPage[];
  /** Further sitemap files, of a sitemap index. */
  readonly sitemaps: readonly string[];
  /** It lists more than is taken of one file. */
  readonly cut: boolean;
}

/** Reads a file that may be packed. AppError `too_large` beyond 50 MB, `unsupported` where it is broken. */
export function readListing(packed: Uint8Array, url: string): Listing {
  const body = unzipped(packed);
  if (isSitemap(body)) return { kind: 'sitemap', ...parseSitemap(body, url) };
  if (!isFeed(body)) return { kind: 'other', pages: [], sitemaps: [], cut: false };
  return { kind: 'feed', pages: feedLinks(body, url), sitemaps: [], cut: false };
}

/** Whether the bytes are a gzip archive. */
export function isPacked(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

/** The bytes of a file that may be a .gz. */
export function unzipped(body: Uint8Array): Uint8Array {
  if (!isPacked(body)) return body;
  try {
    return gunzipSync(body, { maxOutputLength: SITEMAP_BYTES });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw code === 'ERR_BUFFER_TOO_LARGE'
      ? new AppError('too_large', 'ResponseTooLarge: a sitemap has at most 50 MB', { cause })
      : new AppError('unsupported', 'the file is not a gzip archive that can be read', { cause });
  }
}
