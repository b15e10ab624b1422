/** Returns the HTTP header for a secret parameter, so that the URL need not contain the secret. */
export function credentialHeader(name: string): string {
  return `X-${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
