import { decodePercent } from '../../lib/text/decode-percent.ts';
/** Parses a URL, or converts a file name to a `file:` URL. In `C:\a.pdf`, `C` is a drive and not a scheme. */
export function toUrl(name: string): URL {
  if (/^(https?|file):/i.test(name) && URL.canParse(name)) return new URL(name);
  return new URL(`file:///${encodeURIComponent(name.toWellFormed())}`);
}

export function nameFromUrl(url: string): string {
  const { pathname, hostname } = toUrl(url);
  return decodePercent(pathname.split('/').filter(Boolean).at(-1) ?? '') || hostname;
}
