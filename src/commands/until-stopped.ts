import type { CommandContext } from '../command.ts';

/** Returns undefined if Ctrl-C ended the work. */
export async function untilStopped<T>(
  { signal }: Pick<CommandContext, 'signal'>,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
