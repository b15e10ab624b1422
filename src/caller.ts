/** Scopes that a caller may have. Every operation requires exactly one scope. */
export const SCOPES = ['read', 'write', 'scan', 'monitor'] as const;
export type Scope = (typeof SCOPES)[number];

/** Identity of a caller. The entry point of a call (stdio, HTTP or CLI) creates it, and `invoke` checks it once. */
export interface Caller {
  readonly id: string;
  readonly via: 'stdio' | 'http' | 'cli';
  readonly scopes: ReadonlySet<Scope>;
  /** Id of the key, or user of the access token. Undefined if the call needs no credential. */
  readonly credential?: string;
  /** Expiry of an access token, in milliseconds since 1970. Undefined for a key, because its expiry may change later. */
  readonly expiresAt?: number;
  readonly address?: string;
}

/** State of a caller's credential. `ended`: it has expired, or the server no longer admits calls without a credential. */
export type CredentialState = 'valid' | 'ended' | 'revoked';

export function localCaller(id: string, via: Caller['via']): Caller {
  return { id, via, scopes: new Set(SCOPES) };
}
