import { decodePercent } from '../../lib/text/decode-percent.ts';
/** Parses an address. A file name becomes a `file:` URL; in `C:\a.pdf`, `C` is a drive and not a URL scheme. */
export function toUrl(name: string): URL {
  if (/^(https?|file):/i.test(name) && URL.canParse(name)) return new URL(name);
  return new URL(`file:///${encodeURIComponent(name.toWellFormed())}`);
}

/** Returns the last part of the URL's path, or the host if the path is empty. */
export function nameFromUrl(url: string): string {
  const { pathname, hostname } = toUrl(url);
  const last = pathname.split('/').filter(Boolean).at(-1) ?? '';
  return decodePercent(last) || hostname;
}
