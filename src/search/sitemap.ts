import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { AppError } from '../errors.ts';

/** Addresses of one sitemap file, as sitemaps.org describes them. */
export interface Sitemap {
  readonly pages: readonly string[];
  /** Other sitemap files, of an index. */
  readonly sitemaps: readonly string[];
}

/** sitemaps.org: a file has at most 50,000 addresses and 50 MB. */
const MAX_ADDRESSES = 50_000;
export const SITEMAP_BYTES = 52_428_800;
const MAX_ADDRESS_CHARS = 2048;

/** Whether the bytes are a sitemap, judged by their first element. */
export function isSitemap(body: Uint8Array): boolean {
  const head = new TextDecoder().decode(body.subarray(0, 4096));
  return /<(?:\w{1,20}:)?(?:urlset|sitemapindex)[\s>]/.test(head);
}

/** The bytes of a file that may be a .gz; AppError `too_large` beyond 50 MB, `unsupported` when it is broken. */
export async function unzipped(body: Uint8Array): Promise<Uint8Array> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
  try {
    return await promisify(gunzip)(body, { maxOutputLength: SITEMAP_BYTES });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw code === 'ERR_BUFFER_TOO_LARGE'
      ? new AppError('too_large', 'ResponseTooLarge: a sitemap has at most 50 MB', { cause })
      : new AppError('unsupported', 'the file is not a gzip archive that can be read', { cause });
  }
}

/** The addresses in a sitemap or sitemap index; those that are not web addresses are left out. */
export function parseSitemap(body: Uint8Array, url: string): Sitemap {
  const pages: string[] = [];
  const sitemaps: string[] = [];
  let [entry, text, inside] = ['', '', false];
  const parser = new Parser(
    {
      onopentag(name) {
        const local = name.replace(/^\w+:/, '');
        if (name === 'url' || name === 'sitemap' || local === 'url' || local === 'sitemap') entry = local;
        // An image's or film's own address has a prefix of its own within the entry.
        inside = name === 'loc' || (local === 'loc' && !/^(image|video|news|xhtml):/.test(name));
        text = '';
      },
      ontext(part) {
        if (inside && text.length < MAX_ADDRESS_CHARS) text += part;
      },
      onclosetag() {
        if (!inside) return;
        inside = false;
        const list = entry === 'sitemap' ? sitemaps : pages;
        const address = text.trim();
        if (
          list.length < MAX_ADDRESSES &&
          address.length <= MAX_ADDRESS_CHARS &&
          URL.canParse(address, url)
        ) {
          list.push(new URL(address, url).href);
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(new TextDecoder().decode(body));
  return { pages, sitemaps };
}
