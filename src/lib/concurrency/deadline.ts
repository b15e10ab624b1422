/** What else may end a piece of work before its time; gives the function that is called once the work has ended. */
export type Ender = (end: (reason: unknown) => void) => () => void;

/**
 * Does some work under a signal that follows the caller's, the deadline (a DOMException named TimeoutError) and what else
 * may end it. Rejects at that moment, even if the work ignores its signal. One controller and one timer: joining signals
 * would cost more than a small call.
 * @param ms milliseconds; no deadline where it is Infinity
 */
export async function withDeadline<T>(
  caller: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  {
    ender,
    timeout = `not done within ${ms / 1000} s`,
  }: { readonly ender?: Ender; readonly timeout?: string } = {},
): Promise<T> {
  caller.throwIfAborted();
  const stop = new AbortController();
  let fail: (reason: unknown) => void = () => {};
  const end = (reason: unknown) => {
    stop.abort(reason);
    fail(reason);
  };
  const onCaller = () => end(caller.reason);
  const onTime = () => end(new DOMException(timeout, 'TimeoutError'));
  const timer = Number.isFinite(ms) ? setTimeout(onTime, ms) : undefined;
  caller.addEventListener('abort', onCaller, { once: true });
  const ended = ender?.(end);
  try {
    return await new Promise<T>((resolve, reject) => {
      fail = reject;
      if (stop.signal.aborted) reject(stop.signal.reason);
      work(stop.signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', onCaller);
    ended?.();
  }
}

/** The outcome of `pending`, or the signal's reason as soon as it is aborted. */
export async function untilAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T> {
  pending.catch(() => {});
  return withDeadline(signal, Infinity, () => pending);
}

/** Whether an error or a signal's reason is a deadline's. */
export function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
