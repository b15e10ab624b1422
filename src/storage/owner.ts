import { AppError } from '../errors.ts';

/** Returns the owner's name. AppError `bad_request` for an unpaired surrogate, because SQLite would change it. */
export function checkOwnerName(name: string): string {
  if (name.isWellFormed()) return name;
  throw new AppError('bad_request', 'the user name has half a character in it: it takes Unicode text');
}
