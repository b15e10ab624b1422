import { type Caller, localCaller } from '../caller.ts';
import { bearerOf, unauthenticated } from '../lib/bearer.ts';
import type { Logger } from '../log.ts';
import { keyForm } from './key.ts';
import type { FoundKey, Keys } from './keys.ts';
import type { Tokens } from './tokens.ts';

/** A request at the edge, before anybody knows whose it is. */
export interface Visit {
  /** The header `Authorization`, as it came. */
  readonly authorization: string | null;
  /** IP address of the client. */
  readonly address: string;
  /** Puts a header on the answer, be it an error. */
  tell(name: string, value: string): void;
}

/** The room of access: who may call, as whom. */
export interface Access {
  readonly keys: Keys;
  /** Without an issuer, and until the first key is made, whoever reaches the server is its local user. */
  isOpen(): boolean;
  /** AppError `unauthenticated`, the same whatever is wrong. */
  identify(visit: Visit): Promise<Caller>;
}

export interface AccessOptions {
  readonly keys: Keys;
  /** Access tokens of the configured issuer, if there is one. */
  readonly tokens?: () => Promise<Pick<Tokens, 'verify'>>;
  /** Who an open server's callers are. */
  readonly localUser: string;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const DAY = 86_400_000;
/** Milliseconds after which a key should be rotated: 90 days, by the contract. */
const OLD = 90 * DAY;

export function createAccess({ keys, tokens, localUser, log, now = Date.now }: AccessOptions): Access {
  const local = localCaller(localUser, 'http');
  /** Days on which a word was said about a key's age, by its id. */
  const told = new Map<string, number>();
  let closed = tokens !== undefined;

  function isOpen(): boolean {
    // Keys are never deleted, so what is closed once stays so.
    closed ||= keys.any();
    return !closed;
  }

  function byKey(text: string, visit: Visit): Caller {
    const found = keys.find(text);
    if (found?.state !== 'active') {
      const id = found?.record.id;
      const reason = found?.state ?? (keyForm(text) === 'mistyped' ? 'mistyped' : 'unknown');
      log.info({ key: id, reason, address: visit.address }, 'a request without a good credential is refused');
      throw unauthenticated();
    }
    warnOfAge(found, visit);
    const { id, user, scopes } = found.record;
    return { id: user, via: 'http', scopes: new Set(scopes), credential: id, address: visit.address };
  }

  function warnOfAge({ record: { id, createdAt } }: FoundKey, { tell }: Visit): void {
    const days = Math.floor((now() - createdAt) / DAY);
    if (now() - createdAt <= OLD) return;
    // RFC 9111 keeps no list of warnings any more, and nothing else says this: 299 is RFC 7234's free one.
    tell('Warning', `299 - "the key ${id} is ${days} days old: rotate it with magpie key rotate ${id}"`);
    const today = Math.floor(now() / DAY);
    if (told.get(id) === today) return;
    if (told.size >= 10_000) told.clear();
    told.set(id, today);
    log.warn({ key: id, days }, `a key is over 90 days old: magpie key rotate ${id} gives a new one`);
  }

  return {
    keys,
    isOpen,
    async identify(visit) {
      if (isOpen()) return local;
      const credential = bearerOf(visit.authorization) ?? '';
      if (!tokens || credential === '' || keyForm(credential) !== 'other') return byKey(credential, visit);
      const { user, scopes } = await (await tokens()).verify(credential);
      return { id: user, via: 'http', scopes, credential: user, address: visit.address };
    },
  };
}
