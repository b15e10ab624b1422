import { type FunctionNode, isNumberType, type Param } from '../../ir.ts';
import type { ParamSource } from '../../rule.ts';
import { assignTo, withField } from '../assign.ts';
import { isRunBeforeAction } from '../before-actions.ts';
import { checkReturnedSecret } from '../names.ts';
import { type EvaluatedArgument, reportIfHarmful } from '../report.ts';
import type { AnalysisRun } from '../run.ts';
import {
  classNamed,
  constructorOf,
  isClass,
  isEnumeration,
  methodIn,
  SELF_NAMES,
  topmostBaseName,
} from '../values/objects.ts';
import { createVariableScope, variableOf } from '../values/scope.ts';
import {
  type AbstractValue,
  addStep,
  type ClassInfo,
  type Closure,
  findPredictableRandomness,
  joinValues,
  mergeTaints,
  type Taint,
  taintOf,
  UNKNOWN_VALUE,
  type VariableScope,
} from '../values/value.ts';
import { analyseDefaultView } from './render.ts';
import { harmlessFieldsBeside } from './schemas.ts';

const MAX_CALL_DEPTH = 5;
const MAX_SIGNATURES = 12;
const MAX_SIGNED_FIELDS = 20;

export interface CallResult {
  readonly value: AbstractValue;
  readonly self?: AbstractValue;
  readonly puts?: ReadonlyMap<number, AbstractValue>;
}

export function evaluateClosure(
  run: AnalysisRun,
  closure: Closure,
  args: readonly EvaluatedArgument[],
  receiver: AbstractValue | undefined,
  line: number,
): CallResult | undefined {
  if (closure.others) {
    const called = [{ ...closure, others: undefined }, ...closure.others]
      .map((one) => evaluateClosure(run, one, args, receiver, line))
      .filter((one) => one !== undefined);
    if (called.length === 0) return undefined;
    const value = called.map((one) => one.value).reduce((a, b) => joinValues(a, b));
    return { value, self: called[0]?.self };
  }
  const fn = overloadOf(closure, args);
  if (!run.deep || run.frames.length >= MAX_CALL_DEPTH || run.frames.some((frame) => frame.fn === fn))
    return undefined;
  const self = selfOf(closure, receiver);
  const own = self !== closure.receiver && self?.fields ? fieldsSigned(self.fields) : undefined;
  const signature = JSON.stringify([args.map(({ name, value }) => [name, signed(value)]), own]);
  const known = run.results.get(fn) ?? new Map<string, CallResult>();
  run.results.set(fn, known);
  const before = known.get(signature);
  if (before) return before;
  if (known.size >= MAX_SIGNATURES || run.budget.left <= 0) return undefined;
  const home = closure.home as AnalysisRun;
  const scope = enter(closure, fn, self);
  bindArguments(run, home, fn, args, scope, line);
  const value = runBody(home, fn, scope, []);
  const puts = leftIn(fn, args, scope);
  const called = { value, self: self && changed(self, fn, scope), ...(puts.size > 0 ? { puts } : {}) };
  known.set(signature, called);
  return called;
}

function leftIn(fn: FunctionNode, args: readonly EvaluatedArgument[], scope: VariableScope) {
  const left = new Map<number, AbstractValue>();
  args.forEach(({ name, puts, value: given }, at) => {
    const param = name ?? fn.params[at]?.name;
    const value = param === undefined ? undefined : scope.values.get(param);
    const isMarked = (value?.marks?.length ?? 0) > (given.marks?.length ?? 0);
    if (value && (puts || isMarked)) left.set(at, value);
  });
  return left;
}

const overloadOf = ({ fn, also }: Closure, args: readonly EvaluatedArgument[]): FunctionNode =>
  [fn, ...(also ?? [])].find((one) => one.params.length === args.length) ?? fn;

function selfOf(closure: Closure, receiver: AbstractValue | undefined): AbstractValue | undefined {
  const { receiver: bare } = closure;
  if (!bare) return receiver;
  return receiver?.of && !isClass(receiver) ? { ...receiver, path: bare.path, type: undefined } : bare;
}

function fieldsSigned(fields: ReadonlyMap<string, AbstractValue>): string {
  const held = [...fields].filter(([, value]) => !value.fn && !value.of);
  return JSON.stringify(held.slice(0, MAX_SIGNED_FIELDS).map(([name, value]) => [name, signed(value)]));
}

function enter(closure: Closure, fn: FunctionNode, self: AbstractValue | undefined): VariableScope {
  const around = createVariableScope(closure.scope);
  if (self) {
    const name = fn.self ?? selfParam(fn);
    bindSelf(around, name === undefined ? self : { ...self, path: name });
    if (name !== undefined) around.values.set(name, { ...self, path: name });
    if (self.of?.bare && self.fields)
      for (const [name, value] of self.fields) if (!value.fn) around.values.set(name, value);
  }
  const scope = createVariableScope(around);
  return scope;
}

/** Returns `self` or `cls` if it is a Python method's first parameter. Calls do not pass this argument. */
function selfParam(fn: FunctionNode): string | undefined {
  const name = fn.params[0]?.name;
  return name === 'self' || name === 'cls' ? name : undefined;
}

function changed(self: AbstractValue, fn: FunctionNode, scope: VariableScope): AbstractValue | undefined {
  const names = fn.self === undefined ? SELF_NAMES : [fn.self, ...SELF_NAMES];
  let after = names.map((name) => scope.values.get(name)).find((value) => value !== undefined) ?? self;
  const params = new Set(fn.params.map(({ name }) => name));
  for (const [name, value] of scope.values) {
    const isField = name.startsWith('@') || (self.of?.bare === true && self.fields?.has(name) === true);
    if (isField && !params.has(name)) after = withField(after, name, value);
  }
  return after === self ? undefined : after;
}

export function storeChangedSelf(scope: VariableScope, self: AbstractValue): void {
  const before = variableOf(scope, 'this');
  if (!before || before.of !== self.of) return;
  bindSelf(scope, self);
  if (!self.of?.bare) return;
  for (const [name, value] of self.fields ?? []) {
    if (!value.fn && before.fields?.get(name) !== value) scope.values.set(name, value);
  }
}

export function evaluateConstructor(
  run: AnalysisRun,
  of: ClassInfo,
  klass: AbstractValue,
  args: readonly EvaluatedArgument[],
  line: number,
): AbstractValue {
  const fresh: AbstractValue = { path: `${klass.path ?? of.name}()`, fields: klass.fields, of };
  const by = constructorOf(of);
  const made = by && evaluateClosure(run, by, args, fresh, line);
  if (made) return { ...fresh, fields: made.self?.fields ?? fresh.fields };
  // An unknown constructor is assumed to store its arguments in the object.
  const { taint } = by ? UNKNOWN_VALUE : mergeTaints(args.map((arg) => arg.value));
  return taint ? { ...fresh, taint } : fresh;
}

function objectOf(run: AnalysisRun, bare: AbstractValue): AbstractValue {
  const { of } = bare;
  if (!of) return bare;
  if (of.object) return of.object;
  const path = topmostBaseName(of);
  of.object = { ...bare, path };
  const by = constructorOf(of);
  if (!by || !run.deep || run.frames.length >= MAX_CALL_DEPTH) return of.object;
  const { fn } = by;
  const scope = enter(by, fn, of.object);
  const home = by.home as AnalysisRun;
  for (const param of fn.params) bind(home, param, outside(home, fn, param, []), scope, fn.line);
  runBody(home, fn, scope, []);
  of.object = { ...of.object, ...changed(of.object, fn, scope), path };
  return of.object;
}

const SCRIPT = /\.[cm]?[jt]sx?$/;

export function evaluateElementFunction(
  run: AnalysisRun,
  closure: Closure,
  element: AbstractValue,
  line: number,
): AbstractValue | undefined {
  const { fn, scope } = closure;
  const [only, more] = fn.body;
  if (more || only?.op !== 'return' || !only.value) return undefined;
  if (run.frames.length >= MAX_CALL_DEPTH || run.frames.some((frame) => frame.fn === fn)) return undefined;
  const inner = createVariableScope(scope);
  fn.params.forEach((param, at) => {
    // The second parameter of JavaScript's callbacks is the element's index, which is harmless.
    const other = at === 1 && SCRIPT.test(run.path) ? { fixed: true as const } : UNKNOWN_VALUE;
    bind(run, param, at === 0 ? element : other, inner, line);
  });
  return runBody(closure.home as AnalysisRun, fn, inner, []);
}

const MAX_CONTROLLERS = 4;

function prepared(
  run: AnalysisRun,
  object: AbstractValue,
  of: ClassInfo | undefined,
  action: FunctionNode,
  depth = MAX_CONTROLLERS,
): AbstractValue {
  if (!of || !run.deep || action.word !== true) return object;
  let self = object;
  for (const base of depth > 0 ? of.bases : []) {
    const above = classNamed(of.home as AnalysisRun, of.scope.parent ?? of.scope, base);
    if (above && above !== of) self = prepared(run, self, above, action, depth - 1);
  }
  for (const before of of.befores ?? []) {
    if (!isRunBeforeAction(before, action.name)) continue;
    const methods = before.names.map(
      (name) => (object.of && methodIn(object.of, name)) ?? methodIn(of, name),
    );
    for (const method of [...methods, before.block]) {
      const after = method && evaluateClosure(run, method, [], self, action.line)?.self;
      if (after) self = { ...after, path: object.path };
    }
  }
  return self;
}

function bindSelf(scope: VariableScope, self: AbstractValue): void {
  for (const name of SELF_NAMES) scope.values.set(name, self);
}

function signed(value: AbstractValue): readonly unknown[] {
  const taint = taintOf(value);
  const items = value.items?.map((item) => item.constant ?? item.taint !== undefined);
  return [
    taint
      ? [taint.origin, taint.clean, taint.more?.map(({ flow }) => flow.path)]
      : findPredictableRandomness(value) !== undefined,
    typeof value.constant,
    String(value.constant).slice(0, 60),
    value.of?.name ?? value.type,
    items && JSON.stringify(items).slice(0, 100),
    value.path?.slice(0, 40),
    value.built,
    value.choices,
    value.fixed,
    value.text?.slice(0, 8),
  ];
}

function bindArguments(
  run: AnalysisRun,
  home: AnalysisRun,
  fn: FunctionNode,
  args: readonly EvaluatedArgument[],
  scope: VariableScope,
  line: number,
): void {
  const params = selfParam(fn) === undefined ? fn.params : fn.params.slice(1);
  let place = 0;
  const given = new Map<string, AbstractValue>();
  for (const arg of args) {
    if (arg.name !== undefined) given.set(arg.name, arg.value);
    else {
      const param = params[place++];
      if (param) given.set(param.name, arg.value);
    }
  }
  for (const param of params) {
    const value =
      given.get(param.name) ??
      (param.byDefault ? home.engine.evaluate(home, param.byDefault, scope) : UNKNOWN_VALUE);
    const step = `to ${param.name} of ${fn.name || 'a function'}()`;
    const passed = value.taint ? { ...value, taint: addStep(value.taint, run, line, step) } : value;
    bind(run, param, passed, scope, line);
  }
}

function bind(run: AnalysisRun, param: Param, value: AbstractValue, scope: VariableScope, line: number) {
  scope.values.set(param.name, value);
  const { pattern } = param;
  if (pattern) assignTo(run, pattern, value, scope, { value: pattern, adds: false, line });
}

function runBody(run: AnalysisRun, fn: FunctionNode, scope: VariableScope, decorators: readonly string[]) {
  const frame = { fn, returns: [] as AbstractValue[], decorators };
  run.frames.push(frame);
  const loops = run.loops.splice(0);
  run.engine.execute(run, fn.body, scope);
  run.loops.splice(0, run.loops.length, ...loops);
  run.frames.pop();
  return frame.returns.length === 0 ? UNKNOWN_VALUE : frame.returns.reduce((a, b) => joinValues(a, b));
}

export function analyseFunction(run: AnalysisRun, closure: Closure): void {
  const { fn } = closure;
  if (run.seen.has(fn)) return;
  run.seen.add(fn);
  const object = closure.receiver && objectOf(run, closure.receiver);
  const self = object && prepared(run, object, object.of, fn);
  const scope = enter(closure, fn, self);
  const decorators = fn.marks.map((mark) => {
    const value = run.engine.evaluate(run, mark.op === 'call' ? mark.callee : mark, closure.scope);
    return value.path ?? '';
  });
  for (const param of fn.params) {
    if (self && SELF_NAMES.includes(param.name)) continue;
    const of = param.type === undefined ? undefined : classNamed(run, closure.scope, param.type);
    const value = of && isEnumeration(of) ? { fixed: true as const } : outside(run, fn, param, decorators);
    bind(run, param, value, scope, fn.line);
  }
  const value = runBody(run, fn, scope, decorators);
  analyseDefaultView(run, self?.of, fn.name, scope);
  checkReturnedSecret(run, fn, value);
}

/** Reports untrusted data that a function with a decorator such as `@app.route('/')` sends to the client. */
export function checkReturned(run: AnalysisRun, value: AbstractValue, line: number): void {
  const decorators = run.frames.at(-1)?.decorators ?? [];
  if (decorators.length === 0) return;
  for (const sink of run.rules.rules.returns) {
    if (sink.imports && !sink.imports.test(run.imports)) continue;
    if (!decorators.some((path) => sink.decorator.test(path))) continue;
    if (sink.unless && decorators.some((path) => sink.unless?.test(path))) continue;
    const key = sink.keys?.find((one) => value.fields?.has(one));
    const shown = (key === undefined ? value.items?.[0] : value.fields?.get(key)) ?? value;
    if (sink.text && !(shown.text !== undefined && sink.text.is.test(shown.text))) continue;
    // An object literal is sent to the client as JSON, which is harmless.
    if (!shown.fields) reportIfHarmful(run, { ...sink, text: undefined, call: [], args: [] }, shown, line);
  }
}

/** Describes a parameter in a report. A destructured parameter, for example `{ host }`, has no name. */
const requestNote = ({ name }: Param): string =>
  `${name.startsWith('#') ? 'the argument' : name} comes from a request`;

const PARSES = /^Parse(?:Int|Float|Bool|UUID|Enum|Date|ObjectId)Pipe$/;

/** Matches parameters in a route that a framework converts: Flask's `<int:id>`, Starlette's `{id:int}`. */
const CONVERTED =
  /<(?:int|float|uuid|any)(?:\([^<>)]{0,80}\))?:(\w{1,60})>|\{(\w{1,60}):(?:int|float|uuid|guid|long|bool|decimal)\b/g;

function isConverted({ marks }: FunctionNode, { name, type = '' }: Param): boolean {
  // FastAPI checks this parameter with a pattern: `Annotated[str, Query(pattern='^[a-z]+$')]`.
  if (/\b(?:pattern|regex)=/.test(type)) return true;
  const texts = marks.flatMap((mark) => (mark.op === 'call' ? mark.args : [])).map(({ value }) => value);
  return texts.some(
    (text) =>
      text.op === 'constant' &&
      [...String(text.value).matchAll(CONVERTED)].some(([, a, b]) => a === name || b === name),
  );
}

function outside(
  run: AnalysisRun,
  fn: FunctionNode,
  param: Param,
  decorators: readonly string[],
): AbstractValue {
  if (param.type !== undefined && isNumberType(param.type)) return { fixed: true };
  if (param.marks?.some((mark) => PARSES.test(mark)) || isConverted(fn, param)) return { fixed: true };
  const source = run.rules.rules.params.find((one) => isSource(run, one, fn, param, decorators));
  if (source?.taints) {
    const note = requestNote(param);
    return {
      taint: { origin: 'request', clean: 0, flow: { path: run.path, line: fn.line, note, length: 1 } },
      path: source.path,
      model: param.type?.replace(/^(?:typing\.)?(?:Annotated|Optional)\[|[\],].*$/gs, ''),
      fields: source.givenTo && harmlessFieldsBeside(run.handed?.get(fn)?.args ?? []),
    };
  }
  if (source) return { path: source.path };
  const operation = run.linker?.operation(run.path, fn.name);
  if (operation) {
    const note = requestNote(param);
    const flow = { path: run.path, line: fn.line, note, before: operation, length: 2 };
    return { taint: { origin: 'request', clean: 0, flow } };
  }
  if (param.name === 'self' || param.name === 'cls') return { path: param.name };
  const taint: Taint = {
    origin: 'param',
    clean: 0,
    flow: { path: run.path, line: fn.line, note: `parameter ${param.name}`, length: 1 },
  };
  const type = param.type?.replace(/^[*&]+|[?\s].*/gs, '').replace(/<.*/s, '');
  return { taint, path: type || undefined, type: type || undefined };
}

function isSource(
  run: AnalysisRun,
  source: ParamSource,
  fn: FunctionNode,
  param: Param,
  decorators: readonly string[],
): boolean {
  const { name, type, mark, decorator, imports, beside, without, givenTo } = source;
  const functionName = () => fn.name || (run.named?.get(fn) ?? '');
  return (
    (!name || name.test(param.name)) &&
    (!type || (param.type !== undefined && type.test(param.type))) &&
    (!mark || (param.marks?.some((one) => mark.test(one)) ?? false)) &&
    !(without && param.marks?.some((one) => without.test(one))) &&
    (!decorator || decorators.some((path) => decorator.test(path))) &&
    (!imports || imports.test(run.imports)) &&
    (!givenTo || ((name || fn.params[0] === param) && givenTo.test(run.handed?.get(fn)?.path ?? ''))) &&
    (!source.function || source.function.test(functionName())) &&
    (!beside || fn.params.some((other) => beside.test(other.name)))
  );
}
