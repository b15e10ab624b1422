import { AsyncLocalStorage } from 'node:async_hooks';
import { runOutsideTraces } from '../tracing.ts';

/** Abort signal of the current call. When it aborts, the database drivers cancel the SQL statement of the call. */
const calls = new AsyncLocalStorage<{ signal: AbortSignal | undefined }>();

/** Runs the work of a call so that code within it can read the call's abort signal. The signal has no effect afterwards. */
export async function runWithCallSignal<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const call: { signal: AbortSignal | undefined } = { signal };
  try {
    return await calls.run(call, work);
  } finally {
    call.signal = undefined;
  }
}

/** Runs work that does not belong to a single call. The abort signal of a call does not end this work. */
export function runOutsideCalls<T>(work: () => T): T {
  return calls.run({ signal: undefined }, () => runOutsideTraces(work));
}

export function callSignal(): AbortSignal | undefined {
  return calls.getStore()?.signal;
}
