import { createEffort } from '../scans/effort.ts';
import { textOf } from '../scans/file-job.ts';
import type { Tree, TreeFile } from '../trees/tree.ts';
import type { Finding, RawFinding } from './finding.ts';
import { excusesAt, IGNORE_FILE, readIgnoreFile, tooSlow } from './ignore-file.ts';
import type { RuleNames } from './known-rules.ts';
import type { Found } from './merge.ts';
import { judgeFile, type Verdict } from './suppress.ts';

const MAX_FILE_BYTES = 2_000_000;

export const SUPPRESSION = 'suppression';

export type Judged = Found & Pick<Finding, 'suppressed'>;

/** Marks findings suppressed by comments or the ignore file, and adds invalid suppressions. `now` is in milliseconds. */
export async function suppressFindings(
  tree: Tree,
  findings: readonly Found[],
  names: RuleNames,
  signal: AbortSignal,
  now: number,
): Promise<Judged[]> {
  const files = new Map(tree.files.map((file) => [file.path, file]));
  const read = async (file: TreeFile | undefined) => {
    if (!file || file.bytes > MAX_FILE_BYTES) return undefined;
    // A file that changed meanwhile counts as having no comments.
    return tree.read(file).then(textOf, () => undefined);
  };
  const ignore = await read(files.get(IGNORE_FILE));
  const effort = createEffort();
  const { excuses, problems } =
    ignore === undefined
      ? { excuses: [], problems: [] }
      : await readIgnoreFile(ignore, now, { names, effort, signal });
  const byPath = new Map<string, Found[]>();
  for (const finding of findings) {
    const list = byPath.get(finding.path);
    if (list) list.push(finding);
    else byPath.set(finding.path, [finding]);
  }
  const judged: Judged[] = problems.map(own);
  for (const [path, list] of byPath) {
    signal.throwIfAborted();
    const text = await read(files.get(path));
    const grounds = { text, excuses: await excusesAt(path, excuses, effort, signal), names, effort };
    for (const one of judge(list, await judgeFile(list, grounds, signal))) judged.push(one);
  }
  if (effort.over) judged.push(own(tooSlow()));
  return judged;
}

function judge(findings: readonly Found[], verdicts: readonly Verdict[]): Judged[] {
  const problems = new Map<string, RawFinding>();
  const out = findings.map((finding, at): Judged => {
    const { suppressed, problem } = verdicts[at] ?? {};
    if (problem) problems.set(`${problem.line} ${problem.identity}`, problem);
    return suppressed ? { ...finding, suppressed } : finding;
  });
  return [...out, ...[...problems.values()].map(own)];
}

function own(problem: RawFinding): Judged {
  return { ...problem, scanners: [SUPPRESSION] };
}
