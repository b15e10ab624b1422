import { AsyncLocalStorage } from 'node:async_hooks';
import { runOutsideTraces } from '../tracing.ts';

/** Abort signal of the current call. Database drivers use it to cancel running SQL statements. */
const calls = new AsyncLocalStorage<{ signal: AbortSignal | undefined }>();

export async function runWithCallSignal<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const call: { signal: AbortSignal | undefined } = { signal };
  try {
    return await calls.run(call, work);
  } finally {
    call.signal = undefined;
  }
}

/** Runs work that continues after the call has ended, without the call's abort signal. */
export function runWithoutCallSignal<T>(work: () => T): T {
  return calls.run({ signal: undefined }, () => runOutsideTraces(work));
}

export const callSignal = (): AbortSignal | undefined => calls.getStore()?.signal;
