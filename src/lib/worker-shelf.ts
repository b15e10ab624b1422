/** What is kept of a worker here. */
export interface Shelved {
  /** Whether it can take another job. */
  usable(): boolean;
  /** Whether its start is over. */
  ready(): boolean;
  end(): Promise<void>;
}

export interface ShelfOptions<Worker> {
  start(): Worker;
  /** Milliseconds after which a worker with nothing to do is let go. */
  readonly idleMs: number;
  /** Milliseconds that a job waits for a worker that is there, before it starts another one. */
  readonly patienceMs: number;
}

/** The workers of a pool, and the jobs that wait until one of them is free. */
export interface WorkerShelf<Worker> {
  /** The worker that worked last, since its code is compiled; throws what its start does, or the signal's reason. */
  take(signal: AbortSignal): Promise<Worker>;
  /** Takes a worker back, which is ended where it can take no other job. */
  putBack(worker: Worker): void;
  end(worker: Worker): Promise<void>;
  /** Ends all workers; what waits throws `why`, and so does `take` from then on. */
  close(why: () => Error): Promise<void>;
}

/** Waits after which a job starts a worker although another one has not ended its start. */
const MOST_WAITS = 20;

interface Waiting<Worker> {
  get(worker: Worker): void;
  /** Waits no longer: a worker has gone. */
  startOne(): void;
  fail(error: Error): void;
}

/** Workers are started when they are needed: a short job waits for one that is there for less than a start takes. */
export function createWorkerShelf<Worker extends Shelved>({
  start,
  idleMs,
  patienceMs,
}: ShelfOptions<Worker>): WorkerShelf<Worker> {
  const idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = [];
  const all = new Set<Worker>();
  const waiting = new Set<Waiting<Worker>>();
  let closed: (() => Error) | undefined;

  function startOne(): Worker {
    const worker = start();
    all.add(worker);
    return worker;
  }

  function waitForOne(signal: AbortSignal): Promise<Worker> {
    const { promise, resolve, reject } = Promise.withResolvers<Worker>();
    let waits = 0;
    const timer = setInterval(() => {
      const starts = [...all].some((worker) => worker.usable() && !worker.ready());
      if (!starts || ++waits >= MOST_WAITS) one.startOne();
    }, patienceMs);
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
    async take(signal) {
      signal.throwIfAborted();
      if (closed) throw closed();
      for (let free = idle.pop(); free; free = idle.pop()) {
        clearTimeout(free.timer);
        if (free.worker.usable()) return free.worker;
        void end(free.worker);
      }
      return patienceMs > 0 && all.size > 0 ? waitForOne(signal) : startOne();
    },
    putBack(worker) {
      if (!worker.usable() || closed) return void end(worker);
      const [first] = waiting;
      if (first) return first.get(worker);
      const timer = setTimeout(() => {
        idle.splice(
          idle.findIndex((one) => one.worker === worker),
          1,
        );
        void end(worker);
      }, idleMs).unref();
      idle.push({ worker, timer });
    },
    end,
    async close(why) {
      closed = why;
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      for (const one of waiting) one.fail(why());
      await Promise.all([...all].map(end));
    },
  };
}
