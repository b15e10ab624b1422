import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** IPv6 blocks that carry an IPv4 address inside, and the byte where it starts. */
const CARRIERS: readonly (readonly [string, number])[] = [
  ['::ffff:0:0/96', 12],
  ['::/96', 12],
  ['64:ff9b::/96', 12],
  ['2002::/16', 2],
];
/** Blocks that ipaddr.js counts as ordinary unicast, and that lead nowhere public. */
const SPECIAL = [
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fec0::/10',
  '192.0.0.0/24',
  '192.88.99.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.175.48.0/24',
].map((block) => ipaddr.parseCIDR(block));
/** Names that mean this machine or its network whatever the resolver says. */
const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|localdomain|home\.arpa)$/;

/** Whether an IP address in any usual notation belongs to the public internet; false for what is no address. */
export function isPublicAddress(ip: string): boolean {
  const address = parse(ip);
  return address !== undefined && isPublic(address);
}

function isPublic(address: Address): boolean {
  if (address.kind() === 'ipv6') {
    const bytes = address.toByteArray();
    for (const [block, offset] of CARRIERS) {
      if (!inBlock(address, ipaddr.parseCIDR(block))) continue;
      return isPublic(ipaddr.fromByteArray(bytes.slice(offset, offset + 4)));
    }
  }
  return address.range() === 'unicast' && !SPECIAL.some((block) => inBlock(address, block));
}

/** Whether the address lies in one of the blocks; IPv4 carried in IPv6 counts as IPv4. */
export function inAnyBlock(ip: string, blocks: readonly string[]): boolean {
  const address = parse(ip);
  if (!address) return false;
  const plain = address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress();
  const judged = plain ? (address as ipaddr.IPv6).toIPv4Address() : address;
  return blocks.some((block) => ipaddr.isValidCIDR(block) && inBlock(judged, ipaddr.parseCIDR(block)));
}

function inBlock(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network as never, bits);
}

function parse(ip: string): Address | undefined {
  const bare = ip.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  return ipaddr.isValid(bare) ? ipaddr.parse(bare) : undefined;
}

/** Whether a URL's hostname is an address and not a name; URL has brought odd notations into the usual one. */
export function isLiteral(hostname: string): boolean {
  return parse(hostname) !== undefined;
}

/** Whether a name may not be looked up at all. */
export function isPrivateName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.+$/, '');
  return name === '' || PRIVATE_NAMES.test(name) || !name.includes('.');
}

/** The operator's list, taken apart: names (with or without port) and blocks. */
export interface AllowList {
  allows(url: URL): boolean;
  readonly blocks: readonly string[];
}

/** Entries are `host`, `host:port`, an address, or a CIDR. */
export function parseAllowList(entries: readonly string[]): AllowList {
  const blocks = entries.filter((entry) => ipaddr.isValidCIDR(entry));
  const names = new Set(
    entries.filter((entry) => !ipaddr.isValidCIDR(entry)).map((entry) => entry.toLowerCase()),
  );
  return {
    blocks,
    allows(url) {
      const host = url.hostname.toLowerCase();
      const bare = host.replace(/^\[|\]$/g, '');
      const port = url.port || (url.protocol === 'https:' ? '443' : '80');
      return names.has(host) || names.has(bare) || names.has(`${host}:${port}`);
    },
  };
}
