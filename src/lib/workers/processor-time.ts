export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const CHECK_INTERVAL_MS = 100;

/** Rejects with a TimeoutError after `ms` of processor time or ten times `ms` of elapsed time. */
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
