import type { Fn, Param } from '../ir.ts';
import type { ParamSource } from '../rule.ts';
import { assignTo } from './assign.ts';
import { type Given, judge } from './report.ts';
import type { Run } from './run.ts';
import { scopeIn } from './scope.ts';
import {
  addStep,
  type Closure,
  join,
  randomOf,
  type Scope,
  type Taint,
  taintOf,
  UNKNOWN,
  type Value,
} from './value.ts';

/** Calls within calls that are followed. */
const MAX_CALL_DEPTH = 5;
/** Signatures of one function that are followed; the result of any further one is not known. */
const MAX_SIGNATURES = 12;

/** What a function of the file gives for these arguments; undefined where it is not followed. */
export function invoke(
  run: Run,
  closure: Closure,
  args: readonly Given[],
  receiver: Value | undefined,
  line: number,
): Value | undefined {
  const { fn } = closure;
  if (!run.deep || run.frames.length >= MAX_CALL_DEPTH || run.frames.some((frame) => frame.fn === fn))
    return undefined;
  const signature = JSON.stringify(args.map(({ name, value }) => [name, signed(value)]));
  const known = run.results.get(fn) ?? new Map<string, Value>();
  run.results.set(fn, known);
  const before = known.get(signature);
  if (before) return before;
  if (known.size >= MAX_SIGNATURES || run.evaluationsLeft <= 0) return undefined;
  const scope = scopeIn(closure.scope);
  bindArguments(run, fn, args, scope, line);
  bindSelf(scope, closure.receiver ?? receiver);
  const value = runBody(run, fn, scope, []);
  known.set(signature, value);
  return value;
}

/** What a function of one `return` gives for an element; undefined for any other. Its second parameter is the position. */
export function elementBy(run: Run, closure: Closure, element: Value, line: number): Value | undefined {
  const { fn, scope } = closure;
  const [only, more] = fn.body;
  if (more || only?.op !== 'return' || !only.value) return undefined;
  if (run.frames.length >= MAX_CALL_DEPTH || run.frames.some((frame) => frame.fn === fn)) return undefined;
  const inner = scopeIn(scope);
  fn.params.forEach((param, at) => {
    bind(run, param, at === 0 ? element : UNKNOWN, inner, line);
  });
  return runBody(run, fn, inner, []);
}

function bindSelf(scope: Scope, self: Value | undefined): void {
  if (!self) return;
  for (const name of ['this', 'self', '$this']) if (!scope.values.has(name)) scope.values.set(name, self);
}

/** The part of a value that makes a difference to the function. */
function signed(value: Value): readonly unknown[] {
  const taint = taintOf(value);
  const items = value.items?.map((item) => item.constant ?? item.taint !== undefined);
  return [
    taint ? [taint.origin, taint.clean] : randomOf(value) !== undefined,
    typeof value.constant,
    String(value.constant).slice(0, 60),
    items && JSON.stringify(items).slice(0, 100),
    value.path?.slice(0, 40),
    value.built,
    value.text?.slice(0, 8),
  ];
}

function bindArguments(run: Run, fn: Fn, args: readonly Given[], scope: Scope, line: number): void {
  // A method's own object is a parameter in Python, and none of the arguments.
  const params =
    fn.params[0]?.name === 'self' || fn.params[0]?.name === 'cls' ? fn.params.slice(1) : fn.params;
  let place = 0;
  const given = new Map<string, Value>();
  for (const arg of args) {
    if (arg.name !== undefined) given.set(arg.name, arg.value);
    else {
      const param = params[place++];
      if (param) given.set(param.name, arg.value);
    }
  }
  for (const param of params) {
    const value =
      given.get(param.name) ?? (param.byDefault ? run.engine.evaluate(run, param.byDefault, scope) : UNKNOWN);
    bind(run, param, passed(value, fn, param, line), scope, line);
  }
}

function bind(run: Run, param: Param, value: Value, scope: Scope, line: number): void {
  scope.values.set(param.name, value);
  const { pattern } = param;
  if (pattern) assignTo(run, pattern, value, scope, { value: pattern, adds: false, line });
}

function passed(value: Value, fn: Fn, param: Param, line: number): Value {
  if (!value.taint) return value;
  return { ...value, taint: addStep(value.taint, line, `to ${param.name} of ${fn.name || 'a function'}()`) };
}

function runBody(run: Run, fn: Fn, scope: Scope, decorators: readonly string[]): Value {
  const frame = { fn, returns: [] as Value[], decorators };
  run.frames.push(frame);
  const loops = run.loops.splice(0);
  run.engine.execute(run, fn.body, scope);
  run.loops.splice(0, run.loops.length, ...loops);
  run.frames.pop();
  return frame.returns.length === 0 ? UNKNOWN : frame.returns.reduce((a, b) => join(a, b));
}

/** Analyses a function by itself, as a call from another file would run it. */
export function runAlone(run: Run, closure: Closure): void {
  const { fn } = closure;
  if (run.seen.has(fn)) return;
  run.seen.add(fn);
  const scope = scopeIn(closure.scope);
  const decorators = fn.marks.map((mark) => {
    const value = run.engine.evaluate(run, mark.op === 'call' ? mark.callee : mark, closure.scope);
    return value.path ?? '';
  });
  for (const param of fn.params) bind(run, param, outside(run, fn, param, decorators), scope, fn.line);
  bindSelf(scope, closure.receiver);
  const value = runBody(run, fn, scope, decorators);
  for (const sink of run.rules.rules.returns) {
    if (sink.imports && !sink.imports.test(run.imports)) continue;
    if (!decorators.some((path) => sink.decorator.test(path))) continue;
    const shown = value.items?.[0] ?? value;
    // What is written as an object goes out as JSON.
    if (!shown.fields) judge(run, { ...sink, call: [], args: [] }, shown, fn.line);
  }
}

const NUMBER_TYPE =
  /^(?:int|float|bool|number|boolean|long|double|Integer|Long|Boolean|uint\d*|int\d+|float\d+|decimal|Guid|UUID|uuid\.UUID|byte|short|char)\??$/;

/** The value of a parameter when nothing of the caller is known. */
function outside(run: Run, fn: Fn, param: Param, decorators: readonly string[]): Value {
  if (param.type !== undefined && NUMBER_TYPE.test(param.type)) return UNKNOWN;
  const source = run.rules.rules.params.find((one) => isSource(run, one, fn, param, decorators));
  if (source?.taints) {
    const note = `${param.name} comes from a request`;
    return {
      taint: { origin: 'request', clean: 0, flow: { line: fn.line, note, length: 1 } },
      path: source.path,
    };
  }
  if (source) return { path: source.path };
  if (param.name === 'self' || param.name === 'cls') return { path: param.name };
  const taint: Taint = {
    origin: 'param',
    clean: 0,
    flow: { line: fn.line, note: `parameter ${param.name}`, length: 1 },
  };
  const type = param.type?.replace(/^[*&]+|[?\s].*/gs, '').replace(/<.*/s, '');
  return { taint, path: type || undefined };
}

/** Whether a rule says of this parameter that data comes in by it: all of its conditions hold. */
function isSource(
  run: Run,
  source: ParamSource,
  fn: Fn,
  param: Param,
  decorators: readonly string[],
): boolean {
  const { name, type, mark, decorator, imports, beside } = source;
  return (
    (!name || name.test(param.name)) &&
    (!type || (param.type !== undefined && type.test(param.type))) &&
    (!mark || (param.marks?.some((one) => mark.test(one)) ?? false)) &&
    (!decorator || decorators.some((path) => decorator.test(path))) &&
    (!imports || imports.test(run.imports)) &&
    (!beside || fn.params.some((other) => beside.test(other.name)))
  );
}
