/** A web page, by the address that is asked. */
export interface UrlTarget {
  readonly kind: 'url';
  /** The address, normalised; unique within an infrastructure. */
  readonly name: string;
  /** Where plain HTTP of the same site is, when not on port 80. */
  readonly plain?: string;
}

/** A machine, by its ports. */
export interface HostTarget {
  readonly kind: 'host';
  /** Its name or address. */
  readonly name: string;
  /** Ports that should be open. */
  readonly ports: readonly number[];
  /** Those that speak TLS from the first byte. */
  readonly tls: readonly number[];
  /** Ports that should not be open, besides the well-known ones. */
  readonly closed: readonly number[];
}

export interface RepositoryTarget {
  readonly kind: 'repository';
  /** Git URL, or a folder that the operator allows. */
  readonly name: string;
  readonly branch?: string;
}

/** A port that takes connections; its name is `tcp://host:port`. */
export interface TcpTarget {
  readonly kind: 'tcp';
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

/** Types of records that can be watched. */
export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'CAA', 'SRV', 'PTR', 'SOA'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** Records of a name; `dns:host?type=MX`. */
export interface DnsTarget {
  readonly kind: 'dns';
  readonly name: string;
  readonly host: string;
  readonly type: RecordType;
}

/** A machine that answers pings; `ping:host`. */
export interface PingTarget {
  readonly kind: 'ping';
  readonly name: string;
  readonly host: string;
}

/** A job that calls an address of ours; `heartbeat:name`. */
export interface HeartbeatTarget {
  readonly kind: 'heartbeat';
  readonly name: string;
}

/** One thing that is watched. */
export type Target =
  | UrlTarget
  | HostTarget
  | RepositoryTarget
  | TcpTarget
  | DnsTarget
  | PingTarget
  | HeartbeatTarget;

/** What a monitor watches: an entry of the operator's inventory, or one public site. */
export interface Infrastructure {
  readonly id: string;
  readonly source: 'inventory' | 'public';
  /** Who is responsible for it: a name for people. */
  readonly owner?: string;
  readonly tags: readonly string[];
  /** Users that may watch it; everyone with the scope when left out. */
  readonly users?: readonly string[];
  readonly targets: readonly Target[];
  /** Host:port pairs that may be reached although they are private; those the inventory names. */
  readonly allow: readonly string[];
  /** Certificates (PEM) of its own authority. */
  readonly authority?: string;
}

/** Where TLS is spoken. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Places of a target that speak TLS. */
export function tlsEndpoints(target: Target): Endpoint[] {
  if (target.kind === 'host') return target.tls.map((port) => ({ host: target.name, port }));
  if (target.kind !== 'url') return [];
  const url = new URL(target.name);
  if (url.protocol !== 'https:') return [];
  return [{ host: bareHost(url.hostname), port: Number(url.port || 443) }];
}

/** A URL's host without the brackets of IPv6. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
