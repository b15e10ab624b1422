import {
  ALL_HARM_BITS,
  bitOf,
  bitsOf,
  NO_FURTHER_QUOTE_BIT,
  preventedWithout,
  RESOLVED_PATH_BIT,
  STARTS_WITH_QUOTE_BIT,
} from '../harm.ts';
import type { Expr, ExprOf } from '../ir.ts';
import { storeValue } from './assign.ts';
import type { AnalysisRun } from './run.ts';
import { preventedByFilter } from './sanitize.ts';
import { methodByName, resolveName } from './values/objects.ts';
import { COUNT_MEMBERS } from './values/paths.ts';
import { createVariableScope, mergeBranches, variableOf } from './values/scope.ts';
import {
  type AbstractValue,
  findRootVariables,
  originExpression,
  repeatableCallKey,
  taintOf,
  UNKNOWN_VALUE,
  type VariableScope,
  withoutHarms,
} from './values/value.ts';

export function refineByCondition(
  run: AnalysisRun,
  test: Expr,
  isTrue: boolean,
  scope: VariableScope,
  depth = 12,
): void {
  if (depth === 0 || run.budget.left <= 0) return;
  switch (test.op) {
    case 'not':
      refineByCondition(run, test.operand, !isTrue, scope, depth - 1);
      return;
    case 'assign':
      refineByCondition(run, test.value, isTrue, scope, depth - 1);
      return;
    case 'name':
      refineByVariable(run, test, isTrue, scope, depth);
      return;
    case 'member':
      if (!isTrue && URL_HOST_MEMBERS.test(test.name))
        clean(run, test.object, bitsOf(['redirect', 'ssrf']), scope);
      return;
    case 'call':
      refineCall(run, test, isTrue, scope, depth);
      return;
    case 'index':
      // If `allowed[origin]` is true, `origin` is a key of `allowed`, and safe unless `allowed` is tainted.
      if (isTrue && test.index && !taintOf(quiet(run, test.object, scope)))
        clean(run, test.index, ALL_HARM_BITS, scope);
      return;
    case 'binary':
      if (test.operator !== '&&' && test.operator !== '||') compare(run, test, isTrue, scope);
      else if ((test.operator === '&&') === isTrue) {
        refineByCondition(run, test.left, isTrue, scope, depth - 1);
        refineByCondition(run, test.right, isTrue, scope, depth - 1);
      } else {
        // Either side may be true, so a value is safe only if both sides check the value: `a == 1 || a == 2`.
        const sides = [test.left, test.right].map((side) => {
          const own = createVariableScope(scope);
          refineByCondition(run, side, isTrue, own, depth - 1);
          return own;
        });
        if (sides.every(({ values }) => values.size > 0)) mergeBranches(scope, sides);
      }
      return;
  }
}

/** Marks variables as safe after a call that returns only if a test passes: `abort_unless($isAllowed, 403)`. */
export function refineByAssertion(run: AnalysisRun, call: ExprOf<'call'>, scope: VariableScope): void {
  const { callee, args } = call;
  const path = nameOfCallee(callee);
  const test = args[0]?.value;
  if (EXIT_FUNCTIONS.test(path) || (LEAVES.test(path) && THROWS_REDIRECTS.test(run.imports)))
    scope.ended = true;
  else if (test && (ASSERT_FUNCTIONS.test(path) || ABORT_IF_FUNCTIONS.test(path))) {
    refineByCondition(run, test, ASSERT_FUNCTIONS.test(path), scope);
  } else if (callee.op === 'member' && callee.name === 'relative_to') {
    starts(run, questionOf(call, true), scope);
  }
}

/** Matches functions of Next.js and SvelteKit that never return, because they throw an exception. */
const LEAVES = /^(?:redirect|permanentRedirect|error)$/;
const THROWS_REDIRECTS = /next\/navigation|@sveltejs\/kit/;

function nameOfCallee(callee: Expr): string {
  if (callee.op === 'name') return callee.name;
  return callee.op === 'member' && callee.object.op === 'name' ? `${callee.object.name}.${callee.name}` : '';
}

/** Applies a check whose result is in a variable: `ok = allowed.includes(name)` and later `if (ok)`. */
function refineByVariable(
  run: AnalysisRun,
  test: ExprOf<'name'>,
  isTrue: boolean,
  scope: VariableScope,
  depth: number,
): void {
  const question = variableOf(scope, test.name)?.test;
  if (!question) return;
  refineByCondition(run, question, isTrue, scope, depth - 1);
  // The variable is a match of a regular expression, so it contains only what the expression allows.
  if (
    isTrue &&
    question.op === 'call' &&
    isMatch(question) &&
    !matchesAnything(run, questionOf(question, true), scope)
  )
    clean(run, test, ALL_HARM_BITS, scope);
}

const EQUALS = /^(?:==|===|is)$/;
const DIFFERS = /^(?:!=|!==|is not)$/;

function compare(run: AnalysisRun, test: ExprOf<'binary'>, held: boolean, scope: VariableScope): void {
  const { operator, left, right } = test;
  if (operator === 'in' || operator === 'not in') {
    contains(run, right, left, held === (operator === 'in'), scope);
  } else if (operator === '=~' || operator === '!~') {
    const asked = { name: 'match', isFunction: false, second: undefined, args: [] };
    matches(run, { ...asked, object: left, first: right, held: held === (operator === '=~') }, scope);
  } else if (EQUALS.test(operator)) compareEqual(run, left, right, held, scope);
  else if (DIFFERS.test(operator)) compareEqual(run, left, right, !held, scope);
  else if (left.op === 'call' && right.op === 'constant') {
    if (operator === '>=' || operator === '>') refineCall(run, left, held, scope);
    else if (operator === '<') refineCall(run, left, !held, scope);
  }
}

function compareEqual(run: AnalysisRun, left: Expr, right: Expr, equal: boolean, scope: VariableScope): void {
  for (const [here, there] of [
    [left, right],
    [right, left],
  ] as const) {
    const other = quiet(run, there, scope);
    const { constant } = other;
    if (here.op === 'call' && compareCall(run, here, constant, equal, scope)) return;
    if (here.op === 'call' && equal && isFirstPart(here)) {
      startsAs(run, here, there, scope);
      return;
    }
    if (!equal && typeof constant === 'string' && /^(?:__proto__|constructor)$/.test(constant))
      clean(run, here, bitOf('prototype'), scope);
    if (!equal || (typeof constant === 'number' && isCount(here))) continue;
    if (constant !== undefined && constant !== null) clean(run, here, ALL_HARM_BITS, scope);
    else if (!taintOf(other) && here.op === 'member') {
      clean(run, here, bitsOf(['redirect', 'ssrf']), scope);
    }
  }
}

/** Handles a comparison with the beginning of a text, such as `substr($path, 0, 5) === $folder`. */
function startsAs(run: AnalysisRun, call: ExprOf<'call'>, start: Expr, scope: VariableScope): void {
  const question = questionOf(call, true);
  const isFunction = question.isFunction || question.name.startsWith('common');
  const asked = isFunction
    ? { name: 'str_starts_with', second: start }
    : { name: 'startsWith', first: start };
  starts(run, { ...question, ...asked }, scope);
}

/** Applies a check such as `a.indexOf(b) === -1`. Returns false if the comparison is not a known check. */
function compareCall(
  run: AnalysisRun,
  call: ExprOf<'call'>,
  constant: AbstractValue['constant'],
  equal: boolean,
  scope: VariableScope,
): boolean {
  const { callee, args } = call;
  if (callee.op === 'name' && callee.name === 'typeof') {
    const what = args[0]?.value;
    if (what && equal && typeof constant === 'string') clean(run, what, harmsWithoutType(constant), scope);
    return true;
  }
  // The comparison only names the result of the call: `indexOf(..) === -1`, `test(..) === false`.
  if (constant === -1 || constant === false || constant === true) {
    refineCall(run, call, equal === (constant === true), scope);
    return true;
  }
  // Position 0 means that the text begins with the searched text: `strpos($url, 'https://..') === 0`.
  if (constant === 0 && isPosition(callee)) {
    const name = callee.op === 'name' ? 'str_starts_with' : 'startsWith';
    refineCall(run, { ...call, callee: { ...callee, name } }, equal, scope);
    return true;
  }
  // `preg_match` returns 1 for a match and 0 for no match. In JavaScript, `match` returns null for no match.
  if ((constant === 0 || constant === 1 || constant === null) && isMatch(call)) {
    refineCall(run, call, equal === (constant === 1), scope);
    return true;
  }
  return false;
}

function isPosition(callee: Expr): callee is ExprOf<'name' | 'member'> {
  const isNamed = callee.op === 'name' || callee.op === 'member';
  return isNamed && /^(?:(?:mb_)?str(?:i)?pos|indexOf|IndexOf)$/.test(callee.name);
}

function harmsWithoutType(type: string): number {
  if (/^(?:number|boolean|bigint)$/.test(type)) return ALL_HARM_BITS;
  return type === 'string' ? bitsOf(['nosql']) : 0;
}

const isMatch = ({ callee }: ExprOf<'call'>): boolean =>
  (callee.op === 'member' || callee.op === 'name') && REGEX_CHECKS.test(callee.name);

const isCount = (expr: Expr): boolean =>
  expr.op === 'call' || (expr.op === 'member' && COUNT_MEMBERS.test(expr.name));

function contains(run: AnalysisRun, whole: Expr, what: Expr, held: boolean, scope: VariableScope): void {
  // In Python, `folder in path.parents` checks that the path is below the folder.
  if (held && whole.op === 'member' && whole.name === 'parents')
    clean(run, whole.object, bitOf('path'), scope);
  const [holder, part] = [quiet(run, whole, scope), quiet(run, what, scope)];
  if (typeof part.constant === 'string') {
    if (!held && taintOf(holder)) clean(run, whole, preventedWithout(part.constant), scope);
    return;
  }
  if (!held || taintOf(holder)) return;
  clean(run, what, ALL_HARM_BITS, scope);
}

type GuardQuestion = ReturnType<typeof questionOf>;

function refineCall(run: AnalysisRun, test: ExprOf<'call'>, held: boolean, scope: VariableScope, depth = 1) {
  const question = questionOf(test, held);
  const { name, first } = question;
  if (PREFIX_CHECKS.test(name)) starts(run, question, scope);
  else if (first && CONTAINMENT_CHECKS.test(name)) holds(run, question, first, scope);
  else if (first && EQUALITY_CHECKS.test(name)) {
    const other = question.second ?? question.object;
    if (other) compareEqual(run, first, other, held, scope);
  } else if (first && REGEX_CHECKS.test(name)) matches(run, question, scope);
  else if (isAbsence(name)) refineByAbsence(run, question, scope);
  else {
    if (held) accepts(run, question, scope);
    refineByPredicate(run, test, held, scope, depth - 4);
  }
}

/** Applies the condition that a function returns: `isTable(x)` checks `x` if `isTable` returns `tables.has(x)`. */
function refineByPredicate(
  run: AnalysisRun,
  { callee, args }: Extract<Expr, { op: 'call' }>,
  held: boolean,
  scope: VariableScope,
  depth: number,
): void {
  if (depth <= 0 || callee.op !== 'name' || args.length === 0) return;
  const closure = methodByName(run, scope, callee.name) ?? resolveName(run, scope, callee.name)?.fn;
  const [only, more] = closure?.fn.body ?? [];
  if (!closure || more || only?.op !== 'return' || !only.value) return;
  const inner = createVariableScope(closure.scope);
  const given = args.map(({ value }) => quiet(run, value, scope));
  for (const [at, { name }] of closure.fn.params.entries())
    inner.values.set(name, given[at] ?? UNKNOWN_VALUE);
  refineByCondition(closure.home as AnalysisRun, only.value, held, inner, depth);
  closure.fn.params.forEach(({ name }, at) => {
    const clear =
      (taintOf(inner.values.get(name) ?? {})?.clean ?? 0) & ~(taintOf(given[at] ?? {})?.clean ?? 0);
    const arg = args[at]?.value;
    if (arg) clean(run, arg, clear, scope);
  });
}

const isAbsence = (name: string): boolean =>
  name === 'isset' || name === 'empty' || name === 'IndexOfAny' || NOT_NUMBER_CHECKS.test(name);

/** Handles the checks `isset($columns[$name])`, `isNaN(id)`, and `name.IndexOfAny(invalid) >= 0`. */
function refineByAbsence(
  run: AnalysisRun,
  { name, object, args, held }: GuardQuestion,
  scope: VariableScope,
): void {
  if (name === 'isset' || name === 'empty') {
    for (const arg of args) if (held === (name === 'isset')) refineByCondition(run, arg, true, scope, 1);
  } else if (!held) {
    const [subject] = object ? [object] : args;
    if (subject) clean(run, subject, name === 'IndexOfAny' ? bitOf('path') : ALL_HARM_BITS, scope);
  }
}

function questionOf({ callee, args: given }: ExprOf<'call'>, held: boolean) {
  const args = given.map((arg) => arg.value);
  const isNamed = callee.op === 'member' || callee.op === 'name';
  const name = isNamed ? callee.name : '';
  const object = callee.op === 'member' ? callee.object : undefined;
  // Treats JavaScript's `Object.prototype.hasOwnProperty.call(map, key)` like `Object.hasOwn(map, key)`.
  if (name === 'call' && object?.op === 'member' && object.name === 'hasOwnProperty')
    return { name: 'hasOwn', isFunction: true, object, first: args[0], second: args[1], args, held };
  return { name, isFunction: callee.op === 'name', object, first: args[0], second: args[1], args, held };
}

function isFirstPart({ callee, args }: ExprOf<'call'>): boolean {
  if ((callee.op !== 'member' && callee.op !== 'name') || !PREFIX_FUNCTIONS.test(callee.name)) return false;
  const numbers = args.map(({ value }) => value);
  return numbers.some((one) => (one.op === 'constant' && one.value === 0) || one.op === 'list');
}

function holds(run: AnalysisRun, question: GuardQuestion, first: Expr, scope: VariableScope): void {
  const { name, object, second, held } = question;
  if (/^(?:in_array|array_search|(?:array_)?key_exists)$/.test(name)) {
    if (second) contains(run, second, first, held, scope);
  } else if (second && (question.isFunction || name === 'Contains' || name === 'hasOwn'))
    contains(run, first, second, held, scope);
  else if (object) contains(run, object, first, held, scope);
}

const ANY_TEXT = /^[/#~@]?\^?\(?\.[*+]\)?\$?(?:[/#~@]\w{0,9})?$/;

function matchesAnything(run: AnalysisRun, { object, first, second }: GuardQuestion, scope: VariableScope) {
  const sides = [object, first, second].map((side) => (side ? quiet(run, side, scope) : {}));
  return sides.some(({ constant, regex }) => ANY_TEXT.test(regex?.source ?? String(constant ?? '')));
}

function matches(run: AnalysisRun, question: GuardQuestion, scope: VariableScope): void {
  if (!question.held || matchesAnything(run, question, scope)) return;
  const { object, first, second } = question;
  for (const side of [object, first, second]) if (side) clean(run, side, ALL_HARM_BITS, scope);
}

function accepts(
  run: AnalysisRun,
  { name, object, first, second, args }: GuardQuestion,
  scope: VariableScope,
): void {
  if (PLAIN_VALUE_CHECKS.test(name)) {
    const subject = first ?? object;
    if (subject) clean(run, subject, ALL_HARM_BITS, scope);
  } else if (ALLOWLIST_CHECKS.test(name)) {
    for (const arg of args) clean(run, arg, ALL_HARM_BITS, scope);
    if (object && args.length === 0) clean(run, object, ALL_HARM_BITS, scope);
  } else if (SIGNATURE_CHECKS.test(name)) {
    trust(run, args, scope);
  } else if (name === 'IsLocal' && first) {
    clean(run, first, bitOf('path'), scope);
  } else if (name === 'filter_var' && first && second) {
    clean(run, first, preventedByFilter(quiet(run, second, scope).path), scope);
  }
}

/** Marks signed data as safe: `$data` after `hash_equals(hash_hmac('sha256', $data, $key), $signature)`. */
function trust(run: AnalysisRun, args: readonly Expr[], scope: VariableScope): void {
  const made = args.flatMap((arg) => (arg.op === 'name' ? (variableOf(scope, arg.name)?.test ?? []) : []));
  for (const one of [...args, ...[...args, ...made].flatMap((arg) => givenTo(arg))]) {
    clean(run, one, ALL_HARM_BITS, scope);
  }
}

/** Returns the arguments of a call and of earlier calls in its chain: `hmac.new(key, data).hexdigest()`. */
function givenTo(expr: Expr, depth = 4): readonly Expr[] {
  if (expr.op !== 'call' || depth === 0) return [];
  const { callee, args } = expr;
  const before = callee.op === 'member' ? givenTo(callee.object, depth - 1) : [];
  return [...args.map(({ value }) => value), ...before];
}

function isResolved(run: AnalysisRun, subject: Expr, scope: VariableScope): boolean {
  const roots = findRootVariables(subject).map((root) => variableOf(scope, root));
  // The call itself may resolve the path: `file.getCanonicalPath().startsWith(folder)`.
  if (subject.op === 'call' && subject.args.length < 2) roots.push(run.engine.evaluate(run, subject, scope));
  return roots.some((root) => ((taintOf(root ?? {})?.clean ?? 0) & RESOLVED_PATH_BIT) !== 0);
}

function starts(run: AnalysisRun, question: GuardQuestion, scope: VariableScope): void {
  const { name, object, first, second, held } = question;
  const byFunction = second !== undefined && (name === 'HasPrefix' || name === 'str_starts_with');
  const subject = byFunction ? (first?.op === 'list' ? first.items[0] : first) : object;
  const start = byFunction ? second : first;
  if (!subject || !start) return;
  const value = quiet(run, start, scope);
  const text = typeof value.constant === 'string' ? value.constant : undefined;
  // A relative path that does not begin with `..` stays inside the folder and is safe.
  if (!held && text?.startsWith('..')) clean(run, subject, bitOf('path'), scope);
  if (!held) return;
  if (text === "'" || text === '"') clean(run, subject, STARTS_WITH_QUOTE_BIT, scope);
  else if (text !== undefined && /^(?:https?:\/\/[^/]+\/|\/(?!\/)|\.\/)/.test(text)) {
    clean(run, subject, bitsOf(['redirect', 'ssrf']), scope);
  }
  // The check counts only if the folder is trusted. A parameter of the function counts as trusted.
  const isOwn = (taintOf(value)?.origin ?? 'param') === 'param';
  if (isOwn && isResolved(run, subject, scope)) clean(run, subject, bitOf('path'), scope);
}

/** Evaluates an expression without reporting findings again. For a call, uses its first variable. */
function quiet(run: AnalysisRun, expr: Expr, scope: VariableScope): AbstractValue {
  if (expr.op === 'constant') return { constant: expr.value };
  if (expr.op === 'call' || expr.op === 'assign' || expr.op === 'function') {
    const root = findRootVariables(expr)[0];
    return (root === undefined ? undefined : variableOf(scope, root)) ?? {};
  }
  return run.engine.evaluate(run, expr, scope);
}

const REQUEST = /(?:^|[.$])(?:req|request|ctx)$/;

function isWhole(run: AnalysisRun, value: AbstractValue | undefined): boolean {
  if (!value) return true;
  const { path } = value;
  return path !== undefined && (run.rules.sources.matching(path).length > 0 || REQUEST.test(path));
}

/** Matches members that return an object's name: a check of `cookie.getName()` does not check the content. */
const LABEL = /^(?:getName|getKey|Name|Key)$/;

function isLabel(expr: Expr): boolean {
  if (expr.op === 'call') return expr.args.length === 0 && isLabel(expr.callee);
  return expr.op === 'member' && LABEL.test(expr.name) && expr.object.op === 'name';
}

/** Marks later equal calls as safe, such as the second call in `if (ok.has(req.get('x'))) run(req.get('x'))`. */
function cleanRepeated(run: AnalysisRun, call: ExprOf<'call'>, bits: number, scope: VariableScope): void {
  const name = call.args.length > 0 ? repeatableCallKey(call) : undefined;
  const value = name === undefined ? UNKNOWN_VALUE : run.engine.evaluate(run, call, scope);
  if (name === undefined || !value.taint || value.taint.origin === 'param') return;
  run.checksCalls = true;
  scope.values.set(name, withoutHarms(value, bits));
}

/** Returns the part of an expression that a check makes safe. For a check of `parse(a.b)`, returns `a.b`. */
function subjectOf(given: Expr): Expr | undefined {
  let expr = given;
  for (let depth = 0; depth < 4 && (expr.op === 'call' || expr.op === 'member'); depth++) {
    const carrier: Expr | undefined = originExpression(expr);
    if (expr.op === 'member' && carrier?.op !== 'call') return expr;
    if (!carrier || carrier.op === 'constant') return undefined;
    expr = carrier;
  }
  return expr;
}

const OF_HOST = bitsOf(['redirect', 'ssrf', 'header', 'trust', 'log']);

/** Marks an expression's variables, and the variables they come from, as safe from the harms in `bits`. */
function clean(run: AnalysisRun, given: Expr, bits: number, scope: VariableScope): void {
  if (bits === 0 || isLabel(given)) return;
  if (given.op === 'call') cleanRepeated(run, given, bits, scope);
  const expr = subjectOf(given);
  if (!expr) return;
  const part = expr.op === 'index' && !expr.index;
  const own = part ? bits & (NO_FURTHER_QUOTE_BIT | STARTS_WITH_QUOTE_BIT) : bits;
  const roots = findRootVariables(expr);
  if (roots.length === 0) return;
  // A check of `req.get('x')` makes only this result safe, not the whole request. See `cleanRepeated`.
  if (given.op === 'call' && expr.op === 'name' && REQUEST.test(variableOf(scope, expr.name)?.path ?? ''))
    return;
  if (expr.op !== 'name' && roots.some((root) => isWhole(run, variableOf(scope, root)))) {
    // The condition checks one member of a request or similar object. Other members stay unsafe.
    const value = run.engine.evaluate(run, expr, scope);
    if (value.taint) {
      storeValue(run, expr, withoutHarms(value, own), scope);
      return;
    }
  }
  // A check of a URL's host does not check the URL's path and query.
  cleanVariables(
    roots,
    expr.op === 'member' && URL_HOST_MEMBERS.test(expr.name) ? own & OF_HOST : own,
    scope,
  );
  run.budget.left--;
}

function cleanVariables(roots: readonly string[], bits: number, scope: VariableScope): void {
  const names = new Set(roots);
  for (const name of roots) for (const from of variableOf(scope, name)?.from ?? []) names.add(from);
  for (const name of names) {
    const value = variableOf(scope, name);
    if (value?.taint) scope.values.set(name, withoutHarms(value, bits));
  }
}

const PREFIX_CHECKS =
  /^(?:startswith|startsWith|StartsWith|start_with\?|starts_with|str_starts_with|HasPrefix|is_relative_to|isInside)$/;

const CONTAINMENT_CHECKS =
  /^(?:includes|contains|Contains|has|include\?|indexOf|index|find|strpos|str_contains|in_array|key\?|member\?|containsKey|ContainsKey|contains_key|exists|hasOwn|hasOwnProperty|array_key_exists|key_exists|array_search)$/;

const REGEX_CHECKS = /^(?:match|fullmatch|matches|Match|IsMatch|test|match\?|preg_match|MatchString|search)$/;

const EQUALITY_CHECKS = /^(?:equals|equalsIgnoreCase|Equals|eql\?)$/;

const PLAIN_VALUE_CHECKS =
  /^(?:isdigit|isalnum|isdecimal|isnumeric|isalpha|isidentifier|is_numeric|ctype_digit|ctype_alnum|ctype_alpha|is_int|isInteger|isSafeInteger|isUUID|isAlphanumeric|isNumeric|isNumber|settype|ctype_xdigit|is_(?:float|long|bool|scalar_int)|isFinite|is(?:Int|Float|Decimal|Alpha|Hexadecimal|MongoId|ObjectId|ObjectIdOrHexString|Boolean|In|Port|IP|ISO8601|HexColor|Slug|MD5|ULID|Locale|validObjectId))$/;

const NOT_NUMBER_CHECKS = /^(?:isNaN|is_nan)$/;

/** Matches functions that compare signatures. Data with a valid signature is trusted. */
const SIGNATURE_CHECKS =
  /^(?:hash_equals|compare_digest|timingSafeEqual|secure_compare|fixed_length_secure_compare|FixedTimeEquals|ConstantTimeCompare|constant_time_compare)$/;

const PREFIX_FUNCTIONS =
  /^(?:(?:mb_)?substr|strncmp|strncasecmp|substring|slice|Substring|commonpath|commonprefix)$/;

/** Matches members that return the host of a parsed URL. A redirect to a URL without a host is safe. */
const URL_HOST_MEMBERS = /^(?:netloc|hostname|host|Host|authority)$/;

const ALLOWLIST_CHECKS =
  /^_?(?:is_?|has_?|check_?|validate_?|verify_?|assert_?)?(?:in(?!valid)_?)?(?:valid|allowed|safe|permitted|local_?url|trusted|whitelisted|allowlisted|known|url_has_allowed_host_and_scheme|is_safe_url)|^_?is_?(?!\w{0,40}(?:not|dis|un|in(?=valid|secure)))\w{0,40}(?:allowed|within|inside|permitted|trusted|whitelisted|allowlisted)/i;

const EXIT_FUNCTIONS =
  /^(?:(?:flask\.|werkzeug\.exceptions\.)?abort|(?:sys\.)?exit|die|quit|os\._exit|process\.exit|wp_die|wp_send_json(?:_error|_success)?|log\.(?:Fatal|Panic)(?:f|ln)?|os\.Exit|panic|System\.exit|Environment\.(?:Exit|FailFast)|notFound|forbidden|unauthorized)$/;

const ASSERT_FUNCTIONS =
  /^(?:abort_unless|throw_unless|assert|assert\.(?:ok|isTrue)|invariant|(?:Preconditions\.)?checkArgument|Assert\.isTrue|Validate\.isTrue|Debug\.Assert)$/;

const ABORT_IF_FUNCTIONS = /^(?:abort_if|throw_if|ArgumentException\.ThrowIf\w{1,40})$/;
