/** The header in which a secret parameter may come, so that it stays out of the address. */
export function credentialHeader(name: string): string {
  return `X-${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
