/**
 * Does some work with a signal of its own, which is aborted with the given one and when the time is over (a DOMException
 * named TimeoutError). Rejects at that moment, even if the work does not heed its signal.
 * @param ms milliseconds; no end where it is Infinity
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const limit = new AbortController();
  const stop = () => limit.abort(signal.reason);
  const late = () => limit.abort(new DOMException(`not done within ${ms / 1000} s`, 'TimeoutError'));
  signal.addEventListener('abort', stop, { once: true });
  const timer = Number.isFinite(ms) ? setTimeout(late, ms) : undefined;
  try {
    return await Promise.race([
      work(limit.signal),
      new Promise<never>((_, reject) => {
        limit.signal.addEventListener('abort', () => reject(limit.signal.reason), { once: true });
      }),
    ]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** Whether an error or a signal's reason says that time was over. */
export function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
