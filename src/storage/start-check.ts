import { statSync } from 'node:fs';
import { moduleUrl } from '../lib/workers/module-url.ts';
import { createWorkerPool } from '../lib/workers/worker-pool.ts';

/** Maximum processor time of the check in milliseconds, enough for a file of about 50 GB. */
const LIMIT_MS = 120_000;
const MEMORY_BYTES = 250_000_000;
const SMALL_BYTES = 1_000_000;

/** Returns SQLite's report on a damaged file, or undefined if it is intact or the check takes too long. */
export async function findDamageInProcess(path: string, signal: AbortSignal): Promise<string | undefined> {
  const file = moduleUrl('./quick-check.ts', import.meta.url);
  if (bytesOf(path) + bytesOf(`${path}-wal`) <= SMALL_BYTES) {
    const { handleJob } = (await import(file.href)) as { handleJob(path: string): Promise<string | null> };
    return (await handleJob(path).catch(() => null)) ?? undefined;
  }
  const pool = createWorkerPool<string, string | null>({
    file,
    workers: 1,
    queue: 1,
    idleMs: 0,
    memoryBytes: MEMORY_BYTES,
    stopOnAbort: true,
  });
  try {
    const outcome = await pool.run(path, LIMIT_MS, signal);
    return 'answer' in outcome ? (outcome.answer ?? undefined) : undefined;
  } finally {
    await pool.close();
  }
}

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
