import { AsyncLocalStorage } from 'node:async_hooks';
import { runOutsideTraces } from '../tracing.ts';

/** Abort signal of the current call. Database drivers end the call's statement by it. Shared work runs outside of all calls. */
const calls = new AsyncLocalStorage<{ signal: AbortSignal | undefined }>();

/** Runs the work of a call with its abort signal. Once the promise has settled, the signal does not affect remaining work. */
export async function runWithCallSignal<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const call: { signal: AbortSignal | undefined } = { signal };
  try {
    return await calls.run(call, work);
  } finally {
    call.signal = undefined;
  }
}

/** Runs work that does not belong to a single call, so that no call's signal ends it. */
export function runOutsideCalls<T>(work: () => T): T {
  return calls.run({ signal: undefined }, () => runOutsideTraces(work));
}

export function callSignal(): AbortSignal | undefined {
  return calls.getStore()?.signal;
}
