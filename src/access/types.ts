import type { AccessScope, Caller, CredentialState } from '../caller.ts';
import type { ProcessorMeter } from '../lib/workers/processor-meter.ts';

export type { AppRequest, AuthorizationServer } from './grants/authorization-server.ts';
export type { AppGrant } from './grants/grant-store.ts';
export type * from './session-store.ts';
export type * from './tasks/mcp-task.ts';
export type { McpTasks } from './tasks/mcp-tasks.ts';
export type { McpTaskHandle } from './tasks/task-runs.ts';

/** A stored key, without the key's text. Times are in milliseconds since 1970. */
export interface KeyRecord {
  readonly id: string;
  readonly user: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly AccessScope[];
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
  readonly replacedBy: string | undefined;
  /** Time of the last valid request. It may be too early, because times are written with a delay. */
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
  readonly scopes: readonly AccessScope[];
  /** Milliseconds until the key expires. If undefined, the key never expires. */
  readonly lifetimeMs?: number;
}

export interface KeyRotation {
  readonly overlapMs: number;
  /** Milliseconds until the new key expires. Default: the lifetime of the old key. */
  readonly lifetimeMs?: number;
}

export interface MadeKey {
  readonly record: KeyRecord;
  readonly key: string;
}

/** Access keys. Throws AppError `bad_request` for invalid input, `not_found` for an unknown key. */
export interface AccessKeys {
  createKey(key: NewKey): Promise<MadeKey>;
  /** The old key stays valid for `overlapMs`. Throws `bad_request` if the old key is inactive or replaced. */
  rotateKey(id: string, rotation: KeyRotation): Promise<MadeKey>;
  /** Revokes a key, unless revoked earlier. Other processes apply the change later: see `whenApplied`. */
  revokeKey(idOrKey: string): Promise<KeyRecord>;
  revokeAllKeys(): Promise<number>;
  listKeys(user?: string): Promise<KeyWithState[]>;
  getKey(idOrKey: string): Promise<KeyWithState>;
  findKey(text: string): Promise<KeyWithState | undefined>;
  /** Returns true if the key was active at a recent request of this process. Needs no query. */
  isKnown(text: string): boolean;
  /** Returns true if a key was ever created. May miss a key that another process has just created. */
  hasKeys(): Promise<boolean>;
  /** Resolves when all running processes apply the changes that were made before this call. */
  whenApplied(): Promise<void>;
}

export interface AccessToken {
  readonly sub: string;
  /** `<sub>@<issuer>`, such as `ada@https://id.example.com`. Access keys for this name belong to the user. */
  readonly user: string;
  readonly scopes: ReadonlySet<AccessScope>;
  readonly clientId: string | undefined;
  readonly expiresAt: number;
  /** Id of the grant of an app that signed in here. */
  readonly grant?: string;
}

export interface AccessTokenVerifier {
  readonly issuer: string;
  /** Verifies a token. Throws `unauthenticated`, or `unavailable` if the issuer's keys cannot be fetched. */
  verifyToken(token: string): Promise<AccessToken>;
  fetchKeys(): Promise<void>;
}

export interface SignedInPerson {
  readonly user: string;
  readonly scopes: ReadonlySet<AccessScope>;
  readonly name: string | undefined;
}

export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly next: string;
  readonly until: number;
}

export interface OpenIdLogin {
  /** Begins a login. Returns the provider's address and `kept`, the encrypted login that the browser keeps. */
  begin(next: string): Promise<{ readonly address: string; readonly kept: string }>;
  /** Decrypts `kept`, but only once. Returns undefined if it has expired or is not for `state`. */
  take(kept: string, state: string): PendingLogin | undefined;
  /** Ends a login. Throws `unauthenticated` for an invalid response, and `forbidden` if access is denied. */
  finish(begun: PendingLogin, answer: URLSearchParams, signal: AbortSignal): Promise<SignedInPerson>;
  /** Returns the provider's logout address, or undefined if there is none or the provider is unreachable. */
  endAddress(): Promise<string | undefined>;
}

export interface UsageEntry {
  readonly at: number;
  /** Id of a key, user of an access token, or `page:<user>` for the upload page. Empty for unknown callers. */
  readonly credential: string;
  readonly user: string;
  readonly operation: string;
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

export interface CallUsageLog {
  recordCall(entry: UsageEntry): void;
  listDays(credential: string, days: number): Promise<DailyCallCount[]>;
  listNewestCalls(credential: string, limit: number): Promise<UsageEntry[]>;
  /** Writes pending records. Once an hour, also deletes expired ones. Failures are only logged. */
  flush(): Promise<void>;
  /** Writes the counts within a second. Background fetches need it: no `recordCall` follows them. */
  writeSoon(): void;
  close(): Promise<void>;
}

export const ALERT_KINDS = ['refusals', 'new-network', 'rotated-key', 'old-key'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export interface AccessAlert {
  readonly kind: AlertKind;
  readonly message: string;
  readonly credential?: string;
  readonly user?: string;
  readonly address?: string;
}

export interface RequestClient {
  readonly address: string;
  setHeader(name: string, value: string): void;
  /** Aborts when the client closes its connection before it has the response. */
  disconnected?(): AbortSignal;
}

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
  /** Begins a call and returns the function to end it. Throws AppError `rate_limited` or `too_large`. */
  enterCall(caller: Caller, operation: LimitedOperation, signal: AbortSignal): Promise<() => void>;
  /** Waits until work before a call, such as parsing, may begin. Returns a function that ends the work. */
  enterTurn(caller: Caller, signal: AbortSignal): Promise<() => void>;
  paceRefusal(caller: Caller, bytes: number): Promise<void>;
  /** Counts a fetch, or returns false if the day's quota is used up. Throws AppError `unauthenticated`. */
  countFetch(caller: Caller): Promise<boolean>;
  recordCall(caller: Caller, operation: string, outcome: string, ms: number): void;
}

export interface AccessControl extends CallAccounting {
  readonly keys: AccessKeys;
  readonly usage: CallUsageLog;
  /** Returns true if every client is the local user: there is no issuer, and no key was ever created. */
  isOpen(): Promise<boolean>;
  /** Returns the sender of a request. Throws `rate_limited`, or `unauthenticated` without giving the reason. */
  identify(request: UnidentifiedRequest): Promise<Caller>;
  admit(person: SignedInPerson, expiresAt: number, client: RequestClient): Promise<Caller>;
  countWork(caller: Caller, work: ExtraRequestCost, client: RequestClient): void;
  /** Returns a function that charges processor time (ms) to a request. Later requests may then be refused. */
  createMeter(caller: Caller, client: RequestClient): ProcessorMeter;
  /** Says whether a credential is still valid, for work that continues after its request. */
  standingOf(caller: Caller): Promise<CredentialState>;
  identifyPageUser(user: string | undefined, client: RequestClient): Promise<Caller | undefined>;
  onAlert(listener: (alert: AccessAlert) => void): void;
  /** Lists alerts on the user's keys, newest first, from the last 100 alerts of all users. */
  listAlerts(user: string): readonly (AccessAlert & { readonly at: number })[];
  close(): Promise<void>;
}
