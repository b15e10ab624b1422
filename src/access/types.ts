import type { Caller, Scope, Standing } from '../caller.ts';
import type { ProcessorMeter } from '../lib/workers/processor-meter.ts';

/** The public interface of the room of access: who may call over HTTP, how often, and what they did. */

export type { Mail, SessionEvent, SessionStore, StoredSession, StreamPlace } from './session-store.ts';

/** A key as it is kept; times in milliseconds since 1970. The key itself is kept nowhere. */
export interface KeyRecord {
  readonly id: string;
  /** The owner of everything that the key's bearer keeps. */
  readonly user: string;
  /** What it is for, in its maker's words; may be empty. */
  readonly name: string;
  /** Its first characters, by which a person recognizes it. */
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly revokedAt: number | undefined;
  /** Id of the key that took its place. */
  readonly replacedBy: string | undefined;
  /** Time of the last request that it was valid for, to within the time between two writes. */
  readonly usedAt: number | undefined;
}

export type KeyState = 'active' | 'expired' | 'revoked';

/** A key and its present state. */
export interface FoundKey {
  readonly record: KeyRecord;
  readonly state: KeyState;
}

export interface NewKey {
  readonly user: string;
  readonly name?: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds until it expires; never when left out. */
  readonly lifetimeMs?: number;
}

export interface Rotation {
  /** Milliseconds for which the old key stays valid. */
  readonly overlapMs: number;
  /** Milliseconds until the new key expires; the lifetime that the old one was made with when left out. */
  readonly lifetimeMs?: number;
}

/** A new key with its text, which is shown once and kept nowhere. */
export interface MadeKey {
  readonly record: KeyRecord;
  readonly key: string;
}

/** The keys of this installation. Invalid texts are AppError `bad_request`, unknown ids `not_found`. */
export interface Keys {
  createKey(key: NewKey): Promise<MadeKey>;
  /**
   * A new key with the old one's user, name and scopes; the old one expires after the overlap. AppError `bad_request`
   * where the old one is not active, or has been rotated already, by another process at the same moment included.
   */
  rotateKey(id: string, rotation: Rotation): Promise<MadeKey>;
  /**
   * Applies to the next request of this process, and of all others by `whenApplied`. A key that was revoked before
   * keeps its time.
   */
  revokeKey(idOrKey: string): Promise<KeyRecord>;
  /** Returns how many were revoked now. */
  revokeAllKeys(): Promise<number>;
  /** Oldest first; of one user, or all. */
  listKeys(user?: string): Promise<FoundKey[]>;
  /** By its id or by the key itself, whose checksum distinguishes a typing error from an unknown key. */
  getKey(idOrKey: string): Promise<FoundKey>;
  /**
   * The key of a request, with the same work whatever is wrong with it. An active key that was checked a moment ago is
   * answered from memory; changes by other processes apply within `VERSION_MAX_AGE_MS` (keys.ts).
   */
  findKey(text: string): Promise<FoundKey | undefined>;
  /** Whether a key was ever made; keys made by other processes are seen as in `findKey`. */
  hasKeys(): Promise<boolean>;
  /** Resolves when every running process applies what was changed until now. */
  whenApplied(): Promise<void>;
}

/** A valid access token. */
export interface AccessToken {
  /** The user at the issuer. */
  readonly sub: string;
  /**
   * The owner of what its bearer keeps: `<sub>@<issuer>`, the issuer with its scheme. The user of a key is not the same
   * by accident; a key for this user is made by giving that very name.
   */
  readonly user: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly clientId: string | undefined;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Checks the access tokens of the configured issuer. */
export interface Tokens {
  readonly issuer: string;
  /**
   * AppError `unauthenticated`, with one wording whatever is wrong and the reason as its cause, or
   * `unavailable` while the issuer's keys cannot be fetched.
   */
  verifyToken(token: string): Promise<AccessToken>;
  /** Fetches the issuer's keys ahead of the first token; a failure is in the log. */
  fetchKeys(): Promise<void>;
}

/** A person who has signed in at the issuer, as a client of whom Magpie is one. */
export interface Person {
  /** As of an access token: `<sub>@<issuer>`. */
  readonly user: string;
  readonly scopes: ReadonlySet<Scope>;
  /** What the provider calls the person, for that person's own eyes. */
  readonly name: string | undefined;
}

/** A login that a browser has begun and may end once. */
export interface BegunLogin {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where the person wanted to go: a path with its query. */
  readonly next: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Logins at the configured issuer, by the code flow of OpenID Connect with PKCE. */
export interface OpenIdLogin {
  /**
   * Where to send the browser, and what it must keep until it comes back, which it cannot read or change.
   * AppError `unavailable` while the provider cannot be reached.
   */
  begin(next: string): Promise<{ readonly address: string; readonly kept: string }>;
  /** What a browser has kept, once, when the provider's answer belongs to it; undefined when it does not, or is too late. */
  take(kept: string, state: string): BegunLogin | undefined;
  /**
   * Takes the answer that the browser has brought along. AppError `unauthenticated` for one that is not valid, `forbidden` for
   * a person who may do nothing here, `unavailable`.
   */
  finish(begun: BegunLogin, answer: URLSearchParams, signal: AbortSignal): Promise<Person>;
  /** Where the person ends the session at the provider; undefined where it has no such place, or is away. */
  endAddress(): Promise<string | undefined>;
}

/** One call as it is recorded: who, what and how it ended, never what was asked or answered. */
export interface UsageEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Id of a key, the user of an access token, or `page:<user>`; empty for an unknown caller. */
  readonly credential: string;
  readonly user: string;
  /** Empty for a request that was refused at the edge. */
  readonly operation: string;
  /** `ok` or an error's code. */
  readonly outcome: string;
  /** Milliseconds. */
  readonly ms: number;
  readonly address: string;
}

/** Calls of one day with the same operation and outcome. */
export interface DayCount {
  /** Days since 1970, in UTC. */
  readonly day: number;
  readonly operation: string;
  readonly outcome: string;
  readonly calls: number;
}

/** The record of use: who called what, when, how it ended; never what was asked or answered. */
export interface Usage {
  /** Returns at once; the call is written within a second. */
  recordCall(entry: UsageEntry): void;
  /** Of a credential, from so many days ago until today. */
  listDays(credential: string, days: number): Promise<DayCount[]>;
  /** The newest calls of a credential, newest first. */
  listNewestCalls(credential: string, limit: number): Promise<UsageEntry[]>;
  /** Writes what is pending, and deletes expired records once an hour. Never rejects: a failure is in the log. */
  flush(): Promise<void>;
  /** Writes within a second, though no call has ended: work that outlasts its call counts fetches. */
  writeSoon(): void;
  close(): Promise<void>;
}

export const ALERTS = ['refusals', 'new-network', 'rotated-key', 'old-key'] as const;
export type AlertKind = (typeof ALERTS)[number];

/** What an operator should look into. */
export interface Alert {
  readonly kind: AlertKind;
  /** In plain words, with what to do. */
  readonly message: string;
  /** Id of the key, or the user of the access token. */
  readonly credential?: string;
  readonly user?: string;
  readonly address?: string;
}

/** Where a request comes from, and how to answer it with a header. */
export interface RequestClient {
  /** IP address of the client. */
  readonly address: string;
  /** Sets a header of the answer, be it an error. */
  setHeader(name: string, value: string): void;
}

/** What a request holds beyond itself. */
export interface Work {
  /** Messages of a batch after the first. */
  readonly requests?: number;
  /** Of its body. */
  readonly bytes?: number;
  /** Of its body: members of JSON objects and lists. */
  readonly members?: number;
}

/** A request at the edge, before its caller is known. */
export interface UnidentifiedRequest extends RequestClient {
  /** The header `Authorization`, as it came. */
  readonly authorization: string | null;
}

/** What limits need to know of an operation. */
export interface LimitedOperation {
  readonly name: string;
  readonly effect: 'read' | 'write' | 'destroy';
  readonly openWorld: boolean;
}

/** Enforces the limits of calls, and records every call that ended. */
export interface CallAccounting {
  /**
   * Before a call runs: AppError `rate_limited` that says when to try again, or `too_large` when the user's storage is
   * full. Returns the function to call at the call's end.
   */
  enterCall(caller: Caller, operation: LimitedOperation): Promise<() => void>;
  /**
   * Counts one more fetch of a call, which reads many pages or outlasts its request; false when those of the day are used up.
   * AppError `unauthenticated` when the caller's key would be let in no longer.
   */
  countFetch(caller: Caller): Promise<boolean>;
  /** Records a call that ended; `outcome` is `ok` or an error's code. */
  recordCall(caller: Caller, operation: string, outcome: string, ms: number): void;
}

/** The room of access. */
export interface Access extends CallAccounting {
  readonly keys: Keys;
  readonly usage: Usage;
  /** Without an issuer, and until the first key is made, every client is the local user. */
  isOpen(): Promise<boolean>;
  /** AppError `unauthenticated`, the same whatever is wrong, or `rate_limited`. */
  identify(request: UnidentifiedRequest): Promise<Caller>;
  /** A person who has just signed in: noted and counted as the bearer of an access token is. AppError `rate_limited`. */
  admit(person: Person, expiresAt: number, client: RequestClient): Promise<Caller>;
  /** Counts what a request holds beyond the one that `identify` counted. AppError `rate_limited`. */
  countWork(caller: Caller, work: Work, client: RequestClient): void;
  /**
   * The function that counts the processor time of a request, in milliseconds, towards the limits of its caller, each time it is
   * called. It never refuses: what is owed is waited for by later requests.
   */
  createMeter(caller: Caller, client: RequestClient): ProcessorMeter;
  /** Whether a caller who was let in before would be let in now: for what outlasts a request. */
  standingOf(caller: Caller): Promise<Standing>;
  /**
   * A request of the upload page, whose session or link says whose it is; without a user while that is unknown.
   * Returns the caller whose limits apply. AppError `rate_limited`.
   */
  identifyPageUser(user: string | undefined, client: RequestClient): Promise<Caller | undefined>;
  /** Calls the listener with every alert. */
  onAlert(listener: (alert: Alert) => void): void;
  /** The alerts on this user's keys since this process began, newest first; no more than a hundred of all users are remembered. */
  listAlerts(user: string): readonly (Alert & { readonly at: number })[];
  /** Writes what is pending. */
  close(): Promise<void>;
}
