import type { LinearRegex } from '../../../../lib/expressions/linear-expression.ts';
import type { Severity } from '../../../../lib/severity.ts';
import { bitOf, NO_FURTHER_QUOTE_BIT, STARTS_WITH_QUOTE_BIT } from '../harm.ts';
import type { CallArgument, Constant, Expr, FunctionNode } from '../ir.ts';
import type { CallCondition, CallSink, ValueCondition, ValueTrait } from '../rule.ts';
import { ruleOf } from '../rules/catalogue.ts';
import type { AnalysisRun } from './run.ts';
import { type AbstractValue, choicesOf, type Taint, taintOf } from './values/value.ts';

export interface EvaluatedArgument extends Omit<CallArgument, 'value' | 'fills'> {
  readonly value: AbstractValue;
}

export interface EvaluatedCall {
  readonly name: string;
  readonly path: string;
  /** The path with the object's type in place of its name: `Statement.execute` for `stmt.execute`. */
  readonly typed?: string;
  readonly receiver: AbstractValue | undefined;
  readonly args: readonly EvaluatedArgument[];
  readonly line: number;
  readonly makes?: true;
  readonly isPlain?: true | undefined;
  readonly written: readonly Expr[];
}

export function isConditionMet(value: AbstractValue, test: ValueCondition): boolean {
  const { constant } = value;
  if (isTrait(test)) return hasTrait(value, test);
  if (typeof test === 'object' && test !== null && 'test' in test) {
    const texts = choicesOf(value) ?? [value.regex?.source];
    return texts.some((one) => typeof one === 'string' && test.test(one.slice(0, 1000)));
  }
  if (Array.isArray(test) && test.length === 0) return value.items?.length === 0;
  if (constant === undefined) return false;
  return Array.isArray(test) ? test.includes(constant) : constant === test;
}

function argumentAt(args: readonly EvaluatedArgument[], place: number): AbstractValue | undefined {
  let at = 0;
  for (const arg of args) {
    if (arg.name !== undefined) continue;
    if (arg.spread) return undefined;
    if (at === place) return arg.value;
    at++;
  }
  return undefined;
}

export function findArgument(
  args: readonly EvaluatedArgument[],
  place: number | string,
): AbstractValue | undefined {
  if (typeof place === 'number') return argumentAt(args, place);
  return args.find((arg) => arg.name === place)?.value;
}

function holderOf(value: AbstractValue, key: string) {
  if (value.fields?.has(key)) return { fields: value.fields, last: key };
  const keys = key.split('.');
  const last = keys.pop() ?? '';
  let at: AbstractValue | undefined = value;
  for (const part of keys) at = at?.fields?.get(part);
  return at?.fields && { fields: at.fields, last };
}

function holdsOne(
  when: CallCondition,
  args: readonly EvaluatedArgument[],
  receiver: AbstractValue | undefined,
): boolean {
  if (when.mark !== undefined && when.arg === undefined) return receiver?.marks?.includes(when.mark) ?? false;
  if (when.unmarked !== undefined && when.arg === undefined) return !receiver?.marks?.includes(when.unmarked);
  const byName = when.name === undefined ? undefined : findArgument(args, when.name);
  let value = byName ?? (when.arg === undefined ? undefined : findArgument(args, when.arg));
  if (when.field !== undefined) value = receiver?.fields?.get(when.field);
  if (value && when.key !== undefined) {
    // An object with unknown content may lack the key, so a condition on the key is not met.
    const held = holderOf(value, when.key);
    if (!held) return false;
    value = held.fields.get(held.last);
  }
  if (when.mark !== undefined) return value?.marks?.includes(when.mark) ?? false;
  if (when.unmarked !== undefined) return !value?.marks?.includes(when.unmarked);
  if (!value) return when.absent === true && !args.some((arg) => arg.spread);
  return isValueMeant(when, value);
}

function isValueMeant({ path, begins, fixed, is, absent }: CallCondition, value: AbstractValue): boolean {
  if (path) return [value, ...(value.items ?? [])].some((one) => path.test(one.path ?? ''));
  if (begins) return begins.test(String(value.constant ?? value.text ?? '').slice(0, 1000));
  if (fixed) return value.fixed === true || isKnownList(value);
  return is === undefined ? absent !== true : isConditionMet(value, is);
}

export function areConditionsMet(
  conditions: readonly CallCondition[] | undefined,
  args: readonly EvaluatedArgument[],
  receiver: AbstractValue | undefined,
): boolean {
  return (conditions ?? []).every((when) => holdsOne(when, args, receiver));
}

const SEVERITY_OF_USER_INPUT: Readonly<Record<Severity, Severity>> = {
  critical: 'medium',
  high: 'low',
  medium: 'low',
  low: 'info',
  info: 'info',
};

function dangerous(taint: Taint, sink: Pick<CallSink, 'harm'>): boolean {
  if ((taint.clean & bitOf(sink.harm)) !== 0) return false;
  return !(
    sink.harm === 'code' &&
    (taint.clean & STARTS_WITH_QUOTE_BIT) !== 0 &&
    (taint.clean & NO_FURTHER_QUOTE_BIT) !== 0
  );
}

const isOutside = ({ origin }: Taint, { harm }: Pick<CallSink, 'harm'>): boolean =>
  origin === 'stored' ? harm === 'xss' : origin !== 'param';

const SHELL = /^(?:.*[/\\])?(?:sh|bash|zsh|dash|ksh|cmd|cmd\.exe|powershell|powershell\.exe|pwsh)$/i;
const RUNS_TEXT = /^(?:-c|-lc|-ic|\/c|-Command|-EncodedCommand)$/i;

function isBound({ items }: AbstractValue): boolean {
  const first = items?.[0]?.constant;
  return typeof first === 'string' && /\?|[%:]\w/.test(first) && items?.length !== 1;
}

/** Matches MongoDB operators that compare or store their operand and never run it as a query. */
const TAKES_VALUE =
  /^\$(?:eq|ne|gte?|lte?|n?in|all|size|exists|type|mod|set|setOnInsert|inc|unset|min|max|push|pull|addToSet)$/;
const TAKES_CODE = /^\$(?:where|function|accumulator|expr)$/;

function harmfulFilter(value: AbstractValue, depth = 4): AbstractValue | undefined {
  const { taint, fields, items, built, text } = value;
  if (taint && (built || text !== undefined)) return asCode(value);
  if (taint || depth === 0 || (!fields && !items)) return value;
  const parts = [...(items ?? [])];
  for (const [key, one] of fields ?? []) {
    if (TAKES_CODE.test(key)) return asCode({ taint: taintOf(one) });
    if (!TAKES_VALUE.test(key) && !isText(one)) parts.push(one);
  }
  return parts
    .map((one) => harmfulFilter(one, depth - 1))
    .find((one) => one?.taint && dangerous(one.taint, { harm: 'nosql' }));
}

const isText = ({ fields, items, built, text }: AbstractValue): boolean =>
  !fields && !items && (built === true || text !== undefined);

/** Treats a value as code that the database runs (`$where`). Only a check for `code` makes the value safe. */
function asCode({ taint, ...value }: AbstractValue): AbstractValue {
  if (!taint) return value;
  const isClean = (taint.clean & bitOf('code')) !== 0;
  const clean = isClean ? taint.clean | bitOf('nosql') : taint.clean & ~bitOf('nosql');
  return { ...value, taint: { ...taint, clean } };
}

function harmfulPart(sink: CallSink, value: AbstractValue): AbstractValue | undefined {
  if (sink.harm === 'nosql') return harmfulFilter(value);
  if (!sink.argv) return sink.harm === 'sql' && isBound(value) ? undefined : value;
  const items = value.items;
  if (!items) return value.taint || value.built ? value : undefined;
  const [program, how] = items;
  const isMeant = (part: AbstractValue | undefined) =>
    part && (taintOf(part)?.origin === 'request' || (sink.parameter && taintOf(part)));
  if (isMeant(program)) return program;
  // The first argument of a shell is the path of a script that it runs.
  if (program?.constant !== undefined && SHELL.test(String(program.constant)) && isMeant(how)) return how;
  const shell = program?.constant === undefined || SHELL.test(String(program.constant));
  const runs = how?.fixed === true || (typeof how?.constant === 'string' && RUNS_TEXT.test(how.constant));
  if (!shell || !runs) return undefined;
  return items.slice(2).find((item) => taintOf(item) !== undefined || item.built);
}

export function collectSinkValues(
  sink: CallSink,
  args: readonly EvaluatedArgument[],
  receiver: AbstractValue | undefined,
): AbstractValue[] {
  const taken = sink.spread ? args.filter(({ spread }) => spread) : args;
  const given =
    sink.args === 'receiver'
      ? [receiver]
      : sink.args === 'all'
        ? taken.map((arg) => arg.value)
        : sink.args.map((place) => findArgument(args, place));
  const { text, keys } = sink;
  return given.flatMap((value) => {
    if (!value) return [];
    const key = keys?.find((one) => value.fields?.has(one));
    // An object without a key for the SQL text has only parameters of the query, which are safe.
    if (keys && key === undefined && sink.harm === 'sql' && value.fields && !value.taint) return [];
    const asked = (key === undefined ? undefined : value.fields?.get(key)) ?? value;
    if (
      (sink.wholeRequest && !isWhole(asked, sink)) ||
      (sink.singleField && (isWhole(asked, sink) || (asked.fields && !asked.taint)))
    )
      return [];
    return text && !(asked.text !== undefined && text.is.test(asked.text)) ? [] : [asked];
  });
}

const WHOLE =
  /(?:^|\.)(?:body|query|params|form|json|data|GET|POST|args|values|query_params|headers|cookies|\$_(?:GET|POST|REQUEST)|(?:get_json|json|to_dict|parseBody|all|dict|getParsedBody|permit!|to_unsafe_h|to_unsafe_hash|to_h)\(\))$/;

function isWhole({ path, fields, taint }: AbstractValue, { spread }: CallSink): boolean {
  if (taint?.origin !== 'request') return false;
  return fields !== undefined || spread === true || (path !== undefined && WHOLE.test(path));
}

/** Reports a data flow in each included file that sets the variable, at the line that sets it. */
function reportWhereFilled(run: AnalysisRun, sink: CallSink, { more = [] }: Taint, line: number): void {
  for (const one of more) {
    const { origin, flow } = one;
    if (!dangerous(one, sink) || flow.path === run.path) continue;
    const last = { path: run.path, line, note: 'used here', before: flow, length: flow.length + 1 };
    const severity = origin === 'stored' ? 'low' : undefined;
    run.linker?.report(flow.path, { rule: sink.rule, line: flow.line, flow: last, severity });
  }
}

export function reportIfHarmful(run: AnalysisRun, sink: CallSink, given: AbstractValue, line: number): void {
  const value = harmfulPart(sink, given);
  if (!value || (sink.model && value.model === undefined)) return;
  const rule = sink.rule;
  const taint = taintOf(value);
  if (!taint || !dangerous(taint, sink) || !isOutside(taint, sink)) {
    reportUnknown(run, sink, value, taint, line);
    return;
  }
  const weak = taint.origin === 'input';
  // Command-line input is usually not reported, because the user who runs the program may open any file.
  if (weak && !sink.built && !sink.parameter) return;
  const usual = sink.built ? undefined : sink.parameter;
  const user = usual ?? SEVERITY_OF_USER_INPUT[ruleOf(rule, run.rules.rules.own).severity];
  const severity = taint.origin === 'stored' ? 'low' : ((weak ? user : undefined) ?? sink.severity);
  run.report({ rule, line, flow: taint.flow, severity });
  reportWhereFilled(run, sink, taint, line);
}

const isUnfixed = (value: AbstractValue): boolean =>
  choicesOf(value) === undefined && !value.fixed && !value.fn && !value.items && !value.fields;

function reportUnknown(
  run: AnalysisRun,
  sink: CallSink,
  value: AbstractValue,
  taint: Taint | undefined,
  line: number,
): void {
  const { rule, parameter, built, unknown, unfixed } = sink;
  const harmful = taint && dangerous(taint, sink) ? taint : undefined;
  if (parameter && harmful?.origin === 'param') {
    run.report({ rule, line, severity: parameter, flow: harmful.flow });
  } else if (built && value.built && (harmful || !taint)) {
    run.report({ rule, line, severity: built, flow: taint?.flow });
  } else if ((run.template || sink.slow) && unknown && harmful) {
    run.report({ rule, line, severity: unknown });
  } else if (unfixed && (harmful || !taint) && isUnfixed(value)) {
    run.report({ rule, line, severity: unfixed, flow: taint?.flow });
  } else if (parameter || (built && !value.built)) run.settle?.(rule, line);
}

function isTrait(test: ValueCondition): test is ValueTrait {
  if (typeof test !== 'object' || test === null) return false;
  return ['has', 'lacks', 'gives', 'calls', 'ignores', 'below', 'bits', 'fixed'].some((name) => name in test);
}

function hasTrait(value: AbstractValue, test: ValueTrait): boolean {
  const { has, lacks, gives, calls, ignores, below = Number.POSITIVE_INFINITY, bits } = test;
  const number = typeof value.constant === 'number' ? value.constant : Number.NaN;
  if ((test.below !== undefined && !(number < below)) || (bits !== undefined && (number & bits) === 0))
    return false;
  if (test.fixed && !isKnownList(value)) return false;
  if (has && ![value, ...(value.items ?? [])].some((one) => isOneOf(one, has))) return false;
  if (lacks && !value.items?.every((one) => one.constant !== undefined && !isOneOf(one, lacks))) return false;
  if (gives !== undefined && !(value.fn && alwaysGives(value.fn.fn, gives))) return false;
  if (ignores && !(value.fn && !mentions([value.fn.fn.params, value.fn.fn.body], ignores))) return false;
  return !calls || calls.test(calledName(value));
}

/** True if a name or a one-word text in the code matches. Too deeply nested code also counts as a match. */
function mentions(code: unknown, name: LinearRegex, depth = 60): boolean {
  if (typeof code === 'string') return /^[\w$]+$/.test(code) && name.test(code);
  if (typeof code !== 'object' || code === null) return false;
  return depth === 0 || Object.values(code).some((part) => mentions(part, name, depth - 1));
}

const isKnownList = ({ items }: AbstractValue): boolean =>
  items !== undefined && items.length > 0 && items.every((item) => item.constant !== undefined);

const isOneOf = ({ constant }: AbstractValue, list: readonly Constant[]): boolean =>
  constant !== undefined && list.includes(constant);

function onlyIn({ body }: FunctionNode): Expr | undefined {
  const [first, more] = body;
  if (more || (first?.op !== 'return' && first?.op !== 'expr')) return undefined;
  return first.value;
}

/** In a rule, `gives: '#0'` requires a function that returns its first parameter. */
const FIRST_PARAMETER = '#0';

function alwaysGives(fn: FunctionNode, constant: Constant): boolean {
  if (fn.body.length === 0) return constant === null;
  const only = onlyIn(fn);
  if (constant === FIRST_PARAMETER) return only?.op === 'name' && only.name === fn.params[0]?.name;
  if (only?.op !== 'call') return only?.op === 'constant' && only.value === constant;
  const { callee } = only;
  if (callee.op !== 'name' || !fn.params.some(({ name }) => name === callee.name)) return false;
  const given = only.args.at(-1)?.value;
  return given?.op === 'constant' && given.value === constant;
}

/** Returns the only method that a function calls: `disable` for `c -> c.disable()` and for `Csrf::disable`. */
function calledName({ fn, path = '' }: AbstractValue): string {
  if (!fn) return path.slice(path.lastIndexOf('.') + 1);
  const only = onlyIn(fn.fn);
  return only?.op === 'call' && only.callee.op === 'member' ? only.callee.name : '';
}
