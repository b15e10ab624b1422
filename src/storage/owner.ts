import { badRequestError } from '../errors.ts';

/** Returns the owner's name. Throws `bad_request` for an unpaired surrogate, which SQLite would change. */
export function checkOwnerName(name: string): string {
  if (name.isWellFormed()) return name;
  throw badRequestError('the user name has half a character in it: it takes Unicode text');
}
