import { AppError } from '../errors.ts';

/**
 * Checks that an owner's name can be stored. Half a surrogate pair is not valid text: SQLite would store another name, perhaps
 * that of another user. Throws AppError `bad_request`.
 */
export function legalOwner(name: string): string {
  if (name.isWellFormed()) return name;
  throw new AppError('bad_request', 'the user name has half a character in it: it takes Unicode text');
}
