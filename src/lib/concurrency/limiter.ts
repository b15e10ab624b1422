import PQueue, { type QueueAddOptions } from 'p-queue';

export interface LimiterEntry {
  readonly signal?: AbortSignal;
  /** Owner of the function. An owner with fewer running functions goes first. On a tie, owners take turns. */
  readonly owner?: string;
  /** If owners have equally many running functions, the highest priority goes first. Default: 0. */
  readonly priority?: number;
  /** True to wait even if the queue is full. The caller must limit the number of its waiting functions. */
  readonly alwaysWaits?: boolean;
}

export type Limiter = ReturnType<typeof createLimiter>;

interface QueueEntry extends Required<Pick<LimiterEntry, 'owner' | 'priority'>> {
  readonly id: string;
  readonly start: () => Promise<unknown>;
}

/** Queue for p-queue. Sorts by the owner's running functions, then priority, then the owner's last start. */
class FairQueue {
  readonly running = new Map<string, number>();
  readonly #most: number;
  #queued: QueueEntry[] = [];
  readonly #turns = new Map<string, number>();
  #turn = 0;

  constructor(mostPerOwner: number) {
    this.#most = mostPerOwner;
  }

  isFull(owner: string): boolean {
    return (this.running.get(owner) ?? 0) >= this.#most;
  }

  get waiting(): number {
    return this.#queued.length;
  }

  get size(): number {
    if (this.#most === Infinity) return this.#queued.length;
    return this.#queued.filter(({ owner }) => !this.isFull(owner)).length;
  }

  enqueue(start: QueueEntry['start'], { id = '', owner = '', priority = 0 }: Partial<QueueEntry> = {}): void {
    this.#queued.push({ start, id, owner, priority });
  }

  dequeue(): QueueEntry['start'] | undefined {
    const best = this.#queued.reduce<QueueEntry | undefined>(
      (found, one) => (this.isFull(one.owner) || (found && !this.#isBefore(one, found)) ? found : one),
      undefined,
    );
    if (!best) return undefined;
    this.remove(best.id);
    this.#turns.set(best.owner, ++this.#turn);
    return best.start;
  }

  filter({ owner }: Partial<QueueEntry>): QueueEntry['start'][] {
    return this.#queued.filter((one) => one.owner === owner).map(({ start }) => start);
  }

  remove(id: string): void {
    const at = this.#queued.findIndex((one) => one.id === id);
    if (at >= 0) this.#queued.splice(at, 1);
  }

  setPriority(id: string, priority: number): void {
    this.#queued = this.#queued.map((one) => (one.id === id ? { ...one, priority } : one));
  }

  count(owner: string, change: 1 | -1): void {
    const running = (this.running.get(owner) ?? 0) + change;
    if (running > 0) this.running.set(owner, running);
    else this.running.delete(owner);
    if (running <= 0 && !this.#queued.some((one) => one.owner === owner)) this.#turns.delete(owner);
  }

  #isBefore(one: QueueEntry, other: QueueEntry): boolean {
    const load = (this.running.get(one.owner) ?? 0) - (this.running.get(other.owner) ?? 0);
    if (load !== 0) return load < 0;
    if (one.priority !== other.priority) return one.priority > other.priority;
    return (this.#turns.get(one.owner) ?? 0) < (this.#turns.get(other.owner) ?? 0);
  }
}

export function createLimiter(options: {
  readonly concurrency: number;
  readonly concurrencyPerOwner?: number;
  readonly maxWaiting?: number;
  readonly maxWaitingPerOwner?: number;
  /** Returns the error for a full queue. `own` is the number of waiting functions of the same owner. */
  refuse?(waiting: { readonly all: number; readonly own: number }): Error;
}) {
  const { concurrency, concurrencyPerOwner = Infinity } = options;
  const { maxWaiting = Infinity, maxWaitingPerOwner = Infinity, refuse } = options;
  const fair = new FairQueue(concurrencyPerOwner);
  const queue = new PQueue<FairQueue, QueueAddOptions & { owner: string }>({
    concurrency,
    queueClass: class {
      constructor() {
        // biome-ignore lint/correctness/noConstructorReturn: p-queue takes a class and no instance.
        return fair;
      }
    } as unknown as new () => FairQueue,
  });

  function check(owner: string): void {
    if (queue.pending < concurrency && !fair.isFull(owner)) return;
    const waiting = { all: fair.waiting, own: fair.filter({ owner }).length };
    if (waiting.all < maxWaiting && waiting.own < maxWaitingPerOwner) return;
    throw refuse?.(waiting) ?? new Error(`${waiting.all} wait already`);
  }

  async function enter({
    signal,
    owner = '',
    priority = 0,
    alwaysWaits = false,
  }: LimiterEntry = {}): Promise<() => void> {
    signal?.throwIfAborted();
    if (!alwaysWaits) check(owner);
    const place = Promise.withResolvers<() => void>();
    const wait = new AbortController();
    const stop = () => wait.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    const start = () => {
      signal?.removeEventListener('abort', stop);
      fair.count(owner, 1);
      const work = Promise.withResolvers<void>();
      let left = false;
      place.resolve(() => {
        if (left) return;
        left = true;
        fair.count(owner, -1);
        work.resolve();
      });
      return work.promise;
    };
    queue.add(start, { signal: wait.signal, owner, priority }).catch(place.reject);
    return place.promise;
  }

  return {
    enter,
    async run<T>(work: () => Promise<T>, entry?: LimiterEntry): Promise<T> {
      const leave = await enter(entry);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    running: () => queue.pending,
    waiting: () => fair.waiting,
    idle: () => queue.onIdle(),
  };
}
