export const SCOPES = ['read', 'write', 'scan', 'monitor'] as const;
export type AccessScope = (typeof SCOPES)[number];

/** Who makes a call. Created by the entry point (stdio, HTTP or CLI), checked once by `invoke`. */
export interface Caller {
  readonly id: string;
  readonly via: 'stdio' | 'http' | 'cli';
  readonly scopes: ReadonlySet<AccessScope>;
  /** Id of the key, or user of the access token. Undefined for a call without a credential. */
  readonly credential?: string;
  /** Expiry in milliseconds since 1970. Undefined for a key, because a key's expiry may change. */
  readonly expiresAt?: number;
  readonly address?: string;
}

/** `ended`: the credential has expired, or the server no longer admits calls without a credential. */
export type CredentialState = 'valid' | 'ended' | 'revoked';

export function localCaller(id: string, via: Caller['via']): Caller {
  return { id, via, scopes: new Set(SCOPES) };
}
