import PQueue, { type QueueAddOptions } from 'p-queue';

/** Who asks for a place. */
export interface LimiterEntry {
  /** Ends the waiting, and not the work. */
  readonly signal?: AbortSignal;
  /** The owner with the fewest running pieces is served first, of several the one whose last turn is longest ago. */
  readonly owner?: string;
  /** Higher ones are served first, among owners with equally many running. 0 when left out. */
  readonly priority?: number;
  /** Waits however many wait already, since its own number is bounded elsewhere. */
  readonly alwaysWaits?: boolean;
}

/** Bounds how much of one kind of work runs at once, and how much of it may wait. */
export interface Limiter {
  /** Runs the work once there is a place. Rejects as `refuse` says, with the signal's reason while it waits, or as the work. */
  run<T>(work: () => Promise<T>, entry?: LimiterEntry): Promise<T>;
  /** For work that is not one function: resolves with what frees the place; calling that twice is harmless. */
  enter(entry?: LimiterEntry): Promise<() => void>;
  running(): number;
  waiting(): number;
  /** Resolves when nothing runs or waits. */
  idle(): Promise<void>;
}

export interface LimiterOptions {
  /** Pieces of work at once. */
  readonly concurrency: number;
  /** Pieces of one owner at once; as many as of all when left out. */
  readonly concurrencyPerOwner?: number;
  /** Pieces that may wait; any number when left out. */
  readonly maxWaiting?: number;
  /** Pieces of one owner that may wait. */
  readonly maxWaitingPerOwner?: number;
  /** The error for an entry that may not even wait, by how many wait already. */
  refuse?(waiting: { readonly all: number; readonly own: number }): Error;
}

interface Queued extends Required<Pick<LimiterEntry, 'owner' | 'priority'>> {
  readonly id: string;
  readonly start: () => Promise<unknown>;
}

/** The order of p-queue: fewest running of an owner, highest priority, owner longest without a turn, first come. */
class FairQueue {
  readonly running = new Map<string, number>();
  readonly #most: number;
  #queued: Queued[] = [];
  /** The last turn of each owner who has something here. */
  readonly #turns = new Map<string, number>();
  #turn = 0;

  constructor(mostPerOwner: number) {
    this.#most = mostPerOwner;
  }

  /** Whether an owner has as many running as it may. */
  isFull(owner: string): boolean {
    return (this.running.get(owner) ?? 0) >= this.#most;
  }

  get waiting(): number {
    return this.#queued.length;
  }

  /** What p-queue may take out: those of owners who have as many running as they may are not there for it. */
  get size(): number {
    if (this.#most === Infinity) return this.#queued.length;
    return this.#queued.filter(({ owner }) => !this.isFull(owner)).length;
  }

  enqueue(start: Queued['start'], { id = '', owner = '', priority = 0 }: Partial<Queued> = {}): void {
    this.#queued.push({ start, id, owner, priority });
  }

  dequeue(): Queued['start'] | undefined {
    const best = this.#queued.reduce<Queued | undefined>(
      (found, one) => (this.isFull(one.owner) || (found && !this.#isBefore(one, found)) ? found : one),
      undefined,
    );
    if (!best) return undefined;
    this.remove(best.id);
    this.#turns.set(best.owner, ++this.#turn);
    return best.start;
  }

  filter({ owner }: Partial<Queued>): Queued['start'][] {
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

  #isBefore(one: Queued, other: Queued): boolean {
    const load = (this.running.get(one.owner) ?? 0) - (this.running.get(other.owner) ?? 0);
    if (load !== 0) return load < 0;
    if (one.priority !== other.priority) return one.priority > other.priority;
    return (this.#turns.get(one.owner) ?? 0) < (this.#turns.get(other.owner) ?? 0);
  }
}

/** The one limiter of the house: p-queue, with a bound on what waits and fairness between owners. */
export function createLimiter(options: LimiterOptions): Limiter {
  const { concurrency, concurrencyPerOwner = Infinity } = options;
  const { maxWaiting = Infinity, maxWaitingPerOwner = Infinity, refuse } = options;
  const fair = new FairQueue(concurrencyPerOwner);
  // p-queue makes its queue itself: this one is handed in, so that the limiter can count by owner.
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
    async run(work, entry) {
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
