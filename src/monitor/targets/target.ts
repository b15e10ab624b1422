export interface UrlTarget {
  readonly kind: 'url';
  /** Normalized address of the page, unique within an infrastructure. */
  readonly name: string;
  /** Plain HTTP address of the same site, if it is not on port 80. */
  readonly plain?: string;
}

export interface HostTarget {
  readonly kind: 'host';
  readonly name: string;
  readonly ports: readonly number[];
  /** Ports that use TLS from the first byte. */
  readonly tls: readonly number[];
  /** Ports that should be closed, besides the well-known ports of services. */
  readonly closed: readonly number[];
}

export interface RepositoryTarget {
  readonly kind: 'repository';
  /** Git URL of the repository, or its folder, which the operator must allow. */
  readonly name: string;
  readonly branch?: string;
}

/** A TCP port that should accept connections. Its name is `tcp://host:port`. */
export interface TcpTarget {
  readonly kind: 'tcp';
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'CAA', 'SRV', 'PTR', 'SOA'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** DNS records of a name: `dns:host?type=MX`. */
export interface DnsTarget {
  readonly kind: 'dns';
  readonly name: string;
  readonly host: string;
  readonly type: RecordType;
}

/** A machine that answers pings: `ping:host`. */
export interface PingTarget {
  readonly kind: 'ping';
  readonly name: string;
  readonly host: string;
}

/** A job that sends requests to Magpie (heartbeats): `heartbeat:name`. */
export interface HeartbeatTarget {
  readonly kind: 'heartbeat';
  readonly name: string;
}

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
  /** Name of the person or team responsible for the entry, used only for display. */
  readonly owner?: string;
  readonly tags: readonly string[];
  /** Users who may watch the entry. Default: all users whose keys may use monitoring. */
  readonly users?: readonly string[];
  readonly targets: readonly Target[];
  /** Pairs of host and port that may be probed although the host is private. Only the inventory sets them. */
  readonly allow: readonly string[];
  /** Certificates (PEM) of the entry's own certificate authority. */
  readonly authority?: string;
}

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export function tlsEndpoints(target: Target): Endpoint[] {
  if (target.kind === 'host') return target.tls.map((port) => ({ host: target.name, port }));
  if (target.kind !== 'url') return [];
  const url = new URL(target.name);
  if (url.protocol !== 'https:') return [];
  return [{ host: stripHostBrackets(url.hostname), port: Number(url.port || 443) }];
}

export function stripHostBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
