import { AsyncLocalStorage } from 'node:async_hooks';
import { runOutsideTraces } from '../tracing.ts';

/** When the signal aborts, the database drivers cancel the SQL statement of the call. */
const calls = new AsyncLocalStorage<{ signal: AbortSignal | undefined }>();

/** Runs a call's work, which can then read the call's abort signal. */
export async function runWithCallSignal<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const call: { signal: AbortSignal | undefined } = { signal };
  try {
    return await calls.run(call, work);
  } finally {
    call.signal = undefined;
  }
}

/** Runs work that outlives a call: the call's abort signal does not end it. */
export function runOutsideCalls<T>(work: () => T): T {
  return calls.run({ signal: undefined }, () => runOutsideTraces(work));
}

export function callSignal(): AbortSignal | undefined {
  return calls.getStore()?.signal;
}
