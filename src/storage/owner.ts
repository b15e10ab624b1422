import { AppError } from '../errors.ts';

/**
 * The owner's name as it may be stored. Half a surrogate pair is no text, and what follows a NUL is not seen by all of
 * SQLite: another name would be stored, perhaps someone else's. AppError `bad_request`.
 */
export function legalOwner(name: string): string {
  if (name.isWellFormed() && !name.includes('\0')) return name;
  throw new AppError('bad_request', 'the user name has half a character or NUL in it: it takes Unicode text');
}
