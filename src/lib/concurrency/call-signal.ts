import { AsyncLocalStorage } from 'node:async_hooks';
import { apartFromTraces } from '../tracing.ts';

/**
 * The signal of the call that some code runs for, without passing it through every function: a network database ends the
 * statement that a cancelled call waits for. What several calls share, such as a batch, runs apart from all of them.
 */
const calls = new AsyncLocalStorage<{ signal: AbortSignal | undefined }>();

/** Work of a call. What it leaves running when it ends follows the signal no longer. */
export async function underSignal<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const call: { signal: AbortSignal | undefined } = { signal };
  try {
    return await calls.run(call, work);
  } finally {
    call.signal = undefined;
  }
}

/** Begins work that belongs to no call alone. */
export function apartFromCalls<T>(work: () => T): T {
  return calls.run({ signal: undefined }, () => apartFromTraces(work));
}

/** Undefined outside of calls. */
export function callSignal(): AbortSignal | undefined {
  return calls.getStore()?.signal;
}
