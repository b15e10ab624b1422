import { SEVERITIES } from '../../../lib/severity.ts';
import type { Step } from '../../finding.ts';
import type { FileFinding } from '../../hide.ts';
import type { Lines } from '../../lines.ts';
import { maskSecret } from '../../mask.ts';
import { isForTesting, oneLower } from '../../testing-place.ts';
import { compileRules } from './compiled.ts';
import { execute, runPending } from './flow/execute.ts';
import type { Hit, Run } from './flow/run.ts';
import { scopeIn } from './flow/scope.ts';
import type { Way } from './flow/value.ts';
import type { Fn, Program } from './ir.ts';
import type { LanguageRules } from './rule.ts';
import { ruleOf } from './rules/catalogue.ts';

/** Expressions that one file's analysis may evaluate, beside a share for each of its characters. */
const LEAST = 100_000;
const MOST = 6_000_000;
/** Findings of one file; the most severe of each rule's first ones are kept. */
const MOST_HITS = 2000;
const LONGEST_EXCERPT = 300;

export interface Analysed {
  readonly path: string;
  readonly lines: Lines;
  /** Characters of the file. */
  readonly size: number;
  readonly deep: boolean;
  /** Whether a fault may be in a function of it. */
  wants(fn: Fn): boolean;
}

/** All faults of one file, by line. */
export function analyse(program: Program, rules: LanguageRules, file: Analysed): FileFinding[] {
  const hits = new Map<string, Hit>();
  const run: Run = {
    rules: compileRules(rules),
    deep: file.deep,
    imports: '',
    left: Math.min(MOST, LEAST + file.size * 4),
    frames: [],
    loops: [],
    pending: [],
    seen: new Set(),
    known: new Map(),
    wants: file.wants,
    hit(hit) {
      const key = `${hit.rule}:${hit.line}`;
      const before = hits.get(key);
      if (!before && hits.size >= MOST_HITS) return;
      if (!before || worse(hit, before)) hits.set(key, hit);
    },
  };
  const scope = scopeIn(undefined);
  execute(run, program.body, scope);
  scope.ended = false;
  runPending(run);
  return [...hits.values()]
    .sort((a, b) => a.line - b.line || a.rule.localeCompare(b.rule))
    .map((hit) => findingOf(hit, file, isForTesting(file.path)));
}

function rank(hit: Hit): number {
  return SEVERITIES.indexOf(hit.severity ?? ruleOf(hit.rule).severity);
}

function worse(hit: Hit, before: Hit): boolean {
  return rank(hit) < rank(before);
}

function findingOf(hit: Hit, file: Analysed, testing: boolean): FileFinding {
  const rule = ruleOf(hit.rule);
  const severity = hit.severity ?? rule.severity;
  const code = file.lines.text(hit.line).trim();
  const { secret } = hit;
  const shown = secret === undefined ? code : maskSecret(code, secret);
  const trace = file.deep && hit.way ? stepsOf(hit.way, hit.line, file.path, rule.title) : undefined;
  return {
    id: rule.id,
    severity: testing ? oneLower(severity) : severity,
    title: rule.title,
    description: testing ? `${rule.description} It stands among tests or examples.` : rule.description,
    fix: rule.fix,
    path: file.path,
    line: hit.line,
    cwe: rule.cwe,
    excerpt: shown.slice(0, LONGEST_EXCERPT),
    hides: secret !== undefined ? [secret] : undefined,
    trace,
  };
}

/** The way from source to sink; of a long one the first and the last steps. */
function stepsOf(way: Way, line: number, path: string, title: string): Step[] {
  const steps: Step[] = [{ path, line, note: title }];
  for (let at: Way | undefined = way; at; at = at.before) steps.push({ path, line: at.line, note: at.note });
  steps.reverse();
  return steps.length <= 20 ? steps : [...steps.slice(0, 8), ...steps.slice(-12)];
}
