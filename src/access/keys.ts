import { createHmac, hash as digest, timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { SCOPES, type Scope } from '../caller.ts';
import { AppError } from '../errors.ts';
import { keyForm, makeId, makeKey, prefixOf } from './key.ts';
import type { KeyRecord, KeyStore } from './key-store.ts';

export interface NewKey {
  readonly user: string;
  readonly name?: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds that it lives; for good when left out. */
  readonly lasts?: number;
}

export interface Rotation {
  /** Milliseconds for which the old key holds on. */
  readonly overlap: number;
  /** Milliseconds that the new one lives; as long as the old one was made for when left out. */
  readonly lasts?: number;
}

/** A key with itself: it is shown once, and kept nowhere. */
export interface MadeKey {
  readonly record: KeyRecord;
  readonly key: string;
}

export type KeyState = 'active' | 'expired' | 'revoked';

/** A key that was shown, and what it is by now. */
export interface FoundKey {
  readonly record: KeyRecord;
  readonly state: KeyState;
}

/** The keys of this installation. Texts that cannot be taken are AppError `bad_request`, unknown ids `not_found`. */
export interface Keys {
  create(key: NewKey): MadeKey;
  /** A new key with the old one's user, name and scopes; the old one ends with the overlap. */
  rotate(id: string, rotation: Rotation): MadeKey;
  /** Takes hold with the next request of this process, and of all others by `heeded`. One that was revoked stays as it is. */
  revoke(id: string): KeyRecord;
  /** Gives the number of those that were not yet. */
  revokeAll(): number;
  list(user?: string): FoundKey[];
  /** By its id, or by the key itself, which is told from a typing error by its checksum. */
  get(idOrKey: string): FoundKey;
  /** The key of a request, with the same work whatever is wrong with it; what others change holds within `HEED`. */
  find(text: string): FoundKey | undefined;
  /** Whether a key was ever made; what others make holds within `HEED`. */
  any(): boolean;
  /** Resolves when every running process goes by what was changed until now. */
  heeded(): Promise<void>;
}

export interface KeysOptions {
  readonly store: KeyStore;
  /** The data folder's own secret: with a copy of the database alone, no key can be tried. */
  readonly secret: Buffer;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Most characters of a user's and a key's name, as with MAGPIE_USER. */
const NAME = 200;
/** Characters of a text that are hashed; a key has fewer. */
const HASHED = 256;
/** Good keys remembered, so that not every request asks the database. */
const REMEMBERED = 10_000;
/**
 * Milliseconds within which a process sees what another one changed. A look at the database costs as much as a fifth of
 * the smallest call, so that it is not taken for each; whoever changes a key waits this long before it says that it
 * is done.
 */
const HEED = 10;

export function createKeys({ store, secret, now = Date.now }: KeysOptions): Keys {
  // The secret signs links as well: what is made of it for one end must be of no use for the other.
  const pepper = createHmac('sha256', secret).update('magpie access keys').digest();
  const hashOf = (text: string) => createHmac('sha256', pepper).update(text.slice(0, HASHED)).digest();

  /** Good keys by a plain hash of theirs, as long as nothing was changed by anybody. */
  const good = new Map<string, KeyRecord>();
  let version = '';
  let anyMade = false;
  /** Of a clock that nobody sets: timers may be late where there is much to do. */
  let lookedAt = Number.NEGATIVE_INFINITY;

  /** Forgets the good keys once anybody has changed one. */
  function heedChanges(): void {
    const at = performance.now();
    if (at - lookedAt < HEED) return;
    const present = store.version();
    lookedAt = at;
    if (present !== version) {
      good.clear();
      anyMade ||= store.any();
    } else if (good.size >= REMEMBERED) good.clear();
    version = present;
  }
  /** What this process changes holds at once. */
  const changed = () => {
    lookedAt = Number.NEGATIVE_INFINITY;
  };

  const stateOf = ({ revokedAt, expiresAt }: KeyRecord): KeyState => {
    if (revokedAt !== undefined) return 'revoked';
    return expiresAt !== undefined && expiresAt <= now() ? 'expired' : 'active';
  };
  const found = (record: KeyRecord): FoundKey => ({ record, state: stateOf(record) });

  function make({ user, name = '', scopes, lasts }: NewKey): MadeKey & { readonly hash: Buffer } {
    const key = makeKey();
    const createdAt = now();
    const record: KeyRecord = {
      id: makeId(),
      user: text('user', user, 1),
      name: text('name', name, 0),
      prefix: prefixOf(key),
      scopes: SCOPES.filter((scope) => scopes.includes(scope)),
      createdAt,
      expiresAt: lasts === undefined ? undefined : createdAt + lasts,
      revokedAt: undefined,
      replacedBy: undefined,
      usedAt: undefined,
    };
    if (record.scopes.length === 0) {
      throw new AppError('bad_request', `a key needs a scope at least: ${SCOPES.join(', ')}`);
    }
    return { key, record, hash: hashOf(key) };
  }

  function get(idOrKey: string): FoundKey {
    const form = keyForm(idOrKey);
    if (form === 'mistyped') {
      throw new AppError(
        'bad_request',
        'this is no whole key: its checksum is wrong, so a character is missing or mistyped',
      );
    }
    const record = form === 'key' ? store.byHash(hashOf(idOrKey))?.key : store.byId(idOrKey);
    if (record) return found(record);
    const what = form === 'key' ? 'this key was not made here' : `there is no key ${quoted(idOrKey)}`;
    throw new AppError('not_found', `${what}; magpie key list shows what there is`);
  }

  return {
    create(key) {
      const { hash, ...made } = make(key);
      store.add(made.record, hash);
      changed();
      return made;
    },
    rotate(id, { overlap, lasts }) {
      const { record: old, state } = get(id);
      if (state !== 'active' || old.replacedBy !== undefined) {
        const why = state === 'active' ? `has been rotated to ${old.replacedBy}` : `is ${state}`;
        throw new AppError(
          'bad_request',
          `the key ${old.id} ${why}: only one in use can be rotated; magpie key create makes a new one`,
        );
      }
      const life = old.expiresAt === undefined ? undefined : old.expiresAt - old.createdAt;
      const lives = lasts ?? life;
      const { hash, ...made } = make({ ...old, lasts: lives });
      const ends = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now() + overlap);
      const change = { replacedBy: made.record.id, expiresAt: ends };
      store.add(made.record, hash, { id: old.id, change });
      changed();
      return made;
    },
    revoke(id) {
      const { record } = get(id);
      if (record.revokedAt !== undefined) return record;
      const revokedAt = now();
      store.change(record.id, { revokedAt });
      changed();
      return { ...record, revokedAt };
    },
    revokeAll() {
      changed();
      return store.revokeAll(now());
    },
    list: (user) => store.list(user).map(found),
    get,
    find(shown) {
      heedChanges();
      const name = digest('sha256', shown, 'base64');
      const known = good.get(name);
      if (known) return found(known);
      const hash = hashOf(shown);
      const row = store.byHash(hash);
      // The database compares byte by byte, but hashes that nobody can aim without the secret.
      const same = timingSafeEqual(row?.hash ?? hash, hash);
      if (!row || !same) return undefined;
      const shownKey = found(row.key);
      if (shownKey.state === 'active') good.set(name, row.key);
      return shownKey;
    },
    any() {
      heedChanges();
      return anyMade;
    },
    heeded: () => wait(2 * HEED),
  };
}

/** A name that may be stored and printed. */
function text(what: string, value: string, least: number): string {
  if (value.length >= least && value.length <= NAME && value.isWellFormed() && !/\p{Cc}/u.test(value)) {
    return value;
  }
  throw new AppError(
    'bad_request',
    `the ${what} ${quoted(value)} is not usable: it takes ${least} to ${NAME} characters on one line`,
  );
}

function quoted(value: string): string {
  return JSON.stringify(value.slice(0, 80));
}
