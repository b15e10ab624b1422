import type { Expr, Stmt } from '../ir.ts';
import { deeper, type Lowering, lineOf, type Node, nothing, partsOf } from './node.ts';

type Maybe = Node | null | undefined;
export type ReadExpression = (node: Node, line: number, at: Descent) => Expr;
export type ReadStatement = (node: Node, line: number, at: Descent) => Stmt[];

/**
 * The way down a tree, as the readers of a language use it: each calls the others through it, so that no file imports
 * one that imports it. Readers are tables by the kind of node, as in `table.ts`, but the language itself decides
 * what a block is.
 */
export interface Descent extends Lowering {
  expr(node: Maybe): Expr;
  /** The statements in a block, or the one that stands for a block. */
  body(node: Maybe): Stmt[];
}

/** A descent at the root: `expressions` by kind (any other kind is `some` of its parts), and what a block holds. */
export function descend(
  expressions: ReadonlyMap<string, ReadExpression>,
  block: (node: Node, at: Descent) => Stmt[],
): Descent {
  const at: Descent = {
    depth: 0,
    cut: false,
    expr(node) {
      if (!node) return nothing(0);
      const line = lineOf(node);
      return deeper(at, () => readExpression(expressions, node, line, at), nothing(line));
    },
    body: (node) => (node ? deeper(at, () => block(node, at), []) : []),
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
  return read ? read(node, line, at) : { op: 'some', parts: partsOf(node).map(at.expr), line };
}

/** One statement by its kind; any other kind is an expression. */
export function readStatement(table: ReadonlyMap<string, ReadStatement>, node: Node, at: Descent): Stmt[] {
  const line = lineOf(node);
  const read = table.get(String(node.kind()));
  return read ? read(node, line, at) : [{ op: 'expr', value: at.expr(node), line }];
}

/** A table by kind, of entries that each name one kind or several. */
export function byKind<Read>(entries: readonly (readonly [kinds: string, read: Read])[]): Map<string, Read> {
  return new Map(entries.flatMap(([kinds, read]) => kinds.split(' ').map((kind) => [kind, read] as const)));
}
