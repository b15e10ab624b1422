import { ALL_HARMS } from '../harm.ts';
import type { Expr } from '../ir.ts';
import { assignTo } from './assign.ts';
import { call } from './call.ts';
import { foldBinary, format, truth } from './fold.ts';
import { refine } from './guards.ts';
import { passes } from './report.ts';
import type { Run } from './run.ts';
import { lookUp, merge, type Scope, scopeIn } from './scope.ts';
import { further, join, LARGEST, stronger, taintOf, UNKNOWN, type Value } from './value.ts';

const LONGEST_PATH = 160;

/** What an expression may be; faults in it are said on the way. */
export function evaluate(run: Run, expr: Expr, scope: Scope): Value {
  if (run.left-- <= 0) return UNKNOWN;
  switch (expr.op) {
    case 'constant':
      return { constant: expr.value };
    case 'name':
      return lookUp(scope, expr.name) ?? named(run, expr.name, UNKNOWN, expr.line);
    case 'member':
      return member(run, evaluate(run, expr.object, scope), expr.name, expr.line);
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
      const fn = { fn: expr.fn, scope };
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

/** A dotted path, which may be where data comes in. */
export function named(run: Run, path: string, from: Value, line: number): Value {
  if (path.length > LONGEST_PATH) return from.taint ? { taint: from.taint } : UNKNOWN;
  if (run.rules.harmless.find(path).length > 0) return { path };
  const source = run.rules.sources.find(path)[0];
  if (source) {
    const taint = { origin: source.origin, clean: 0, way: { line, note: source.note, length: 1 } };
    return { path, taint: from.taint?.origin === source.origin ? from.taint : taint };
  }
  return from.taint ? { path, taint: from.taint } : { path };
}

const COUNTS = /^(?:length|size|count|byteLength|Length|Count|status|statusCode|status_code|ok)$/;

/** A member of a value, with what comes from it. */
export function member(run: Run, object: Value, name: string, line: number): Value {
  const field = object.fields?.get(name);
  if (field) return field;
  if (COUNTS.test(name)) return UNKNOWN;
  const value = named(run, `${object.path ?? '?'}.${name}`, object, line);
  return object.random && !value.random ? { ...value, random: object.random } : value;
}

function index(run: Run, expr: Extract<Expr, { op: 'index' }>, scope: Scope): Value {
  const object = evaluate(run, expr.object, scope);
  const at = expr.index ? evaluate(run, expr.index, scope) : UNKNOWN;
  const key = at.constant;
  if (typeof key === 'number') {
    if (object.items) return object.items.at(key) ?? UNKNOWN;
    if (typeof object.constant === 'string') return { constant: object.constant.at(key) ?? '' };
  }
  if (key !== undefined && object.fields) {
    const field = object.fields.get(String(key));
    if (field) return field;
    return object.taint ? { taint: object.taint } : UNKNOWN;
  }
  if (typeof key === 'string') return member(run, object, key, expr.line);
  const taint = taintOf(object);
  const out = named(run, `${object.path ?? '?'}[]`, taint ? { taint } : UNKNOWN, expr.line);
  return object.random ? { ...out, random: object.random } : out;
}

function list(items: readonly Value[]): Value {
  return items.length <= LARGEST ? { items } : mixed(items);
}

/** All that several values carry, without their places. */
export function mixed(values: readonly Value[]): Value {
  let out: Value = UNKNOWN;
  for (const value of values) {
    const taint = stronger(out.taint, taintOf(value));
    const random = out.random ?? value.random;
    out = { taint, random };
  }
  return out;
}

function dict(run: Run, expr: Extract<Expr, { op: 'dict' }>, scope: Scope): Value {
  const fields = new Map<string, Value>();
  let rest: Value = UNKNOWN;
  for (const entry of expr.entries) {
    const value = evaluate(run, entry.value, scope);
    const key = entry.key ? evaluate(run, entry.key, scope).constant : undefined;
    if (key !== undefined && fields.size < LARGEST) fields.set(String(key), value);
    else if (!entry.key && value.fields && fields.size + value.fields.size < LARGEST) {
      for (const [name, one] of value.fields) fields.set(name, one);
      if (value.taint) rest = mixed([rest, { taint: value.taint }]);
    } else rest = mixed([rest, value]);
    if (key !== undefined) checkKey(run, String(key), value, entry.value.line);
  }
  return { fields, taint: rest.taint };
}

/** Keys that are wrong in any object: `rejectUnauthorized: false`. */
export function checkKey(run: Run, key: string, value: Value, line: number): void {
  for (const check of run.rules.rules.keyChecks) {
    if (check.key.test(key) && passes(value, check.is)) run.hit({ rule: check.rule, line });
  }
}

function choice(run: Run, expr: Extract<Expr, { op: 'choice' }>, scope: Scope): Value {
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

function binary(run: Run, expr: Extract<Expr, { op: 'binary' }>, scope: Scope): Value {
  const { operator } = expr;
  if (operator === '&&' || operator === '||' || operator === '??') return either(run, expr, scope);
  const left = evaluate(run, expr.left, scope);
  const right = evaluate(run, expr.right, scope);
  if (left.constant !== undefined && right.constant !== undefined) {
    const constant = foldBinary(operator, left.constant, right.constant);
    if (constant !== undefined) return { constant };
  }
  if (COMPARES.has(operator)) return UNKNOWN;
  if (operator === '+' || operator === '.') {
    if (left.items && right.items) return list([...left.items, ...right.items]);
    return format([left, right]);
  }
  if (operator === '%' && typeof left.constant === 'string') {
    return format([left, ...(right.items ?? [right])]);
  }
  const both = mixed([left, right]);
  // A path joined with `/` stays a path.
  if (operator === '/') {
    const path = left.path ?? right.path;
    return path === undefined ? both : { ...both, path };
  }
  // Numbers carry nothing that could harm.
  return '-*&|^'.includes(operator) || operator === '<<' || operator === '>>' ? without(both) : both;
}

function without(value: Value): Value {
  return value.taint ? { ...value, taint: { ...value.taint, clean: ALL_HARMS } } : value;
}

/** One of two, by what the first is. */
function either(run: Run, expr: Extract<Expr, { op: 'binary' }>, scope: Scope): Value {
  const left = evaluate(run, expr.left, scope);
  const known = expr.operator === '??' ? undefined : truth(left);
  const isAnd = expr.operator === '&&';
  if (known !== undefined && known !== isAnd) return left;
  const inner = scopeIn(scope);
  if (expr.operator !== '??') refine(run, expr.left, isAnd, inner);
  const right = evaluate(run, expr.right, inner);
  merge(scope, [inner, scopeIn(scope)]);
  if (known !== undefined) return right;
  return isAnd ? right : join(left, right);
}

/** Whatever a loop goes over gives at each turn. */
export function elementOf(run: Run, over: Value, line: number): Value {
  if (over.items && over.items.length > 0) return over.items.reduce((a, b) => join(a, b));
  if (over.path !== undefined) {
    const taint = taintOf(over);
    return named(
      run,
      `${over.path}[]`,
      taint ? { taint: further(taint, line, 'each of them') } : UNKNOWN,
      line,
    );
  }
  const taint = taintOf(over);
  return taint ? { taint } : UNKNOWN;
}
