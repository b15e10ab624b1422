/** Returns the name of the header that may carry a secret parameter, so that the secret stays out of the URL. */
export function credentialHeader(name: string): string {
  return `X-${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
