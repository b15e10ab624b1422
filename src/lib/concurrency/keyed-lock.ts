import { Mutex } from 'async-mutex';

export type KeyedLock = ReturnType<typeof createKeyedLock>;

export function createKeyedLock() {
  const locks = new Map<string, { readonly mutex: Mutex; users: number }>();
  return {
    get size(): number {
      return locks.size;
    },
    async idle(): Promise<void> {
      while (locks.size > 0) await Promise.all([...locks.values()].map(({ mutex }) => mutex.waitForUnlock()));
    },
    async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
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
