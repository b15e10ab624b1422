import { decodeFileText } from '../scans/file-job.ts';
import { createStepBudget } from '../scans/step-budget.ts';
import type { FileTree, TreeFile } from '../trees/tree.ts';
import type { Finding, RawFinding } from './finding.ts';
import {
  createSlowIgnoreFileFinding,
  filterEntriesByPath,
  IGNORE_FILE,
  readIgnoreFile,
} from './ignore-file.ts';
import { judgeSuppressions, type SuppressionVerdict } from './judge-suppressions.ts';
import type { MergedFinding } from './merge.ts';
import type { RuleNameChecker } from './rule-name-checker.ts';

const MAX_FILE_BYTES = 2_000_000;
export const SUPPRESSION_SCANNER_NAME = 'suppression';

export type JudgedFinding = MergedFinding & Pick<Finding, 'suppressed'>;

export async function suppressFindings(
  tree: FileTree,
  findings: readonly MergedFinding[],
  names: RuleNameChecker,
  signal: AbortSignal,
  now: number,
): Promise<JudgedFinding[]> {
  const files = new Map(tree.files.map((file) => [file.path, file]));
  const read = async (file: TreeFile | undefined) => {
    if (!file || file.bytes > MAX_FILE_BYTES) return undefined;
    // `tree.read` rejects a file that has changed since the scan began. Such a file suppresses no findings.
    return tree.read(file).then(decodeFileText, () => undefined);
  };
  const ignore = await read(files.get(IGNORE_FILE));
  const effort = createStepBudget();
  const { excuses, problems } =
    ignore === undefined
      ? { excuses: [], problems: [] }
      : await readIgnoreFile(ignore, now, { names, effort, signal });
  const byPath = Map.groupBy(findings, ({ path }) => path);
  const judged: JudgedFinding[] = problems.map(own);
  for (const [path, list] of byPath) {
    signal.throwIfAborted();
    const text = tree.isOfOthers ? undefined : await read(files.get(path));
    const grounds = {
      text,
      excuses: await filterEntriesByPath(path, excuses, effort, signal),
      names,
      effort,
    };
    for (const one of judge(list, await judgeSuppressions(list, grounds, signal))) judged.push(one);
  }
  if (effort.isExhausted) judged.push(own(createSlowIgnoreFileFinding()));
  return judged;
}

function judge(findings: readonly MergedFinding[], verdicts: readonly SuppressionVerdict[]): JudgedFinding[] {
  const problems = new Map<string, RawFinding>();
  const out = findings.map((finding, at): JudgedFinding => {
    const { suppressed, problem } = verdicts[at] ?? {};
    if (problem) problems.set(`${problem.line} ${problem.identity}`, problem);
    return suppressed ? { ...finding, suppressed } : finding;
  });
  return [...out, ...[...problems.values()].map(own)];
}

function own(problem: RawFinding): JudgedFinding {
  return { ...problem, scanners: [SUPPRESSION_SCANNER_NAME] };
}
