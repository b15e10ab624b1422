import { type FileAnswer, type FileJob, scanFiles } from './file-job.ts';
import type { FileScanner } from './scanner.ts';

const modules = new Map<string, Promise<{ readonly fileScanners: readonly FileScanner[] }>>();

/** Searches files off the event loop; see file-scan.ts. */
export async function answer(job: FileJob): Promise<FileAnswer> {
  try {
    const module = modules.get(job.module) ?? import(job.module);
    modules.set(job.module, module);
    return { results: await scanFiles(job, (await module).fileScanners) };
  } catch (thrown) {
    return { failed: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'unknown' };
  }
}
