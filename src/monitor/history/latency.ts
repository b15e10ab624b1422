/**
 * Response times in buckets of a fixed logarithmic scale: eight to the doubling, from 1 ms to about two minutes, so that a
 * percentile is off by 4.5% at most however many times are counted. Kept as pairs of a bucket and a count, of which an hour
 * has a dozen: bucket in one byte, count in base 128, low digits first (LEB128).
 */

const BUCKETS_PER_DOUBLING = 8;
const LAST_BUCKET = 17 * BUCKETS_PER_DOUBLING;

/** Counts of times, by bucket. */
export type Latency = ReadonlyMap<number, number>;

/** The bucket of a time in milliseconds. */
export function bucketOf(ms: number): number {
  const at = Math.round(Math.log2(Math.max(1, ms)) * BUCKETS_PER_DOUBLING);
  return Math.min(LAST_BUCKET, Number.isFinite(at) ? at : LAST_BUCKET);
}

/** Those of several counts together. */
export function addLatencies(all: Iterable<Latency>): Map<number, number> {
  const sum = new Map<number, number>();
  for (const one of all) {
    for (const [bucket, count] of one) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
  }
  return sum;
}

/** Milliseconds under which a share of the times (0 to 1) lies, by nearest rank; undefined where there are none. */
export function percentileOf(times: Latency, share: number): number | undefined {
  const total = [...times.values()].reduce((sum, count) => sum + count, 0);
  const rank = Math.max(1, Math.ceil(share * total));
  let passed = 0;
  for (const [bucket, count] of [...times].sort(([a], [b]) => a - b)) {
    passed += count;
    if (passed >= rank) return Math.round(2 ** (bucket / BUCKETS_PER_DOUBLING));
  }
  return undefined;
}

/** As it is stored. */
export function encodeLatency(times: Latency): Uint8Array {
  const bytes: number[] = [];
  for (const [bucket, count] of [...times].sort(([a], [b]) => a - b)) {
    bytes.push(bucket);
    let rest = count;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

/** What `encodeLatency` has made; a pair that is cut off is left out. */
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
