import { AppError } from '../../errors.ts';

/** Creates the error for a damaged file, so that every reader words it alike and says what to do. */
export function brokenFile(
  name: string,
  what: string,
  cause?: unknown,
  why = 'it is damaged or cut short',
): AppError {
  return new AppError('unsupported', `${name} is a broken ${what}: ${why}; try another copy`, { cause });
}
