import { runWithoutCallSignal } from './call-signal.ts';

export interface CoalescerOptions<T> {
  copy(value: T): T;
  /** Maximum age in milliseconds of running work that a new call shares. Older work may hang. */
  readonly joining: number;
}

interface Asker<T> {
  resolve(value: T): void;
  reject(reason: unknown): void;
}

interface Flight<T> {
  readonly askers: Set<Asker<T>>;
  readonly work: AbortController;
  readonly started: number;
}

export function createCoalescer<T>({ copy, joining }: CoalescerOptions<T>) {
  const open = new Set<Flight<T>>();
  const byKey = new Map<string, Flight<T>>();

  function depart(key: string | undefined, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const flight: Flight<T> = { askers: new Set(), work: new AbortController(), started: performance.now() };
    const land = () => {
      open.delete(flight);
      if (key !== undefined && byKey.get(key) === flight) byKey.delete(key);
    };
    open.add(flight);
    if (key !== undefined) byKey.set(key, flight);
    flight.work.signal.addEventListener('abort', land, { once: true });
    runWithoutCallSignal(() => start(flight.work.signal)).then(
      (value) => {
        land();
        // Copies the value for all callers before the first caller gets it and may change it.
        const given = [...flight.askers].map((asker, i) => [asker, i === 0 ? value : copy(value)] as const);
        for (const [asker, own] of given) asker.resolve(own);
      },
      (error: unknown) => {
        land();
        for (const asker of flight.askers) asker.reject(error);
      },
    );
    return flight;
  }

  return {
    join(
      key: string | undefined,
      start: (signal: AbortSignal) => Promise<T>,
      signal: AbortSignal,
    ): Promise<T> {
      if (signal.aborted) return Promise.reject(signal.reason);
      const known = key === undefined ? undefined : byKey.get(key);
      const young = known && performance.now() - known.started < joining;
      const flight = young ? known : depart(key, start);
      return new Promise<T>((resolve, reject) => {
        const leave = () => {
          signal.removeEventListener('abort', stop);
          flight.askers.delete(asker);
        };
        const asker: Asker<T> = {
          resolve(value) {
            leave();
            resolve(value);
          },
          reject(reason) {
            leave();
            reject(reason);
          },
        };
        const stop = () => {
          asker.reject(signal.reason);
          if (flight.askers.size === 0) flight.work.abort(signal.reason);
        };
        flight.askers.add(asker);
        signal.addEventListener('abort', stop, { once: true });
      });
    },
    end(error: Error): void {
      for (const { askers, work } of [...open]) {
        for (const asker of [...askers]) asker.reject(error);
        work.abort(error);
      }
    },
  };
}
