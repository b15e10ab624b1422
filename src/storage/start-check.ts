import { moduleUrl } from '../lib/module-url.ts';
import { createWorkerPool } from '../lib/worker-pool.ts';

/** Milliseconds of processor time for a check, which is enough for some 50 GB, and its bytes of memory. */
const LIMIT_MS = 120_000;
const MEMORY_BYTES = 250_000_000;

/**
 * What SQLite finds wrong with the structure of a database, in its words; undefined for a sound one, and for one that
 * takes too long. A process of low priority reads it, table by table, while others read and write it.
 */
export async function findDamageBeside(path: string, signal: AbortSignal): Promise<string | undefined> {
  const pool = createWorkerPool<string, string | null>({
    file: moduleUrl('./quick-check.ts', import.meta.url),
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
