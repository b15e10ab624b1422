/** Counts response times in buckets: eight for each doubling, from 1 ms on. The error is at most 4.5%. */

const BUCKETS_PER_DOUBLING = 8;
const LAST_BUCKET = 17 * BUCKETS_PER_DOUBLING;

export type LatencyHistogram = ReadonlyMap<number, number>;

export function findLatencyBucket(ms: number): number {
  const at = Math.round(Math.log2(Math.max(1, ms)) * BUCKETS_PER_DOUBLING);
  return Math.min(LAST_BUCKET, Number.isFinite(at) ? at : LAST_BUCKET);
}

export function mergeLatencies(all: Iterable<LatencyHistogram>): Map<number, number> {
  const sum = new Map<number, number>();
  for (const one of all) {
    for (const [bucket, count] of one) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
  }
  return sum;
}

/** Returns a percentile by nearest rank. `share` is from 0 to 1, for example 0.95 for the 95th percentile. */
export function computePercentile(times: LatencyHistogram, share: number): number | undefined {
  const total = [...times.values()].reduce((sum, count) => sum + count, 0);
  const rank = Math.max(1, Math.ceil(share * total));
  let passed = 0;
  for (const [bucket, count] of [...times].sort(([a], [b]) => a - b)) {
    passed += count;
    if (passed >= rank) return Math.round(2 ** (bucket / BUCKETS_PER_DOUBLING));
  }
  return undefined;
}

export function encodeLatency(times: LatencyHistogram): Uint8Array {
  const bytes: number[] = [];
  for (const [bucket, count] of [...times].sort(([a], [b]) => a - b)) {
    bytes.push(bucket);
    let rest = count;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

export function decodeLatency(bytes: Uint8Array): Map<number, number> {
  const times = new Map<number, number>();
  for (let at = 0; at < bytes.length; ) {
    const bucket = bytes[at++] ?? 0;
    let [count, unit, isWhole] = [0, 1, false];
    while (at < bytes.length && !isWhole) {
      const digit = bytes[at++] ?? 0;
      count += (digit % 128) * unit;
      unit *= 128;
      isWhole = digit < 128;
    }
    if (isWhole) times.set(bucket, (times.get(bucket) ?? 0) + count);
  }
  return times;
}
