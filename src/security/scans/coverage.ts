import { asAppError } from '../../errors.ts';
import { createYieldPoint } from '../../lib/concurrency/time-slices.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { countUnscannedFiles, type UnscannedFiles } from '../../lib/unscanned-languages.ts';
import { findLfsPointers } from '../trees/lfs.ts';
import type { FileTree, ReadPredicate } from '../trees/tree.ts';
import type { ScanOmissions } from './omissions.ts';
import type { ScanOutcomes } from './outcomes.ts';
import type { FileScanner, TreeScanner, UnreadableFileKinds } from './scanner.ts';

interface ScannerLists {
  readonly fileScanners: readonly FileScanner[];
  readonly treeScanners: readonly TreeScanner[];
}

export function createReadPredicate(
  { fileScanners, treeScanners }: ScannerLists,
  dependencies: boolean,
): ReadPredicate {
  const named = treeScanners.filter((one) => dependencies || !one.dependencies);
  return (path, as) => {
    try {
      if (named.some((one) => one.names?.(path))) return true;
      return as === 'file' && fileScanners.some((one) => one.wants(path));
    } catch {
      // If `wants` throws, the file is read, so that its scan reports the error.
      return true;
    }
  };
}

export async function countFilesByScanner(
  { files }: Pick<FileTree, 'files'>,
  scanners: readonly FileScanner[],
  outcomes: ScanOutcomes,
  lacksOf: (scanner: string) => Promise<UnreadableFileKinds>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const pause = createYieldPoint();
  for (const scanner of scanners) {
    await pause();
    try {
      const wanted = files.map(({ path }) => path).filter((path) => scanner.wants(path));
      counts.set(scanner.name, wanted.length);
      if (!scanner.left || wanted.length === 0) continue;
      for (const what of scanner.left(wanted, await lacksOf(scanner.name)))
        outcomes.omissions.miss('languages', what);
    } catch (thrown) {
      outcomes.addFailure(scanner.name, asAppError(thrown).message);
    }
  }
  return counts;
}

const READ_BY: Readonly<Record<UnscannedFiles['kind'], readonly string[]>> = {
  language: ['semgrep'],
  script: ['semgrep'],
  configuration: ['semgrep', 'checkov', 'trivy'],
};

/** Reports files for which no scanner has rules. `scripts` maps `bin/run` to the extension `py`. */
export function reportFilesWithoutRules(
  { files }: Pick<FileTree, 'files'>,
  scripts: ReadonlyMap<string, string>,
  { omissions, scanners }: ScanOutcomes,
): void {
  const paths = files.map(({ path }) => {
    const ending = scripts.get(path);
    return ending === undefined ? path : `${path}.${ending}`;
  });
  const ran = new Set(scanners().flatMap(({ name, ok }) => (ok ? [name] : [])));
  for (const { name, kind, files: count } of countUnscannedFiles(paths)) {
    const what = `${formatCount(count, 'file')} of ${name}, for which no scanner of ours has rules but those for secrets`;
    const read = READ_BY[kind].some((program) => ran.has(program));
    if (kind === 'script' || read) omissions.leave(what);
    else omissions.miss(kind === 'language' ? 'unread-code' : 'unread-configuration', what);
  }
}

export async function reportLfsPointers(
  tree: Pick<FileTree, 'files' | 'read'>,
  minds: ReadPredicate,
  { miss }: ScanOmissions,
  signal: AbortSignal,
): Promise<void> {
  const { count, first } = await findLfsPointers(tree, (path) => minds(path, 'file'), signal);
  if (count === 0) return;
  const what = `${formatCount(count, 'file')} that git-lfs keeps elsewhere, of which only pointers are here: ${first}`;
  miss('lfs', `${what}${count > 1 ? ' and others' : ''}`);
}
