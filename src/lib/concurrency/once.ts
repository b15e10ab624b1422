import { apartFromCalls } from './call-signal.ts';

/**
 * Returns a function that makes a value at the first call and shares it with later calls. After a failure, the next tries again.
 */
export function once<T>(make: () => Promise<T>): (() => Promise<T>) & { made(): boolean } {
  let value: Promise<T> | undefined;
  const get = () => {
    value ??= apartFromCalls(make).catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
  return Object.assign(get, { made: () => value !== undefined });
}
