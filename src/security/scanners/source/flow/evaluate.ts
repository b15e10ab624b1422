import { ALL_HARM_BITS, bitOf, bitsOf } from '../harm.ts';
import type { Expr, ExprOf } from '../ir.ts';
import { assignTo } from './assign.ts';
import { checkMatchOperator, evaluateCall } from './calls/call.ts';
import { evaluateClosure } from './calls/evaluate-closure.ts';
import { phpFileConstant } from './calls/include.ts';
import { refineByCondition } from './guards.ts';
import { checkObjectKey, checkSecretEntry } from './names.ts';
import { findElementRandomness } from './predictable.ts';
import { checkSecretComparison } from './public-digests.ts';
import type { AnalysisRun } from './run.ts';
import { concatenateValues, divideConstants, evaluateTruth, foldBinary } from './values/fold.ts';
import { isFieldWithoutFreeText, methodByName, readMemberOrMethod, resolveName } from './values/objects.ts';
import { readValueMember, valueAtPath } from './values/paths.ts';
import { createVariableScope, mergeBranches, variableOf } from './values/scope.ts';
import {
  type AbstractValue,
  choicesIn,
  findPredictableRandomness,
  isOfConstants,
  joinValues,
  MAX_TRACKED_ELEMENTS,
  mergeTaints,
  taintOf,
  UNKNOWN_VALUE,
  type VariableScope,
  withoutHarms,
} from './values/value.ts';

const RUBY = /\.(?:rb|rake|erb)$/;

export function evaluate(run: AnalysisRun, expr: Expr, scope: VariableScope): AbstractValue {
  if (run.budget.left-- <= 0) return UNKNOWN_VALUE;
  switch (expr.op) {
    case 'constant':
      return { constant: expr.value };
    case 'name':
      return named(run, expr, scope);
    case 'regex':
      return { path: expr.name, regex: { source: expr.source, flags: expr.flags } };
    case 'member':
      return member(run, expr, scope);
    case 'index':
      return index(run, expr, scope);
    case 'call':
      return evaluateCall(run, expr, scope);
    case 'binary':
      return binary(run, expr, scope);
    case 'not': {
      const known = evaluateTruth(evaluate(run, expr.operand, scope));
      return known === undefined ? UNKNOWN_VALUE : { constant: !known };
    }
    case 'format':
      return (expr.template ? concatenateValues : joinTexts)(
        expr.parts.map((part) => evaluate(run, part, scope)),
      );
    case 'list':
      return list(expr.items.map((item) => evaluate(run, item, scope)));
    case 'dict':
      return dict(run, expr, scope);
    case 'choice':
      return choice(run, expr, scope);
    case 'function': {
      const fn = { home: run, fn: expr.fn, scope };
      run.pending.push(fn);
      return { fn };
    }
    case 'assign': {
      const value = evaluate(run, expr.value, scope);
      return assignTo(run, expr.target, value, scope, expr);
    }
    case 'some':
      return mergeTaints(expr.parts.map((part) => evaluate(run, part, scope)));
  }
}

function named(run: AnalysisRun, { name, line }: ExprOf<'name'>, scope: VariableScope): AbstractValue {
  const value = resolveName(run, scope, name) ?? phpFileConstant(run, name);
  if (value?.incoming && value.path !== undefined)
    return { ...valueAtPath(run, value.path, UNKNOWN_VALUE, line), link: value.link };
  const word = run.deep ? (value ? value.fn : methodByName(run, scope, name)) : undefined;
  const self = word?.fn.word ? (variableOf(scope, 'self') ?? variableOf(scope, 'this')) : undefined;
  const given = word?.fn.word && evaluateClosure(run, word, [], self, line)?.value;
  const drawn = value || given ? undefined : drawnBy(run, name, line);
  if (drawn) return drawn;
  // In C#, a method's name without parentheses is the method as a value, for example as a callback.
  if (!given && !value && word && CSHARP.test(run.path)) return { fn: word, path: name };
  return (
    given || value || valueAtPath(run, name, run.template ? putIn(run, name, line) : UNKNOWN_VALUE, line)
  );
}

const CSHARP = /\.cs$/;

function drawnBy(run: AnalysisRun, name: string, line: number): AbstractValue | undefined {
  if (!RUBY.test(run.path) || run.rules.random.matching(name).length === 0) return undefined;
  const note = `the output of ${name}() can be predicted`;
  return { path: name, random: { path: run.path, line, note, length: 1 } };
}

function putIn({ path }: AnalysisRun, name: string, line: number): AbstractValue {
  return { taint: { origin: 'param', clean: 0, flow: { path, line, note: `parameter ${name}`, length: 1 } } };
}

function member(run: AnalysisRun, expr: ExprOf<'member'>, scope: VariableScope): AbstractValue {
  const object = evaluate(run, expr.object, scope);
  if (isFieldWithoutFreeText(run, object, expr.name, scope)) return { fixed: true };
  const found = readMemberOrMethod(run, object, expr.name, expr.line);
  const isAddressPart = ADDRESS_PART.test(expr.name) && PARSED_ADDRESS.test(object.path ?? '');
  const part = isAddressPart ? withoutHarms(found, bitsOf(['redirect', 'ssrf'])) : found;
  if (!part.fn?.fn.word || !run.deep) return part;
  return evaluateClosure(run, part.fn, [], object, expr.line)?.value ?? part;
}

const ADDRESS_PART = /^(?:path(?:name)?|Path|request_uri|PathAndQuery|AbsolutePath)$/;
const PARSED_ADDRESS = /(?:^|\.)(?:URL|Uri|URI|urlparse|urlsplit|(?:url|URI)\.[Pp]arse)\(\)$/;

const ARGUMENTS = /^(?:os\.Args|sys\.argv|process\.argv)$/;

function itemAt(object: AbstractValue, key: number): AbstractValue | undefined {
  if (key === 0 && ARGUMENTS.test(object.path ?? '')) return { fixed: true };
  if (object.items) return object.items.at(key) ?? object.fields?.get(String(key)) ?? UNKNOWN_VALUE;
  return typeof object.constant === 'string' ? { constant: object.constant.at(key) } : undefined;
}

function index(run: AnalysisRun, expr: ExprOf<'index'>, scope: VariableScope): AbstractValue {
  const object = evaluate(run, expr.object, scope);
  const at = expr.index ? evaluate(run, expr.index, scope) : UNKNOWN_VALUE;
  const key = at.constant;
  const numbered = typeof key === 'number' ? itemAt(object, key) : undefined;
  if (numbered) return numbered;
  if (key !== undefined && object.fields) {
    const field = object.fields.get(String(key));
    if (field) return field;
    return object.taint ? { taint: object.taint } : UNKNOWN_VALUE;
  }
  if (typeof key === 'string') return entryOf(run, object, key, expr.line);
  const taint = taintOf(object);
  const out = valueAtPath(run, `${object.path ?? '?'}[]`, taint ? { taint } : UNKNOWN_VALUE, expr.line);
  if (!taint && (object.fixed || isOfConstants(object)))
    return { ...out, fixed: true, choices: choicesIn(object) };
  return drawnFrom(out, findPredictableRandomness(object) ?? findElementRandomness(object, at, expr.object));
}

const drawnFrom = (value: AbstractValue, random: AbstractValue['random']): AbstractValue =>
  random ? { ...value, random } : value;

function entryOf(run: AnalysisRun, object: AbstractValue, key: string, line: number): AbstractValue {
  const isOutside = object.taint !== undefined && object.taint.origin !== 'param';
  const each = isOutside ? undefined : valueAtPath(run, `${object.path ?? '?'}[]`, UNKNOWN_VALUE, line);
  return each?.taint ? each : readValueMember(run, object, key, line);
}

const list = (items: readonly AbstractValue[]): AbstractValue =>
  items.length <= MAX_TRACKED_ELEMENTS ? { items } : mergeTaints(items);

const CONSTANT_NAME = /^[A-Z][A-Z\d]{0,40}_[A-Z\d_]{1,60}$/;

function dict(run: AnalysisRun, expr: ExprOf<'dict'>, scope: VariableScope): AbstractValue {
  const fields = new Map<string, AbstractValue>();
  let rest: AbstractValue = UNKNOWN_VALUE;
  const written: { key: string; value: AbstractValue; line: number }[] = [];
  for (const entry of expr.entries) {
    const value = evaluate(run, entry.value, scope);
    const at = entry.key && evaluate(run, entry.key, scope);
    // The value of a constant such as PHP's `CURLOPT_URL` may be unknown. Then the constant's name is the key.
    const key = at?.constant ?? (CONSTANT_NAME.test(at?.path ?? '') ? at?.path : undefined);
    if (key !== undefined && fields.size < MAX_TRACKED_ELEMENTS) fields.set(String(key), value);
    else if (!entry.key && value.fields && fields.size + value.fields.size < MAX_TRACKED_ELEMENTS) {
      for (const [name, one] of value.fields) fields.set(name, one);
      rest = mergeTaints([rest, { taint: value.taint }]);
    } else rest = mergeTaints([rest, value]);
    if (key === undefined) continue;
    written.push({ key: String(key), value, line: entry.value.line });
    checkSecretEntry(run, String(key), value);
  }
  for (const { key, value, line } of written) checkObjectKey(run, key, value, line, fields);
  return { fields, taint: rest.taint };
}

function choice(run: AnalysisRun, expr: ExprOf<'choice'>, scope: VariableScope): AbstractValue {
  const known = evaluateTruth(evaluate(run, expr.test, scope));
  if (known !== undefined) return evaluate(run, known ? expr.yes : expr.no, scope);
  const [yes, no] = [createVariableScope(scope), createVariableScope(scope)];
  refineByCondition(run, expr.test, true, yes);
  refineByCondition(run, expr.test, false, no);
  const values = [evaluate(run, expr.yes, yes), evaluate(run, expr.no, no)] as const;
  mergeBranches(scope, [yes, no]);
  return joinValues(values[0], values[1]);
}

const COMPARES = new Set(
  '== === != !== < > <= >= in instanceof is <=> =~ !~'.split(' ').concat('not in', 'is not'),
);
/** Operators that always give a number. `''` is an operator that the syntax tree does not name. */
const NUMERIC = new Set(['', '-', '*', '&', '|', '^', '<<', '>>']);

const DIVIDES_WHOLE = /\.(?:java|cs|go|rb)$/;

function binary(run: AnalysisRun, expr: ExprOf<'binary'>, scope: VariableScope): AbstractValue {
  const { operator } = expr;
  if (operator === '&&' || operator === '||' || operator === '??') return either(run, expr, scope);
  const left = evaluate(run, expr.left, scope);
  const right = evaluate(run, expr.right, scope);
  if (left.constant !== undefined && right.constant !== undefined) {
    const isWhole = operator === '/' && DIVIDES_WHOLE.test(run.path);
    const [a, b] = [left.constant, right.constant];
    const constant = isWhole ? divideConstants(a, b) : foldBinary(operator, a, b);
    if (constant !== undefined) return { constant };
  }
  if (!COMPARES.has(operator)) return combined(run, operator, left, right);
  if (operator === '=~') checkMatchOperator(run, left, right, expr.line);
  else checkSecretComparison(run, expr, left, right);
  return UNKNOWN_VALUE;
}

function combined(
  { path: file }: AnalysisRun,
  operator: string,
  left: AbstractValue,
  right: AbstractValue,
): AbstractValue {
  if (operator === '+') {
    if (left.items && right.items) return list([...left.items, ...right.items]);
    // In PHP, `+` gives a number unless an operand is an array. Texts are joined with a dot.
    const isList = [left, right].some((one) => one.fields || LISTS_OF_REQUEST.test(one.path ?? ''));
    if (PHP.test(file) && !isList) return { ...harmless(mergeTaints([left, right])), fixed: true };
    return joinTexts([left, right]);
  }
  // `Markup('..') % value` (Python's MarkupSafe) escapes the inserted values.
  if (operator === '%' && MARKUP.test(left.path ?? ''))
    return withoutHarms(mergeTaints([left, right]), bitOf('xss'));
  if (operator === '%' && typeof left.constant === 'string') {
    return concatenateValues([left, ...(right.items ?? right.fields?.values() ?? [right])]);
  }
  return computed(operator, left, right);
}

function joinTexts(parts: readonly AbstractValue[]): AbstractValue {
  const joined = concatenateValues(parts);
  const markup = parts.find(({ path }) => MARKUP.test(path ?? ''));
  return markup ? { ...withoutHarms(joined, bitOf('xss')), path: markup.path } : joined;
}

function computed(operator: string, left: AbstractValue, right: AbstractValue): AbstractValue {
  // Python's `['?'] * len(ids)` repeats a constant list, so the result is harmless.
  if (operator === '*' && [left, right].some(isTextOrConstants)) return { fixed: true };
  const both = mergeTaints([left, right]);
  // `/` may join a folder and a file name: `Path(a) / b`. The result then keeps the `path` of an operand.
  if (operator === '/') {
    const path = left.path ?? right.path;
    return path === undefined ? both : { ...both, path };
  }
  // `|` combines options. The `path` of the result has both names: `LIBXML_NOENT|LIBXML_DTDLOAD`.
  const path = operator === '|' && left.path !== undefined ? `${left.path}|${right.path ?? ''}` : undefined;
  if (!NUMERIC.has(operator)) return both;
  return {
    ...harmless(both),
    path: path?.slice(0, 160),
    fixed: (operator !== '' && path === undefined) || undefined,
  };
}

const LISTS_OF_REQUEST = /^\$_(?:GET|POST|REQUEST|COOKIE|SERVER|FILES|ENV|SESSION)$/;
const PHP = /\.(?:php|phtml)$/;
const MARKUP = /(?:^|\.)Markup\(\)$/;

const isTextOrConstants = ({ constant, items = [] }: AbstractValue): boolean =>
  typeof constant === 'string' || (items.length > 0 && items.every((item) => item.constant !== undefined));

const harmless = (value: AbstractValue): AbstractValue =>
  value.taint ? { ...value, taint: { ...value.taint, clean: ALL_HARM_BITS } } : value;

function either(run: AnalysisRun, expr: ExprOf<'binary'>, scope: VariableScope): AbstractValue {
  const left = evaluate(run, expr.left, scope);
  const known = expr.operator === '??' ? undefined : evaluateTruth(left);
  const isAnd = expr.operator === '&&';
  if (known !== undefined && known !== isAnd) return left;
  const inner = createVariableScope(scope);
  refineByCondition(run, expr.left, isAnd, inner);
  const right = evaluate(run, expr.right, inner);
  mergeBranches(scope, [inner, createVariableScope(scope)]);
  if (known !== undefined) return right;
  return isAnd ? ifReached(right) : joinValues(left, right);
}

function ifReached(right: AbstractValue): AbstractValue {
  if (right.constant === undefined || evaluateTruth(right) === false) return right;
  return { ...right, constant: undefined, fixed: true };
}
