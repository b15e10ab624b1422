interface SpareWorker {
  usable(): boolean;
  end(): Promise<void>;
}

const spares = new Map<string, Map<SpareWorker, NodeJS.Timeout>>();
let holders = 0;

/** Lets new pools reuse idle workers of closed pools, until each caller has called the returned function. */
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

export function takeSpare(kind: string): SpareWorker | undefined {
  const kept = spares.get(kind) ?? new Map<SpareWorker, NodeJS.Timeout>();
  for (const [worker, timer] of [...kept].reverse()) {
    clearTimeout(timer);
    kept.delete(worker);
    if (worker.usable()) return worker;
  }
  return undefined;
}
