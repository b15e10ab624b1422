import { setTimeout as sleep } from 'node:timers/promises';
import { parseInstant } from '../../lib/time/written-date.ts';

export type Pause = ReturnType<typeof createPause>;
const DEFAULT_PAUSE_MS = 500;
const MAX_PAUSE_MS = 20_000;

export function createPause() {
  let until = 0;
  return {
    noteResponse({ status, headers }: Pick<Response, 'status' | 'headers'>): void {
      const named = namedMs(headers);
      if (status !== 429 && (status !== 503 || named === undefined)) return;
      until = Math.max(until, performance.now() + Math.min(named ?? DEFAULT_PAUSE_MS, MAX_PAUSE_MS));
    },
    async waitUntilOver(signal?: AbortSignal): Promise<void> {
      for (let left = until - performance.now(); left > 0; left = until - performance.now()) {
        await sleep(Math.ceil(left), undefined, { signal }).catch((error: unknown) => {
          throw signal?.aborted ? signal.reason : error;
        });
      }
    },
  };
}

/** Returns the milliseconds of `retry-after-ms`, else of `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). */
function namedMs(headers: Headers): number | undefined {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (ms >= 0) return ms;
  const after = headers.get('retry-after') ?? '';
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(after)) return Number(after) * 1000;
  const date = parseInstant(after);
  return date === undefined ? undefined : Math.max(0, date - Date.now());
}
