import { AppError } from '../../errors.ts';
import type { AutomationCreation, ExistingAutomation } from '../platform.ts';

export async function ignoreAppError<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.code !== 'cancelled') return undefined;
    throw error;
  }
}

/** Keeps the oldest automation of a task, because other processes may have created the same at that moment. */
export async function keepOldest(
  created: ExistingAutomation,
  oldest: ExistingAutomation,
  finish: (kept: ExistingAutomation) => Promise<ExistingAutomation>,
  removeCreated: () => Promise<void>,
): Promise<AutomationCreation> {
  const existing = oldest.id !== created.id;
  const kept = existing ? oldest : created;
  const isClean = !existing || (await ignoreAppError(removeCreated().then(() => true)));
  const made = kept.half ? await finish(kept) : kept;
  const left = `another process made the same at the same moment: the second one, switched off, could not be removed: ${created.url}`;
  return { made, existing, notes: isClean ? [] : [left] };
}
