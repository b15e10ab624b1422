/** What a caller may do; every operation names the one scope that it needs. */
export const SCOPES = ['read', 'write', 'scan', 'monitor'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who is calling: made at the edge (stdio, HTTP, CLI), checked once in `invoke`. */
export interface Caller {
  /** The owner of everything this caller reads and writes. */
  readonly id: string;
  readonly via: 'stdio' | 'http' | 'cli';
  readonly scopes: ReadonlySet<Scope>;
  /** What opened the door: the id of a key, or the user of an access token. None where the door is open. */
  readonly credential?: string;
  /** When an access token expires, in milliseconds since 1970; when a key expires may change, so its record is read. */
  readonly expiresAt?: number;
  /** IP address that the call came from, over HTTP. */
  readonly address?: string;
}

/** State of the credential that let a caller in: `ended` once it has expired, or once the server is no longer open. */
export type Standing = 'valid' | 'ended' | 'revoked';

/** The one local user of an open server: every scope. */
export function localCaller(id: string, via: Caller['via']): Caller {
  return { id, via, scopes: new Set(SCOPES) };
}
