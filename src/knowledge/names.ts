import { AppError } from '../errors.ts';

/** Names that a user gives: of a collection, and of an entry within it (its key). */

/** Where entries are kept for which no collection is named, and uploaded files. */
export const DEFAULT_COLLECTION = 'default';

export const MAX_COLLECTION_CHARS = 60;
export const MAX_KEY_CHARS = 500;

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

/** The same where none may be named. */
export function optionalCollection(name: string | undefined): string | undefined {
  return name === undefined ? undefined : checkCollection(name);
}

/** As it is kept; upper and lower case are different keys, since paths and ids are. AppError `bad_request`. */
export function checkKey(key: string): string {
  const kept = nameLine(key);
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
