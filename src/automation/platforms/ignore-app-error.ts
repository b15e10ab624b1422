import { AppError } from '../../errors.ts';

export async function ignoreAppError<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.code !== 'cancelled') return undefined;
    throw error;
  }
}
