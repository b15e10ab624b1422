import { withDeadline } from '../lib/concurrency/deadline.ts';
import type { Logger } from '../log.ts';

/** A part of the process that must be closed at its end. */
export interface Closer {
  /** Name of the part for the log. */
  readonly name: string;
  close(): void | Promise<void>;
}

/** Time limit in milliseconds for the parts that are closed together because time has run out. */
const LATE_MS = 200;

/**
 * Closes all parts one after the other, even if some fail; the log names those. After `ms` milliseconds, the remaining parts are
 * closed together and given only a short time. Their unfinished work is derived data or is recovered at the next start.
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
