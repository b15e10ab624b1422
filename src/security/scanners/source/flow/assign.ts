import type { Expr } from '../ir.ts';
import type { Test } from '../rule.ts';
import { checkKey, elementOf, evaluate, member } from './evaluate.ts';
import { format } from './fold.ts';
import { judge, passes } from './report.ts';
import type { Run } from './run.ts';
import { lookUp, type Scope } from './scope.ts';
import { further, join, LARGEST, randomOf, rootsOf, taintOf, UNKNOWN, type Value } from './value.ts';

/** How an assignment is written. */
export interface Written {
  readonly value: Expr;
  readonly adds: boolean;
  readonly line: number;
}

/** Puts a value where an expression says, and looks at faults of the place; gives what is there then. */
export function assignTo(run: Run, target: Expr, value: Value, scope: Scope, written: Written): Value {
  const line = written.line;
  if (target.op === 'list') {
    target.items.forEach((item, at) => {
      const part = value.items?.[at] ?? elementOf(run, value, line);
      assignTo(run, item, part, scope, { ...written, adds: false });
    });
    return value;
  }
  if (target.op === 'dict') {
    for (const { key, value: into } of target.entries) {
      const name = key?.op === 'constant' ? String(key.value) : undefined;
      const part = name === undefined ? value : member(run, value, name, line);
      const plain = into.op === 'assign' ? into.target : into;
      assignTo(run, plain, part, scope, { ...written, adds: false });
    }
    return value;
  }
  if (target.op === 'name') {
    const before = written.adds ? lookUp(scope, target.name) : undefined;
    const next = written.adds ? added(before ?? UNKNOWN, value) : value;
    const put = onWay(next, target.name, written);
    scope.values.set(target.name, put);
    checkName(run, target.name, put, written);
    return put;
  }
  if (target.op === 'member' || target.op === 'index')
    return assignInside(run, target, value, scope, written);
  return value;
}

function added(before: Value, value: Value): Value {
  if (before.items && value.items && before.items.length + value.items.length <= LARGEST) {
    return { ...before, items: [...before.items, ...value.items] };
  }
  if (typeof before.constant === 'number' && typeof value.constant === 'number') {
    return { constant: before.constant + value.constant };
  }
  const text = format([before, value]);
  return before.path !== undefined && text.constant === undefined ? { ...text, path: before.path } : text;
}

/** The value with the variable as a step on its way, and with what it was made of. */
function onWay(value: Value, name: string, written: Written): Value {
  const from = written.value.op === 'name' || written.value.op === 'constant' ? [] : rootsOf(written.value);
  const same = from.length === 0 || (from.length === 1 && from[0] === name);
  if (!value.taint && same) return value;
  return {
    ...value,
    ...(value.taint && { taint: further(value.taint, written.line, `into ${name}`) }),
    ...(!same && { from }),
  };
}

function assignInside(
  run: Run,
  target: Extract<Expr, { op: 'member' | 'index' }>,
  value: Value,
  scope: Scope,
  written: Written,
): Value {
  const object = evaluate(run, target.object, scope);
  const at: Value =
    target.op === 'member'
      ? { constant: target.name }
      : target.index
        ? evaluate(run, target.index, scope)
        : UNKNOWN;
  const key = at.constant === undefined ? undefined : String(at.constant);
  checkPlace(run, object, at, key, value, written);
  const before = key === undefined ? undefined : object.fields?.get(key);
  const next = written.adds ? added(before ?? UNKNOWN, value) : value;
  store(run, target.object, withField(object, key, next), scope);
  return next;
}

/** The object with a field more. */
export function withField(object: Value, key: string | undefined, value: Value): Value {
  const size = object.fields?.size ?? 0;
  if (key !== undefined && object.items) {
    const place = Number(key);
    if (Number.isInteger(place) && place >= 0 && place < object.items.length) {
      return { ...object, items: object.items.map((item, at) => (at === place ? value : item)) };
    }
  }
  if (key !== undefined && (size < LARGEST || object.fields?.has(key))) {
    return { ...object, fields: new Map(object.fields).set(key, value) };
  }
  const taint = taintOf(value);
  if (!taint) return object;
  return join(object, { ...object, taint });
}

/** Puts a changed object back into the variable, or the object's member, that holds it. */
export function store(run: Run, place: Expr, value: Value, scope: Scope, depth = 4): void {
  if (depth === 0) return;
  if (place.op === 'name') scope.values.set(place.name, value);
  else if (place.op === 'member' || (place.op === 'index' && place.index?.op === 'constant')) {
    const key =
      place.op === 'member' ? place.name : place.index?.op === 'constant' ? String(place.index.value) : '';
    store(run, place.object, withField(evaluate(run, place.object, scope), key, value), scope, depth - 1);
  }
}

const SECRET_NAME =
  /(?:^|[_.-]|[a-z](?=[A-Z]))(?:pass(?:word|wd|phrase)?|pwd|secret(?:[_-]?key)?|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|credential|session[_-]?id|session[_-]?key|otp|nonce|csrf|salt)s?$/i;
const SECRET_WHOLE = /(?:password|passwd|secret|token|apikey|api_key|sessionid|session_id|nonce|csrf)$/i;
const HOLDS_SESSIONS = /session|cookie|token|credential/i;

/** Whether a variable of that name holds what nobody may guess. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) || SECRET_WHOLE.test(name);
}

/** A secret made by a generator that can be foretold, or written into the code. */
export function checkName(run: Run, name: string, value: Value, written: Written): void {
  const random = randomOf(value);
  if (random && isSecretName(name)) run.hit({ rule: 'source/weak-random', line: random.line, way: random });
  const text = written.value;
  if (text.op === 'constant' && typeof text.value === 'string' && !written.adds) {
    if (isHardCoded(name, text.value)) {
      run.hit({ rule: 'source/hard-coded-credentials', line: written.line, secret: text.value });
    }
  }
}

const CREDENTIAL_NAME =
  /(?:^|[_.-]|[a-z](?=[A-Z]))(?:password|passwd|passphrase|pwd|secret|secret[_-]?key|api[_-]?key|auth[_-]?token|access[_-]?token|private[_-]?key|client[_-]?secret)$/i;
const PLACEHOLDER =
  /^(?:x+|\*+|\.+|-+|changeme|change[_-]me|example|sample|dummy|placeholder|test\w*|password|passwd|pass|secret|token|string|none|null|undefined|true|false|todo|foo|bar|your[_-].*|<.*>|\$\{?.*|\{\{?.*|%.*|.*[\s/:,(].*)$/i;

/** A name that says credential beside a text that looks like one, and like no name, label or placeholder. */
export function isHardCoded(name: string, text: string): boolean {
  if (text.length < 8 || text.length > 120 || !CREDENTIAL_NAME.test(name)) return false;
  if (PLACEHOLDER.test(text)) return false;
  // A text of words alone is a label, a key of a form or the name of a field.
  return /\d/.test(text) && /[a-z]/i.test(text) && !/^[a-z]+(?:[-_.][a-z0-9]{1,2})?$/i.test(text);
}

/** A value that is no constant is known by its path: `ssl.CERT_NONE`. */
function named(value: Value, test: Test): boolean {
  return test instanceof RegExp && value.path !== undefined && test.test(value.path);
}

function checkPlace(
  run: Run,
  object: Value,
  at: Value,
  key: string | undefined,
  value: Value,
  written: Written,
): void {
  const line = written.line;
  const place = `${object.path ?? '?'}.${key ?? '[]'}`;
  for (const sink of run.rules.memberSinks.find(place)) {
    judge(run, { ...sink, call: [], args: [] }, value, line);
    if (sink.key) judge(run, { ...sink, call: [], args: [] }, at, line);
  }
  if (key === undefined) {
    for (const sink of run.rules.memberSinks.find(`${object.path ?? '?'}.[]`)) {
      if (sink.key) judge(run, { ...sink, call: [], args: [] }, at, line);
    }
  }
  for (const check of run.rules.memberChecks.find(place)) {
    if (check.imports && !check.imports.test(run.imports)) continue;
    if (passes(value, check.is) || named(value, check.is)) run.hit({ rule: check.rule, line });
  }
  if (key !== undefined) {
    checkKey(run, key, value, line);
    checkName(run, key, value, written);
  }
  const random = randomOf(value);
  if (random && HOLDS_SESSIONS.test(object.path ?? '')) {
    run.hit({ rule: 'source/weak-random', line: random.line, way: random });
  }
}
