import { isIP } from 'node:net';
import { isInAnyBlock } from '../../lib/network/address.ts';

/** Maximum number of addresses that are checked, from the end of `X-Forwarded-For`. Real chains of proxies are shorter. */
const MAX_HOPS = 20;

/**
 * Returns the client's IP address. Without proxies it is that of the connection. Behind the operator's proxies, it is the last
 * address in `X-Forwarded-For` that is not one of these proxies; clients can forge all earlier addresses. @param proxies CIDR
 * blocks of the operator's own proxies
 */
export function clientAddress(
  remote: string | undefined,
  forwarded: string | undefined,
  proxies: readonly string[],
): string {
  let address = plain(remote ?? '');
  if (proxies.length === 0 || forwarded === undefined) return address;
  for (const hop of forwarded.split(',').slice(-MAX_HOPS).reverse()) {
    if (!isInAnyBlock(address, proxies)) break;
    const next = plain(hop.trim());
    if (isIP(next) === 0) break;
    address = next;
  }
  return address;
}

function plain(address: string): string {
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
}
