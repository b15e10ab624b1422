/** Permissions of a caller. Every operation requires exactly one of them. */
export const SCOPES = ['read', 'write', 'scan', 'monitor'] as const;
export type Scope = (typeof SCOPES)[number];

/** Identity of a caller. It is created where a call comes in (stdio, HTTP or CLI) and checked once in `invoke`. */
export interface Caller {
  /** Id of the owner of all data that this caller reads and writes. */
  readonly id: string;
  readonly via: 'stdio' | 'http' | 'cli';
  readonly scopes: ReadonlySet<Scope>;
  /** The credential used: the id of a key, or the user of an access token. Undefined if no credential is required. */
  readonly credential?: string;
  /** Expiry of an access token, in milliseconds since 1970. Undefined for keys: their expiry may change, so records have it. */
  readonly expiresAt?: number;
  /** IP address of the client, for calls over HTTP. */
  readonly address?: string;
}

/** State of a caller's credential: `ended` once it has expired, or once the server no longer admits calls without one. */
export type Standing = 'valid' | 'ended' | 'revoked';

/** Returns the single local user of an open server, with all scopes. */
export function localCaller(id: string, via: Caller['via']): Caller {
  return { id, via, scopes: new Set(SCOPES) };
}
