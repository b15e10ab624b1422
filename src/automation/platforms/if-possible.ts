import { AppError } from '../../errors.ts';

/**
 * What work gives, or undefined where the platform refuses it: for steps without which an automation is whole all the
 * same. A caller who has gone, and what is no AppError, is thrown on.
 */
export async function ifPossible<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.code !== 'cancelled') return undefined;
    throw error;
  }
}
