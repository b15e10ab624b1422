import { apartFromCalls } from './call-signal.ts';

/** One piece of work for many askers of the same thing at the same time. */
export interface Flights<T> {
  /**
   * The result of `start`, begun by the first asker of a `key` and shared with those who come within the
   * joining time; with no key, for this asker only. Rejects as the work does, or with the reason of the
   * asker's own signal, which leaves the others theirs; the last to leave aborts the work.
   */
  join(key: string | undefined, start: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Rejects every asker with the error and aborts all work. */
  end(error: Error): void;
}

export interface FlightsOptions<T> {
  /** For every asker but the first, so that no asker can change the value of another. */
  copy(value: T): T;
  /**
   * Milliseconds after its start in which work may be joined. It bounds how long the work lives beyond the
   * patience of its first asker, and lets a later one start again where the first attempt hangs.
   */
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

/** As many flights as there are askers at most. */
export function createFlights<T>({ copy, joining }: FlightsOptions<T>): Flights<T> {
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
    apartFromCalls(() => start(flight.work.signal)).then(
      (value) => {
        land();
        // All copies are made before the first asker gets its value.
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
    join(key, start, signal) {
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
    end(error) {
      for (const { askers, work } of [...open]) {
        for (const asker of [...askers]) asker.reject(error);
        work.abort(error);
      }
    },
  };
}
