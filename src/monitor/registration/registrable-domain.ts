import { domainToASCII } from 'node:url';

/**
 * Returns the domain of a host that a registry registers, by the public suffix list: `shop.co.uk` of `www.shop.co.uk`.
 * Undefined below a private suffix such as `github.io`, and below a suffix that the list does not have.
 */
export async function findRegistrableDomain(host: string): Promise<string | undefined> {
  // Loaded on first use, because the list has 0.1 MB.
  const { parse } = await import('tldts');
  const name = domainToASCII(host);
  const { domain: ofUser, isPrivate } = parse(name, { allowPrivateDomains: true });
  const { domain, isIcann } = parse(name);
  return (isPrivate && ofUser !== null) || !isIcann ? undefined : (domain ?? undefined);
}
