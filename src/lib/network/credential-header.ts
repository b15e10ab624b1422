/** Returns the HTTP header in which REST accepts a secret parameter, so that it need not be part of the URL. */
export function credentialHeader(name: string): string {
  return `X-${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
