/** Milliseconds of processor time of all threads of this process. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds between two readings of the processor time. */
const CHECK_INTERVAL_MS = 100;

/**
 * The outcome of `work`, or a rejection once this process has used so many milliseconds of processor time meanwhile;
 * for a process that does nothing else. On the clock it may take ten times as long.
 */
export async function withinProcessorTime<T>(ms: number, work: Promise<T>): Promise<T> {
  const [from, clock] = [processorTime(), performance.now()];
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setInterval(() => {
    if (processorTime() - from < ms && performance.now() - clock < 10 * ms) return;
    reject(new DOMException(`not done within ${ms / 1000} s of processor time`, 'TimeoutError'));
  }, CHECK_INTERVAL_MS);
  try {
    return await Promise.race([work, over]);
  } finally {
    clearInterval(timer);
  }
}
