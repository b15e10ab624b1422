import type { Logger } from '../../log.ts';
import type { ScanStore } from './scan-store.ts';

export interface ScanFailure {
  readonly reason: string;
  readonly endedAt: number;
  readonly runner: string;
}

/** Stores failures of scans. If storing fails, as on a full disk, the failure stays in memory for a retry. */
export type ScanFailures = ReturnType<typeof createScanFailures>;

const [FIRST_RETRY_MS, MAX_RETRY_MS] = [1000, 60_000];

export function createScanFailures(
  store: Pick<ScanStore, 'failScan'>,
  log: Logger,
  firstRetryMs = FIRST_RETRY_MS,
) {
  const left = new Map<string, ScanFailure>();
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = firstRetryMs;
  let isClosed = false;

  async function write(id: string, { reason, endedAt, runner }: ScanFailure): Promise<boolean> {
    try {
      await store.failScan(id, reason, endedAt, { runner });
      left.delete(id);
      return true;
    } catch (err) {
      log.warn({ err, scan: id }, 'the failure of a scan could not be stored; it is tried again');
      return false;
    }
  }

  async function writeAll(): Promise<void> {
    timer = undefined;
    let isWell = true;
    for (const [id, failure] of left) isWell = (await write(id, failure)) && isWell;
    pauseMs = isWell ? firstRetryMs : Math.min(2 * pauseMs, MAX_RETRY_MS);
    arm();
  }

  function arm(): void {
    if (left.size > 0 && !isClosed) timer ??= setTimeout(() => void writeAll(), pauseMs).unref();
  }

  return {
    /** Resolves after the first attempt to store the failure, even if the attempt fails. Never rejects. */
    async record(id: string, failure: ScanFailure) {
      left.set(id, failure);
      await write(id, failure);
      arm();
    },
    unwritten: (id: string) => left.get(id),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      for (const [id, failure] of left) await write(id, failure);
    },
  };
}
