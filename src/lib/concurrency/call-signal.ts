import { AsyncLocalStorage } from 'node:async_hooks';
import { apartFromTraces } from '../tracing.ts';

/**
 * Abort signal of the current call, so that it need not be passed through every function. The database drivers use it to end the
 * statement of a cancelled call. Work that several calls share, such as a batch, runs outside of all calls.
 */
const calls = new AsyncLocalStorage<{ signal: AbortSignal | undefined }>();

/** Runs the work of a call with its abort signal. Work that still runs after the promise has settled no longer follows it. */
export async function underSignal<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const call: { signal: AbortSignal | undefined } = { signal };
  try {
    return await calls.run(call, work);
  } finally {
    call.signal = undefined;
  }
}

/** Runs work that does not belong to a single call, so that no call's signal ends it. */
export function apartFromCalls<T>(work: () => T): T {
  return calls.run({ signal: undefined }, () => apartFromTraces(work));
}

/** Returns the abort signal of the current call, or undefined outside of calls. */
export function callSignal(): AbortSignal | undefined {
  return calls.getStore()?.signal;
}
