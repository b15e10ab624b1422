/** An idle worker that is kept after its pool was closed. */
interface SpareWorker {
  usable(): boolean;
  end(): Promise<void>;
}

/** Idle workers of closed pools, by what they were started with, and the timers that end them. */
const spares = new Map<string, Map<SpareWorker, NodeJS.Timeout>>();
let holders = 0;

/**
 * From now on, an idle worker outlives its pool and serves the next pool of the same module, since some pools are created for a
 * single file. Returns a function that ends this. When the last caller has called it, all kept workers end.
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

/** Keeps an idle worker and ends it after `idleMs` milliseconds without a job. Returns false if no workers are kept. */
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

/** Returns the worker that was kept last. Undefined if there is none. */
export function takeSpare(kind: string): SpareWorker | undefined {
  const kept = spares.get(kind) ?? new Map<SpareWorker, NodeJS.Timeout>();
  for (const [worker, timer] of [...kept].reverse()) {
    clearTimeout(timer);
    kept.delete(worker);
    if (worker.usable()) return worker;
  }
  return undefined;
}
