import { SEVERITIES, type Severity } from '../../../lib/severity.ts';
import type { DataFlowStep } from '../../findings/finding.ts';
import type { UnmaskedFinding } from '../../findings/hide.ts';
import { maskSecret } from '../../findings/mask.ts';
import type { LineIndex } from '../../trees/lines.ts';
import { isTestOrExamplePath, lowerSeverity } from '../../trees/test-paths.ts';
import { indexRules } from './compiled.ts';
import { analysePending, analyseStatements } from './flow/analyse-statements.ts';
import { evaluate } from './flow/evaluate.ts';
import type { AnalysisRun, TaintFlowEngine, Weakness } from './flow/run.ts';
import { createVariableScope } from './flow/values/scope.ts';
import type { FlowStep, VariableScope } from './flow/values/value.ts';
import type { FunctionNode, LoweredProgram } from './ir.ts';
import type { LanguageFlowRules } from './rule.ts';
import { ruleOf } from './rules/catalogue.ts';

const MIN_EVALUATIONS = 100_000;
const MAX_EVALUATIONS = 6_000_000;
const MAX_WEAKNESSES = 2000;
const MAX_EXCERPT_LENGTH = 300;

export interface FileToAnalyse {
  readonly path: string;
  readonly lines: LineIndex;
  readonly size: number;
  readonly deep: boolean;
  /** True for a template. Its undeclared names get their values from the program that renders it. */
  readonly template?: boolean;
  isReached(fn: FunctionNode): boolean;
}

const ENGINE: TaintFlowEngine = { evaluate, execute: analyseStatements };

export type SharedAnalysisState = Pick<AnalysisRun, 'budget' | 'frames' | 'loops' | 'results' | 'linker'>;

export const evaluationsFor = (characters: number): number =>
  Math.min(MAX_EVALUATIONS, MIN_EVALUATIONS + characters * 4);

export function createAnalysisRun(
  rules: LanguageFlowRules,
  file: Pick<AnalysisRun, 'path' | 'deep' | 'template' | 'isReached' | 'report' | 'settle'>,
  shared: SharedAnalysisState,
): AnalysisRun {
  return {
    ...shared,
    ...file,
    engine: ENGINE,
    rules: indexRules(rules),
    imports: '',
    pending: [],
    seen: new Set(),
  };
}

export function createWeaknessList(rules: LanguageFlowRules): {
  report(weakness: Weakness): void;
  all(): Weakness[];
} {
  const found = new Map<string, Weakness>();
  return {
    report(weakness) {
      const key = `${weakness.rule}:${weakness.line}`;
      const before = found.get(key);
      if (!before && found.size >= MAX_WEAKNESSES) return;
      if (!before || rank(weakness, rules) < rank(before, rules)) found.set(key, weakness);
    },
    all: () => [...found.values()].sort((a, b) => a.line - b.line || a.rule.localeCompare(b.rule)),
  };
}

export function analyseProgram(
  run: AnalysisRun,
  program: LoweredProgram,
  scope = createVariableScope(undefined),
): VariableScope {
  analyseStatements(run, program.body, scope);
  scope.ended = false;
  return scope;
}

export function analyse(
  program: LoweredProgram,
  rules: LanguageFlowRules,
  file: FileToAnalyse,
): UnmaskedFinding[] {
  const { report, all } = createWeaknessList(rules);
  const budget = { left: evaluationsFor(file.size) };
  const run = createAnalysisRun(
    rules,
    { ...file, report },
    { budget, frames: [], loops: [], results: new Map() },
  );
  analyseProgram(run, program);
  analysePending(run);
  return all().map((weakness) => findingOf(weakness, rules, file));
}

const rank = (weakness: Weakness, { own }: LanguageFlowRules): number =>
  SEVERITIES.indexOf(weakness.severity ?? ruleOf(weakness.rule, own).severity);

export function findingOf(
  weakness: Weakness,
  { own }: Pick<LanguageFlowRules, 'own'>,
  file: Pick<FileToAnalyse, 'path' | 'lines' | 'deep'>,
): UnmaskedFinding {
  const rule = ruleOf(weakness.rule, own);
  const testing = isTestOrExamplePath(file.path);
  const severity = weakness.severity ?? rule.severity;
  const code = file.lines.text(weakness.line).trim();
  const { secret } = weakness;
  const shown = secret === undefined ? code : maskSecret(code, secret);
  const trace =
    file.deep && weakness.flow ? stepsOf(weakness.flow, weakness.line, file.path, rule.title) : undefined;
  return {
    id: rule.id,
    severity: testing ? inTests(severity) : severity,
    title: rule.title,
    description: testing ? `${rule.description} It is in test or example code.` : rule.description,
    fix: rule.fix,
    path: file.path,
    line: weakness.line,
    cwe: rule.cwe,
    excerpt: shown.slice(0, MAX_EXCERPT_LENGTH),
    hides: secret !== undefined ? [secret] : undefined,
    trace,
  };
}

function inTests(severity: Severity): Severity {
  const lower = lowerSeverity(severity);
  return lower === 'low' || lower === 'info' ? lower : lowerSeverity(lower);
}

function stepsOf(flow: FlowStep, line: number, path: string, title: string): DataFlowStep[] {
  const steps: DataFlowStep[] = [{ path, line, note: title }];
  for (let at: FlowStep | undefined = flow; at; at = at.before)
    steps.push({ path: at.path, line: at.line, note: at.note });
  steps.reverse();
  return steps.length <= 20 ? steps : [...steps.slice(0, 8), ...steps.slice(-12)];
}
