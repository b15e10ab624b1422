import type { JobHandler } from '../lib/workers/pool-worker.ts';
import { findDamage, openFile } from './check-file.ts';

export const handleJob: JobHandler<string, string | null> = async (path) => {
  const raw = openFile(path, false);
  try {
    const watch = { signal: new AbortController().signal, progress: () => {} };
    const [line = null] = await findDamage(raw, watch, 'quick');
    return line;
  } finally {
    raw.close();
  }
};
