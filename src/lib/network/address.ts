import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Translators write the IPv4 address that is really reached into the last four bytes of these. */
const CARRIERS = ['::ffff:0:0/96', '64:ff9b::/96'].map((block) => ipaddr.parseCIDR(block));
/** All that the registry has given out for the public IPv6 internet; the rest leads nowhere or inside. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/** Azure answers its machines' metadata questions here, and ipaddr.js counts it as ordinary. */
const AZURE = ipaddr.parseCIDR('168.63.129.16/32');
/** Names that mean this machine or its network whatever the resolver says. */
const PRIVATE_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|localdomain|home\.arpa)$/;

/** The `code` of the error that a guarded look-up fails with when it found no address that may be reached. */
export const PRIVATE_ADDRESS = 'EPRIVATE';

/**
 * Whether an IP address, in the notation of `net.isIP` (brackets allowed), belongs to the public internet.
 * False for everything else: names, zones, and the decimal, octal, hexadecimal and short forms, which a
 * URL has to bring into the usual one first, since programs read them differently.
 */
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

/** Whether the address lies in one of the blocks; IPv4 mapped into IPv6 counts as IPv4. */
export function inAnyBlock(ip: string, blocks: readonly string[]): boolean {
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
  // ipaddr.js takes `::8.8.8.8` for `::ffff:8.8.8.8`; in URL's spelling no dot is ambiguous.
  if (family === 4 || bare.includes('%')) return ipaddr.parse(bare);
  return ipaddr.parse(new URL(`http://[${bare}]/`).hostname.slice(1, -1));
}

/** Whether a URL's hostname is an address and not a name; URL has brought odd notations into the usual one. */
export function isLiteral(hostname: string): boolean {
  return parse(hostname) !== undefined;
}

/** Whether a name may not be looked up at all. */
export function isPrivateName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/(?<!\.)\.+$/, '');
  return PRIVATE_NAMES.test(name) || !name.includes('.');
}

/**
 * A look-up for connections that gives only public addresses and those in `blocks`. With none left it
 * fails with the code `PRIVATE_ADDRESS`. Being the connection's own look-up, nothing can change after it.
 */
export function publicOnly(lookup: LookupFunction, blocks: readonly string[]): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const addresses = (Array.isArray(found) ? found : []).filter(
        ({ address }) => isPublicAddress(address) || inAnyBlock(address, blocks),
      );
      const [first] = addresses;
      if (!first) {
        return callback(Object.assign(new Error('no public address'), { code: PRIVATE_ADDRESS }), '', 0);
      }
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

/** The operator's list, taken apart: names (with or without port) and blocks. */
export interface AllowList {
  allows(url: URL): boolean;
  /** Whether an entry names this very port of the host. */
  namesPort(url: URL): boolean;
  readonly blocks: readonly string[];
}

/** Entries are `host`, `host:port` (that port only), an address, or a CIDR; what is none of these allows nothing. */
export function parseAllowList(entries: readonly string[]): AllowList {
  const blocks = entries.filter((entry) => isBlock(entry));
  const names = new Set(entries.filter((entry) => !isBlock(entry)).map(canonical));
  const namesPort = (url: URL) =>
    names.has(`${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`);
  return { blocks, namesPort, allows: (url) => names.has(url.hostname) || namesPort(url) };
}

/** An entry spelt as URL spells hosts; the port is kept apart, for URL would drop a scheme's usual one. */
function canonical(entry: string): string | undefined {
  const [, name = entry, port] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  const address = `http://${isIP(name) === 6 ? `[${name}]` : name}/`;
  if (!name || !URL.canParse(address)) return undefined;
  const { hostname } = new URL(address);
  return port === undefined ? hostname : `${hostname}:${Number(port)}`;
}

/** Whether an entry is of a form that `parseAllowList` takes. */
export function isAllowEntry(entry: string): boolean {
  if (isBlock(entry)) return true;
  const [, name = entry, port] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(entry) ?? [];
  if (Number(port) > 65_535) return false;
  if (isIP(name.replace(/^\[(.*)\]$/, '$1')) > 0) return true;
  // A last label of digits means an address to a URL, and this was none.
  return /^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*\.?$/u.test(name) && !/(^|\.)\d+\.?$/.test(name);
}

/** An address, a slash, and as many bits as it has at most. */
function isBlock(entry: string): boolean {
  const [, address = '', bits] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? [];
  const family = isIP(address);
  return family > 0 && Number(bits) <= (family === 4 ? 32 : 128);
}
