import { ALL_HARMS } from '../harm.ts';
import type { Expr } from '../ir.ts';
import type { Test } from '../rule.ts';
import { severityHere } from './calls/options.ts';
import { isGuessed } from './guessed.ts';
import { checkKey, checkName, type Written } from './names.ts';
import { judge, passes } from './report.ts';
import type { Run } from './run.ts';
import { format } from './values/fold.ts';
import { partOf, SELF_NAMES } from './values/objects.ts';
import { elementOf } from './values/paths.ts';
import { variableOf } from './values/scope.ts';
import {
  addStep,
  isClock,
  join,
  MAX_COLLECTION_ITEMS,
  randomOf,
  rootsOf,
  type Scope,
  taintOf,
  UNKNOWN,
  type Value,
  withoutHarms,
} from './values/value.ts';

type Of<Op extends Expr['op']> = Extract<Expr, { op: Op }>;

export function assignTo(run: Run, target: Expr, value: Value, scope: Scope, written: Written): Value {
  switch (target.op) {
    case 'list':
      assignItems(run, target, value, scope, written);
      return value;
    case 'dict':
      assignFields(run, target, value, scope, written);
      return value;
    case 'name':
      return assignName(run, target, value, scope, written);
    case 'member':
    case 'index':
      return assignInside(run, target, value, scope, written);
    default:
      return value;
  }
}

function assignItems(run: Run, target: Of<'list'>, value: Value, scope: Scope, written: Written): void {
  target.items.forEach((item, at) => {
    const part = value.items?.[at] ?? elementOf(run, value, written.line);
    assignTo(run, item, part, scope, { ...written, adds: false });
  });
}

function assignFields(run: Run, target: Of<'dict'>, value: Value, scope: Scope, written: Written): void {
  for (const { key, value: into } of target.entries) {
    const name = key?.op === 'constant' ? String(key.value) : undefined;
    const part = name === undefined ? value : partOf(run, value, name, written.line);
    assignTo(run, into, part, scope, { ...written, adds: false });
  }
}

function assignName(run: Run, target: Of<'name'>, value: Value, scope: Scope, written: Written): Value {
  const next = written.adds ? added(variableOf(scope, target.name) ?? UNKNOWN, value) : value;
  const known = next.of !== undefined || next.type !== undefined || written.type === undefined;
  const typed = written.number ? numeric(next) : known ? next : { ...next, type: written.type };
  const put = inVariable(run, typed, target.name, written);
  scope.values.set(target.name, put);
  keepName(run, put, target.name);
  if (!isForTests(run, scope)) checkMember(run, target.name, put, written.line);
  keepField(scope, target.name, put);
  checkName(run, target.name, put, written);
  return put;
}

function keepName(run: Run, { fn }: Value, name: string): void {
  if (fn?.fn.name !== '' || fn.home !== run) return;
  run.named ??= new Map();
  if (!run.named.has(fn.fn)) run.named.set(fn.fn, name);
}

/** An assignment to a field by its name alone also changes the object's field. */
function keepField(scope: Scope, name: string, value: Value): void {
  const self = variableOf(scope, 'this');
  if (!self?.of?.bare || !self.fields?.has(name) || self.fields.get(name)?.fn) return;
  const next = withField(self, name, value);
  for (const own of SELF_NAMES) scope.values.set(own, next);
}

export function numeric(value: Value): Value {
  return { ...withoutHarms(value, ALL_HARMS), fixed: true };
}

function added(before: Value, value: Value): Value {
  if (before.items && value.items && before.items.length + value.items.length <= MAX_COLLECTION_ITEMS) {
    return { ...before, items: [...before.items, ...value.items] };
  }
  if (typeof before.constant === 'number' && typeof value.constant === 'number') {
    return { constant: before.constant + value.constant };
  }
  return { ...format([before, value]), path: before.path };
}

/** Returns the value with the variable added to its flow and with the names of the variables that it was made from. */
function inVariable(run: Run, value: Value, name: string, written: Written): Value {
  const from = written.value.op === 'name' ? [] : rootsOf(written.value);
  const same = from.every((one) => one === name);
  if (!value.taint && same) return value;
  const taint = value.taint && addStep(value.taint, run, written.line, `into ${name}`);
  return { ...value, taint, from: same ? value.from : from };
}

function assignInside(
  run: Run,
  target: Of<'member'> | Of<'index'>,
  value: Value,
  scope: Scope,
  written: Written,
): Value {
  const object = run.engine.evaluate(run, target.object, scope);
  const at = keyOf(run, target, scope);
  const key = at.constant === undefined ? undefined : String(at.constant);
  checkPlace(run, object, at, value, written);
  const before = key === undefined ? undefined : object.fields?.get(key);
  const next = written.adds ? added(before ?? UNKNOWN, value) : value;
  store(run, target.object, withField(object, key, next), scope);
  return next;
}

function keyOf(run: Run, target: Of<'member'> | Of<'index'>, scope: Scope): Value {
  if (target.op === 'member') return { constant: target.name };
  return target.index ? run.engine.evaluate(run, target.index, scope) : UNKNOWN;
}

export function withField(object: Value, key: string | undefined, value: Value): Value {
  const size = object.fields?.size ?? 0;
  if (object.items) {
    // A negative index counts from the end.
    const place = Number(key) < 0 ? Number(key) + object.items.length : Number(key);
    if (object.items[place]) {
      return { ...object, items: object.items.map((item, at) => (at === place ? value : item)) };
    }
  }
  if (key !== undefined && (size < MAX_COLLECTION_ITEMS || object.fields?.has(key))) {
    return { ...object, fields: new Map(object.fields).set(key, value) };
  }
  const taint = taintOf(value);
  const held = taint ? join(object, { ...object, taint }) : object;
  // Each position is filled at random: `bytes[i] = letters[rand.Intn(26)]`.
  return value.random && !held.random ? { ...held, random: value.random } : held;
}

export function store(run: Run, place: Expr, value: Value, scope: Scope, depth = 4): void {
  if (depth === 0) return;
  if (place.op === 'name') {
    scope.values.set(place.name, value);
    return;
  }
  if (place.op !== 'member' && place.op !== 'index') return;
  const key = fixedKeyOf(place);
  // The index is unknown: the object as a whole then gets the element's taint.
  if (key === undefined && !(place.op === 'index' && place.index && taintOf(value))) return;
  const object = run.engine.evaluate(run, place.object, scope);
  store(run, place.object, withField(object, key, value), scope, depth - 1);
}

function fixedKeyOf(place: Of<'member'> | Of<'index'>): string | undefined {
  if (place.op === 'member') return place.name;
  return place.index?.op === 'constant' ? String(place.index.value) : undefined;
}

const HOLDS_SESSIONS = /session|cookie|token|credential/i;

function checkPlace(run: Run, object: Value, at: Value, value: Value, written: Written): void {
  const key = at.constant === undefined ? undefined : String(at.constant);
  const place = `${object.path ?? '?'}.${key ?? '[]'}`;
  checkSinks(run, place, at, value, written.line);
  if (!isForTests(run)) checkMember(run, place, value, written.line);
  if (key !== undefined) {
    checkKey(run, key, value, written.line);
    checkName(run, key, value, written);
  }
  const random = randomOf(value);
  if (random && !isGuessed(random) && !isClock(random) && HOLDS_SESSIONS.test(object.path ?? '')) {
    run.report({ rule: 'source/weak-random', line: random.line, flow: random });
  }
}

const TEST_CLASS =
  /^(?:[Uu]nit|[Ff]unctional|[Ii]ntegration)?_?[Tt]est(?:s|ing)?(?![a-z])|Test(?:s|ing)?(?:Config|Settings)?$/;
const OWN_SETTINGS = /(?:^|\/)config\/environments\/(?:test|development)\.rb$/;

/** True for a setting that only tests or developers use, where an insecure value is intended. */
function isForTests({ path }: Run, scope?: Scope): boolean {
  return OWN_SETTINGS.test(path) || (scope?.of !== undefined && TEST_CLASS.test(scope.of.name));
}

function checkMember(run: Run, place: string, value: Value, line: number): void {
  for (const { rule, is, constant, imports, severity } of run.rules.memberChecks.matching(place)) {
    if (imports && !imports.test(run.imports)) continue;
    if (passes(value, is) || (!constant && isNamed(value, is)))
      run.report({ rule, line, severity: severityHere(run, rule, severity) });
  }
}

function checkSinks(run: Run, place: string, at: Value, value: Value, line: number): void {
  for (const memberSink of run.rules.memberSinks.matching(place)) {
    const { imports, on } = memberSink;
    if ((imports && !imports.test(run.imports)) || (on && !on.test(place))) continue;
    const sink = { ...memberSink, call: [], args: [] };
    judge(run, sink, value, line);
    if (sink.key) judge(run, sink, at, line);
  }
}

function isNamed(value: Value, test: Test): boolean {
  return test instanceof RegExp && value.path !== undefined && test.test(value.path);
}
