import { createHmac, hash as digest, timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ACCESS_SCOPES } from '../../caller.ts';
import { type AppError, badRequestError, notFoundError } from '../../errors.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import type { AccessKeys, KeyRecord, KeyState, KeyWithState, MadeKey, NewKey } from '../types.ts';
import { classifyKeyText, generateAccessKey, generateKeyId, getKeyPrefix } from './key.ts';
import type { KeyStore } from './key-store.ts';

export interface KeysOptions {
  readonly store: KeyStore;
  /** Secret that is part of every key hash, so that a copied database cannot be used to test guesses. */
  readonly secret: Buffer;
  readonly now?: () => number;
}

const MAX_NAME_CHARS = 200;
const MAX_HASHED_CHARS = 256;

interface KeyParts {
  readonly store: KeyStore;
  readonly cache: ReturnType<typeof createKeyCache>;
  readonly now: () => number;
  hashOf(text: string): Buffer;
  withState(record: KeyRecord): KeyWithState;
}

export function createAccessKeys({ store, secret, now = Date.now }: KeysOptions): AccessKeys {
  // The data folder's secret also signs links, so key hashes use a secret derived from it.
  const pepper = createHmac('sha256', secret).update('magpie access keys').digest();
  const parts: KeyParts = {
    store,
    cache: createKeyCache(store),
    now,
    hashOf: (text) => createHmac('sha256', pepper).update(text.slice(0, MAX_HASHED_CHARS)).digest(),
    withState: (record) => ({ record, state: getKeyState(record, now()) }),
  };
  const readers = createReaders(parts);
  return { ...readers, ...createChanges(parts, readers.getKey) };
}

export function getKeyState({ revokedAt, expiresAt }: KeyRecord, at: number): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= at ? 'expired' : 'active';
}

const nameOf = (text: string) => digest('sha256', text, 'base64');

function createReaders(
  parts: KeyParts,
): Pick<AccessKeys, 'getKey' | 'listKeys' | 'findKey' | 'isKnown' | 'hasKeys'> {
  const { store, cache, now, hashOf, withState } = parts;
  const isActive = (key: KeyRecord) => getKeyState(key, now()) === 'active';
  return {
    async getKey(idOrKey) {
      const form = classifyKeyText(idOrKey);
      if (form === 'mistyped') {
        throw badRequestError('invalid API key: checksum mismatch (a character is missing or mistyped)');
      }
      const record =
        form === 'key' ? (await store.findByHash(hashOf(idOrKey)))?.key : await store.findById(idOrKey);
      if (record) return withState(record);
      const what = form === 'key' ? 'this key was not made here' : `there is no key ${quoted(idOrKey)}`;
      throw notFoundError(`${what}; magpie key list shows all keys`);
    },
    listKeys: async (user) => (await store.listKeys(user)).map(withState),
    isKnown: (text) => cache.get(nameOf(text)) !== undefined,
    async findKey(text) {
      const reading = cache.refresh();
      if (reading) await reading;
      const name = nameOf(text);
      const known = cache.get(name);
      if (known) return withState(known);
      const hash = hashOf(text);
      const row = await cache.load(name, () => store.findByHash(hash), isActive);
      // The query needs no protection from timing attacks: without the secret, no one can compute hashes.
      const same = timingSafeEqual(row?.hash ?? hash, hash);
      return row && same ? withState(row.key) : undefined;
    },
    async hasKeys() {
      await cache.refresh();
      return cache.anyMade();
    },
  };
}

function createChanges(
  { store, cache, now, hashOf }: KeyParts,
  getKey: AccessKeys['getKey'],
): Pick<AccessKeys, 'createKey' | 'rotateKey' | 'revokeKey' | 'revokeAllKeys' | 'whenApplied'> {
  const make = (key: NewKey): MadeKey & { readonly hash: Buffer } => {
    const text = generateAccessKey();
    return { key: text, record: recordOf(key, text, now()), hash: hashOf(text) };
  };
  return {
    async createKey(key) {
      const { hash, ...made } = make(key);
      await cache.change(() => store.insertKey(made.record, hash));
      return made;
    },
    async rotateKey(id, { overlapMs, lifetimeMs }) {
      const old = await getKey(id);
      if (old.state !== 'active' || old.record.replacedBy !== undefined) throw notRotatable(old);
      const { expiresAt, createdAt } = old.record;
      const earlier = expiresAt === undefined ? undefined : expiresAt - createdAt;
      const { hash, ...made } = make({ ...old.record, lifetimeMs: lifetimeMs ?? earlier });
      const at = now();
      const replaced = { id: old.record.id, at, expiresAt: at + overlapMs };
      if (await cache.change(() => store.replaceKey(made.record, hash, replaced))) return made;
      throw notRotatable(await getKey(id));
    },
    async revokeKey(idOrKey) {
      const { record } = await getKey(idOrKey);
      return (await cache.change(() => store.revokeKey(record.id, now()))) ?? record;
    },
    revokeAllKeys: () => cache.change(() => store.revokeAllKeys(now())),
    whenApplied: () => wait(2 * KEY_CACHE_MAX_AGE_MS),
  };
}

function notRotatable({ record: { id, replacedBy }, state }: KeyWithState): AppError {
  const why = state === 'active' ? `has been rotated to ${replacedBy}` : `is ${state}`;
  return badRequestError(
    `the key ${id} ${why}: only an active key can be rotated; magpie key create makes a new one`,
  );
}

function recordOf(
  { user, name = '', scopes, lifetimeMs }: NewKey,
  key: string,
  createdAt: number,
): KeyRecord {
  const record: KeyRecord = {
    id: generateKeyId(),
    user: checkedName('user', user, 1),
    name: checkedName('name', name, 0),
    prefix: getKeyPrefix(key),
    scopes: ACCESS_SCOPES.filter((scope) => scopes.includes(scope)),
    createdAt,
    expiresAt: lifetimeMs === undefined ? undefined : createdAt + lifetimeMs,
    revokedAt: undefined,
    replacedBy: undefined,
    usedAt: undefined,
  };
  if (record.scopes.length > 0) return record;
  throw badRequestError(`a key needs at least one scope: ${ACCESS_SCOPES.join(', ')}`);
}

function checkedName(what: string, value: string, least: number): string {
  if (
    value.length >= least &&
    value.length <= MAX_NAME_CHARS &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value)
  ) {
    return value;
  }
  throw badRequestError(
    `the ${what} ${quoted(value)} is invalid: it takes ${least} to ${MAX_NAME_CHARS} characters on one line`,
  );
}

const quoted = (value: string): string => JSON.stringify(takeCharacters(value, 80));

/** Keys are cached. After this time, the next request first checks whether any key has changed. */
const KEY_CACHE_MAX_AGE_MS = 10;
const MAX_KEYS = 10_000;

export function createKeyCache(store: Pick<KeyStore, 'readVersion' | 'hasKeys'>) {
  const active = new Map<string, KeyRecord>();
  let version = '';
  let anyMade = false;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  /** Number of changes so far. A record that was read before a change must not be cached after the change. */
  let generation = 0;

  function forget(): void {
    generation++;
    active.clear();
  }

  async function readVersion(): Promise<void> {
    const before = generation;
    const startedAt = performance.now();
    const present = await store.readVersion();
    if (!anyMade && present !== version && (await store.hasKeys())) anyMade = true;
    if (generation !== before) return;
    if (present !== version) forget();
    else if (active.size >= MAX_KEYS) active.clear();
    version = present;
    readAt = startedAt;
  }

  return {
    refresh(): Promise<void> | undefined {
      if (performance.now() - readAt < KEY_CACHE_MAX_AGE_MS) return undefined;
      if (!reading) {
        const own = readVersion().finally(() => {
          if (reading === own) reading = undefined;
        });
        reading = own;
      }
      return reading;
    },
    get: (name: string) => active.get(name),
    async load<Found extends { readonly key: KeyRecord }>(
      name: string,
      read: () => Promise<Found | undefined>,
      isActive: (key: KeyRecord) => boolean,
    ): Promise<Found | undefined> {
      const before = generation;
      const found = await read();
      if (found && generation === before && isActive(found.key)) active.set(name, found.key);
      return found;
    },
    anyMade: () => anyMade,
    async change<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await work();
      } finally {
        // Clears the cache after an error too: the database may have stored the change before the error.
        forget();
        readAt = Number.NEGATIVE_INFINITY;
        reading = undefined;
      }
    },
  };
}
