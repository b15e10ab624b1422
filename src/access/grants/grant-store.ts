import type { AccessScope } from '../../caller.ts';

/** What a user lets an app do that signed in here. It ends when it is unused for long, and with its key. */
export interface AppGrant {
  readonly id: string;
  readonly user: string;
  /** The key that the user signed in with. */
  readonly keyId: string;
  readonly clientId: string;
  /** Name that the app gives itself. */
  readonly clientName: string;
  readonly redirectUri: string;
  /** SHA-256 of the app's code verifier in base64url (RFC 7636). */
  readonly challenge: string;
  readonly scopes: readonly AccessScope[];
  readonly createdAt: number;
  readonly usedAt: number;
  readonly expiresAt: number;
}

export interface GrantToken {
  readonly hash: string;
  readonly kind: 'code' | 'access' | 'refresh';
  readonly expiresAt: number;
}

export interface TokenRedemption {
  readonly at: number;
  /** How long a token that was redeemed can be redeemed again. */
  readonly graceMs: number;
  /** The next tokens. The last one says when the grant ends unless it is redeemed. */
  readonly tokens: readonly GrantToken[];
  /** Most access tokens of the grant that are valid at once. */
  readonly most: number;
}

/** Stores grants and hashes of their tokens. Each method is atomic. */
export interface GrantStore {
  /** Adds a grant. If the user then has more than `most`, deletes those that were unused longest. */
  insertGrant(grant: AppGrant, code: GrantToken, most: number): Promise<void>;
  /** Returns a token, also an expired one, unless the key of its grant has ended. */
  findToken(hash: string, at: number): Promise<{ token: GrantToken; grant: AppGrant } | undefined>;
  /** Stores the next tokens of a grant. `used`: the token was redeemed before. `busy`: there are too many. */
  redeemToken(hash: string, grant: string, redemption: TokenRedemption): Promise<'done' | 'used' | 'busy'>;
  /** Lists the grants that an app has, oldest first. A code that was not redeemed is none. */
  listGrants(user: string, at: number): Promise<AppGrant[]>;
  hasGrant(id: string, at: number): Promise<boolean>;
  /** Ends a grant. Returns false for an unknown grant, or one of another user than `user`. */
  deleteGrant(id: string, user?: string): Promise<boolean>;
  deleteExpired(before: number): Promise<void>;
}
