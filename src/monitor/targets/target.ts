export interface UrlTarget {
  readonly kind: 'url';
  readonly name: string;
  /** Address of the same site by plain HTTP, unless it has the default port 80. */
  readonly plain?: string;
}

export interface HostTarget {
  readonly kind: 'host';
  readonly name: string;
  readonly ports: readonly number[];
  /** The `ports` on which a connection begins with TLS. */
  readonly tls: readonly number[];
  /** Ports that must be closed, besides the usual ports of sensitive services. */
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
export type RecordType = (typeof RECORD_TYPES)[number];

export interface DnsTarget {
  readonly kind: 'dns';
  readonly name: string;
  readonly host: string;
  readonly type: RecordType;
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

export type Target =
  | UrlTarget
  | HostTarget
  | RepositoryTarget
  | TcpTarget
  | DnsTarget
  | PingTarget
  | HeartbeatTarget;

/** Targets of a monitor: an entry of the inventory, or one public site. */
export interface Infrastructure {
  readonly id: string;
  readonly source: 'inventory' | 'public';
  /** Person or team that is responsible for the entry. Only displayed. */
  readonly owner?: string;
  readonly tags: readonly string[];
  /** Users who may monitor the entry. Default: all. */
  readonly users?: readonly string[];
  readonly targets: readonly Target[];
  /** Pairs of host and port that probes may reach even on a private network. */
  readonly allow: readonly string[];
  /** Certificates (PEM) of a private certificate authority that these probes trust. */
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
