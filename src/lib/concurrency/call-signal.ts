import { AsyncLocalStorage } from 'node:async_hooks';
import { runOutsideTraces } from '../tracing.ts';

/** Abort signal of each call. When it aborts, the database drivers cancel the call's SQL statement. */
const calls = new AsyncLocalStorage<{ signal: AbortSignal | undefined }>();

export async function runWithCallSignal<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const call: { signal: AbortSignal | undefined } = { signal };
  try {
    return await calls.run(call, work);
  } finally {
    call.signal = undefined;
  }
}

/** Runs work that continues after its call. The call's abort signal does not end it. */
export function runOutsideCalls<T>(work: () => T): T {
  return calls.run({ signal: undefined }, () => runOutsideTraces(work));
}

export function callSignal(): AbortSignal | undefined {
  return calls.getStore()?.signal;
}
