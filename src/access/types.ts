import type { Caller, CredentialState, Scope } from '../caller.ts';
import type { ProcessorMeter } from '../lib/workers/processor-meter.ts';

export type {
  NodeMessage,
  SessionEvent,
  SessionStore,
  SessionStreamId,
  StoredSession,
} from './session-store.ts';

/** A key as stored; times are in milliseconds since 1970. The key text itself is not stored. */
export interface KeyRecord {
  readonly id: string;
  readonly user: string;
  /** Purpose of the key in its creator's words; may be empty. */
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
  readonly replacedBy: string | undefined;
  /** Time of the last valid request, as last written. Later requests may not have been written yet. */
  readonly usedAt: number | undefined;
}

export type KeyState = 'active' | 'expired' | 'revoked';

export interface KeyWithState {
  readonly record: KeyRecord;
  readonly state: KeyState;
}

export interface NewKey {
  readonly user: string;
  readonly name?: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds until the key expires. If undefined, the key never expires. */
  readonly lifetimeMs?: number;
}

export interface KeyRotation {
  readonly overlapMs: number;
  /** Milliseconds until the new key expires; default is the lifetime of the old key. */
  readonly lifetimeMs?: number;
}

/** A new key with its text, which is shown once and not stored. */
export interface MadeKey {
  readonly record: KeyRecord;
  readonly key: string;
}

/** Access keys of this installation. Throws AppError `bad_request` for invalid texts, `not_found` for unknown ids. */
export interface Keys {
  createKey(key: NewKey): Promise<MadeKey>;
  /** Replaces a key. The old key expires after an overlap. AppError `bad_request` if it is inactive or already replaced. */
  rotateKey(id: string, rotation: KeyRotation): Promise<MadeKey>;
  /** Revokes a key. Other processes refuse it after `whenApplied`. A key revoked earlier keeps its time of revocation. */
  revokeKey(idOrKey: string): Promise<KeyRecord>;
  revokeAllKeys(): Promise<number>;
  /** Lists the keys of one user or of all users, oldest first. */
  listKeys(user?: string): Promise<KeyWithState[]>;
  /** Finds a key by its id or text. By the checksum, the error distinguishes a mistyped key from an unknown key. */
  getKey(idOrKey: string): Promise<KeyWithState>;
  /** Finds the key of a request. Takes equally long for valid and invalid keys. Returns undefined for an unknown key. */
  findKey(text: string): Promise<KeyWithState | undefined>;
  /** True if the key was active at a recent request of this process. Does not query the database. */
  isKnown(text: string): boolean;
  /** True if any key was ever created. A change by another process is known after at most `VERSION_MAX_AGE_MS`. */
  hasKeys(): Promise<boolean>;
  /** Resolves when all running processes apply the changes of keys made before the call. */
  whenApplied(): Promise<void>;
}

export interface AccessToken {
  readonly sub: string;
  /** User name `<sub>@<issuer>`, with `https://`. An access key belongs to this user only if it was created for this name. */
  readonly user: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly clientId: string | undefined;
  readonly expiresAt: number;
}

export interface AccessTokenVerifier {
  readonly issuer: string;
  /** Verifies a token. AppError `unauthenticated` for an invalid token, `unavailable` if the issuer's keys cannot be fetched. */
  verifyToken(token: string): Promise<AccessToken>;
  /** Fetches the issuer's keys in advance, before the first token needs them. A failure is only logged. */
  fetchKeys(): Promise<void>;
}

export interface SignedInPerson {
  /** User name `<sub>@<issuer>`, the same as for an access token of this person. */
  readonly user: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly name: string | undefined;
}

/** A login that a browser has started. It can be finished only once. */
export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly next: string;
  /** Time at which the login expires, in milliseconds since 1970. */
  readonly until: number;
}

/** Logins at the configured issuer, by the OpenID Connect code flow with PKCE. */
export interface OpenIdLogin {
  /** Returns the provider's address and a sealed text for the browser. AppError `unavailable` if the provider is unreachable. */
  begin(next: string): Promise<{ readonly address: string; readonly kept: string }>;
  /** Decrypts the browser's sealed text, only once. Undefined if the text does not belong to `state` or has expired. */
  take(kept: string, state: string): PendingLogin | undefined;
  /** Verifies the provider's response. AppError `unauthenticated` (invalid), `forbidden` (no scopes) or `unavailable`. */
  finish(begun: PendingLogin, answer: URLSearchParams, signal: AbortSignal): Promise<SignedInPerson>;
  /** Returns the provider's logout address; undefined if the provider has none or is unreachable. */
  endAddress(): Promise<string | undefined>;
}

/** Record of one call: its caller, operation and outcome, but never its content. */
export interface UsageEntry {
  readonly at: number;
  /** Id of a key, user name of an access token, or `page:<user>` for the upload page; empty for an unknown caller. */
  readonly credential: string;
  readonly user: string;
  readonly operation: string;
  /** `ok` or an error code. */
  readonly outcome: string;
  readonly ms: number;
  readonly address: string;
}

export interface DailyCallCount {
  /** Days since 1970, in UTC. */
  readonly day: number;
  readonly operation: string;
  readonly outcome: string;
  readonly calls: number;
}

export interface Usage {
  recordCall(entry: UsageEntry): void;
  /** Lists the counts of a credential for the last `days` days, today included. */
  listDays(credential: string, days: number): Promise<DailyCallCount[]>;
  listNewestCalls(credential: string, limit: number): Promise<UsageEntry[]>;
  /** Writes pending records of calls. Once an hour, also deletes expired records. Never rejects: failures are logged. */
  flush(): Promise<void>;
  /** Writes the counts within a second. Background work calls this method after a fetch, because no call ends then. */
  writeSoon(): void;
  close(): Promise<void>;
}

export const ALERT_KINDS = ['refusals', 'new-network', 'rotated-key', 'old-key'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export interface Alert {
  readonly kind: AlertKind;
  readonly message: string;
  readonly credential?: string;
  readonly user?: string;
  readonly address?: string;
}

export interface RequestClient {
  readonly address: string;
  /** Sets a header of the response, also of an error response. */
  setHeader(name: string, value: string): void;
  /** Returns a signal that aborts when the client closes its connection before it has the response. */
  disconnected?(): AbortSignal;
}

/** Extra cost of a large request or batch, in addition to the one request that is always counted. */
export interface ExtraRequestCost {
  readonly requests?: number;
  readonly bytes?: number;
  readonly members?: number;
}

export interface UnidentifiedRequest extends RequestClient {
  readonly authorization: string | null;
}

export interface LimitedOperation {
  readonly name: string;
  readonly effect: 'read' | 'write' | 'destroy';
  readonly openWorld: boolean;
}

export interface CallAccounting {
  /**
   * Begins a call, once its user has a turn. Returns a function that ends it. AppError `rate_limited` with a retry time, `too_large`
   * for full storage. Rejects with the reason of an abort.
   */
  enterCall(caller: Caller, operation: LimitedOperation, signal: AbortSignal): Promise<() => void>;
  /** Waits for a turn of the caller's user, for work before the call. Returns the function that ends the turn. */
  enterTurn(caller: Caller, signal: AbortSignal): Promise<() => void>;
  /** Waits until the refusal of a large request of the caller may be answered. */
  paceRefusal(caller: Caller): Promise<void>;
  /** Counts a fetch; false if the daily quota is used up. Throws AppError `unauthenticated` if the key is no longer accepted. */
  countFetch(caller: Caller): Promise<boolean>;
  recordCall(caller: Caller, operation: string, outcome: string, ms: number): void;
}

export interface Access extends CallAccounting {
  readonly keys: Keys;
  readonly usage: Usage;
  /** True if every client is the local user: no issuer is configured and no key was ever created. */
  isOpen(): Promise<boolean>;
  /** Finds the caller of a request. AppError `unauthenticated`, with the same message for every reason, or `rate_limited`. */
  identify(request: UnidentifiedRequest): Promise<Caller>;
  /** Returns the caller for a person who just signed in, and counts the request. Throws AppError `rate_limited`. */
  admit(person: SignedInPerson, expiresAt: number, client: RequestClient): Promise<Caller>;
  /** Counts the extra cost of a request, beyond the one request that `identify` counted. Throws AppError `rate_limited`. */
  countWork(caller: Caller, work: ExtraRequestCost, client: RequestClient): void;
  /** Returns a function that adds a request's processor time (ms) to its caller's quota. Only later requests are refused. */
  createMeter(caller: Caller, client: RequestClient): ProcessorMeter;
  /** Returns whether the caller's key or token is still valid, for work that continues after its request. */
  standingOf(caller: Caller): Promise<CredentialState>;
  /** Returns the caller whose limits apply on the upload page. `user` is from its session or link. AppError `rate_limited`. */
  identifyPageUser(user: string | undefined, client: RequestClient): Promise<Caller | undefined>;
  onAlert(listener: (alert: Alert) => void): void;
  /** Lists the alerts on this user's keys, newest first. The process keeps only the last 100 alerts of all users. */
  listAlerts(user: string): readonly (Alert & { readonly at: number })[];
  close(): Promise<void>;
}
