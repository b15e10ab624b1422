export const ACCESS_SCOPES = ['read', 'write', 'scan', 'monitor'] as const;
export type AccessScope = (typeof ACCESS_SCOPES)[number];

/** The user or program that makes a call. The entry point (stdio, HTTP or CLI) creates this object. */
export interface Caller {
  readonly id: string;
  readonly via: 'stdio' | 'http' | 'cli';
  readonly scopes: ReadonlySet<AccessScope>;
  /** Id of the API key, or user of the access token. Undefined for a call without key and token. */
  readonly credential?: string;
  /** Expiry in milliseconds since 1970. Undefined for a key, because a key's expiry may change later. */
  readonly expiresAt?: number;
  /** Id of the grant of an app that signed in here. The call ends when the grant does. */
  readonly grant?: string;
  readonly address?: string;
  /** What the address and the headers of an MCP connection ask for. A tool is offered if each has it. */
  readonly selections?: readonly ToolSelection[];
}

/** Tools of some toolsets, and further ones by name. All tools if both lists are empty. */
export interface ToolSelection {
  readonly toolsets: readonly string[];
  readonly tools: readonly string[];
  readonly readOnly: boolean;
}

/** `ended`: the credential has expired, or the server no longer admits calls without a credential. */
export type CredentialState = 'valid' | 'ended' | 'revoked';

export function localCaller(id: string, via: Caller['via']): Caller {
  return { id, via, scopes: new Set(ACCESS_SCOPES) };
}
