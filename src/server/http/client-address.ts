import { isIP } from 'node:net';
import { inAnyBlock } from '../../lib/network/address.ts';

/** Addresses of `X-Forwarded-For` that are checked, from its end: no chain of proxies is longer. */
const MAX_HOPS = 20;

/**
 * The IP address of the client: that of the connection, or where the connection comes from a proxy of the operator's,
 * the last address of `X-Forwarded-For` that no such proxy has. Anyone may have written what stands before it.
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
    if (!inAnyBlock(address, proxies)) break;
    const next = plain(hop.trim());
    if (isIP(next) === 0) break;
    address = next;
  }
  return address;
}

/** An IPv4 address that came over an IPv6 socket, as itself. */
function plain(address: string): string {
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
}
