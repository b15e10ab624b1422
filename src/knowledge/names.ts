import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';

/** Names that a user gives: of a collection, and of an entry within it (its key). */

/** Where entries are kept for which no collection is named, and uploaded files. */
export const DEFAULT_COLLECTION = 'default';

export const MAX_COLLECTION_CHARS = 60;
export const MAX_KEY_CHARS = 500;

/** The form of access keys: one that is given by mistake is neither kept nor shown. */
const ACCESS_KEY = /^magpie_[0-9A-Za-z]{38}$/;

const COLLECTION = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u;

/** As it is kept: in lower case, so that `Garden` and `garden` are one. AppError `bad_request`. */
export function checkCollection(name: string): string {
  const kept = nameLine(name).toLowerCase();
  if (kept.length <= MAX_COLLECTION_CHARS && COLLECTION.test(kept)) return kept;
  throw new AppError(
    'bad_request',
    `collection is ${quoted(name)}: it takes a name of 1 to ${MAX_COLLECTION_CHARS} letters, digits, blanks, dots, ` +
      'hyphens and underscores that begins with a letter or digit',
  );
}

/**
 * A key that is made of a path or an address: as it is where that is a key, else its SHA-256, so that two that differ in blanks or in
 * how accents are written, or are too long, do not become one.
 */
export function keyOf(name: string): string {
  if (name.length <= MAX_KEY_CHARS && nameLine(name) === name) return name;
  return `sha256:${createHash('sha256').update(name).digest('hex')}`;
}

/** The same where none may be named. */
export function optionalCollection(name: string | undefined): string | undefined {
  return name === undefined ? undefined : checkCollection(name);
}

/** As it is kept; upper and lower case are different keys, since paths and ids are. AppError `bad_request`. */
export function checkKey(key: string): string {
  const kept = nameLine(key);
  if (ACCESS_KEY.test(kept)) {
    throw new AppError(
      'bad_request',
      'key looks like an access key, which belongs in the header Authorization: key takes a name of your own, such as favourite-colour',
    );
  }
  if (kept !== '' && kept.length <= MAX_KEY_CHARS) return kept;
  throw new AppError(
    'bad_request',
    `key is ${quoted(key)}: it takes a name of 1 to ${MAX_KEY_CHARS} characters, such as favourite-colour`,
  );
}

function nameLine(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().normalize('NFC').replace(/\s+/g, ' ').trim();
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
