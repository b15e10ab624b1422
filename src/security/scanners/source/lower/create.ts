import type { CallArgument, Constant, DictEntry, Expr, ExprOf, FunctionNode, Stmt } from '../ir.ts';

export function createUnknown(line: number): Expr {
  return { op: 'some', parts: [], line };
}

export function constant(value: Constant, line: number): Expr {
  return { op: 'constant', value, line };
}

export function createName(name: string, line: number): Expr {
  return { op: 'name', name, line };
}

export function createMember(object: Expr, name: string, line: number): Expr {
  return { op: 'member', object, name, line };
}

export function createIndex(object: Expr, index: Expr | undefined, line: number): Expr {
  return { op: 'index', object, index, line };
}

export function createCall(callee: Expr, args: readonly CallArgument[], line: number): ExprOf<'call'> {
  return { op: 'call', callee, args, line };
}

export function createBinary(operator: string, left: Expr, right: Expr, line: number): Expr {
  return { op: 'binary', operator, left, right, line };
}

export function createList(items: readonly Expr[], line: number): Expr {
  return { op: 'list', items, line };
}

export function createDict(entries: readonly DictEntry[], line: number): Expr {
  return { op: 'dict', entries, line };
}

export function createFormat(parts: readonly Expr[], line: number): Expr {
  return { op: 'format', parts, line };
}

export function createAssignment(target: Expr, value: Expr, line: number, adds = false): Expr {
  return { op: 'assign', target, value, adds, line };
}

export function createFunction(fn: FunctionNode, line: number): Expr & Stmt {
  return { op: 'function', fn, line };
}

export function createStatement(value: Expr, line: number): Stmt {
  return { op: 'expr', value, line };
}
