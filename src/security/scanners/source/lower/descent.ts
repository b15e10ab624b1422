import type { Expr, Stmt } from '../ir.ts';
import {
  createUnknown,
  type LoweringState,
  lineOf,
  type Node,
  runOneLevelDeeper,
  significantChildren,
} from './node.ts';

type Maybe = Node | null | undefined;
export type ReadExpression = (node: Node, line: number, at: Descent) => Expr;
export type ReadStatement = (node: Node, line: number, at: Descent) => Stmt[];

/** The recursion through a syntax tree. A language's node readers call each other through it, to avoid import cycles. */
export interface Descent extends LoweringState {
  expr(node: Maybe): Expr;
  body(node: Maybe): Stmt[];
}

/** Creates a descent. An expression of a kind without a reader becomes `some` of its children; `block` reads statements. */
export function descend(
  expressions: ReadonlyMap<string, ReadExpression>,
  block: (node: Node, at: Descent) => Stmt[],
): Descent {
  const at: Descent = {
    depth: 0,
    cut: false,
    expr(node) {
      if (!node) return createUnknown(0);
      const line = lineOf(node);
      return runOneLevelDeeper(at, () => readExpression(expressions, node, line, at), createUnknown(line));
    },
    body: (node) => (node ? runOneLevelDeeper(at, () => block(node, at), []) : []),
  };
  return at;
}

function readExpression(
  table: ReadonlyMap<string, ReadExpression>,
  node: Node,
  line: number,
  at: Descent,
): Expr {
  const read = table.get(String(node.kind()));
  return read ? read(node, line, at) : { op: 'some', parts: significantChildren(node).map(at.expr), line };
}

export function readStatement(table: ReadonlyMap<string, ReadStatement>, node: Node, at: Descent): Stmt[] {
  const line = lineOf(node);
  const read = table.get(String(node.kind()));
  return read ? read(node, line, at) : [{ op: 'expr', value: at.expr(node), line }];
}

export function byKind<Read>(entries: readonly (readonly [kinds: string, read: Read])[]): Map<string, Read> {
  return new Map(entries.flatMap(([kinds, read]) => kinds.split(' ').map((kind) => [kind, read] as const)));
}
