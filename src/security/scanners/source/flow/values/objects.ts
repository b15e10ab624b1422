import type { Expr, FunctionNode, Stmt, StmtOf } from '../../ir.ts';
import { readBeforeActions } from '../before-actions.ts';
import type { AnalysisRun } from '../run.ts';
import { readValueMember } from './paths.ts';
import { createVariableScope, variableOf } from './scope.ts';
import { type AbstractValue, type ClassInfo, type Closure, taintOf, type VariableScope } from './value.ts';

const MAX_BASES = 6;
const CONSTRUCTORS = ['constructor', '__init__', '__construct', 'initialize'];
export const SELF_NAMES = ['this', 'self', '$this'];

export function runClassBody(
  run: AnalysisRun,
  stmt: StmtOf<'class'>,
  scope: VariableScope,
  step: (one: Stmt, inner: VariableScope) => void,
): void {
  const before = variableOf(scope, stmt.name)?.of;
  const known = before?.name === stmt.name ? before : undefined;
  const inner = known?.scope ?? createVariableScope(scope);
  const methods = known?.methods ?? new Map<string, Closure>();
  const bases = [...(known?.bases ?? []), ...stmt.bases];
  const faces = [...(known?.faces ?? []), ...(stmt.faces ?? [])];
  const of: ClassInfo = {
    home: run,
    name: stmt.name,
    bases,
    faces,
    scope: inner,
    bare: stmt.bare === true,
    methods,
  };
  inner.of = of;
  for (const one of stmt.body) if (one.op !== 'function') step(one, inner);
  const fields = new Map(inner.values);
  const bare: AbstractValue = { path: bases[0] ?? stmt.name, fields, of };
  const own = stmt.body.filter((one) => one.op === 'function').map(({ fn }) => fn);
  for (const fn of own) {
    const same = methods.get(fn.name);
    const closure = { home: run, fn, scope: inner, receiver: bare };
    methods.set(fn.name, same ? { ...closure, also: [same.fn, ...(same.also ?? [])] } : closure);
  }
  of.befores = readBeforeActions(run, stmt.body, inner, bare) ?? known?.befores;
  scope.values.set(stmt.name, { path: stmt.name, fields, of });
  for (const fn of own) {
    const more = stmt.marks.length > 0 && (stmt.bare === true || fn.marks.length === 0);
    const marked = more ? withMarks(fn, [...fn.marks, ...stmt.marks]) : fn;
    run.pending.push({ home: run, fn: marked, scope: inner, receiver: bare });
  }
}

const withMarks = (fn: FunctionNode, marks: FunctionNode['marks']): FunctionNode =>
  Object.create(fn, { marks: { value: marks, enumerable: true } });

const MAX_PASSED_ON = 8;

export function resolveImportedValue(value: AbstractValue, depth = MAX_PASSED_ON): AbstractValue {
  const whole = depth > 0 ? value.link?.whole() : undefined;
  if (!whole) return value;
  const own = resolveImportedValue(whole, depth - 1);
  return own.path === undefined ? { ...own, path: value.path } : own;
}

export function resolveName(run: AnalysisRun, scope: VariableScope, name: string): AbstractValue | undefined {
  const own = variableOf(scope, name);
  return own ? resolveImportedValue(own) : run.linker?.named(run, name);
}

export function classNamed(run: AnalysisRun, scope: VariableScope, name: string): ClassInfo | undefined {
  const plain = name.replace(/<.*$/s, '').trim();
  const dot = plain.lastIndexOf('.');
  const whole = resolveName(run, scope, plain)?.of;
  if (whole || dot < 0) return whole;
  const last = plain.slice(dot + 1);
  const within = variableOf(scope, plain.slice(0, dot))?.link?.member(last)?.of;
  return within ?? resolveName(run, scope, last)?.of;
}

const GETTER = /^(?:get|is)([A-Z])(\w{0,80})$/;
const OF_ENUMERATION = /^(?:name|value|Value|label|toString|ToString)$/;

/** True for a field or getter whose value is a number, a date or a name in an enumeration. */
export function isFieldWithoutFreeText(
  run: AnalysisRun,
  object: AbstractValue,
  name: string,
  scope: VariableScope,
): boolean {
  if (object.fixed && !taintOf(object)) return OF_ENUMERATION.test(name);
  const type = object.model ?? object.type;
  const model = object.taint && type !== undefined ? classNamed(run, scope, type) : undefined;
  const [, first = '', rest = ''] = GETTER.exec(name) ?? [];
  const field = model?.scope.values.get(name) ?? model?.scope.values.get(first.toLowerCase() + rest);
  const of = field?.type === undefined ? undefined : classNamed(run, scope, field.type);
  if (of && isEnumeration(of)) return true;
  return field?.fixed === true || typeof field?.constant === 'number' || typeof field?.constant === 'boolean';
}

export function methodIn(classInfo: ClassInfo, name: string, depth = MAX_BASES): Closure | undefined {
  const own = classInfo.methods.get(name);
  if (own && own.fn.body.length > 0) return own;
  if (depth === 0) return own;
  const home = classInfo.home as AnalysisRun;
  for (const base of classInfo.bases) {
    const above = classNamed(home, classInfo.scope.parent ?? classInfo.scope, base);
    const method = above && above !== classInfo ? methodIn(above, name, depth - 1) : undefined;
    if (method) return method;
  }
  return home.linker?.methodOf(classInfo, name) ?? own;
}

export function methodOf(
  run: AnalysisRun,
  scope: VariableScope,
  object: AbstractValue,
  name: string,
): Closure | undefined {
  const field = object.fields?.get(name);
  if (field?.fn) return field.fn;
  const of = object.of ?? (object.type === undefined ? undefined : classNamed(run, scope, object.type));
  return of ? methodIn(of, name) : object.link?.member(name)?.fn;
}

const ABOVE = /^(?:super|base|parent)$/;

export function findSuperMethod(scope: VariableScope, object: Expr, name: string): Closure | undefined {
  if (object.op !== 'name' || !ABOVE.test(object.name) || variableOf(scope, object.name)) return undefined;
  const of = variableOf(scope, 'this')?.of;
  for (const base of of?.bases ?? []) {
    const above = of && classNamed(of.home as AnalysisRun, of.scope.parent ?? of.scope, base);
    const method = above && above !== of ? methodIn(above, name) : undefined;
    if (method) return method;
  }
  return undefined;
}

export function methodByName(run: AnalysisRun, scope: VariableScope, name: string): Closure | undefined {
  for (let at: VariableScope | undefined = scope; at; at = at.parent) {
    if (at.values.get(name)?.fn) return undefined;
    const method = at.of?.bare ? methodIn(at.of, name) : undefined;
    if (method) return method;
  }
  return run.linker?.named(run, name)?.fn;
}

export function constructorOf(of: ClassInfo): Closure | undefined {
  const own = of.methods.get(of.name);
  if (own) return own;
  for (const name of CONSTRUCTORS) {
    const found = methodIn(of, name);
    if (found) return found;
  }
  return undefined;
}

export const isEnumeration = ({ bases }: ClassInfo): boolean =>
  bases.some((base) => /(?:^|\.)(?:Str|Int)?Enum$/.test(base));

export const isClass = (value: AbstractValue): boolean =>
  value.of !== undefined && value.path === value.of.name;

export function topmostBaseName(classInfo: ClassInfo, depth = MAX_BASES): string {
  const [base] = classInfo.bases;
  if (base === undefined) return classInfo.name;
  const above = classNamed(classInfo.home as AnalysisRun, classInfo.scope.parent ?? classInfo.scope, base);
  return above && above !== classInfo && depth > 0 ? topmostBaseName(above, depth - 1) : base;
}

export function readMemberOrMethod(
  run: AnalysisRun,
  object: AbstractValue,
  name: string,
  line: number,
): AbstractValue {
  const held = resolveImportedValue(object);
  const method = held.fields?.has(name) ? undefined : held.of && methodIn(held.of, name);
  if (method) return { fn: method, path: `${held.path ?? '?'}.${name}` };
  const linked = held.fields?.has(name) ? undefined : held.link?.member(name);
  return linked ? resolveImportedValue(linked) : resolveImportedValue(readValueMember(run, held, name, line));
}
