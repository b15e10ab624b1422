import { ALL_HARMS } from '../harm.ts';
import type { Expr } from '../ir.ts';
import { assignTo } from './assign.ts';
import { call, checkMatched } from './calls/call.ts';
import { invoke } from './calls/invoke.ts';
import { refine } from './guards.ts';
import { checkCompared } from './guessed.ts';
import { checkEntry, checkKey } from './names.ts';
import { pickedBy } from './predictable.ts';
import type { Run } from './run.ts';
import { foldBinary, format, quotient, truth } from './values/fold.ts';
import { classNamed, methodByName, partOf, variableIn } from './values/objects.ts';
import { memberOf, valueAt } from './values/paths.ts';
import { merge, scopeIn, variableOf } from './values/scope.ts';
import {
  join,
  MAX_COLLECTION_ITEMS,
  mixed,
  randomOf,
  type Scope,
  taintOf,
  UNKNOWN,
  type Value,
} from './values/value.ts';

const RUBY = /\.(?:rb|rake|erb)$/;

type Of<Op extends Expr['op']> = Extract<Expr, { op: Op }>;

export function evaluate(run: Run, expr: Expr, scope: Scope): Value {
  if (run.budget.left-- <= 0) return UNKNOWN;
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
      return call(run, expr, scope);
    case 'binary':
      return binary(run, expr, scope);
    case 'not': {
      const known = truth(evaluate(run, expr.operand, scope));
      return known === undefined ? UNKNOWN : { constant: !known };
    }
    case 'format':
      return format(expr.parts.map((part) => evaluate(run, part, scope)));
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
      return mixed(expr.parts.map((part) => evaluate(run, part, scope)));
  }
}

function named(run: Run, { name, line }: Of<'name'>, scope: Scope): Value {
  const value = variableIn(run, scope, name);
  if (value?.incoming && value.path !== undefined)
    return { ...valueAt(run, value.path, UNKNOWN, line), link: value.link };
  const word = run.deep ? (value ? value.fn : methodByName(run, scope, name)) : undefined;
  const self = word?.fn.word ? (variableOf(scope, 'self') ?? variableOf(scope, 'this')) : undefined;
  const given = word?.fn.word && invoke(run, word, [], self, line);
  const drawn = value || given ? undefined : drawnBy(run, name, line);
  if (drawn) return drawn;
  return given || value || valueAt(run, name, run.template ? putIn(run, name, line) : UNKNOWN, line);
}

/** Ruby calls a function by its name alone: `rand`. */
function drawnBy(run: Run, name: string, line: number): Value | undefined {
  if (!RUBY.test(run.path) || run.rules.random.matching(name).length === 0) return undefined;
  const note = `the output of ${name}() can be predicted`;
  return { path: name, random: { path: run.path, line, note, length: 1 } };
}

/** Returns the value that a program passes to its template under a name: unknown data. */
function putIn({ path }: Run, name: string, line: number): Value {
  return { taint: { origin: 'param', clean: 0, flow: { path, line, note: `parameter ${name}`, length: 1 } } };
}

function member(run: Run, expr: Of<'member'>, scope: Scope): Value {
  const object = evaluate(run, expr.object, scope);
  // The request fills a field whose type is a number or a date.
  const model = object.taint && object.model !== undefined ? classNamed(run, scope, object.model) : undefined;
  if (model?.scope.values.get(expr.name)?.fixed) return { fixed: true };
  const part = partOf(run, object, expr.name, expr.line);
  if (!part.fn?.fn.word || !run.deep) return part;
  return invoke(run, part.fn, [], object, expr.line) ?? part;
}

function index(run: Run, expr: Of<'index'>, scope: Scope): Value {
  const object = evaluate(run, expr.object, scope);
  const at = expr.index ? evaluate(run, expr.index, scope) : UNKNOWN;
  const key = at.constant;
  if (typeof key === 'number') {
    if (object.items) return object.items.at(key) ?? object.fields?.get(String(key)) ?? UNKNOWN;
    if (typeof object.constant === 'string') return { constant: object.constant.at(key) };
  }
  if (key !== undefined && object.fields) {
    const field = object.fields.get(String(key));
    if (field) return field;
    return object.taint ? { taint: object.taint } : UNKNOWN;
  }
  if (typeof key === 'string') return entryOf(run, object, key, expr.line);
  const taint = taintOf(object);
  const out = valueAt(run, `${object.path ?? '?'}[]`, taint ? { taint } : UNKNOWN, expr.line);
  if (!taint && (object.fixed || hasConstants(object))) return { ...out, fixed: true };
  return drawnFrom(out, randomOf(object) ?? pickedBy(object, at, expr.object));
}

function hasConstants({ items }: Value): boolean {
  return items !== undefined && items.length > 0 && items.every(({ constant }) => constant !== undefined);
}

function drawnFrom(value: Value, random: Value['random']): Value {
  return random ? { ...value, random } : value;
}

function entryOf(run: Run, object: Value, key: string, line: number): Value {
  const isOutside = object.taint !== undefined && object.taint.origin !== 'param';
  const each = isOutside ? undefined : valueAt(run, `${object.path ?? '?'}[]`, UNKNOWN, line);
  return each?.taint ? each : memberOf(run, object, key, line);
}

function list(items: readonly Value[]): Value {
  return items.length <= MAX_COLLECTION_ITEMS ? { items } : mixed(items);
}

function dict(run: Run, expr: Of<'dict'>, scope: Scope): Value {
  const fields = new Map<string, Value>();
  let rest: Value = UNKNOWN;
  const written: { key: string; value: Value; line: number }[] = [];
  for (const entry of expr.entries) {
    const value = evaluate(run, entry.value, scope);
    const key = entry.key ? evaluate(run, entry.key, scope).constant : undefined;
    if (key !== undefined && fields.size < MAX_COLLECTION_ITEMS) fields.set(String(key), value);
    else if (!entry.key && value.fields && fields.size + value.fields.size < MAX_COLLECTION_ITEMS) {
      for (const [name, one] of value.fields) fields.set(name, one);
      rest = mixed([rest, { taint: value.taint }]);
    } else rest = mixed([rest, value]);
    if (key === undefined) continue;
    written.push({ key: String(key), value, line: entry.value.line });
    checkEntry(run, String(key), value);
  }
  for (const { key, value, line } of written) checkKey(run, key, value, line, fields);
  return { fields, taint: rest.taint };
}

function choice(run: Run, expr: Of<'choice'>, scope: Scope): Value {
  const known = truth(evaluate(run, expr.test, scope));
  if (known !== undefined) return evaluate(run, known ? expr.yes : expr.no, scope);
  const [yes, no] = [scopeIn(scope), scopeIn(scope)];
  refine(run, expr.test, true, yes);
  refine(run, expr.test, false, no);
  const values = [evaluate(run, expr.yes, yes), evaluate(run, expr.no, no)] as const;
  merge(scope, [yes, no]);
  return join(values[0], values[1]);
}

const COMPARES = new Set(
  '== === != !== < > <= >= in instanceof is <=> =~ !~'.split(' ').concat('not in', 'is not'),
);
/** Operators that return a number. The empty string stands for an operator that the parser does not name. */
const NUMERIC = new Set(['', '-', '*', '&', '|', '^', '<<', '>>']);

/** Files of languages in which dividing two whole numbers gives a whole number. */
const DIVIDES_WHOLE = /\.(?:java|cs|go|rb)$/;

function binary(run: Run, expr: Of<'binary'>, scope: Scope): Value {
  const { operator } = expr;
  if (operator === '&&' || operator === '||' || operator === '??') return either(run, expr, scope);
  const left = evaluate(run, expr.left, scope);
  const right = evaluate(run, expr.right, scope);
  if (left.constant !== undefined && right.constant !== undefined) {
    const isWhole = operator === '/' && DIVIDES_WHOLE.test(run.path);
    const [a, b] = [left.constant, right.constant];
    const constant = isWhole ? quotient(a, b) : foldBinary(operator, a, b);
    if (constant !== undefined) return { constant };
  }
  if (!COMPARES.has(operator)) return combined(operator, left, right);
  if (operator === '=~') checkMatched(run, left, right, expr.line);
  else checkCompared(run, expr, left, right);
  return UNKNOWN;
}

function combined(operator: string, left: Value, right: Value): Value {
  if (operator === '+') {
    if (left.items && right.items) return list([...left.items, ...right.items]);
    return format([left, right]);
  }
  if (operator === '%' && typeof left.constant === 'string') {
    return format([left, ...(right.items ?? [right])]);
  }
  const both = mixed([left, right]);
  // A path joined with `/` remains a path.
  if (operator === '/') {
    const path = left.path ?? right.path;
    return path === undefined ? both : { ...both, path };
  }
  // Options that are combined: `LIBXML_NOENT | LIBXML_DTDLOAD`.
  const path = operator === '|' && left.path !== undefined ? `${left.path}|${right.path ?? ''}` : undefined;
  return NUMERIC.has(operator) ? { ...harmless(both), path: path?.slice(0, 160) } : both;
}

/** Clears the taint of an arithmetic result, since a number can do no harm. */
function harmless(value: Value): Value {
  return value.taint ? { ...value, taint: { ...value.taint, clean: ALL_HARMS } } : value;
}

/** Evaluates `&&`, `||` and `??`, whose result depends on the first operand. */
function either(run: Run, expr: Of<'binary'>, scope: Scope): Value {
  const left = evaluate(run, expr.left, scope);
  const known = expr.operator === '??' ? undefined : truth(left);
  const isAnd = expr.operator === '&&';
  if (known !== undefined && known !== isAnd) return left;
  const inner = scopeIn(scope);
  refine(run, expr.left, isAnd, inner);
  const right = evaluate(run, expr.right, inner);
  merge(scope, [inner, scopeIn(scope)]);
  if (known !== undefined) return right;
  return isAnd ? ifReached(right) : join(left, right);
}

function ifReached(right: Value): Value {
  if (right.constant === undefined || truth(right) === false) return right;
  return { ...right, constant: undefined, fixed: true };
}
