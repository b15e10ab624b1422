import { runInTimeSlices } from '../concurrency/time-slices.ts';

const STEP_CHARS = 100_000;

/** Returns true if the value needs at most `bytes` bytes as JSON. Yields to the event loop while counting. */
export async function fitsAsJson(value: unknown, bytes: number): Promise<boolean> {
  return countStringCharacters(value) <= bytes && (await runInTimeSlices(measure(value))) <= bytes;
}

export function countStringCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + countStringCharacters(inner), 0);
}

function* measure(value: unknown): Generator<void, number> {
  if (typeof value === 'string') return yield* measureText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)?.length ?? NULL_BYTES;
  const members = Array.isArray(value)
    ? value.map((item: unknown) => [0, item] as const)
    : Object.entries(value).flatMap(([name, item]) =>
        item === undefined ? [] : [[Buffer.byteLength(JSON.stringify(name)) + 1, item] as const],
      );
  let bytes = 2 + Math.max(0, members.length - 1);
  for (const [name, item] of members) bytes += name + (yield* measure(item));
  return bytes;
}

/** In a list, JSON writes `null` for a value such as `undefined`. */
const NULL_BYTES = 'null'.length;

function* measureText(text: string): Generator<void, number> {
  let bytes = 2;
  for (let at = 0; at < text.length; ) {
    // Does not split a surrogate pair, because JSON would escape each half.
    const end = at + STEP_CHARS;
    const next = end + (isLeading(text.charCodeAt(end - 1)) ? 1 : 0);
    bytes += Buffer.byteLength(JSON.stringify(text.slice(at, next))) - 2;
    at = next;
    yield;
  }
  return bytes;
}

const isLeading = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
