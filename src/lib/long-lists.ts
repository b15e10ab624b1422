/** Functions for lists of any length, because V8 limits spread arguments to some 120,000. */

export function minOf(values: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const value of values) least = Math.min(least, value);
  return least;
}

export function maxOf(values: Iterable<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) most = Math.max(most, value);
  return most;
}

export function pushAll<T>(list: T[], values: Iterable<T>): void {
  for (const value of values) list.push(value);
}
