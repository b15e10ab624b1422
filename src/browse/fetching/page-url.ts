/** Parses an address; a bare file name becomes a `file:` URL, since `C:\a.pdf` does not have the scheme `c`. */
export function toUrl(name: string): URL {
  if (/^(https?|file):/i.test(name) && URL.canParse(name)) return new URL(name);
  return new URL(`file:///${encodeURIComponent(name.toWellFormed())}`);
}

/** Returns the last part of the path, else the host. */
export function nameFromUrl(url: string): string {
  const { pathname, hostname } = toUrl(url);
  const last = pathname.split('/').filter(Boolean).at(-1) ?? '';
  try {
    return decodeURIComponent(last) || hostname;
  } catch {
    return last || hostname;
  }
}
