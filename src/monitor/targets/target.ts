export interface UrlTarget {
  readonly kind: 'url';
  /** Normalized address of the page. No other target of the entry has this address. */
  readonly name: string;
  /** Address of the same site by plain HTTP. Left out if the address has the default port 80. */
  readonly plain?: string;
}

export interface HostTarget {
  readonly kind: 'host';
  readonly name: string;
  readonly ports: readonly number[];
  /** The `ports` on which a connection begins with TLS. */
  readonly tls: readonly number[];
  /** Ports that must be closed, in addition to the usual ports of sensitive services. */
  readonly closed: readonly number[];
}

export interface RepositoryTarget {
  readonly kind: 'repository';
  /** Git URL of a repository, or a folder on this machine that the operator allows. */
  readonly name: string;
  readonly branch?: string;
}

/** A TCP port that should accept connections. Its `name` is `tcp://host:port`. */
export interface TcpTarget {
  readonly kind: 'tcp';
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'CAA', 'SRV', 'PTR', 'SOA'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** DNS records of a host that should exist. Its `name` has the form `dns:host?type=MX`. */
export interface DnsTarget {
  readonly kind: 'dns';
  readonly name: string;
  readonly host: string;
  readonly type: RecordType;
}

/** A machine that should answer pings. Its `name` is `ping:host`. */
export interface PingTarget {
  readonly kind: 'ping';
  readonly name: string;
  readonly host: string;
}

/** A job that should regularly send a heartbeat to Magpie. Its `name` is `heartbeat:<name of the job>`. */
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

/** The targets of a monitor: an entry of the operator's inventory, or one public site. */
export interface Infrastructure {
  readonly id: string;
  readonly source: 'inventory' | 'public';
  /** Person or team that is responsible for the entry. This is only displayed. */
  readonly owner?: string;
  readonly tags: readonly string[];
  /** Users who may monitor the entry. Default: all users who may use monitoring. */
  readonly users?: readonly string[];
  readonly targets: readonly Target[];
  /** Pairs of host and port that probes may reach even on a private network. Only the inventory can set such pairs. */
  readonly allow: readonly string[];
  /** Certificates (PEM) of a private certificate authority that probes of this entry trust. */
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
