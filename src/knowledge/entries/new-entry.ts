import { createHash } from 'node:crypto';
import { badRequestError, tooLargeError } from '../../errors.ts';
import { DEFAULT_COLLECTION, normalizeCollection, normalizeName } from '../../lib/collection.ts';
import { isBlankText } from '../../lib/text/invisible.ts';
import { quoteName } from '../../lib/text/quote-name.ts';
import { isoTime } from '../../lib/time/microseconds.ts';
import type { ChunkedEntry } from '../store.ts';
import type { BackedUpEntry, CheckedEntry, KnowledgeEntry, NewEntry } from '../types.ts';
import { chunk } from './chunk.ts';
import { normalizeTag } from './tags.ts';

export const ENTRY_LIMITS = {
  bytes: 1_000_000,
  /** `title`, `source` and `tag` are maximum numbers of characters. `tags` is the maximum number of tags. */
  title: 500,
  source: 2000,
  tag: 100,
  tags: 50,
} as const;

/** Returns an entry in stored form: well-formed, without NUL, tags trimmed. Throws AppError `bad_request` or `too_large`. */
export function normalizeEntry(entry: NewEntry): CheckedEntry {
  const { title = '', source = '', tags = [], collection = DEFAULT_COLLECTION, key = '', validUntil } = entry;
  const kept = clean(entry.text);
  if (isBlankText(kept)) throw badRequestError('text is empty: give the text to remember');
  const bytes = Buffer.byteLength(kept);
  if (bytes > ENTRY_LIMITS.bytes) {
    throw tooLargeError(
      `text has ${bytes} bytes: an entry takes ${ENTRY_LIMITS.bytes} at most; put it in by parts`,
    );
  }
  const words = [...new Set(tags.map((tag) => normalizeTag(clean(tag))).filter(Boolean))];
  if (words.length > ENTRY_LIMITS.tags) {
    throw badRequestError(`tags has ${words.length}: an entry takes ${ENTRY_LIMITS.tags} at most`);
  }
  for (const tag of words) bounded('a tag', tag, ENTRY_LIMITS.tag);
  return {
    text: kept,
    title: bounded('title', line(title), ENTRY_LIMITS.title),
    source: bounded('source', line(source), ENTRY_LIMITS.source),
    tags: words,
    collection: normalizeCollection(collection),
    key: key === '' ? '' : normalizeEntryKey(key),
    ...(validUntil !== undefined && {
      validUntil: checkTime('validUntil', validUntil, Number.MAX_SAFE_INTEGER),
    }),
  };
}

/** An entry's time may be this far in the future, because another machine's clock may be fast. */
const AHEAD_MS = 86_400_000;

export function checkSaidAt(time: number, keyed: KnowledgeEntry | undefined): void {
  checkTime('at', time, (Date.now() + AHEAD_MS) * 1000, ', up to now');
  if (keyed === undefined || time >= keyed.updatedAt) return;
  throw badRequestError(
    `at is ${isoTime(time)}, but the text of key ${quoteName(keyed.key)} is of ${isoTime(keyed.updatedAt)}: leave out key to keep both, or at to replace it`,
  );
}

export function checkTimes({
  createdAt,
  updatedAt,
}: BackedUpEntry): Pick<KnowledgeEntry, 'createdAt' | 'updatedAt'> {
  const most = (Date.now() + AHEAD_MS) * 1000;
  return {
    createdAt: checkTime('createdAt', createdAt, most, ', up to now'),
    updatedAt: checkTime('updatedAt', updatedAt, most, ', up to now'),
  };
}

function checkTime(name: string, value: number, most: number, bound = ''): number {
  if (Number.isSafeInteger(value) && value >= 0 && value <= most) return value;
  throw badRequestError(`${name} is ${value}: it takes microseconds since 1970${bound}`);
}

export async function chunkEntry({ text, ...facts }: CheckedEntry, window: number): Promise<ChunkedEntry> {
  const passages = await chunk(text, { title: facts.title, window });
  return { ...facts, digest: computeTextDigest(text), passages };
}

/** Computes a digest that ignores line ends, surrounding white space and the encoding of accents. */
export function computeTextDigest(text: string): Uint8Array {
  return createHash('sha256')
    .update(text.replaceAll('\r\n', '\n').trim().normalize('NFC'))
    .digest()
    .subarray(0, 16);
}

const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed();

const line = (text: string): string => clean(text).replace(/\s+/g, ' ').trim();

function bounded(name: string, text: string, most: number): string {
  if (text.length <= most) return text;
  throw badRequestError(`${name} has ${text.length} characters: it takes ${most} at most`);
}

const MAX_KEY_CHARS = 500;
/** A secret access key of Magpie. It must not become an entry's key by mistake. */
const ACCESS_KEY = /^magpie_[0-9A-Za-z]{38}$/;

/** Makes an entry's key from a path or an address. A name that is not a valid key becomes its SHA-256. */
export function buildEntryKey(name: string): string {
  if (name.length <= MAX_KEY_CHARS && normalizeName(name) === name) return name;
  return `sha256:${createHash('sha256').update(name).digest('hex')}`;
}

/** Returns a key in stored form. Upper and lower case differ. Throws AppError `bad_request` for an invalid key. */
export function normalizeEntryKey(key: string): string {
  const kept = normalizeName(key);
  if (ACCESS_KEY.test(kept)) {
    throw badRequestError(
      'key looks like an access key, which belongs in the header Authorization: key takes a name of your own, such as favourite-colour',
    );
  }
  if (kept !== '' && kept.length <= MAX_KEY_CHARS) return kept;
  throw badRequestError(
    `key is ${quoteName(key)}: it takes a name of 1 to ${MAX_KEY_CHARS} characters, such as favourite-colour`,
  );
}
