import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** IPv6 blocks whose addresses contain an IPv4 address in the last 32 bits. */
const CARRIERS = ['::ffff:0:0/96', '64:ff9b::/96'].map((block) => ipaddr.parseCIDR(block));
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/** Azure's metadata service. ipaddr.js considers its address public. */
const AZURE = ipaddr.parseCIDR('168.63.129.16/32');
/** Names that are always private, even if DNS returns a public address for them. */
const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|localdomain|home\.arpa)$/;
export const PRIVATE_ADDRESS_CODE = 'EPRIVATE';

export function isPublicAddress(ip: string): boolean {
  const address = parse(ip);
  return address !== undefined && isPublic(address);
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && !inBlock(address, AZURE);
  if (address.zoneId !== undefined) return false;
  if (CARRIERS.some((block) => inBlock(address, block))) {
    return isPublic(ipaddr.fromByteArray(address.toByteArray().slice(12)));
  }
  return address.range() === 'unicast' && inBlock(address, GLOBAL_IPV6);
}

/** Returns true if an address is in a CIDR block. IPv4 addresses written as IPv6 count as IPv4. */
export function isInAnyBlock(ip: string, blocks: readonly string[]): boolean {
  const address = parse(ip);
  if (!address) return false;
  const mapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
  const judged = mapped ? address.toIPv4Address() : address;
  return blocks.some((block) => isBlock(block) && inBlock(judged, ipaddr.parseCIDR(block)));
}

function inBlock(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network as never, bits);
}

function parse(ip: string): Address | undefined {
  const bare = ip.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(bare);
  if (family === 0 || !ipaddr.isValid(bare)) return undefined;
  // Normalizes with URL, because ipaddr.js would parse `::8.8.8.8` as the IPv4 address `::ffff:8.8.8.8`.
  if (family === 4 || bare.includes('%')) return ipaddr.parse(bare);
  return ipaddr.parse(new URL(`http://[${bare}]/`).hostname.slice(1, -1));
}

export const isIpAddress = (hostname: string): boolean => parse(hostname) !== undefined;

export function isPrivateName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/(?<!\.)\.+$/, '');
  return PRIVATE_NAMES.test(name) || !name.includes('.');
}

/** Limits a DNS lookup to public addresses and `blocks`. Fails with `EPRIVATE` if no address remains. */
export function restrictLookup(lookup: LookupFunction, blocks: readonly string[]): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const addresses = (Array.isArray(found) ? found : []).filter(
        ({ address }) => isPublicAddress(address) || isInAnyBlock(address, blocks),
      );
      const [first] = addresses;
      if (!first) {
        return callback(Object.assign(new Error('no public address'), { code: PRIVATE_ADDRESS_CODE }), '', 0);
      }
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

export type HostAllowList = ReturnType<typeof parseAllowList>;

/** Parses an allow list of hosts, `host:port`, IP addresses and CIDR blocks. Ignores other entries. */
export function parseAllowList(entries: readonly string[]) {
  const blocks = entries.filter((entry) => isBlock(entry));
  const names = new Set(entries.filter((entry) => !isBlock(entry)).map(canonical));
  const namesPort = (url: URL) =>
    names.has(`${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`);
  return { blocks, namesPort, allows: (url: URL) => names.has(url.hostname) || namesPort(url) };
}

function canonical(entry: string): string | undefined {
  const [, name = entry, port] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  const address = `http://${isIP(name) === 6 ? `[${name}]` : name}/`;
  if (!name || !URL.canParse(address)) return undefined;
  const { hostname } = new URL(address);
  return port === undefined ? hostname : `${hostname}:${Number(port)}`;
}

export function isAllowEntry(entry: string): boolean {
  if (isBlock(entry)) return true;
  const [, name = entry, port] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(entry) ?? [];
  if (Number(port) > 65_535) return false;
  if (isIP(name.replace(/^\[(.*)\]$/, '$1')) > 0) return true;
  // URL would read a name whose last label has only digits as an IPv4 address.
  return /^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*\.?$/u.test(name) && !/(^|\.)\d+\.?$/.test(name);
}

function isBlock(entry: string): boolean {
  const [, address = '', bits] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? [];
  const family = isIP(address);
  return family > 0 && Number(bits) <= (family === 4 ? 32 : 128);
}
