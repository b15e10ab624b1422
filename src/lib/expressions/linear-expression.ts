import { parseRegex, type RegexNode } from './expression-syntax.ts';

export type LinearRegex = ReturnType<typeof compileLinearRegex>;
/** Maximum size of a compiled expression. A part with `{5}` is compiled five times. */
const MAX_STEPS = 1000;
const MAX_TEXT_CHARACTERS = 10_000;

interface SplitStep {
  readonly op: 'split';
  readonly a: number;
  b: number;
}
interface Jump {
  readonly op: 'jump';
  to: number;
}
type ProgramStep =
  | { readonly op: 'char'; readonly fits: (code: number) => boolean }
  | { readonly op: 'begin' | 'end' | 'word' | 'no-word' | 'match' }
  | SplitStep
  | Jump;

/** Compiles an expression for search in linear time (Thompson 1968). Throws SyntaxError if unsupported. */
export function compileLinearRegex(source: string, flags: string) {
  const odd = [...flags].find((flag) => !'is'.includes(flag));
  if (odd !== undefined) throw new SyntaxError(`the flag ${odd} is not taken: i and s are`);
  const steps: ProgramStep[] = [];
  emit(parseRegex(source, flags), steps);
  steps.push({ op: 'match' });
  let last: { readonly text: string; readonly found: boolean } | undefined;
  return {
    test(text: string): boolean {
      if (last?.text !== text) last = { text, found: search(steps, text.slice(0, MAX_TEXT_CHARACTERS)) };
      return last.found;
    },
  };
}

function push<Of extends ProgramStep>(steps: ProgramStep[], step: Of): Of {
  if (steps.length >= MAX_STEPS)
    throw new SyntaxError('it is too large: its repetitions come to over 1,000 steps');
  steps.push(step);
  return step;
}

function pushSplit(steps: ProgramStep[]): SplitStep {
  return push<SplitStep>(steps, { op: 'split', a: steps.length + 1, b: 0 });
}

function emit(node: RegexNode, steps: ProgramStep[]): void {
  switch (node.kind) {
    case 'char':
      push(steps, { op: 'char', fits: node.fits });
      return;
    case 'assertion':
      push(steps, { op: node.is });
      return;
    case 'sequence':
      for (const one of node.parts) emit(one, steps);
      return;
    case 'choice':
      emitChoice(node.parts, steps);
      return;
    case 'repeat':
      emitRepeat(node.part, node.min, node.max, steps);
  }
}

function emitChoice(parts: readonly RegexNode[], steps: ProgramStep[]): void {
  const ends: Jump[] = [];
  for (const [at, part] of parts.entries()) {
    const open = at < parts.length - 1 ? pushSplit(steps) : undefined;
    emit(part, steps);
    if (!open) continue;
    ends.push(push<Jump>(steps, { op: 'jump', to: 0 }));
    open.b = steps.length;
  }
  for (const end of ends) end.to = steps.length;
}

function emitRepeat(part: RegexNode, min: number, max: number, steps: ProgramStep[]): void {
  for (let times = 0; times < min; times++) {
    const before = steps.length;
    emit(part, steps);
    if (steps.length === before) break;
  }
  const opens: SplitStep[] = [];
  if (max === Number.POSITIVE_INFINITY) {
    const start = steps.length;
    opens.push(pushSplit(steps));
    emit(part, steps);
    push<Jump>(steps, { op: 'jump', to: start });
  } else {
    for (let times = min; times < max; times++) {
      opens.push(pushSplit(steps));
      emit(part, steps);
    }
  }
  for (const open of opens) open.b = steps.length;
}

function isWord(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /\w/.test(text[at] ?? '');
}

function holds(op: 'begin' | 'end' | 'word' | 'no-word', text: string, at: number): boolean {
  if (op === 'begin') return at === 0;
  if (op === 'end') return at === text.length;
  return (isWord(text, at - 1) !== isWord(text, at)) === (op === 'word');
}

function search(steps: readonly ProgramStep[], text: string): boolean {
  /** Text position at which each step was last reached, so that no step runs twice at a position. */
  const reached = new Int32Array(steps.length).fill(-1);
  let waiting: number[] = [];
  for (let at = 0; at <= text.length; at++) {
    waiting.push(0);
    const next = follow(steps, text, at, waiting, reached);
    if (next === undefined) return true;
    waiting = next;
  }
  return false;
}

function follow(
  steps: readonly ProgramStep[],
  text: string,
  at: number,
  open: number[],
  reached: Int32Array,
): number[] | undefined {
  const next: number[] = [];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const step = steps[index];
    if (!step || reached[index] === at) continue;
    reached[index] = at;
    if (step.op === 'match') return undefined;
    if (step.op === 'jump') open.push(step.to);
    else if (step.op === 'split') open.push(step.b, step.a);
    else if (step.op === 'char') {
      if (at < text.length && step.fits(text.charCodeAt(at))) next.push(index + 1);
    } else if (holds(step.op, text, at)) open.push(index + 1);
  }
  return next;
}
