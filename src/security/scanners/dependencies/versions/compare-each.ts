export function compareValues<T extends string | bigint>(a: T, b: T): number {
  return Number(a > b) - Number(a < b);
}

export function compareEach<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (left: T | undefined, right: T | undefined) => number,
): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const result = compare(a[at], b[at]);
    if (result !== 0) return result;
  }
  return 0;
}
