import { setTimeout as sleep } from 'node:timers/promises';
import type { RunLongWork } from './postgres/long-work.ts';

/** Renews what an older version stored, one step after another. Returns the sum of what the steps return. */
export async function renewStepByStep<Stale>(
  name: string,
  find: () => Promise<Stale | undefined>,
  renew: (stale: Stale) => Promise<number>,
  signal: AbortSignal,
  runLong?: RunLongWork,
): Promise<number> {
  if (!(await find())) return 0;
  const renewAll = async () => {
    let count = 0;
    for (let stale = await find(); stale && !signal.aborted; stale = await find()) {
      const begun = performance.now();
      count += await renew(stale);
      // Pauses as long as the step took, so that other calls get half of the time.
      await sleep(performance.now() - begun, undefined, { ref: false, signal }).catch(() => {});
    }
    return count;
  };
  return (await (runLong ? runLong(name, renewAll, signal) : renewAll())) ?? 0;
}
