export type StopSubscriber = (end: (reason: unknown) => void) => () => void;

/** Runs work. Rejects if `caller` aborts, `ms` milliseconds pass (TimeoutError), or `ender` ends the work. */
export async function withDeadline<T>(
  caller: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  {
    ender,
    timeout = `not done within ${ms / 1000} s`,
  }: { readonly ender?: StopSubscriber; readonly timeout?: string } = {},
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

export async function waitUnlessAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T> {
  pending.catch(() => {});
  return withDeadline(signal, Infinity, () => pending);
}

export function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
