import { ALL_HARMS, bitOf, bitsOf, excludedBy, NO_QUOTE, QUOTED, RESOLVED } from '../harm.ts';
import type { Expr } from '../ir.ts';
import { store } from './assign.ts';
import { evaluate } from './evaluate.ts';
import type { Run } from './run.ts';
import { lookUp, type Scope } from './scope.ts';
import { rootsOf, taintOf, type Value } from './value.ts';

const STARTS =
  /^(?:startswith|startsWith|StartsWith|start_with\?|starts_with|str_starts_with|HasPrefix|is_relative_to|isInside)$/;
const HOLDS =
  /^(?:includes|contains|Contains|has|include\?|indexOf|index|find|strpos|str_contains|in_array|key\?|member\?|containsKey|ContainsKey|contains_key|exists)$/;
const MATCHES = /^(?:match|fullmatch|matches|Match|IsMatch|test|match\?|preg_match|MatchString|search)$/;
const PLAIN =
  /^(?:isdigit|isalnum|isdecimal|isnumeric|isalpha|isidentifier|is_numeric|ctype_digit|ctype_alnum|ctype_alpha|is_int|isInteger|isSafeInteger|isUUID|isAlphanumeric|isNumeric|isNumber)$/;
const ALLOWS =
  /^_?(?:is_?|has_?|check_?|validate_?|verify_?|assert_?)?(?:in_?)?(?:valid|allowed|safe|permitted|trusted|whitelisted|allowlisted|known|url_has_allowed_host_and_scheme|is_safe_url)/i;

/** What a condition that came out `held` rules out, written into `scope`, a branch's own. */
export function refine(run: Run, test: Expr, held: boolean, scope: Scope, depth = 12): void {
  if (depth === 0 || run.left <= 0) return;
  if (test.op === 'not') {
    refine(run, test.operand, !held, scope, depth - 1);
    return;
  }
  if (test.op === 'assign') {
    refine(run, test.value, held, scope, depth - 1);
    return;
  }
  if (test.op === 'binary') {
    if (test.operator === '&&' || test.operator === '||') {
      // Both sides are known when an `and` holds, or an `or` does not.
      if ((test.operator === '&&') === held) {
        refine(run, test.left, held, scope, depth - 1);
        refine(run, test.right, held, scope, depth - 1);
      }
      return;
    }
    compare(run, test, held, scope);
    return;
  }
  if (test.op === 'call') refineCall(run, test, held, scope);
}

function compare(run: Run, test: Extract<Expr, { op: 'binary' }>, held: boolean, scope: Scope): void {
  const { operator, left, right } = test;
  if (operator === 'in' || operator === 'not in') {
    contains(run, right, left, held === (operator === 'in'), scope);
    return;
  }
  const equal = /^(?:==|===|is|eql\?)$/.test(operator);
  if (equal || /^(?:!=|!==|is not)$/.test(operator)) {
    for (const [here, there] of [
      [left, right],
      [right, left],
    ] as const) {
      const other = quiet(run, there, scope);
      // `indexOf(..) === -1`, `test(..) === false`, `strpos(..) !== false`
      if (
        here.op === 'call' &&
        (other.constant === -1 || other.constant === false || other.constant === true)
      ) {
        refineCall(run, here, (held === equal) === (other.constant === true), scope);
        return;
      }
      if (held === equal && other.constant !== undefined && other.constant !== null)
        clean(run, here, ALL_HARMS, scope);
      else if (held === equal && !taintOf(other) && here.op === 'member')
        clean(run, here, bitsOf(['redirect', 'ssrf']), scope);
    }
    return;
  }
  if (left.op === 'call' && right.op === 'constant' && (operator === '>=' || operator === '>')) {
    refineCall(run, left, held, scope);
  } else if (left.op === 'call' && right.op === 'constant' && operator === '<')
    refineCall(run, left, !held, scope);
}

/** `what` is, or is not, in `whole`. */
function contains(run: Run, whole: Expr, what: Expr, held: boolean, scope: Scope): void {
  const [holder, part] = [quiet(run, whole, scope), quiet(run, what, scope)];
  if (typeof part.constant === 'string') {
    if (!held && taintOf(holder)) clean(run, whole, excludedBy(part.constant), scope);
    return;
  }
  if (!held || taintOf(holder)) return;
  clean(run, what, ALL_HARMS, scope);
}

function refineCall(run: Run, test: Extract<Expr, { op: 'call' }>, held: boolean, scope: Scope): void {
  const callee = test.callee;
  const name = callee.op === 'member' || callee.op === 'name' ? callee.name : '';
  const first = test.args[0]?.value;
  const second = test.args[1]?.value;
  const object = callee.op === 'member' ? callee.object : undefined;
  if (STARTS.test(name)) {
    starts(run, name, object, first, second, held, scope);
    return;
  }
  if (HOLDS.test(name) && first) {
    // As a method of the whole, or as a function of both: `in_array($x, $list)` names the part first.
    if (name === 'in_array') second && contains(run, second, first, held, scope);
    else if (second && (callee.op === 'name' || name === 'Contains'))
      contains(run, first, second, held, scope);
    else if (object) contains(run, object, first, held, scope);
    return;
  }
  if (MATCHES.test(name) && first) {
    if (!held) return;
    for (const side of [object, first, second]) if (side) clean(run, side, ALL_HARMS, scope);
    return;
  }
  if (PLAIN.test(name) && held) {
    const subject = first ?? object;
    if (subject) clean(run, subject, ALL_HARMS, scope);
  } else if (ALLOWS.test(name) && held) {
    for (const arg of test.args) clean(run, arg.value, ALL_HARMS, scope);
    if (object && test.args.length === 0) clean(run, object, ALL_HARMS, scope);
  }
}

function starts(
  run: Run,
  name: string,
  object: Expr | undefined,
  first: Expr | undefined,
  second: Expr | undefined,
  held: boolean,
  scope: Scope,
): void {
  const byFunction = second !== undefined && (name === 'HasPrefix' || name === 'str_starts_with');
  const subject = byFunction ? first : object;
  const start = byFunction ? second : first;
  if (!held || !subject || !start) return;
  const value = quiet(run, start, scope);
  const text = typeof value.constant === 'string' ? value.constant : undefined;
  if (text === "'" || text === '"') clean(run, subject, QUOTED, scope);
  else if (text !== undefined && /^(?:https?:\/\/[^/]+\/|\/(?!\/)|\.\/)/.test(text)) {
    clean(run, subject, bitsOf(['redirect', 'ssrf']), scope);
  }
  const roots = [...rootsOf(subject)];
  const resolved = roots.some((root) => ((taintOf(lookUp(scope, root) ?? {})?.clean ?? 0) & RESOLVED) !== 0);
  if (resolved && !taintOf(value)) clean(run, subject, bitOf('path'), scope);
}

/** What an expression is, with no fault said a second time. */
function quiet(run: Run, expr: Expr, scope: Scope): Value {
  if (expr.op === 'constant') return { constant: expr.value };
  if (expr.op === 'call' || expr.op === 'assign' || expr.op === 'function') {
    const root = rootsOf(expr)[0];
    return (root === undefined ? undefined : lookUp(scope, root)) ?? {};
  }
  return evaluate(run, expr, scope);
}

function isSource(run: Run, value: Value): boolean {
  const { path } = value;
  return (
    path !== undefined &&
    (run.rules.sources.find(path).length > 0 || /(?:^|\.)(?:req|request|ctx)$/.test(path))
  );
}

/** Marks the variables that an expression shows, and those they were made of, as no longer able to do `bits`. */
function clean(run: Run, expr: Expr, bits: number, scope: Scope): void {
  if (bits === 0) return;
  const part = expr.op === 'index' && !expr.index;
  const own = part ? bits & (NO_QUOTE | QUOTED) : bits;
  const roots = rootsOf(expr);
  if (roots.length === 0) return;
  if (expr.op !== 'name' && roots.some((root) => isSource(run, lookUp(scope, root) ?? { path: root }))) {
    // One member of the request was looked at, and not the request.
    const value = evaluate(run, expr, scope);
    if (value.taint) {
      store(run, expr, { ...value, taint: { ...value.taint, clean: value.taint.clean | own } }, scope);
      return;
    }
  }
  const names = new Set(roots);
  for (const name of [...names]) for (const from of lookUp(scope, name)?.from ?? []) names.add(from);
  for (const name of names) {
    const value = lookUp(scope, name);
    if (value?.taint) {
      scope.values.set(name, { ...value, taint: { ...value.taint, clean: value.taint.clean | own } });
    }
  }
  run.left--;
}
