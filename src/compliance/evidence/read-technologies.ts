import { formatCount } from '../../lib/text/format-count.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createWorkerPool, type WorkerPool } from '../../lib/workers/worker-pool.ts';
import {
  canShowTechnologies,
  type FirstFileByTechnology,
  findTechnologies,
  isCompiledFile,
  TECHNOLOGIES,
  type Technology,
  type TechnologyFile,
} from './technologies.ts';

const [BATCH_BYTES, MAX_FILE_BYTES] = [4_000_000, 2_000_000];
/** Batches up to this length are searched in the main thread (about 3 ms), longer batches in workers. */
const MAX_INLINE_CHARS = 20_000;
const [MAX_FILES, MAX_BYTES] = [50_000, 400_000_000];
const BATCH_MS = 20_000;

export interface RepositoryFiles {
  readonly subject: string;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  content(path: string): Promise<Uint8Array | undefined>;
}

export async function readTechnologies(
  { subject, files, content }: RepositoryFiles,
  signal: AbortSignal,
): Promise<readonly Technology[]> {
  const wanted = files.filter(({ path }) => canShowTechnologies(path));
  const seen: FirstFileByTechnology = {};
  const unread = unreadIn(wanted);
  let pool: WorkerPool<readonly TechnologyFile[], FirstFileByTechnology> | undefined;
  async function search(read: readonly TechnologyFile[]): Promise<FirstFileByTechnology | undefined> {
    if (read.reduce((sum, { content }) => sum + content.length, 0) <= MAX_INLINE_CHARS)
      return findTechnologies(read);
    pool ??= createWorkerPool({
      file: moduleUrl('./technologies-worker.ts', import.meta.url),
      workers: 1,
      queue: 1,
      idleMs: 1000,
      stopOnAbort: true,
    });
    const outcome = await pool.run(read, BATCH_MS, signal);
    return 'answer' in outcome ? outcome.answer : undefined;
  }
  let trouble = unread;
  try {
    for (const batch of trouble === undefined ? batchesOf(wanted) : []) {
      const read: TechnologyFile[] = [];
      for (const { path } of batch) {
        const bytes = await content(path);
        if (bytes) read.push({ path, content: bytes });
        else trouble = `${path} could not be read`;
      }
      const shown = await search(read);
      if (shown) Object.assign(seen, { ...shown, ...seen });
      else trouble = 'not every file could be searched';
      if (trouble !== undefined || TECHNOLOGIES.every((name) => seen[name] !== undefined)) break;
    }
  } finally {
    await pool?.close();
  }
  return TECHNOLOGIES.map((name): Technology => {
    const path = seen[name];
    if (path !== undefined) return { name, subject, state: 'present', detail: path };
    if (trouble !== undefined) return { name, subject, state: 'unknown', detail: trouble };
    const detail = `${formatCount(wanted.length, 'file')} of code, settings and dependencies searched`;
    return { name, subject, state: 'absent', detail };
  });
}

function unreadIn(files: RepositoryFiles['files']): string | undefined {
  const built = files.find(({ path }) => isCompiledFile(path));
  if (built) return `${built.path} is built, and cannot be searched`;
  const large = files.find(({ bytes }) => bytes > MAX_FILE_BYTES);
  if (large) return `${large.path} is over ${MAX_FILE_BYTES / 1e6} MB`;
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
  return files.length > MAX_FILES || bytes > MAX_BYTES ? 'there are too many files' : undefined;
}

function* batchesOf(files: RepositoryFiles['files']) {
  let batch: RepositoryFiles['files'][number][] = [];
  let bytes = 0;
  for (const file of files) {
    if (bytes + file.bytes > BATCH_BYTES && batch.length > 0) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(file);
    bytes += file.bytes;
  }
  if (batch.length > 0) yield batch;
}
