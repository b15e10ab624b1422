import { AppError } from '../../errors.ts';

export function brokenFile(
  name: string,
  what: string,
  cause?: unknown,
  why = 'it is damaged or cut short',
): AppError {
  return new AppError('unsupported', `${name} is a broken ${what}: ${why}; try another copy`, { cause });
}
