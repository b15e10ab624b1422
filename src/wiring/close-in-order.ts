import { withDeadline } from '../lib/concurrency/deadline.ts';
import type { Logger } from '../log.ts';

export interface ClosablePart {
  readonly name: string;
  close(): void | Promise<void>;
}

const LATE_MS = 200;

/** Closes modules in order, even if some fail. After `ms` milliseconds, no longer waits for each module. */
export async function closeInOrder(parts: readonly ClosablePart[], ms: number, log: Pick<Logger, 'warn'>) {
  const { signal } = new AbortController();
  const end = performance.now() + ms;
  const closed = async ({ name, close }: ClosablePart): Promise<void> => {
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
