import { AppError } from '../../errors.ts';

/**
 * The result of the work, or undefined where the platform refuses it: for steps without which an automation still works.
 * Cancellation, and errors that are not an AppError, are thrown.
 */
export async function ifPossible<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.code !== 'cancelled') return undefined;
    throw error;
  }
}
