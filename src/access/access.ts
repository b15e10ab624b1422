import { type Caller, localCaller, type Standing } from '../caller.ts';
import { asAppError } from '../errors.ts';
import { bearerOf, unauthenticated } from '../lib/bearer.ts';
import type { Logger } from '../log.ts';
import type { Alerts } from './alerts.ts';
import { keyForm } from './key.ts';
import type { KeyRecord } from './key-store.ts';
import type { Keys } from './keys.ts';
import type { Limits } from './limits.ts';
import type { Tokens } from './tokens.ts';
import type { Usage } from './usage.ts';
import type { Watchman } from './watchman.ts';

/** A request at the edge, before anybody knows whose it is. */
export interface Visit {
  /** The header `Authorization`, as it came. */
  readonly authorization: string | null;
  /** IP address of the client. */
  readonly address: string;
  /** Puts a header on the answer, be it an error. */
  tell(name: string, value: string): void;
}

/** The room of access: who may call, as whom, how often, and what they did. */
export interface Access {
  readonly keys: Keys;
  readonly usage: Usage;
  /** Without an issuer, and until the first key is made, whoever reaches the server is its local user. */
  isOpen(): boolean;
  /** AppError `unauthenticated`, the same whatever is wrong, or `rate_limited`. */
  identify(visit: Visit): Promise<Caller>;
  /** Counts what a request holds beyond the one that `identify` counted. AppError `rate_limited`. */
  more(caller: Caller, requests: number, visit: Pick<Visit, 'address' | 'tell'>): void;
  /** Whether a caller who was let in before would be now, for what outlasts a request. */
  standing(caller: Caller): Standing;
  /**
   * A request of the upload page, whose session or link says whose it is; left out while nobody is known. Gives
   * who is held to the limits of its calls. AppError `rate_limited`.
   */
  atPage(user: string | undefined, visit: Pick<Visit, 'address' | 'tell'>): Caller | undefined;
  /** Before a call runs, see `Limits.enter`. */
  enter: Limits['enter'];
  /** Records a call that ended; `outcome` is `ok` or an error's code. */
  ended(caller: Caller, operation: string, outcome: string, ms: number): void;
  /** Called with every alert. */
  onAlert: Alerts['onAlert'];
  /** Writes what is not yet written. */
  close(): void;
}

export interface AccessOptions {
  readonly keys: Keys;
  /** Access tokens of the configured issuer, if there is one. */
  readonly tokens?: () => Promise<Pick<Tokens, 'verify'>>;
  /** Who an open server's callers are. */
  readonly localUser: string;
  readonly limits: Limits;
  readonly usage: Usage;
  readonly alerts: Alerts;
  readonly watchman: Watchman;
  readonly log: Logger;
  readonly now: () => number;
  readonly close: () => void;
}

/** What the calls of a user at the upload page are recorded under. */
function pageOf(user: string): string {
  return `page:${user}`;
}

/** Outcomes that tell of somebody who tries what they may not. */
const REFUSALS = new Set(['unauthenticated', 'forbidden', 'rate_limited']);

export function createAccess(options: AccessOptions): Access {
  const { keys, tokens, localUser, limits, usage, alerts, watchman, log, now } = options;
  const local = localCaller(localUser, 'http');
  let closed = tokens !== undefined;

  function isOpen(): boolean {
    // Keys are never deleted, so what is closed once stays so.
    closed ||= keys.any();
    return !closed;
  }

  /** A request that got no further; `key` is the one it showed, where it was one. */
  function refused(
    outcome: string,
    reason: string,
    address: string,
    key?: Pick<KeyRecord, 'id' | 'user'>,
  ): void {
    const { id, user = '' } = key ?? {};
    log.info({ key: id, reason, address }, 'a request is refused at the edge');
    usage.record({ at: now(), credential: id ?? '', user, operation: '', outcome, ms: 0, address });
    alerts.refused({ address, credential: id });
  }

  function byKey(text: string, { address, tell }: Visit): Caller {
    const found = keys.find(text);
    if (found?.state !== 'active') {
      const form = keyForm(text) === 'mistyped' ? 'mistyped' : 'unknown';
      refused('unauthenticated', found?.state ?? form, address, found?.record);
      if (found) watchman.over(found.record, address);
      throw unauthenticated();
    }
    const { id, user, scopes } = found.record;
    watchman.used(found.record, address, tell);
    return { id: user, via: 'http', scopes: new Set(scopes), credential: id, address };
  }

  async function byToken(text: string, { address }: Visit, verify: Tokens['verify']): Promise<Caller> {
    try {
      const { user, scopes, expiresAt: until } = await verify(text);
      watchman.seen(user, user, address);
      return { id: user, via: 'http', scopes, credential: user, until, address };
    } catch (error) {
      const { code } = asAppError(error);
      if (code === 'unauthenticated') refused(code, 'token', address);
      throw error;
    }
  }

  async function identify(visit: Visit): Promise<Caller> {
    if (isOpen()) return local;
    const { address, tell } = visit;
    limits.fromAddress(address, tell);
    const text = bearerOf(visit.authorization) ?? '';
    const caller =
      tokens && text !== '' && keyForm(text) === 'other'
        ? await byToken(text, visit, (await tokens()).verify)
        : byKey(text, visit);
    const { credential: id = '', id: user } = caller;
    try {
      limits.ofCredential(id, tell);
    } catch (error) {
      refused('rate_limited', 'rate', address, { id, user });
      throw error;
    }
    return caller;
  }

  return {
    keys,
    usage,
    isOpen,
    identify,
    more({ id: user, credential }, requests, { address, tell }) {
      if (credential === undefined) return;
      try {
        for (let i = 0; i < requests; i++) {
          limits.fromAddress(address, tell);
          limits.ofCredential(credential, tell);
        }
      } catch (error) {
        refused('rate_limited', 'rate', address, { id: credential, user });
        throw error;
      }
    },
    standing({ credential, until }) {
      if (credential === undefined) return isOpen() ? 'good' : 'over';
      if (until !== undefined) return until > now() ? 'good' : 'over';
      const { state } = keys.get(credential);
      if (state === 'active') return 'good';
      return state === 'expired' ? 'over' : state;
    },
    atPage(user, { address, tell }) {
      if (user === undefined) {
        if (!isOpen()) limits.fromAddress(address, tell);
        return undefined;
      }
      if (isOpen()) return localCaller(user, 'http');
      const caller = { ...localCaller(user, 'http'), credential: pageOf(user), address };
      try {
        limits.ofPage(user, tell);
      } catch (error) {
        refused('rate_limited', 'rate', address, { id: caller.credential, user });
        throw error;
      }
      return caller;
    },
    enter: limits.enter,
    ended({ id: user, credential, address = '' }, operation, outcome, ms) {
      if (credential === undefined) return;
      usage.record({ at: now(), credential, user, operation, outcome, ms, address });
      if (REFUSALS.has(outcome)) alerts.refused({ credential, address });
    },
    onAlert: alerts.onAlert,
    close() {
      usage.close();
      options.close();
    },
  };
}
