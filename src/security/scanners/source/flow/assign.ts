import { ALL_HARM_BITS } from '../harm.ts';
import type { Expr, ExprOf } from '../ir.ts';
import { matchingEither } from '../patterns.ts';
import type { ValueCondition } from '../rule.ts';
import { severityInBranch } from './calls/options.ts';
import { checkObjectKey, checkSecretAssignment, type WrittenAssignment } from './names.ts';
import { isPublicDigest } from './public-digests.ts';
import { isConditionMet, reportIfHarmful } from './report.ts';
import type { AnalysisRun } from './run.ts';
import { concatenateValues } from './values/fold.ts';
import { readMemberOrMethod, SELF_NAMES } from './values/objects.ts';
import { elementOf, typedPath } from './values/paths.ts';
import { variableOf } from './values/scope.ts';
import {
  type AbstractValue,
  addStep,
  findPredictableRandomness,
  findRootVariables,
  isFromClock,
  joinValues,
  MAX_TRACKED_ELEMENTS,
  taintOf,
  UNKNOWN_VALUE,
  type VariableScope,
  withoutHarms,
} from './values/value.ts';

export function assignTo(
  run: AnalysisRun,
  target: Expr,
  value: AbstractValue,
  scope: VariableScope,
  written: WrittenAssignment,
): AbstractValue {
  switch (target.op) {
    case 'list':
      target.items.forEach((item, at) => {
        const part = value.items?.[at] ?? elementOf(run, value, written.line);
        assignTo(run, item, part, scope, { ...written, adds: false });
      });
      return value;
    case 'dict':
      for (const { key, value: into } of target.entries) {
        const name = key?.op === 'constant' ? String(key.value) : undefined;
        const part = name === undefined ? value : readMemberOrMethod(run, value, name, written.line);
        assignTo(run, into, part, scope, { ...written, adds: false });
      }
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

function assignName(
  run: AnalysisRun,
  target: ExprOf<'name'>,
  value: AbstractValue,
  scope: VariableScope,
  written: WrittenAssignment,
): AbstractValue {
  const next = written.adds ? added(variableOf(scope, target.name) ?? UNKNOWN_VALUE, value) : value;
  const known = next.of !== undefined || next.type !== undefined || written.type === undefined;
  const typed = written.number ? markAsNumeric(next) : known ? next : { ...next, type: written.type };
  const put = { ...inVariable(run, typed, target.name, written), test: questionIn(written.value) };
  scope.values.set(target.name, put);
  keepName(run, put, target.name);
  if (!isForTests(run, scope)) checkMember(run, { path: target.name }, put, written.line);
  keepField(scope, target.name, put);
  checkSecretAssignment(run, target.name, put, written);
  return put;
}

const questionIn = (expr: Expr): Expr | undefined =>
  expr.op === 'call' || expr.op === 'binary' || expr.op === 'not' ? expr : undefined;

function keepName(run: AnalysisRun, { fn }: AbstractValue, name: string): void {
  if (fn?.fn.name !== '' || fn.home !== run) return;
  run.named ??= new Map();
  if (!run.named.has(fn.fn)) run.named.set(fn.fn, name);
}

function keepField(scope: VariableScope, name: string, value: AbstractValue): void {
  const self = variableOf(scope, 'this');
  if (!self?.of?.bare || !self.fields?.has(name) || self.fields.get(name)?.fn) return;
  const next = withField(self, name, value);
  for (const own of SELF_NAMES) scope.values.set(own, next);
}

export function markAsNumeric(value: AbstractValue): AbstractValue {
  return { ...withoutHarms(value, ALL_HARM_BITS), fixed: true };
}

function added(before: AbstractValue, value: AbstractValue): AbstractValue {
  if (before.items && value.items && before.items.length + value.items.length <= MAX_TRACKED_ELEMENTS) {
    return { ...before, items: [...before.items, ...value.items] };
  }
  if (typeof before.constant === 'number' && typeof value.constant === 'number') {
    return { constant: before.constant + value.constant };
  }
  return { ...concatenateValues([before, value]), path: before.path };
}

function inVariable(run: AnalysisRun, value: AbstractValue, name: string, written: WrittenAssignment) {
  const from = written.value.op === 'name' ? [] : findRootVariables(written.value);
  const same = from.every((one) => one === name);
  if (!value.taint && same) return value;
  const taint = value.taint && addStep(value.taint, run, written.line, `into ${name}`);
  return { ...value, taint, from: same ? value.from : from };
}

function assignInside(
  run: AnalysisRun,
  target: ExprOf<'member'> | ExprOf<'index'>,
  value: AbstractValue,
  scope: VariableScope,
  written: WrittenAssignment,
): AbstractValue {
  const object = run.engine.evaluate(run, target.object, scope);
  const at = keyOf(run, target, scope);
  const key = at.constant === undefined ? undefined : String(at.constant);
  checkPlace(run, object, at, value, written);
  if (key !== undefined) keepName(run, value, key);
  const before = key === undefined ? undefined : object.fields?.get(key);
  const next = written.adds ? added(before ?? UNKNOWN_VALUE, value) : value;
  storeValue(run, target.object, withField(object, key, next), scope);
  return next;
}

function keyOf(run: AnalysisRun, target: ExprOf<'member'> | ExprOf<'index'>, scope: VariableScope) {
  if (target.op === 'member') return { constant: target.name };
  return target.index ? run.engine.evaluate(run, target.index, scope) : UNKNOWN_VALUE;
}

export function withField(
  object: AbstractValue,
  key: string | undefined,
  value: AbstractValue,
): AbstractValue {
  const size = object.fields?.size ?? 0;
  if (object.items) {
    const place = Number(key) < 0 ? Number(key) + object.items.length : Number(key);
    if (object.items[place]) {
      return { ...object, items: object.items.map((item, at) => (at === place ? value : item)) };
    }
  }
  if (key !== undefined && (size < MAX_TRACKED_ELEMENTS || object.fields?.has(key))) {
    return { ...object, fields: new Map(object.fields).set(key, value) };
  }
  const taint = taintOf(value);
  const held = taint ? joinValues(object, { ...object, taint }) : object;
  // An object with a random element counts as random: `bytes[i] = letters[rand.Intn(26)]`.
  return value.random && !held.random ? { ...held, random: value.random } : held;
}

export function storeValue(
  run: AnalysisRun,
  holder: Expr,
  value: AbstractValue,
  scope: VariableScope,
  depth = 4,
): void {
  if (depth === 0) return;
  if (holder.op === 'name') {
    scope.values.set(holder.name, value);
    return;
  }
  if (holder.op !== 'member' && holder.op !== 'index') return;
  const key = fixedKeyOf(holder);
  // If the index is unknown, a tainted value taints the whole object. An untainted value is ignored.
  if (key === undefined && !(holder.op === 'index' && holder.index && taintOf(value))) return;
  const object = run.engine.evaluate(run, holder.object, scope);
  storeValue(run, holder.object, withField(object, key, value), scope, depth - 1);
}

function fixedKeyOf(place: ExprOf<'member'> | ExprOf<'index'>): string | undefined {
  if (place.op === 'member') return place.name;
  return place.index?.op === 'constant' ? String(place.index.value) : undefined;
}

const HOLDS_SESSIONS =
  /session|cookie|token|credential|^(?:Aes|DES|TripleDES|RC2|Rijndael|Symmetric)\w{0,30}\b/i;

function checkPlace(
  run: AnalysisRun,
  object: AbstractValue,
  at: AbstractValue,
  value: AbstractValue,
  written: WrittenAssignment,
): void {
  const key = at.constant === undefined ? undefined : String(at.constant);
  const path = `${object.path ?? '?'}.${key ?? '[]'}`;
  const place = { path, typed: typedPath(object, key ?? '[]', path) };
  checkSinks(run, place, at, value, written.line);
  if (!isForTests(run)) checkMember(run, place, value, written.line);
  if (key !== undefined) {
    checkObjectKey(run, key, value, written.line);
    checkSecretAssignment(run, key, value, written);
  }
  const random = findPredictableRandomness(value);
  if (random && !isPublicDigest(random) && !isFromClock(random) && HOLDS_SESSIONS.test(object.path ?? '')) {
    run.report({ rule: 'source/weak-random', line: random.line, flow: random });
  }
}

const TEST_CLASS =
  /^(?:[Uu]nit|[Ff]unctional|[Ii]ntegration)?_?[Tt]est(?:s|ing)?(?![a-z])|Test(?:s|ing)?(?:Config|Settings)?$/;
const OWN_SETTINGS = /(?:^|\/)config\/environments\/(?:test|development)\.rb$/;

const isForTests = ({ path }: AnalysisRun, scope?: VariableScope): boolean =>
  OWN_SETTINGS.test(path) || (scope?.of !== undefined && TEST_CLASS.test(scope.of.name));

interface AssignedPlace {
  readonly path: string;
  readonly typed?: string | undefined;
}

function checkMember(run: AnalysisRun, place: AssignedPlace, value: AbstractValue, line: number): void {
  for (const { rule, is, constant, imports, severity } of matchingEither(run.rules.memberChecks, place)) {
    if (imports && !imports.test(run.imports)) continue;
    if (isConditionMet(value, is) || (!constant && isNamed(value, is)))
      run.report({ rule, line, severity: severityInBranch(run, rule, severity) });
  }
}

function checkSinks(
  run: AnalysisRun,
  place: AssignedPlace,
  at: AbstractValue,
  value: AbstractValue,
  line: number,
): void {
  for (const memberSink of matchingEither(run.rules.memberSinks, place)) {
    const { imports, on } = memberSink;
    if (
      (imports && !imports.test(run.imports)) ||
      (on && !on.test(place.path) && !(place.typed !== undefined && on.test(place.typed)))
    )
      continue;
    const sink = { ...memberSink, call: [], args: [] };
    // Prototype pollution depends only on the key, and not on the assigned value.
    if (sink.harm !== 'prototype') reportIfHarmful(run, sink, value, line);
    if (sink.key) reportIfHarmful(run, sink, at, line);
  }
}

const isNamed = (value: AbstractValue, test: ValueCondition): boolean =>
  test instanceof RegExp && value.path !== undefined && test.test(value.path);
