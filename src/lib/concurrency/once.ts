import { apartFromCalls } from './call-signal.ts';

/** A value made on first use; a failed making is tried again on the next. */
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
