import { createHash } from 'node:crypto';
import { createYieldPoint } from '../../lib/concurrency/time-slices.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { RawFinding } from '../findings/finding.ts';
import type { FileTree, TreeFile } from '../trees/tree.ts';
import type { ScanOutcomes } from './outcomes.ts';
import { type CandidateFileScan, MAX_SEARCHED_BYTES } from './scan-candidate-files.ts';
import type { FileGroupScanner, FileScanner } from './scanner.ts';

/** Maximum number of files, and of bytes, in one group. All files of a group are in memory at the same time. */
const [MAX_FILES, MAX_BYTES] = [20_000, 48_000_000];

export interface FileGroupScan extends Omit<CandidateFileScan, 'scanners' | 'done'> {
  readonly fileScanners: readonly FileScanner[];
}

interface FileSet {
  readonly scanner: string;
  readonly together: FileGroupScanner;
  readonly name: string;
  readonly files: readonly TreeFile[];
}

export async function scanFileGroups(tree: FileTree, search: FileGroupScan): Promise<void> {
  const code = `${await search.code()}${search.rules ? ` ${search.rules.hash}` : ''}`;
  const groups = search.fileScanners.flatMap((scanner) => groupsOf(tree, scanner, search.deep));
  // All contents of a group are in memory, so groups are scanned one after another.
  for (const group of groups) await searchGroup(tree, group, code, search);
}

function groupsOf({ files }: FileTree, { name, together }: FileScanner, deep: boolean): FileSet[] {
  if (!together || (!deep && !together.always)) return [];
  const read = files.filter(({ bytes }) => bytes > 0 && bytes <= MAX_SEARCHED_BYTES);
  const paths = new Set(read.map(({ path }) => path));
  const places = read.flatMap((file) =>
    together.groupsOf(file.path, paths).map((group) => ({ group, file })),
  );
  return [...Map.groupBy(places, ({ group }) => group)].flatMap(([group, own]) =>
    own.length < 2 ? [] : [{ scanner: name, together, name: group, files: own.map(({ file }) => file) }],
  );
}

async function searchGroup(tree: FileTree, group: FileSet, code: string, search: FileGroupScan) {
  const { owner, desk, kept, outcomes, signal } = search;
  const { scanner, name } = group;
  const files = withinBounds(group.files);
  if (files.length < group.files.length) miss(outcomes, group, group.files.length - files.length);
  const key = keyOf(group, code);
  const before = (await kept.readFindings(owner, [key], Date.now())).get(key);
  if (before) {
    for (const one of before) {
      if (one.scanner === scanner) outcomes.addFindings(scanner, one.findings, 0);
      else if (one.scanner === `${scanner}${CUT}`)
        missCut(
          outcomes,
          one.findings.map(({ title }) => title),
        );
      else outcomes.refute(scanner, one.findings);
    }
    return;
  }
  const contents: { path: string; content: Uint8Array }[] = [];
  const pause = createYieldPoint();
  for (const file of files) {
    await pause();
    signal.throwIfAborted();
    // An unreadable file is skipped. The scan of the single file reports the error.
    const content = await tree.read(file).catch(() => undefined);
    if (content) contents.push({ path: file.path, content });
  }
  const found = await desk.searchTogether(scanner, contents, { deep: true, rules: search.rules }, signal);
  outcomes.addFindings(scanner, found.findings, found.ms);
  outcomes.refute(scanner, found.refuted);
  if (found.failed !== undefined) outcomes.addFailure(scanner, `${name} files together: ${found.failed}`);
  const cut = found.cut ?? [];
  missCut(outcomes, cut);
  const left = found.left + found.gaveUp.length;
  if (left > 0) miss(outcomes, group, left);
  if (left > 0 || found.failed !== undefined || contents.length < files.length) return;
  const kinds = [
    { scanner, findings: found.findings },
    { scanner: `${scanner}: refuted`, findings: found.refuted },
    ...(cut.length > 0 ? [{ scanner: `${scanner}${CUT}`, findings: cut.map(asKept) }] : []),
  ];
  await kept.insertFindings(owner, new Map([[key, kinds]]), Date.now());
}

/** Added to a scanner's name in the cache. The entry lists classes that were analysed only in part. */
const CUT = ': cut';
const MAX_NAMED_CLASSES = 5;

function asKept(name: string): RawFinding {
  return { id: 'source/cut', severity: 'info', title: name, description: '', fix: '', path: '' };
}

function missCut({ omissions }: ScanOutcomes, classes: readonly string[]): void {
  if (classes.length === 0) return;
  const shown = classes.slice(0, MAX_NAMED_CLASSES).join(', ');
  const rest = classes.length > MAX_NAMED_CLASSES ? ` and ${classes.length - MAX_NAMED_CLASSES} more` : '';
  omissions.miss(
    'limits',
    `data flow into ${formatCount(classes.length, 'class', 'classes')} that more files or classes have than are followed: ${shown}${rest}`,
  );
}

function miss({ omissions }: ScanOutcomes, { name, together }: FileSet, files: number): void {
  omissions.miss('limits', `${together.reads} ${formatCount(files, 'file')} of ${name} into other files`);
}

function withinBounds(files: readonly TreeFile[]): readonly TreeFile[] {
  let bytes = 0;
  const past = files.slice(0, MAX_FILES).findIndex((file) => {
    bytes += file.bytes;
    return bytes > MAX_BYTES;
  });
  return files.slice(0, past < 0 ? MAX_FILES : past);
}

function keyOf({ scanner, name, files }: FileSet, code: string): string {
  const hash = createHash('sha256').update(JSON.stringify([code, 'together', scanner, name]));
  for (const { path, blob } of files) hash.update(`\0${path}\0${blob}`);
  return hash.digest('base64url').slice(0, 27);
}
