import { AppError } from '../../errors.ts';

/** A file that is not whole: every reader says so in the same words, and what to do. */
export function brokenFile(
  name: string,
  what: string,
  cause?: unknown,
  why = 'it is damaged or cut short',
): AppError {
  return new AppError('unsupported', `${name} is a broken ${what}: ${why}; try another copy`, { cause });
}
