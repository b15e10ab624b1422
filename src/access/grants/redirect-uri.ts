/** Schemes that a browser runs, shows or downloads itself, in place of handing the address to an app. */
const OWN_SCHEMES = /^(?:about|blob|chrome|data|file|filesystem|ftp|javascript|vbscript|view-source|wss?):$/;
const LOOPBACK_HOSTS = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;
const MAX_CHARS = 2000;

/** Returns the address if an app may be answered there: by https, on its own device, or by its own scheme. */
export function parseRedirectUri(text: string): URL | undefined {
  if (text.length > MAX_CHARS || !/^[\x21-\x7e]+$/.test(text) || text.includes('#')) return undefined;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || OWN_SCHEMES.test(url.protocol)) return undefined;
  return url.protocol !== 'http:' || isLoopback(url) ? url : undefined;
}

export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK_HOSTS.test(hostname);

/** Compares whole addresses. An app on the user's device may use any port (RFC 8252, section 7.3). */
export function isRegistered(text: string, registered: readonly string[]): boolean {
  if (registered.includes(text)) return true;
  const bare = withoutPort(text);
  return bare !== undefined && registered.some((one) => withoutPort(one) === bare);
}

function withoutPort(text: string): string | undefined {
  const url = parseRedirectUri(text);
  if (url?.protocol !== 'http:') return undefined;
  url.port = '';
  return url.href;
}
