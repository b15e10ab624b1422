import type { Caller, CredentialState, Scope } from '../caller.ts';
import type { ProcessorMeter } from '../lib/workers/processor-meter.ts';

export type * from './session-store.ts';

/** A key as stored, without its text. Times are in milliseconds since 1970. */
export interface KeyRecord {
  readonly id: string;
  readonly user: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
  readonly replacedBy: string | undefined;
  /** Last valid request that was written. Later requests may not be written yet. */
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
  /** Undefined: the key never expires. */
  readonly lifetimeMs?: number;
}

export interface KeyRotation {
  readonly overlapMs: number;
  /** Default: the lifetime of the old key. */
  readonly lifetimeMs?: number;
}

export interface MadeKey {
  readonly record: KeyRecord;
  readonly key: string;
}

/** Access keys of this installation. AppError `bad_request` for invalid texts, `not_found` for unknown ids. */
export interface Keys {
  createKey(key: NewKey): Promise<MadeKey>;
  /** The old key expires after an overlap. Throws AppError `bad_request` if it is inactive or already replaced. */
  rotateKey(id: string, rotation: KeyRotation): Promise<MadeKey>;
  /** Other processes refuse the key after `whenApplied`. A key revoked earlier keeps its time of revocation. */
  revokeKey(idOrKey: string): Promise<KeyRecord>;
  revokeAllKeys(): Promise<number>;
  listKeys(user?: string): Promise<KeyWithState[]>;
  getKey(idOrKey: string): Promise<KeyWithState>;
  /** Takes the same time for valid and invalid keys. Returns undefined for an unknown key. */
  findKey(text: string): Promise<KeyWithState | undefined>;
  /** True if the key was active at a recent request of this process. Needs no query. */
  isKnown(text: string): boolean;
  /** True if any key was ever created. Changes by other processes are known after `VERSION_MAX_AGE_MS`. */
  hasKeys(): Promise<boolean>;
  /** Resolves when all running processes apply the changes made before the call. */
  whenApplied(): Promise<void>;
}

export interface AccessToken {
  readonly sub: string;
  /** `<sub>@<issuer>`, with `https://`. An access key is this user's if it was created for this name. */
  readonly user: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly clientId: string | undefined;
  readonly expiresAt: number;
}

export interface AccessTokenVerifier {
  readonly issuer: string;
  /** Throws AppError `unauthenticated` for an invalid token, `unavailable` if the issuer's keys cannot be fetched. */
  verifyToken(token: string): Promise<AccessToken>;
  fetchKeys(): Promise<void>;
}

export interface SignedInPerson {
  readonly user: string;
  readonly scopes: ReadonlySet<Scope>;
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
  /** Returns the provider's address and an encrypted text for the browser. Throws AppError `unavailable`. */
  begin(next: string): Promise<{ readonly address: string; readonly kept: string }>;
  /** Decrypts the browser's text once. Undefined if it does not belong to `state` or has expired. */
  take(kept: string, state: string): PendingLogin | undefined;
  /** Throws AppError `unauthenticated` for an invalid response, `forbidden` without scopes, or `unavailable`. */
  finish(begun: PendingLogin, answer: URLSearchParams, signal: AbortSignal): Promise<SignedInPerson>;
  /** The provider's logout address. Undefined if there is none or the provider is unreachable. */
  endAddress(): Promise<string | undefined>;
}

export interface UsageEntry {
  readonly at: number;
  /** Id of a key, user name of an access token, or `page:<user>` for the upload page. Empty for an unknown caller. */
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

export interface Usage {
  recordCall(entry: UsageEntry): void;
  listDays(credential: string, days: number): Promise<DailyCallCount[]>;
  listNewestCalls(credential: string, limit: number): Promise<UsageEntry[]>;
  /** Writes pending records. Once an hour, also deletes expired ones. Failures are only logged. */
  flush(): Promise<void>;
  /** Writes the counts within a second. Background work calls it after a fetch, because no call ends then. */
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
  setHeader(name: string, value: string): void;
  /** Aborts when the client closes its connection before it has the response. */
  disconnected?(): AbortSignal;
}

/** Extra cost of a large request or batch, besides the one request that always counts. */
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
  /** Returns the function that ends the call. Throws AppError `rate_limited`, or `too_large` if storage is full. */
  enterCall(caller: Caller, operation: LimitedOperation, signal: AbortSignal): Promise<() => void>;
  /** Waits for a turn for work before a call, such as parsing a long body. Returns the function that ends it. */
  enterTurn(caller: Caller, signal: AbortSignal): Promise<() => void>;
  paceRefusal(caller: Caller, bytes: number): Promise<void>;
  /** False if the daily quota is used up. Throws AppError `unauthenticated` if the key is no longer accepted. */
  countFetch(caller: Caller): Promise<boolean>;
  recordCall(caller: Caller, operation: string, outcome: string, ms: number): void;
}

export interface Access extends CallAccounting {
  readonly keys: Keys;
  readonly usage: Usage;
  /** True if every client is the local user, because there is no issuer and no key was ever created. */
  isOpen(): Promise<boolean>;
  /** Throws AppError `unauthenticated`, with the same message for every reason, or `rate_limited`. */
  identify(request: UnidentifiedRequest): Promise<Caller>;
  admit(person: SignedInPerson, expiresAt: number, client: RequestClient): Promise<Caller>;
  countWork(caller: Caller, work: ExtraRequestCost, client: RequestClient): void;
  /** Returns a function that charges a request's processor time (ms). Only later requests are refused. */
  createMeter(caller: Caller, client: RequestClient): ProcessorMeter;
  /** For work that continues after its request. */
  standingOf(caller: Caller): Promise<CredentialState>;
  identifyPageUser(user: string | undefined, client: RequestClient): Promise<Caller | undefined>;
  onAlert(listener: (alert: Alert) => void): void;
  /** Alerts on this user's keys, newest first, among the last 100 alerts of all users. */
  listAlerts(user: string): readonly (Alert & { readonly at: number })[];
  close(): Promise<void>;
}
