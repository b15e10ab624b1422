export interface WorkerListOptions<Worker> {
  start(): Worker;
  keep?(worker: Worker): boolean;
  readonly idleMs: number;
  readonly patience: BusyWorkerPatience;
}

/** Maximum wait for a busy worker: `starts` times the duration of the last worker start, at most `mostMs`. */
export interface BusyWorkerPatience {
  readonly starts: number;
  readonly mostMs: number;
}

/** `LOOK_MS`: time between checks of a waiting job. `MOST_START_MS`: maximum wait for starting workers. */
const [LOOK_MS, MOST_START_MS] = [20, 10_000];

interface WaitingJob<Worker> {
  get(worker: Worker): void;
  startOne(): void;
  fail(error: Error): void;
}

export function createWorkerList<
  Worker extends { usable(): boolean; startMs(): number | undefined; end(): Promise<void> },
>({ start, keep = () => false, idleMs, patience }: WorkerListOptions<Worker>) {
  const idle = new Map<Worker, NodeJS.Timeout>();
  const all = new Set<Worker>();
  const owners = new WeakMap<Worker, string>();
  const waiting = new Set<WaitingJob<Worker>>();
  let closed: (() => Error) | undefined;

  function startOne(): Worker {
    const worker = start();
    all.add(worker);
    return worker;
  }

  function freeOne(): Worker | undefined {
    for (const [worker, timer] of [...idle].reverse()) {
      clearTimeout(timer);
      idle.delete(worker);
      if (worker.usable()) return worker;
      void end(worker);
    }
    return undefined;
  }

  function isServed(owner: string): boolean {
    return patience.mostMs > 0 && [...all].some((one) => one.usable() && owners.get(one) === owner);
  }

  const starting = () => [...all].some((worker) => worker.usable() && worker.startMs() === undefined);

  function patienceMs(): number {
    const took = [...all].flatMap((worker) => worker.startMs() ?? []).at(-1) ?? 0;
    return Math.min(patience.starts * took, patience.mostMs);
  }

  function waitForOne(signal: AbortSignal): Promise<Worker> {
    const { promise, resolve, reject } = Promise.withResolvers<Worker>();
    const cameMs = performance.now();
    let sinceMs = cameMs;
    const timer = setInterval(() => {
      const now = performance.now();
      // The wait for a busy worker begins when all workers have started, or after `MOST_START_MS`.
      if (starting() && now - cameMs < MOST_START_MS) sinceMs = now;
      else if (now - sinceMs >= patienceMs()) one.startOne();
    }, LOOK_MS);
    const onAbort = () => one.fail(signal.reason);
    const leave = () => {
      clearInterval(timer);
      signal.removeEventListener('abort', onAbort);
      waiting.delete(one);
    };
    const one: WaitingJob<Worker> = {
      get(worker) {
        leave();
        resolve(worker);
      },
      startOne() {
        leave();
        try {
          resolve(startOne());
        } catch (error) {
          reject(error);
        }
      },
      fail(error) {
        leave();
        reject(error);
      },
    };
    signal.addEventListener('abort', onAbort, { once: true });
    waiting.add(one);
    return promise;
  }

  async function end(worker: Worker): Promise<void> {
    const ended = worker.end();
    const [first] = waiting;
    first?.startOne();
    await ended;
    all.delete(worker);
  }

  return {
    async take(signal: AbortSignal, owner: string): Promise<Worker> {
      signal.throwIfAborted();
      if (closed) throw closed();
      const worker = freeOne() ?? (isServed(owner) ? await waitForOne(signal) : startOne());
      owners.set(worker, owner);
      return worker;
    },
    putBack(worker: Worker) {
      if (!worker.usable() || closed) return void end(worker);
      const [first] = waiting;
      if (first) return first.get(worker);
      const timer = setTimeout(() => {
        idle.delete(worker);
        void end(worker);
      }, idleMs).unref();
      idle.set(worker, timer);
    },
    end,
    async close(why: () => Error): Promise<void> {
      closed = why;
      for (const one of waiting) one.fail(why());
      for (const [worker, timer] of idle) {
        clearTimeout(timer);
        if (worker.usable() && keep(worker)) all.delete(worker);
      }
      await Promise.all([...all].map(end));
    },
  };
}
