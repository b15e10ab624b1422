import { isIP } from 'node:net';
import { isInAnyBlock } from '../../lib/network/address.ts';

/** Maximum number of addresses, from the end of `X-Forwarded-For`, that are checked. Real chains of proxies are shorter. */
const MAX_HOPS = 20;

/**
 * Returns the client's IP address: that of the connection, or behind the operator's proxies the last `X-Forwarded-For` address
 * that is not such a proxy. Clients can forge all entries before it.
 * @param proxies CIDRs of the operator's own proxies
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
