import {
  type FileGroupJob,
  type FileScanJob,
  type ScanWorkerAnswer,
  scanFileGroup,
  scanFiles,
  type UnreadableKindsJob,
} from './file-job.ts';
import type { FileScanner } from './scanner.ts';

interface FileScanners {
  readonly fileScanners: readonly FileScanner[];
}

const modules = new Map<string, Promise<FileScanners>>();

export async function handleJob(
  job: FileScanJob | FileGroupJob | UnreadableKindsJob,
): Promise<ScanWorkerAnswer> {
  try {
    const module: Promise<FileScanners> = modules.get(job.module) ?? import(job.module);
    modules.set(job.module, module);
    const { fileScanners } = await module;
    if ('together' in job) return { together: await scanFileGroup(job, fileScanners) };
    if (!('lacks' in job)) return { results: await scanFiles(job, fileScanners) };
    const lacks = await fileScanners.find(({ name }) => name === job.lacks)?.lacks?.();
    return { lacks: lacks ?? new Map() };
  } catch (thrown) {
    return { failed: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'unknown' };
  }
}
