import { runOutsideCalls } from './call-signal.ts';

/** Returns a function that calls `make` once. If `make` fails, the next call tries again. */
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
