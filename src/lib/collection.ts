import { badRequestError } from '../errors.ts';
import { quoteName } from './text/quote-name.ts';

export const DEFAULT_COLLECTION = 'default';
export const MAX_COLLECTION_CHARS = 60;
const COLLECTION = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u;

/** Returns a collection's name in lower case. Throws AppError `bad_request` for an invalid name. */
export function normalizeCollection(name: string): string {
  const kept = normalizeName(name).toLowerCase();
  if (kept.length <= MAX_COLLECTION_CHARS && COLLECTION.test(kept)) return kept;
  throw badRequestError(
    `collection is ${quoteName(name)}: it takes a name of 1 to ${MAX_COLLECTION_CHARS} letters, digits, blanks, dots, ` +
      'hyphens and underscores that begins with a letter or digit',
  );
}

export function normalizeOptionalCollection(name: string | undefined): string | undefined {
  return name === undefined ? undefined : normalizeCollection(name);
}

/** Normalizes a typed name before it is stored: NFC, single blanks, no NUL. */
export function normalizeName(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().normalize('NFC').replace(/\s+/g, ' ').trim();
}
