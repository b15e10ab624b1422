export const compareValues = <T extends string | bigint>(a: T, b: T): number => Number(a > b) - Number(a < b);

/** A version of Debian or RPM: `epoch:version-revision`. */
type RevisedVersion = ReturnType<typeof splitRevision>;

export function splitRevision(epoch: string, rest: string) {
  const dash = rest.lastIndexOf('-');
  const [version, revision] = dash < 0 ? [rest, ''] : [rest.slice(0, dash), rest.slice(dash + 1)];
  return { epoch: Number(epoch), version, revision };
}

export function orderRevised(compare: (a: string, b: string) => number) {
  return (a: RevisedVersion, b: RevisedVersion): number =>
    a.epoch - b.epoch || compare(a.version, b.version) || compare(a.revision, b.revision);
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
