/** Rights that a caller may have. Every operation requires exactly one of them. */
export const SCOPES = ['read', 'write', 'scan', 'monitor'] as const;
export type Scope = (typeof SCOPES)[number];

/** Identity of a caller. It is created where a call comes in (stdio, HTTP or CLI) and checked once in `invoke`. */
export interface Caller {
  readonly id: string;
  readonly via: 'stdio' | 'http' | 'cli';
  readonly scopes: ReadonlySet<Scope>;
  /** The credential used: the id of a key, or the user of an access token. Undefined if no credential is required. */
  readonly credential?: string;
  /** Expiry of an access token, in milliseconds since 1970. Undefined for keys, whose expiry may change. */
  readonly expiresAt?: number;
  readonly address?: string;
}

/** State of a caller's credential. It is `ended` after expiry, or when the server stops admitting calls without a credential. */
export type CredentialState = 'valid' | 'ended' | 'revoked';

export function localCaller(id: string, via: Caller['via']): Caller {
  return { id, via, scopes: new Set(SCOPES) };
}
