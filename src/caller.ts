export const SCOPES = ['read', 'write', 'scan', 'monitor'] as const;
export type Scope = (typeof SCOPES)[number];

/** The entry point of a call (stdio, HTTP or CLI) creates the caller, and `invoke` checks it once. */
export interface Caller {
  readonly id: string;
  readonly via: 'stdio' | 'http' | 'cli';
  readonly scopes: ReadonlySet<Scope>;
  /** Id of the key, or user of the access token. Undefined for a call without a credential. */
  readonly credential?: string;
  /** Milliseconds since 1970 for an access token. Undefined for a key, whose expiry may change. */
  readonly expiresAt?: number;
  readonly address?: string;
}

/** `ended`: the credential has expired, or the server no longer admits calls without a credential. */
export type CredentialState = 'valid' | 'ended' | 'revoked';

export function localCaller(id: string, via: Caller['via']): Caller {
  return { id, via, scopes: new Set(SCOPES) };
}
