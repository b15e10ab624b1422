import type { LinearRegex } from '../../../../../lib/expressions/linear-expression.ts';
import { ALL_HARM_BITS } from '../../harm.ts';
import type { Expr, ExprOf, StmtOf } from '../../ir.ts';
import { matchingEither } from '../../patterns.ts';
import type { CallSink } from '../../rule.ts';
import { OUTPUT_FUNCTION, RUBY_OUTPUT_FUNCTION } from '../../templates/tags.ts';
import { assignTo } from '../assign.ts';
import { checkSecretAssignment, isWeakSecret } from '../names.ts';
import { findResultRandomness } from '../predictable.ts';
import { isPublicDigest } from '../public-digests.ts';
import {
  areConditionsMet,
  collectSinkValues,
  type EvaluatedArgument,
  type EvaluatedCall,
  reportIfHarmful,
} from '../report.ts';
import type { AnalysisRun } from '../run.ts';
import {
  findsPlainText,
  isNumberAsText,
  preventedByOptions,
  sanitizeByName,
  sanitizeByReplacement,
  sanitizeByRule,
} from '../sanitize.ts';
import { applyCollectionMethod, evaluateMapCall } from '../values/collections.ts';
import {
  findSuperMethod,
  isClass,
  methodByName,
  methodOf,
  resolveImportedValue,
  resolveName,
} from '../values/objects.ts';
import { typedPath, valueAtPath } from '../values/paths.ts';
import { variableOf } from '../values/scope.ts';
import {
  type AbstractValue,
  addStep,
  type Closure,
  type FlowStep,
  findPredictableRandomness,
  isFromClock,
  repeatableCallKey,
  strongerTaint,
  type Taint,
  taintOf,
  UNKNOWN_VALUE,
  type VariableScope,
  withoutHarms,
} from '../values/value.ts';
import { evaluateClosure } from './evaluate-closure.ts';
import { callResultText, isNumericFormat, preventedByFormat, printsNumbers } from './formats.ts';
import { evaluatePhpInclude } from './include.ts';
import { evaluateKnownCall, hasFixedResult } from './known-call.ts';
import { followCall } from './object-call.ts';
import { isForDevelopersOnly, severityInBranch } from './options.ts';
import { analyseTemplates } from './render.ts';
import { schemaFieldsOf } from './schemas.ts';
import { findSlowlySearchedTexts } from './slow-expression.ts';
import { showsName } from './written-names.ts';

const MAX_PATH_LENGTH = 160;

export function evaluateCall(run: AnalysisRun, expr: ExprOf<'call'>, scope: VariableScope): AbstractValue {
  const value = callAlone(run, expr, scope);
  const { puts } = run;
  run.puts = undefined;
  expr.args.forEach((arg, at) => {
    const marks = puts?.get(at)?.marks;
    if (!arg.puts && marks && arg.value.op === 'name')
      scope.values.set(arg.value.name, { ...variableOf(scope, arg.value.name), marks });
    if (!arg.puts) return;
    // An `out` argument of an unknown function gets the result of the call, as it may contain the input.
    const put = puts?.get(at) ?? (arg.fills ? value : undefined);
    if (put) assignTo(run, arg.puts, put, scope, { value: expr, adds: false, line: expr.line });
  });
  return value;
}

function callAlone(run: AnalysisRun, expr: ExprOf<'call'>, scope: VariableScope): AbstractValue {
  const { callee } = expr;
  const checked = run.checksCalls === true ? variableOf(scope, repeatableCallKey(expr) ?? '') : undefined;
  if (checked) return checked;
  const receiver =
    callee.op === 'member' ? resolveImportedValue(run.engine.evaluate(run, callee.object, scope)) : undefined;
  const name = nameOf(callee);
  if (run.linker) run.linker.passedOver = undefined;
  const target = calleeValue(run, callee, receiver, scope);
  const passedOver = run.linker?.passedOver;
  const args = expr.args.map((arg) => ({ ...arg, value: run.engine.evaluate(run, arg.value, scope) }));
  if (passedOver !== undefined && args.some(({ value }) => isFromOutside(value))) run.linker?.cut(passedOver);
  const path = target.path ?? '?';
  const made: EvaluatedCall = {
    name,
    path,
    typed: typedPath(receiver, name, path),
    receiver,
    args,
    line: expr.line,
    makes: expr.makes,
    isPlain:
      variableOf(scope, CONTENT_TYPE_VARIABLE)?.constant === true ||
      args.some(hasScriptlessType) ||
      undefined,
    written: expr.args.map(({ value }) => value),
  };
  hand(run, made);
  if (path === 'header') noteContentType(args, scope);
  const isSink = checkCall(run, made);
  checkNamedCall(run, callee, target, expr.line);
  checkChosenMethod(run, callee, scope, expr.line);
  checkArguments(run, expr, made);
  evaluatePhpInclude(run, made, scope);
  analyseTemplates(run, made, scope);
  run.puts = undefined;
  const followed = run.deep ? followCall(run, expr, target, made, scope) : undefined;
  if (followed) return followed;
  run.puts = undefined;
  callbacks(run, made);
  const marked = mark(run, path, args, receiver, callee, scope);
  const settled = name === 'then' ? settle(run, made) : undefined;
  if (settled) return settled;
  fillByChance(run, made, expr, scope);
  taintFilledArgument(run, made, expr, scope);
  const variables = path === 'compact' ? namedVariables(scope, args) : undefined;
  if (variables) return variables;
  const held = applyCollectionMethod(run, callee, marked, args, scope, expr.line);
  return held ?? evaluateKnownCall(run, made) ?? unknownResult(run, made, isSink);
}

const HANDLER_KEYS = ['handler', 'execute', 'func', 'fn', 'function', 'callback', 'run'];
const MAX_HANDLER_DEPTH = 5;

function hand(run: AnalysisRun, { name, path, args }: EvaluatedCall): void {
  for (const arg of args) {
    const isList = /tools?$|^ToolNode$/i.test(arg.name ?? name);
    for (const { fn } of functionsIn(arg.value, MAX_HANDLER_DEPTH, isList)) {
      run.handed ??= new Map();
      run.handed.set(fn, { path, args });
    }
  }
}

function* functionsIn(value: AbstractValue, depth: number, isList = false): Generator<Closure> {
  const { fn, items, fields } = value;
  if (fn) yield fn;
  if (fn || depth === 0) return;
  const held = isList
    ? [...(items ?? []), ...(fields?.values() ?? [])]
    : HANDLER_KEYS.map((key) => fields?.get(key));
  for (const one of held) if (one) yield* functionsIn(one, depth - 1);
  const listed = fields?.get('tools');
  if (listed) yield* functionsIn(listed, depth - 1, true);
}

function isFromOutside(value: AbstractValue): boolean {
  const taint = taintOf(value);
  return taint !== undefined && taint.origin !== 'param';
}

function namedVariables(scope: VariableScope, args: readonly EvaluatedArgument[]): AbstractValue | undefined {
  const names = args.map(({ value }) => value.constant);
  if (!names.every((name) => typeof name === 'string')) return undefined;
  return { fields: new Map(names.map((name) => [name, variableOf(scope, `$${name}`) ?? UNKNOWN_VALUE])) };
}

const RUNS_NAMED: CallSink = { rule: 'source/code-injection', harm: 'code', call: [], args: [] };

function checkNamedCall(run: AnalysisRun, callee: Expr, target: AbstractValue, line: number): void {
  if (target.fn || !target.taint) return;
  if (callee.op === 'name' && !callee.name.startsWith('$')) return;
  if (/\.(?:php|phtml)$/.test(run.path)) reportIfHarmful(run, RUNS_NAMED, target, line);
}

function checkChosenMethod(run: AnalysisRun, callee: Expr, scope: VariableScope, line: number): void {
  const chosen = callee.op === 'index' ? callee.index : undefined;
  if (!chosen || !/\.[cm]?[jt]sx?$/.test(run.path)) return;
  reportIfHarmful(run, { ...RUNS_NAMED, severity: 'medium' }, run.engine.evaluate(run, chosen, scope), line);
}

const nameOf = (callee: Expr): string => (callee.op === 'member' || callee.op === 'name' ? callee.name : '');

function calleeValue(
  run: AnalysisRun,
  callee: Expr,
  receiver: AbstractValue | undefined,
  scope: VariableScope,
): AbstractValue {
  if (callee.op === 'member' && receiver) {
    const field = receiver.fields?.get(callee.name);
    const path = `${receiver.path ?? '?'}.${callee.name}`.slice(0, MAX_PATH_LENGTH);
    const linked = field ? resolveImportedValue(field) : receiver.link?.member(callee.name);
    if (linked?.fn || (linked?.of && isClass(linked))) return linked;
    const above = findSuperMethod(scope, callee.object, callee.name);
    return { path, fn: above ?? methodOf(run, scope, receiver, callee.name) };
  }
  if (callee.op !== 'name') return resolveImportedValue(run.engine.evaluate(run, callee, scope));
  const fn = methodByName(run, scope, callee.name);
  if (fn) return { fn, path: callee.name };
  return resolveName(run, scope, callee.name) ?? valueAtPath(run, callee.name, UNKNOWN_VALUE, callee.line);
}

function checkCall(run: AnalysisRun, made: EvaluatedCall): boolean {
  const methods = made.makes ? made.args.filter(({ name, value }) => name && value.fn?.fn.name === name) : [];
  // Checks each method of an anonymous class separately, so that findings have the method's line.
  for (const method of methods)
    checkRules(run, { ...made, args: [method], line: method.value.fn?.fn.line ?? made.line });
  if (methods.length === 0) checkRules(run, made);
  return checkSinks(run, made);
}

export function checkMatchOperator(
  run: AnalysisRun,
  left: AbstractValue,
  right: AbstractValue,
  line: number,
): void {
  const path = `${left.path ?? '?'}.=~`;
  checkSinks(run, { name: '=~', path, receiver: left, args: [{ value: right }], line, written: [] });
}

export function checkClass(run: AnalysisRun, stmt: StmtOf<'class'>, scope: VariableScope): void {
  for (const base of [...stmt.bases, ...(stmt.faces ?? [])]) {
    const path = base.slice(base.lastIndexOf('.') + 1);
    for (const one of stmt.body) {
      if (one.op !== 'function') continue;
      const method = { name: one.fn.name, value: { fn: { home: run, fn: one.fn, scope } } };
      const { line } = one;
      checkRules(run, { name: path, path, receiver: undefined, args: [method], line, written: [] });
    }
  }
}

function checkRules(run: AnalysisRun, made: EvaluatedCall): void {
  const { args, receiver, line, written } = made;
  for (const check of matchingEither(run.rules.checks, made)) {
    if (!applies(run, check, made) || isForDevelopersOnly(run, check.rule)) continue;
    const { shows } = check;
    if (shows && !written.some((one) => showsName(one, shows))) continue;
    const flow = args.map(({ value }) => value.set).find((set) => set !== undefined);
    if (flow) run.settle?.(check.rule, line);
    if (!areConditionsMet(check.when, args, receiver)) continue;
    run.report({ rule: check.rule, line, flow, severity: severityInBranch(run, check.rule, check.severity) });
  }
}

function checkSinks(run: AnalysisRun, made: EvaluatedCall): boolean {
  const { path, args, receiver, line } = made;
  if (printsNumbers(made)) return true;
  let isSink = false;
  for (const sink of matchingEither(run.rules.sinks, made)) {
    if (!isMeant(run, sink, made)) continue;
    const values = sink.slow ? findSlowlySearchedTexts(made) : collectSinkValues(sink, args, receiver);
    if (sink.text && values.length === 0) continue;
    // A sink's arguments do not taint its result, except for regular expressions and callbacks.
    const passesOn = sink.harm === 'regexp' || (sink.harm === 'code' && sink.singleField);
    isSink ||= !sink.wholeRequest && !sink.slow && !passesOn;
    if (!areConditionsMet(sink.when, args, receiver)) continue;
    for (const value of values) if (!isJson(sink, value, path)) reportIfHarmful(run, sink, value, line);
  }
  return isSink;
}

const PREPARED = /(?:^|\.)(?:prepare\w{0,40}\(\)|sql\.Stmt|PreparedStatement)$/i;

const isPrepared = (receiver: AbstractValue | undefined): boolean =>
  receiver?.path !== undefined && PREPARED.test(receiver.path);

function isJson({ harm }: CallSink, value: AbstractValue, path: string): boolean {
  const isStructure = value.fields !== undefined || value.items !== undefined;
  return harm === 'xss' && isStructure && !value.taint && path.endsWith('.send');
}

/** True for `FromSql($"... {id}")` of Entity Framework Core, which passes `id` as a parameter of the query. */
function isInterpolated({ imports }: AnalysisRun, { name, written }: EvaluatedCall): boolean {
  const [first] = written;
  const takesValues = /^(?:FromSql|SqlQuery|ExecuteSql(?:Async)?)$/.test(name);
  return (
    takesValues && first?.op === 'format' && first.template === true && /entityframeworkcore/.test(imports)
  );
}

function isMeant(run: AnalysisRun, sink: CallSink, made: EvaluatedCall): boolean {
  const { path, receiver, makes } = made;
  if ((path === OUTPUT_FUNCTION || path === RUBY_OUTPUT_FUNCTION) && !run.linker?.unescaped) return false;
  if (!applies(run, sink, made) || (sink.withNew && !makes)) return false;
  if (sink.harm === 'xss') return !made.isPlain;
  return !(sink.harm === 'sql' && (isPrepared(receiver) || isInterpolated(run, made)));
}

function applies(
  run: AnalysisRun,
  rule: { imports?: LinearRegex; on?: LinearRegex },
  { path, typed }: EvaluatedCall,
): boolean {
  if (rule.imports && !rule.imports.test(run.imports)) return false;
  return !rule.on || rule.on.test(path) || (typed !== undefined && rule.on.test(typed));
}

function checkArguments(run: AnalysisRun, expr: ExprOf<'call'>, { args, path }: EvaluatedCall): void {
  expr.args.forEach((arg, at) => {
    const value = args[at]?.value;
    if (arg.name !== undefined && value) {
      checkSecretAssignment(run, arg.name, value, { value: arg.value, adds: false, line: arg.value.line });
    }
  });
  const called = nameOf(expr.callee);
  if (
    !/cookie|token|session|secret|password|^(?:IvParameterSpec|Aes(?:Gcm|Ccm)|ChaCha20Poly1305|HMACSHA\d{1,3})$/i.test(
      called,
    ) &&
    !/session(?:\(\))?\.(?:set|put)\w*$/i.test(path)
  ) {
    return;
  }
  for (const arg of args) {
    const random = findPredictableRandomness(arg.value);
    if (random && !isPublicDigest(random) && (!isFromClock(random) || isWeakSecret(called, random)))
      run.report({ rule: 'source/weak-random', line: random.line, flow: usedHere(run, random, expr.line) });
  }
}

function usedHere({ path }: AnalysisRun, before: FlowStep, line: number): FlowStep {
  return { path, line, note: 'used as a secret here', before, length: before.length + 1 };
}

function callbacks(run: AnalysisRun, { path, args, receiver, line }: EvaluatedCall): void {
  const functions = args.flatMap(({ value }) => value.fn ?? value.fields?.get('success')?.fn ?? []);
  if (functions.length === 0) return;
  const given = receiver && taintOf(receiver);
  const taint =
    given && given.origin !== 'param' ? given : valueAtPath(run, `${path}()`, UNKNOWN_VALUE, line).taint;
  if (!taint || taint.origin === 'param') return;
  for (const fn of functions) evaluateClosure(run, fn, [{ value: { taint } }], undefined, line);
}

function settle(run: AnalysisRun, { receiver, args, line }: EvaluatedCall): AbstractValue | undefined {
  const fn = args[0]?.value.fn;
  if (!fn) return undefined;
  const taint = receiver && taintOf(receiver);
  return evaluateClosure(run, fn, [{ value: taint ? { taint } : UNKNOWN_VALUE }], undefined, line)?.value;
}

function fillByChance(
  run: AnalysisRun,
  { name, path, args, line }: EvaluatedCall,
  expr: ExprOf<'call'>,
  scope: VariableScope,
): void {
  const first = expr.args[0]?.value;
  if (
    !/^(?:nextBytes|Read)$/i.test(name) ||
    first?.op !== 'name' ||
    run.rules.random.matching(path).length === 0
  )
    return;
  const random = { path: run.path, line, note: `the output of ${name}() can be predicted`, length: 1 };
  scope.values.set(first.name, { ...args[0]?.value, random });
}

function mark(
  run: AnalysisRun,
  path: string,
  args: readonly EvaluatedArgument[],
  receiver: AbstractValue | undefined,
  callee: Expr,
  scope: VariableScope,
): AbstractValue | undefined {
  // Go's `w.Header().Set(..)` changes `w` itself, so `w` gets the marks of the rules for this call.
  const object = callee.op === 'member' && callee.object.op === 'call' ? callee.object.callee : callee;
  if (object.op !== 'member' || object.object.op !== 'name') return receiver;
  const left = run.rules.markers
    .matching(path)
    .filter((marker) => !marker.result && areConditionsMet(marker.when, args, receiver))
    .map((marker) => marker.mark);
  if (left.length === 0) return receiver;
  const { name } = object.object;
  const before = object === callee ? receiver : variableOf(scope, name);
  const marked = { ...before, marks: [...(before?.marks ?? []), ...left] };
  scope.values.set(name, marked);
  return object === callee ? marked : receiver;
}

/** Matches names of calls whose result does not contain their arguments, such as `find` and `save`. */
const GIVES_NEW =
  /^(?:find|query|exec|fetch|load|select|insert|update|delete|destroy|save|create|look_?[uU]p|try_?[gG]et|count|exists?|filter|authenticate|log|print|warn|error|info|debug|emit|on|send|write|publish|compare|verify|check|is|has|set|add|remove|get|open|run|call|search|match|test|redirect|render|url_for|sign|hash|digest|connect|bind|register|import|require|abort|assert)(?=$|[A-Z_?!])/;

/** Returns the result of an unknown call. Tainted inputs taint the result, unless the name is like `sanitize`. */
function unknownResult(run: AnalysisRun, made: EvaluatedCall, isSink: boolean): AbstractValue {
  const { name, path, receiver, args, line } = made;
  const each = evaluateMapCall(run, made);
  const taint = carriedTaint(run, made, isSink, each);
  const byType = made.typed !== undefined && run.rules.sources.matching(`${made.typed}()`).length > 0;
  const own = valueAtPath(
    run,
    `${byType ? made.typed : path}()`,
    taint ? { taint: addStep(taint, run, line, `through ${name || 'a call'}()`) } : UNKNOWN_VALUE,
    line,
  );
  const marks = run.rules.markers
    .matching(path)
    .filter((marker) => areConditionsMet(marker.when, args, receiver))
    .map((marker) => marker.mark);
  const value: AbstractValue = {
    ...own,
    random: findResultRandomness(run, made),
    ...callResultText(made),
    marks: [...(receiver?.marks ?? []), ...marks],
    fixed:
      each?.fixed ||
      each?.constant !== undefined ||
      hasFixedResult(made) ||
      findsPlainText(made) ||
      isNumberAsText(made) ||
      undefined,
    // Go's literal `bson.M{..}` is analysed as a call. Its first argument has the fields.
    fields: path.endsWith('{}') ? args[0]?.value.fields : schemaFieldsOf(made),
    items: path.endsWith('{}') ? args[0]?.value.items : undefined,
  };
  // Python's `re.sub` replaces all matches, like `replaceAll`. Ruby's `sub` replaces only the first match.
  const replacing = /^(?:re|regex)\.subn?$/.test(path) ? 'replaceAll' : name;
  const excluded =
    isNumericFormat(made) || findsPlainText(made)
      ? ALL_HARM_BITS
      : preventedByOptions(name, args) | preventedByFormat(made);
  const checked = withoutHarms(value, excluded);
  return sanitizeByRule(
    run,
    path,
    sanitizeByName(name, path, sanitizeByReplacement(replacing, args, checked)),
  );
}

const KEEPS_DATA = /^(?:save|insert|delete|destroy|commit|flush|close|emit|subscribe|unsubscribe)$/;

function carriedTaint(
  run: AnalysisRun,
  { name, path, receiver, args }: EvaluatedCall,
  isSink: boolean,
  each: AbstractValue | undefined,
): Taint | undefined {
  const own = each ?? receiver;
  let taint = own && !KEEPS_DATA.test(name) ? taintOf(own) : undefined;
  if (isSink || each) return taint;
  // If all files are analysed together, an unknown callee such as `handlers[i](x)` passes on no taint.
  if (run.linker && !receiver && /^\?|\[\]$/.test(path)) return undefined;
  for (const arg of args) taint = strongerTaint(taint, carriedBy(arg.value, name));
  return taint;
}

const uncapitalised = (name: string): string =>
  /[a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name.toLowerCase();

function carriedBy(value: AbstractValue, name: string): Taint | undefined {
  const taint = taintOf(value);
  if (!taint) return undefined;
  const isRequest = taint.origin === 'request' && taint.flow.length === 1;
  if (isRequest && /(?:^|\.)req(?:uest)?$/i.test(value.path ?? '')) return taint;
  return GIVES_NEW.test(uncapitalised(name)) ? undefined : taint;
}

/**
 * Name of a variable that the analysis adds to a scope. Its value is true if the PHP code has set a content type
 * in which scripts do not run.
 */
const CONTENT_TYPE_VARIABLE = '#content-type';
const PLAIN_TYPE = /^(?:content-type:\s{0,9})?(?!.{0,80}(?:html|xml|svg))[\w.+-]{1,60}\/./i;

function noteContentType(args: readonly EvaluatedArgument[], scope: VariableScope): void {
  const sent = String(args[0]?.value.constant ?? '');
  if (/^content-type:/i.test(sent))
    scope.values.set(CONTENT_TYPE_VARIABLE, { constant: PLAIN_TYPE.test(sent) });
}

function hasScriptlessType({ value }: EvaluatedArgument): boolean {
  const headers = value.fields?.get('headers')?.fields ?? value.fields;
  const type = headers?.get('Content-Type') ?? headers?.get('content-type');
  return PLAIN_TYPE.test(String(type?.constant ?? ''));
}

function taintFilledArgument(
  run: AnalysisRun,
  made: EvaluatedCall,
  expr: ExprOf<'call'>,
  scope: VariableScope,
): void {
  const { path, args, line } = made;
  for (const { into, fromArgs } of run.rules.fills.matching(path)) {
    const [target, value] = [expr.args[into]?.value, args[into]?.value];
    const taint = fromArgs ? givenTo(made, into) : incoming(run, line);
    if (target?.op !== 'name' || !value || !taint) continue;
    const { type } = value;
    scope.values.set(target.name, { path: target.name, type, taint, model: type });
  }
}

function incoming({ path }: AnalysisRun, line: number): Taint {
  return { origin: 'request', clean: 0, flow: { path, line, note: 'data from the request', length: 1 } };
}

function givenTo({ receiver, args }: EvaluatedCall, into: number): Taint | undefined {
  let taint = receiver && taintOf(receiver);
  for (const [at, { value }] of args.entries()) if (at !== into) taint = strongerTaint(taint, taintOf(value));
  return taint;
}
