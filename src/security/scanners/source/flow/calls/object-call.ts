import type { Expr } from '../../ir.ts';
import { store, withField } from '../assign.ts';
import { cleanedByName } from '../clean.ts';
import type { Given, Made } from '../report.ts';
import type { Run } from '../run.ts';
import { classNamed, isClass } from '../values/objects.ts';
import { variableOf } from '../values/scope.ts';
import { type ClassOf, type Scope, UNKNOWN, type Value } from '../values/value.ts';
import { construct, follow, keepSelf } from './invoke.ts';

type Call = Extract<Expr, { op: 'call' }>;

export function followCall(run: Run, expr: Call, target: Value, made: Made, scope: Scope): Value | undefined {
  const { name, path, receiver, args, line } = made;
  if (target.of && isClass(target)) return construct(run, target.of, target, args, line);
  if (name === 'new' && receiver?.of && isClass(receiver))
    return construct(run, receiver.of, receiver, args, line);
  const literal = name.endsWith('{}') ? classNamed(run, scope, name.slice(0, -2)) : undefined;
  if (literal) return written(literal, path, args);
  if (target.fn) return followFunction(run, expr, target, made, scope);
  if (receiver?.of) return property(run, expr, receiver, args, scope);
  return target.fields ? { path: `${path}()`, fields: target.fields } : undefined;
}

function written(of: ClassOf, path: string, args: readonly Given[]): Value {
  const fields = new Map([...of.scope.values, ...(args[0]?.value.fields ?? [])]);
  return { path, fields, of, taint: args[0]?.value.fields ? undefined : args[0]?.value.taint };
}

function followFunction(
  run: Run,
  expr: Call,
  target: Value,
  { name, path, receiver, args, line }: Made,
  scope: Scope,
): Value | undefined {
  if (!target.fn) return undefined;
  const object = receiver ?? (expr.makes ? madeBy(target) : variableOf(scope, 'this'));
  const called = follow(run, target.fn, args, object, line);
  if (!called) return undefined;
  run.puts = called.puts;
  if (expr.makes)
    return called.value.fields ? called.value : { ...object, ...called.self, path: `${path}()` };
  if (called.self && receiver) store(run, heldIn(expr), { ...receiver, fields: called.self.fields }, scope);
  else if (called.self) keepSelf(scope, called.self);
  return cleanedByName(name, path, called.value);
}

function madeBy(target: Value): Value {
  return { path: target.path, fields: target.fields?.get('prototype')?.fields ?? new Map() };
}

function heldIn({ callee }: Call): Expr {
  return callee.op === 'member' ? callee.object : callee;
}

/** Getters and setters (`getName()`, `setName(x)`), which build tools generate for classes without them. */
const ACCESS = /^(get|is|set)([A-Z])(\w{0,80})$/;

function property(
  run: Run,
  expr: Call,
  object: Value,
  args: readonly Given[],
  scope: Scope,
): Value | undefined {
  const { callee } = expr;
  const [, verb, first = '', rest = ''] = ACCESS.exec(callee.op === 'member' ? callee.name : '') ?? [];
  if (verb === undefined || args.length !== (verb === 'set' ? 1 : 0)) return undefined;
  const field = first.toLowerCase() + rest;
  const value = args[0]?.value;
  if (!value) return object.fields?.get(field);
  store(run, heldIn(expr), withField(object, field, value), scope);
  return UNKNOWN;
}
