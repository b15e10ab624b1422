import { runWithoutCallSignal } from './call-signal.ts';

/** Returns a function that calls `make` once and keeps its value. After a failure, the next call retries. */
export function makeOnce<T>(make: () => Promise<T>): (() => Promise<T>) & { made(): boolean } {
  let value: Promise<T> | undefined;
  const get = () => {
    value ??= runWithoutCallSignal(make).catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
  return Object.assign(get, { made: () => value !== undefined });
}
