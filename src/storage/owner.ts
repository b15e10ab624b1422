import { AppError } from '../errors.ts';

/**
 * The owner's name as it may be stored. Half a surrogate pair is not text: SQLite would store another name for it,
 * perhaps someone else's. AppError `bad_request`.
 */
export function legalOwner(name: string): string {
  if (name.isWellFormed()) return name;
  throw new AppError('bad_request', 'the user name has half a character in it: it takes Unicode text');
}
