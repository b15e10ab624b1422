import { moduleUrl } from '../../lib/workers/module-url.ts';
import { runInWorker } from '../../lib/workers/worker-pool.ts';
import type { MatchStepBudget } from '../scans/step-budget.ts';
import { fitsGlob } from '../trees/glob.ts';
import type { RawFinding } from './finding.ts';
import { type IgnoreFileEntry, isYamlIgnoreFile, parseIgnoreLines } from './ignore-entries.ts';
import type { RuleNameChecker } from './rule-name-checker.ts';

export const IGNORE_FILE = '.magpieignore';
const MAX_CHARACTERS = 262_144;
const MAX_ENTRIES = 1000;
const MAX_RULE_CHARACTERS = 200;
const YAML_TIMEOUT_MS = 10_000;
const MAX_MISTYPED_RULES = 20;

export type SuppressionEntry = Pick<IgnoreFileEntry, 'rule' | 'path' | 'reason'>;

export interface ParseIgnoreFileOptions {
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

export function createSlowIgnoreFileFinding(): RawFinding {
  return problem(
    'unusable',
    undefined,
    'The patterns of the file take too long: findings that came later are not suppressed by it.',
  );
}

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
  };
}
