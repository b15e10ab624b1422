import { runOutsideCalls } from './call-signal.ts';

/** Calls `make` once and shares its value with later callers. After a failure, the next call tries again. */
export function once<T>(make: () => Promise<T>): (() => Promise<T>) & { made(): boolean } {
  let value: Promise<T> | undefined;
  const get = () => {
    value ??= runOutsideCalls(make).catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
  return Object.assign(get, { made: () => value !== undefined });
}
