import { decodeFileText } from '../scans/file-job.ts';
import { createStepBudget, type MatchStepBudget, type StepCounter } from '../scans/step-budget.ts';
import { fitsPart } from '../trees/glob.ts';
import { createLineIndex } from '../trees/lines.ts';
import type { FileTree, TreeFile } from '../trees/tree.ts';
import type { Finding, RawFinding } from './finding.ts';
import {
  createSlowIgnoreFileFinding,
  filterEntriesByPath,
  IGNORE_FILE,
  readIgnoreFile,
  type SuppressionEntry,
} from './ignore-file.ts';
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

type Suppression = NonNullable<Finding['suppressed']>;

const MARK = 'magpie-ignore';
const MAX_LINE_CHARACTERS = 2000;
const MAX_REASON_CHARACTERS = 300;
const [MAX_RULES, MAX_ALIASES, MAX_NAME_CHARACTERS] = [20, 20, 200];

interface SuppressionVerdict {
  readonly suppressed?: Suppression;
  readonly problem?: RawFinding;
}

interface SuppressionSources {
  readonly text: string | undefined;
  readonly excuses: readonly SuppressionEntry[];
  readonly names: RuleNameChecker;
  readonly effort: MatchStepBudget;
}

export async function judgeSuppressions(
  findings: readonly RawFinding[],
  { text, excuses, names, effort }: SuppressionSources,
  signal: AbortSignal,
): Promise<SuppressionVerdict[]> {
  const lines = text?.includes(MARK) ? createLineIndex(text) : undefined;
  const excuseFor = excuseFinder(excuses, effort, signal);
  const verdicts: SuppressionVerdict[] = [];
  for (const finding of findings) {
    await effort.yieldIfDue(signal);
    const { line, commit } = finding;
    const comment =
      lines && line !== undefined && commit === undefined
        ? byComment(finding, line, (at) => lines.text(at), names, effort.counter)
        : {};
    const excuse = comment.suppressed ? undefined : await excuseFor(finding);
    verdicts.push(
      excuse
        ? { suppressed: { by: 'file', reason: excuse.reason.slice(0, MAX_REASON_CHARACTERS) } }
        : comment,
    );
  }
  return verdicts;
}

function excuseFinder(excuses: readonly SuppressionEntry[], effort: MatchStepBudget, signal: AbortSignal) {
  const exact = new Map<string, number>();
  const patterns: [number, string][] = [];
  for (const [at, { rule }] of excuses.entries()) {
    const wanted = rule.toLowerCase();
    if (/[*?]/.test(wanted)) patterns.push([at, wanted]);
    else if (!exact.has(wanted)) exact.set(wanted, at);
  }
  const known = new Map<string, SuppressionEntry | undefined>();
  return async (finding: RawFinding) => {
    const names = namesOf(finding);
    const key = names.join('\0');
    if (known.has(key)) return known.get(key);
    let first = Math.min(excuses.length, ...names.map((name) => exact.get(name) ?? excuses.length));
    for (const [at, wanted] of patterns) {
      if (at > first || effort.isExhausted) break;
      if (names.some((name) => fitsPart(wanted, name, effort.counter))) first = at;
      await effort.yieldIfDue(signal);
    }
    known.set(key, excuses[first]);
    return excuses[first];
  };
}

function namesOf({ id, aliases = [] }: RawFinding): string[] {
  return [id, ...aliases.slice(0, MAX_ALIASES)].map((name) =>
    name.slice(0, MAX_NAME_CHARACTERS).toLowerCase(),
  );
}

function byComment(
  finding: RawFinding,
  line: number,
  textOf: (line: number) => string,
  names: RuleNameChecker,
  meter: StepCounter,
): SuppressionVerdict {
  let unknown: SuppressionVerdict = {};
  for (const at of [line, line - 1]) {
    const text = textOf(at).slice(0, MAX_LINE_CHARACTERS);
    const mark = text.indexOf(MARK);
    meter.steps += MAX_LINE_CHARACTERS / 4;
    if (mark < 0 || (at < line && /\w/.test(text.slice(0, mark).replace(/^\s*(?:rem|dnl)\s/i, '')))) continue;
    const [, said = '', rest = ''] = /^[:\s]+([\w./*,-]+)(.*)$/s.exec(text.slice(mark + MARK.length)) ?? [];
    const rules = said
      .split(',', MAX_RULES)
      .filter((rule) => rule !== '' && rule.length <= MAX_NAME_CHARACTERS);
    const own = namesOf(finding);
    if (!rules.some((rule) => own.some((name) => fitsPart(rule.toLowerCase(), name, meter)))) {
      const wrong = rules.find((rule) => names.findCorrection(rule, meter) !== undefined);
      if (wrong !== undefined)
        unknown = { problem: mistyped(finding, at, wrong, names.findCorrection(wrong, meter)) };
      continue;
    }
    const reason = withoutEnd(rest);
    if (reason !== '')
      return { suppressed: { by: 'comment', reason: reason.slice(0, MAX_REASON_CHARACTERS) } };
    return { problem: noReason(finding, at) };
  }
  return unknown;
}

function mistyped({ path }: RawFinding, line: number, rule: string, meant = ''): RawFinding {
  const nearest = meant === '' ? '' : `; the nearest is ${meant}`;
  return {
    id: 'suppression/unknown-rule',
    severity: 'info',
    title: 'Suppression without effect',
    description: `The comment names ${rule}, a rule that no scanner has${nearest}.`,
    fix: 'Write the id of the finding that it is to suppress, or delete the comment.',
    path,
    line,
    identity: rule,
  };
}

/** Removes leading punctuation and the end mark (such as `-->`) from the text of a suppressing comment. */
function withoutEnd(text: string): string {
  const end = /\*\/|-->|--%>|#\}|%>|\*\)|--\}|\|#/.exec(text);
  return (end ? text.slice(0, end.index) : text).replace(/^[\s:,–—-]+/, '').trim();
}

function noReason({ id, path }: RawFinding, line: number): RawFinding {
  return {
    id: 'suppression/no-reason',
    severity: 'info',
    title: 'Suppression without effect',
    description: `The comment that is to suppress ${id} gives no reason, so it does not hold.`,
    fix: `Write the reason after the rule: ${MARK} ${id} why this is not a danger here.`,
    path,
    line,
    identity: id,
  };
}
