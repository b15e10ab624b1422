/** A worker as those see it who keep it between two pools. */
interface SpareWorker {
  usable(): boolean;
  end(): Promise<void>;
}

/** Idle workers of pools that were closed, by what they were started with, and the timers that end them. */
const spares = new Map<string, Map<SpareWorker, NodeJS.Timeout>>();
let holders = 0;

/**
 * From here on an idle worker outlives its pool, for the next pool of the same module: some pools are made for one file and
 * closed after it. Returns what ends that and, with the last holder, the workers.
 */
export function keepSpareWorkers(): () => Promise<void> {
  holders += 1;
  let isOver = false;
  return async () => {
    if (isOver) return;
    isOver = true;
    holders -= 1;
    if (holders > 0) return;
    const all = [...spares.values()].flatMap((kept) => [...kept]);
    spares.clear();
    for (const [, timer] of all) clearTimeout(timer);
    await Promise.all(all.map(([worker]) => worker.end()));
  };
}

/** Keeps an idle worker, which is ended after `idleMs` milliseconds without a job; false where none are kept. */
export function keepSpare(kind: string, worker: SpareWorker, idleMs: number): boolean {
  if (holders === 0) return false;
  const kept = spares.get(kind) ?? new Map<SpareWorker, NodeJS.Timeout>();
  spares.set(kind, kept);
  const end = () => {
    kept.delete(worker);
    void worker.end();
  };
  kept.set(worker, setTimeout(end, idleMs).unref());
  return true;
}

/** The worker that was kept last, which can work at once; undefined where there is none. */
export function takeSpare(kind: string): SpareWorker | undefined {
  const kept = spares.get(kind) ?? new Map<SpareWorker, NodeJS.Timeout>();
  for (const [worker, timer] of [...kept].reverse()) {
    clearTimeout(timer);
    kept.delete(worker);
    if (worker.usable()) return worker;
  }
  return undefined;
}
