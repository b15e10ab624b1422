import { isIP } from 'node:net';
import { isInAnyBlock } from '../../lib/network/address.ts';

const MAX_HOPS = 20;

/** Returns the last forwarded address outside of `proxies` (CIDR blocks). Clients can forge earlier ones. */
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

const plain = (address: string): string => /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
