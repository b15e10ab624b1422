/** What may end a piece of work before its time; gives the function that is called once it is over. */
export type Ender = (end: (reason: unknown) => void) => () => void;

/**
 * Runs `work` under a signal that follows the caller's, the deadline and what else may end it; work that does not heed
 * its signal ends all the same. One controller and one timer: joining signals would cost more than a small call.
 * @param ms milliseconds
 */
export async function withDeadline<T>(
  caller: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  ender?: Ender,
): Promise<T> {
  const stop = new AbortController();
  let fail: (reason: unknown) => void = ignore;
  const onAbort = (reason: unknown) => {
    stop.abort(reason);
    fail(reason);
  };
  const onCaller = () => onAbort(caller.reason);
  const timer = setTimeout(() => onAbort(new DOMException('the call took too long', 'TimeoutError')), ms);
  caller.addEventListener('abort', onCaller, { once: true });
  const over = ender?.(onAbort);
  try {
    return await new Promise<T>((resolve, reject) => {
      fail = reject;
      work(stop.signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', onCaller);
    over?.();
  }
}

function ignore(): void {}
