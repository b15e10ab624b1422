import { withDeadline } from '../lib/concurrency/deadline.ts';
import type { Logger } from '../log.ts';

/** A part of the process that is closed at its end. */
export interface Closer {
  /** For the log. */
  readonly name: string;
  close(): void | Promise<void>;
}

/** Milliseconds for the parts that are called at once because time has run out. */
const LATE_MS = 200;

/**
 * Closes parts one after the other, all of them, also where one fails: the log says which. Once `ms` have passed, those
 * that are left are called at once and waited for only shortly; what they do is derived, or recovered at the next start.
 */
export async function closeInOrder(
  parts: readonly Closer[],
  ms: number,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const { signal } = new AbortController();
  const end = performance.now() + ms;
  const closed = async ({ name, close }: Closer): Promise<void> => {
    try {
      await close();
    } catch (err) {
      log.warn({ err }, `${name} did not end in order`);
    }
  };
  const late: Promise<void>[] = [];
  for (const part of parts) {
    const closing = closed(part);
    const left = end - performance.now();
    if (left <= 0) late.push(closing);
    else await withDeadline(signal, left, () => closing).catch(() => late.push(closing));
  }
  if (late.length > 0) await withDeadline(signal, LATE_MS, () => Promise.all(late)).catch(() => {});
}
