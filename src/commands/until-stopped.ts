import type { CommandContext } from '../command.ts';

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
