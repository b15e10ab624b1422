import type { RuleMatch } from '../../rules.ts';
import { itemsOf, nodeAt, textAt, type YamlNode, type YamlText } from '../../yaml-tree.ts';
import contexts from '../contexts.json' with { type: 'json' };
import { expressionContexts, findFencedExpressions } from '../expression.ts';
import { entryAt, inputOf, lineOfFence, textsIn, type WorkflowFile, type WorkflowStep } from '../workflow.ts';

/** Danger by who can write a text: anyone (`high`), people with write access (`low`), unknown (`info`). */
type Danger = 'high' | 'low' | 'info' | undefined;

interface StepPlace {
  readonly file: WorkflowFile;
  readonly step: WorkflowStep;
  readonly depth: number;
  readonly known: Map<unknown, Danger>;
}

/** Returns a pattern for paths and their parents. `a.b` gives `a`, `a.b`, `a.*`, `a.[]` (computed name). */
function patternOf(paths: readonly string[]): RegExp {
  const patterns = paths.map((path) => {
    const names = path.split('.').map((name) => (name === '*' ? '[^.]+' : `(?:${name}|\\*|\\[\\])`));
    return names.join('(?:\\.') + ')?'.repeat(names.length - 1);
  });
  return new RegExp(`^(?:${patterns.join('|')})$`);
}

const [ANYONE, WRITERS] = [patternOf(contexts.anyone), patternOf(contexts.writers)];
const FIXED = new RegExp(`^github\\.(?!event\\.)|^github\\.event\\.(?:${contexts.fixed.join('|')})`);
const CODE_INPUTS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(contexts.codeInputs));
const OUTPUTS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(contexts.strangersOutputs).map(([name, is]) => [name, new RegExp(is)]),
);

export function injectionMatches(file: WorkflowFile): RuleMatch[] {
  const known = new Map<unknown, Danger>();
  return file.steps.flatMap((step) =>
    scriptsOf(step).flatMap((script) => {
      const found = findFencedExpressions(script.text).flatMap((fence): RuleMatch[] => {
        const severity = strongest(expressionContexts(fence.expression), { file, step, depth: 3, known });
        if (!severity) return [];
        const line = lineOfFence(fence, script, file.lines);
        const rule = severity === 'high' ? 'workflow-script-injection' : 'workflow-script-expression';
        return [{ rule, line, severity, what: fence.source.trim() }];
      });
      const certain = found.filter(({ severity }) => severity === 'high');
      const other = found.find(({ severity }) => severity === 'low') ?? found[0];
      return certain.length > 0 || !other ? certain : [other];
    }),
  );
}

function scriptsOf(step: WorkflowStep): YamlText[] {
  const run = nodeAt(step.node, 'run');
  const inputs = CODE_INPUTS.get(step.uses?.name ?? '') ?? [];
  return [...(run?.kind === 'text' ? [run] : []), ...inputs.flatMap((name) => inputOf(step, name) ?? [])];
}

function strongest(leaves: readonly string[], place: StepPlace): Danger {
  const dangers = leaves.map((leaf) => dangerOf(leaf, place));
  return (['high', 'low', 'info'] as const).find((danger) => dangers.includes(danger));
}

function dangerOf(name: string, place: StepPlace): Danger {
  const [context, first = '', second = '', third = ''] = name.split('.');
  if (context === 'env') return dangerOfVariable(first, place);
  if (context === 'matrix') return dangerInMatrix(first, place);
  if (context === 'inputs') return dangerOfInput(first, place.file);
  if (context === 'needs') return second === 'outputs' || second === '' ? 'info' : undefined;
  if (context === 'steps') return second === 'outputs' ? dangerOfOutput(first, third, place) : undefined;
  if (ANYONE.test(name)) return 'high';
  if (name.startsWith('github.event.inputs.')) return dangerOfInput(third, place.file);
  if (WRITERS.test(name)) return 'low';
  return context !== 'github' || FIXED.test(name) ? undefined : 'info';
}

const MAX_CHARACTERS = 2000;

/** Returns the severity of expressions in texts. Cached by `key`, as many steps may use the same texts. */
function dangerOfTexts(key: unknown, values: () => readonly YamlNode[], place: StepPlace): Danger {
  if (place.depth === 0) return 'info';
  if (!place.known.has(key)) {
    const texts = values().flatMap((value) =>
      value.kind === 'text' ? value.text.slice(0, MAX_CHARACTERS) : [],
    );
    const leaves = texts
      .flatMap(findFencedExpressions)
      .flatMap(({ expression }) => expressionContexts(expression));
    place.known.set(key, strongest(leaves, { ...place, depth: place.depth - 1 }));
  }
  return place.known.get(key);
}

function dangerOfVariable(name: string, place: StepPlace): Danger {
  const nodes = [place.step.node, place.step.job, place.file.document];
  const value = nodes.map((node) => entryAt(nodeAt(node, 'env'), name)).find((found) => found !== undefined);
  return value && dangerOfTexts(value, () => [value], place);
}

function dangerInMatrix(name: string, place: StepPlace): Danger {
  const matrix = nodeAt(place.step.job, 'strategy', 'matrix');
  const sets = () => [matrix, ...itemsOf(nodeAt(matrix, 'include'))];
  const values = () => sets().flatMap((set) => (set?.kind === 'text' ? set : textsIn(entryAt(set, name))));
  return dangerOfTexts(`${place.step.job?.line} ${name}`, values, place);
}

function dangerOfInput(name: string, { document, triggers }: WorkflowFile): Danger {
  const declared = [document, triggers.get('workflow_dispatch'), triggers.get('workflow_call')]
    .map((node) => entryAt(nodeAt(node, 'inputs'), name))
    .filter((input) => input !== undefined);
  const isFree = (input: YamlNode) =>
    !/^(?:boolean|number|choice|environment)$/.test(textAt(input, 'type') ?? '');
  return declared.length === 0 || declared.some(isFree) ? 'low' : undefined;
}

const MAX_STEPS = 300;

function dangerOfOutput(id: string, output: string, { file, step }: StepPlace): Danger {
  const from = itemsOf(nodeAt(step.job ?? nodeAt(file.document, 'runs'), 'steps'))
    .slice(0, MAX_STEPS)
    .find((one) => textAt(one, 'id')?.toLowerCase() === id);
  const pattern = OUTPUTS.get(textAt(from, 'uses')?.split('@')[0]?.toLowerCase() ?? '');
  return pattern?.test(output) ? 'high' : 'info';
}
