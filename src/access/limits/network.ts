import { isIPv4, isIPv6 } from 'node:net';

const MAX_REMEMBERED = 10_000;
const known = { client: new Map<string, string>(), site: new Map<string, string>() };

/** Returns the network of an address. `client`: IPv4 address or IPv6 /64. `site`: IPv4 /24 or IPv6 /48. */
export function networkOf(address: string, what: 'client' | 'site'): string {
  const networks = known[what];
  let network = networks.get(address);
  if (network === undefined) {
    if (networks.size >= MAX_REMEMBERED) networks.clear();
    network = findNetwork(address, what);
    networks.set(address, network);
  }
  return network;
}

function findNetwork(address: string, what: 'client' | 'site'): string {
  if (isIPv4(address)) {
    return what === 'client' ? address : `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
  }
  if (!isIPv6(address)) return address;
  const bits = what === 'client' ? 64 : 48;
  return `${groupsOf(address)
    .slice(0, bits / 16)
    .join(':')}::/${bits}`;
}

function groupsOf(address: string): string[] {
  const [bare = ''] = address.split('%');
  const [head = '', tail] = new URL(`http://[${bare}]/`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after];
}
