import type { Expr, ExprOf } from '../../ir.ts';
import { storeValue, withField } from '../assign.ts';
import type { EvaluatedArgument, EvaluatedCall } from '../report.ts';
import type { AnalysisRun } from '../run.ts';
import { sanitizeByName } from '../sanitize.ts';
import { classNamed, isClass, isEnumeration, isFieldWithoutFreeText } from '../values/objects.ts';
import { variableOf } from '../values/scope.ts';
import { type AbstractValue, type ClassInfo, UNKNOWN_VALUE, type VariableScope } from '../values/value.ts';
import { evaluateClosure, evaluateConstructor, storeChangedSelf } from './evaluate-closure.ts';

export function followCall(
  run: AnalysisRun,
  expr: ExprOf<'call'>,
  target: AbstractValue,
  made: EvaluatedCall,
  scope: VariableScope,
): AbstractValue | undefined {
  const { name, path, receiver, args, line } = made;
  if (target.of && isClass(target) && isEnumeration(target.of)) return { fixed: true };
  if (target.of && isClass(target)) return evaluateConstructor(run, target.of, target, args, line);
  if (name === 'new' && receiver?.of && isClass(receiver))
    return evaluateConstructor(run, receiver.of, receiver, args, line);
  const literal = name.endsWith('{}') ? classNamed(run, scope, name.slice(0, -2)) : undefined;
  if (literal) return written(literal, path, args);
  if (target.fn) return followFunction(run, expr, target, made, scope);
  if (receiver && args.length === 0 && isFieldWithoutFreeText(run, receiver, name, scope))
    return { fixed: true };
  if (receiver?.of) return property(run, expr, receiver, args, scope);
  return target.fields ? { path: `${path}()`, fields: target.fields } : undefined;
}

function written(of: ClassInfo, path: string, args: readonly EvaluatedArgument[]): AbstractValue {
  const fields = new Map([...of.scope.values, ...(args[0]?.value.fields ?? [])]);
  return { path, fields, of, taint: args[0]?.value.fields ? undefined : args[0]?.value.taint };
}

function followFunction(
  run: AnalysisRun,
  expr: ExprOf<'call'>,
  target: AbstractValue,
  { name, path, receiver, args, line }: EvaluatedCall,
  scope: VariableScope,
): AbstractValue | undefined {
  if (!target.fn) return undefined;
  const object = receiver ?? (expr.makes ? madeBy(target) : variableOf(scope, 'this'));
  const called = evaluateClosure(run, target.fn, args, object, line);
  if (!called) return undefined;
  run.puts = called.puts;
  if (expr.makes)
    return called.value.fields ? called.value : { ...object, ...called.self, path: `${path}()` };
  if (called.self && receiver)
    storeValue(run, heldIn(expr), { ...receiver, fields: called.self.fields }, scope);
  else if (called.self) storeChangedSelf(scope, called.self);
  return sanitizeByName(name, path, called.value);
}

function madeBy(target: AbstractValue): AbstractValue {
  return { path: target.path, fields: target.fields?.get('prototype')?.fields ?? new Map() };
}

const heldIn = ({ callee }: ExprOf<'call'>): Expr => (callee.op === 'member' ? callee.object : callee);

/** Matches names of getters and setters. Build tools generate such methods, so the source code may lack them. */
const ACCESS = /^(get|is|set)([A-Z])(\w{0,80})$/;

function property(
  run: AnalysisRun,
  expr: ExprOf<'call'>,
  object: AbstractValue,
  args: readonly EvaluatedArgument[],
  scope: VariableScope,
): AbstractValue | undefined {
  const { callee } = expr;
  const [, verb, first = '', rest = ''] = ACCESS.exec(callee.op === 'member' ? callee.name : '') ?? [];
  if (verb === undefined || args.length !== (verb === 'set' ? 1 : 0)) return undefined;
  const field = first.toLowerCase() + rest;
  const value = args[0]?.value;
  if (!value) return object.fields?.get(field);
  storeValue(run, heldIn(expr), withField(object, field, value), scope);
  return UNKNOWN_VALUE;
}
