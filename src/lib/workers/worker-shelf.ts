/** What is kept of a worker here. */
export interface Shelved {
  /** Whether it can take another job. */
  usable(): boolean;
  /** Milliseconds on the clock that its start took; undefined until it is over. */
  startMs(): number | undefined;
  end(): Promise<void>;
}

export interface ShelfOptions<Worker> {
  start(): Worker;
  /** Takes an idle worker when the shelf is closed; false where it is to end. */
  keep?(worker: Worker): boolean;
  /** Milliseconds after which a worker with nothing to do is let go. */
  readonly idleMs: number;
  readonly patience: Patience;
}

/**
 * How long a job waits for a busy worker before it starts another one: so many times what the last start took, which is the
 * longer the busier the machine is, and so many milliseconds at most.
 */
export interface Patience {
  readonly starts: number;
  readonly mostMs: number;
}

/** The workers of a pool, and the jobs that wait until one of them is free. */
export interface WorkerShelf<Worker> {
  /**
   * The worker that worked last, since its code is compiled. Only where one works for the same owner is there a wait: what one owner
   * wants holds no other up. Throws what a start does, or the signal's reason.
   */
  take(signal: AbortSignal, owner: string): Promise<Worker>;
  /** Takes a worker back, which is ended where it can take no other job. */
  putBack(worker: Worker): void;
  end(worker: Worker): Promise<void>;
  /** Ends all workers but idle ones that are kept; what waits throws `why`, and so does `take` from then on. */
  close(why: () => Error): Promise<void>;
}

/** Milliseconds between two looks of a job that waits, and those after which it starts a worker although another one still starts. */
const [LOOK_MS, MOST_START_MS] = [20, 10_000];

interface Waiting<Worker> {
  get(worker: Worker): void;
  /** Waits no longer: a worker has gone. */
  startOne(): void;
  fail(error: Error): void;
}

/** Workers are started when they are needed: a short job waits for one that is there for less than a start takes. */
export function createWorkerShelf<Worker extends Shelved>({
  start,
  keep = () => false,
  idleMs,
  patience,
}: ShelfOptions<Worker>): WorkerShelf<Worker> {
  const idle = new Map<Worker, NodeJS.Timeout>();
  const all = new Set<Worker>();
  /** For whom each worker worked last. */
  const owners = new WeakMap<Worker, string>();
  const waiting = new Set<Waiting<Worker>>();
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

  /** Whether a job of an owner may wait: no worker is free, and one has a job of the same owner. */
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
      // While a worker starts, none of those that are there is too slow.
      if (starting() && now - cameMs < MOST_START_MS) sinceMs = now;
      else if (now - sinceMs >= patienceMs()) one.startOne();
    }, LOOK_MS);
    const onAbort = () => one.fail(signal.reason);
    const leave = () => {
      clearInterval(timer);
      signal.removeEventListener('abort', onAbort);
      waiting.delete(one);
    };
    const one: Waiting<Worker> = {
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
    async take(signal, owner) {
      signal.throwIfAborted();
      if (closed) throw closed();
      const worker = freeOne() ?? (isServed(owner) ? await waitForOne(signal) : startOne());
      owners.set(worker, owner);
      return worker;
    },
    putBack(worker) {
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
    async close(why) {
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
