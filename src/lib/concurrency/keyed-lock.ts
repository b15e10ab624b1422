import { Mutex } from 'async-mutex';

/** Work under one key runs one piece after the other, in order of arrival; other keys are not held up. */
export interface KeyedLock {
  /** Rejects with the signal's reason when that comes before its turn, which is then the next one's. */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Resolves when nothing runs or waits under any key. */
  idle(): Promise<void>;
  /** Keys under which something runs or waits. */
  readonly size: number;
}

/** The one keyed lock of the house: async-mutex, one for each key in use and none for others. */
export function createKeyedLock(): KeyedLock {
  const locks = new Map<string, { readonly mutex: Mutex; users: number }>();
  return {
    get size() {
      return locks.size;
    },
    async idle() {
      while (locks.size > 0) await Promise.all([...locks.values()].map(({ mutex }) => mutex.waitForUnlock()));
    },
    async run(key, work, signal) {
      signal?.throwIfAborted();
      const lock = locks.get(key) ?? { mutex: new Mutex(), users: 0 };
      locks.set(key, lock);
      lock.users += 1;
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const stop = () => reject(signal?.reason);
      const turn = lock.mutex.runExclusive(async () => {
        signal?.throwIfAborted();
        signal?.removeEventListener('abort', stop);
        return work();
      });
      const leave = () => {
        lock.users -= 1;
        if (lock.users === 0) locks.delete(key);
      };
      turn.then(leave, leave);
      if (!signal) return turn;
      signal.addEventListener('abort', stop, { once: true });
      return Promise.race([turn, aborted]).finally(() => signal.removeEventListener('abort', stop));
    },
  };
}
