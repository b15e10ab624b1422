import { moduleUrl } from '../../lib/workers/module-url.ts';
import { runInWorker } from '../../lib/workers/worker-pool.ts';
import { decodeFileText } from '../scans/file-job.ts';
import { createStepBudget, type MatchStepBudget, type StepCounter } from '../scans/step-budget.ts';
import { fitsGlob, fitsPart } from '../trees/glob.ts';
import { createLineIndex } from '../trees/lines.ts';
import type { FileTree, TreeFile } from '../trees/tree.ts';
import type { Finding, RawFinding } from './finding.ts';
import { type IgnoreFileEntry, isYamlIgnoreFile, parseIgnoreLines } from './ignore-entries.ts';
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

const own = (problem: RawFinding): JudgedFinding => ({ ...problem, scanners: [SUPPRESSION_SCANNER_NAME] });

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

const namesOf = ({ id, aliases = [] }: RawFinding): string[] =>
  [id, ...aliases.slice(0, MAX_ALIASES)].map((name) => name.slice(0, MAX_NAME_CHARACTERS).toLowerCase());

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
  return problem('unknown-rule', line, `The comment names ${rule}, a rule that no scanner has${nearest}.`, {
    fix: 'Write the id of the finding that it is to suppress, or delete the comment.',
    path,
    identity: rule,
  });
}

/** Removes leading punctuation and the end mark (such as `-->`) from the text of a suppressing comment. */
function withoutEnd(text: string): string {
  const end = /\*\/|-->|--%>|#\}|%>|\*\)|--\}|\|#/.exec(text);
  return (end ? text.slice(0, end.index) : text).replace(/^[\s:,–—-]+/, '').trim();
}

function noReason({ id, path }: RawFinding, line: number): RawFinding {
  const what = `The comment that is to suppress ${id} gives no reason, so it does not hold.`;
  const fix = `Write the reason after the rule: ${MARK} ${id} why this is not a danger here.`;
  return problem('no-reason', line, what, { fix, path, identity: id });
}

const IGNORE_FILE = '.magpieignore';
const MAX_CHARACTERS = 262_144;
const MAX_ENTRIES = 1000;
const MAX_RULE_CHARACTERS = 200;
const YAML_TIMEOUT_MS = 10_000;
const MAX_MISTYPED_RULES = 20;

type SuppressionEntry = Pick<IgnoreFileEntry, 'rule' | 'path' | 'reason'>;

interface ParseIgnoreFileOptions {
  readonly names: RuleNameChecker;
  readonly effort: MatchStepBudget;
  readonly signal: AbortSignal;
  readonly yamlMs?: number;
}

export async function readIgnoreFile(
  text: string,
  now: number,
  { names, effort, signal, yamlMs = YAML_TIMEOUT_MS }: ParseIgnoreFileOptions,
) {
  if (text.length > MAX_CHARACTERS)
    return { excuses: [], problems: [problem('unusable', undefined, TOO_LONG)] };
  const excuses: SuppressionEntry[] = [];
  const problems: RawFinding[] = [];
  const entries = isYamlIgnoreFile(text) ? await yamlOf(text, yamlMs, signal) : parseIgnoreLines(text);
  if (typeof entries === 'string') return { excuses, problems: [problem('unusable', undefined, entries)] };
  if (entries.length > MAX_ENTRIES) problems.push(problem('unusable', undefined, TOO_LONG));
  let mistyped = 0;
  for (const entry of entries.slice(0, MAX_ENTRIES)) {
    await effort.yieldIfDue(signal);
    const useless = whyUseless(entry, now);
    if (useless) {
      problems.push(useless);
      continue;
    }
    const { line, rule, path, reason } = entry;
    excuses.push({ rule, path, reason });
    const meant =
      mistyped < MAX_MISTYPED_RULES && !effort.isExhausted
        ? names.findCorrection(rule, effort.counter)
        : undefined;
    if (meant === undefined) continue;
    mistyped++;
    const nearest = meant === '' ? '' : `; the nearest is ${meant}`;
    problems.push(problem('unknown-rule', line, `Unknown rule ${rule}${nearest}.`));
  }
  return { excuses, problems };
}

function whyUseless({ line, rule, path, reason, expires }: IgnoreFileEntry, now: number) {
  if (rule === '' || path === '' || rule.length > MAX_RULE_CHARACTERS) {
    const what = `The entry names no rule or no path, or a rule of over ${MAX_RULE_CHARACTERS} characters.`;
    return problem('unusable', line, what);
  }
  if (reason === '') {
    return problem('no-reason', line, `The entry for ${rule} gives no reason, so it does not hold.`);
  }
  if (expires === '') return undefined;
  const day = dayOf(expires);
  if (day === undefined) {
    return problem(
      'unusable',
      line,
      `The entry for ${rule} has an invalid expires: it takes a day such as 2027-01-31.`,
    );
  }
  if (now < day + 86_400_000) return undefined;
  return problem('expired', line, `The entry for ${rule} ended on ${expires}, so it no longer holds.`);
}

const TOO_LONG = `The file is over ${MAX_CHARACTERS} characters or ${MAX_ENTRIES} entries; what is beyond is not read.`;

export async function filterEntriesByPath(
  path: string,
  excuses: readonly SuppressionEntry[],
  effort: MatchStepBudget,
  signal: AbortSignal,
): Promise<SuppressionEntry[]> {
  const fitting: SuppressionEntry[] = [];
  for (const excuse of excuses) {
    if (effort.isExhausted) break;
    if (fitsGlob(excuse.path, path, effort.counter)) fitting.push(excuse);
    await effort.yieldIfDue(signal);
  }
  return fitting;
}

const createSlowIgnoreFileFinding = (): RawFinding =>
  problem(
    'unusable',
    undefined,
    'The patterns of the file take too long: findings that came later are not suppressed by it.',
  );

async function yamlOf(text: string, yamlMs: number, signal: AbortSignal) {
  const file = moduleUrl('./ignore-worker.ts', import.meta.url);
  const outcome = await runInWorker<string, IgnoreFileEntry[] | string>(file, text, yamlMs, signal);
  if ('answer' in outcome) return outcome.answer;
  return outcome.failed === 'time' ? 'The file takes too long to be read.' : 'The file is not usable YAML.';
}

/** Returns the milliseconds since 1970 of a day such as `2027-01-31` (UTC), or undefined for other texts. */
function dayOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(day) ? undefined : day;
}

function problem(
  kind: 'no-reason' | 'expired' | 'unusable' | 'unknown-rule',
  line: number | undefined,
  what: string,
  ofComment?: Pick<RawFinding, 'fix' | 'path' | 'identity'>,
): RawFinding {
  return {
    id: `suppression/${kind}`,
    severity: 'info',
    title: 'Suppression without effect',
    description: what,
    fix: 'Give the entry a rule, a path, a reason and, if it shall end, a day to come; or delete it.',
    path: IGNORE_FILE,
    line,
    identity: what,
    ...ofComment,
  };
}
