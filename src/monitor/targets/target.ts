import { isIP } from 'node:net';
import { badRequestError } from '../../errors.ts';

export interface UrlTarget {
  readonly kind: 'url';
  readonly name: string;
  readonly plain?: string;
}

export interface HostTarget {
  readonly kind: 'host';
  readonly name: string;
  readonly ports: readonly number[];
  readonly tls: readonly number[];
  /** Ports that must be closed, in addition to the usual ports of sensitive services. */
  readonly closed: readonly number[];
}

export interface RepositoryTarget {
  readonly kind: 'repository';
  readonly name: string;
  readonly branch?: string;
}

export interface TcpTarget {
  readonly kind: 'tcp';
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'CAA', 'SRV', 'PTR', 'SOA'] as const;
export type DnsRecordType = (typeof RECORD_TYPES)[number];

export interface DnsTarget {
  readonly kind: 'dns';
  readonly name: string;
  readonly host: string;
  readonly type: DnsRecordType;
}

export interface PingTarget {
  readonly kind: 'ping';
  readonly name: string;
  readonly host: string;
}

export interface HeartbeatTarget {
  readonly kind: 'heartbeat';
  readonly name: string;
}

/** A page that is watched for changes. A fragment keeps several watches of a page apart. */
export interface PageTarget {
  readonly kind: 'page';
  readonly name: string;
  readonly url: string;
}

export type MonitorTarget =
  | UrlTarget
  | HostTarget
  | RepositoryTarget
  | TcpTarget
  | DnsTarget
  | PingTarget
  | HeartbeatTarget
  | PageTarget;

export interface Infrastructure {
  readonly id: string;
  readonly source: 'inventory' | 'public';
  readonly owner?: string;
  readonly tags: readonly string[];
  /** Users who may monitor the entry. Default: all. */
  readonly users?: readonly string[];
  readonly targets: readonly MonitorTarget[];
  /** Hosts with ports (`host:port`) that probes may reach even in a private network. */
  readonly allow: readonly string[];
  /** Certificates of a private certificate authority, in PEM, which probes of the entry trust. */
  readonly authority?: string;
}

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export function tlsEndpoints(target: MonitorTarget): Endpoint[] {
  if (target.kind === 'host') return target.tls.map((port) => ({ host: target.name, port }));
  if (target.kind !== 'url') return [];
  const url = new URL(target.name);
  if (url.protocol !== 'https:') return [];
  return [{ host: stripHostBrackets(url.hostname), port: Number(url.port || 443) }];
}

export const stripHostBrackets = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Returns the name of a page's host or of a machine, if it has several labels and is not an IP address. */
export function findDomainName(target: MonitorTarget): string | undefined {
  if (target.kind !== 'url' && target.kind !== 'host') return undefined;
  const host = target.kind === 'url' ? stripHostBrackets(new URL(target.name).hostname) : target.name;
  const labels = host.replace(/\.$/, '').split('.');
  return isIP(host) > 0 || labels.length < 2 || labels.length > 20 ? undefined : labels.join('.');
}

/** Parses addresses of services, for example `tcp://mail.example:25`, `dns:shop.example?type=MX`. */

const SCHEME = /^(tcp|dns|ping):(?:\/\/)?/i;
const HOST = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?$/u;
const TAKES = {
  tcp: 'a host and a port: tcp://mail.example:25',
  dns: `a name and a type of record: dns:shop.example?type=MX (${RECORD_TYPES.join(', ')}; A when left out)`,
  ping: 'a host: ping:shop.example',
};

const HEARTBEAT = /^heartbeat:(?:\/\/)?/i;
const JOB = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u;

/** Parses `heartbeat:<name>`, or returns undefined for other texts. Throws `bad_request` if invalid. */
export function parseHeartbeatAddress(text: string): HeartbeatTarget | undefined {
  const [prefix = ''] = HEARTBEAT.exec(text) ?? [];
  if (prefix === '') return undefined;
  const job = text.slice(prefix.length).toLowerCase();
  if (JOB.test(job)) return { kind: 'heartbeat', name: `heartbeat:${job}` };
  const takes = 'heartbeat takes a name of letters, digits, dots and dashes: heartbeat:nightly-backup';
  throw badRequestError(`${JSON.stringify(text.slice(0, 200))} cannot be watched: ${takes}`);
}

/** Parses `tcp:`, `dns:` and `ping:` addresses. Returns undefined for others. Throws `bad_request`. */
export function parseServiceAddress(text: string): TcpTarget | DnsTarget | PingTarget | undefined {
  const [prefix = '', scheme = ''] = SCHEME.exec(text) ?? [];
  if (prefix === '') return undefined;
  const kind = scheme.toLowerCase() as keyof typeof TAKES;
  const target = PARSERS[kind](text.slice(prefix.length).toLowerCase());
  if (target) return target;
  throw badRequestError(
    `${JSON.stringify(text.slice(0, 200))} cannot be watched: ${kind} takes ${TAKES[kind]}`,
  );
}

const PARSERS = {
  tcp(rest: string): TcpTarget | undefined {
    const [, bracketed, plain, digits] =
      /^(?:\[([0-9a-f:.]+)\]|([^:/?#[\]]+)):(\d{1,5})\/?$/.exec(rest) ?? [];
    const host = hostOf(bracketed ?? plain);
    const port = Number(digits);
    if (host === undefined || !(port >= 1 && port <= 65_535)) return undefined;
    return { kind: 'tcp', name: `tcp://${isIP(host) === 6 ? `[${host}]` : host}:${port}`, host, port };
  },
  dns(rest: string): DnsTarget | undefined {
    const [name = '', query = ''] = rest.split('?', 2);
    const host = isIP(name) === 0 ? hostOf(name) : undefined;
    const parameters = new URLSearchParams(query);
    const type = (parameters.get('type') ?? 'a').toUpperCase();
    const isKnown =
      RECORD_TYPES.includes(type as DnsRecordType) && [...parameters.keys()].every((one) => one === 'type');
    if (host === undefined || !isKnown) return undefined;
    return { kind: 'dns', name: `dns:${host}?type=${type}`, host, type: type as DnsRecordType };
  },
  ping(rest: string): PingTarget | undefined {
    const host = hostOf(rest.replace(/^\[(.*)\]$/, '$1'));
    return host === undefined ? undefined : { kind: 'ping', name: `ping:${host}`, host };
  },
};

function hostOf(text = ''): string | undefined {
  if (isIP(text) > 0) return text;
  // Refuses numbers, which may be IP addresses in another form, and dashes, which `ping` reads as options.
  const isName = text.length <= 253 && HOST.test(text) && !/^(?:-|0x|[\d.]+$)/.test(text);
  return isName ? text.replace(/\.$/, '') : undefined;
}
