import type { Expr, LoweredProgram, Stmt } from '../ir.ts';
import {
  createLazyFunction,
  lineOf,
  type ParserNode,
  type ReadExpression,
  type ReadStatement,
  runOneLevelDeeper,
  type SyntaxLowering,
  significantChildren,
} from './node.ts';
import { createName, createStatement, createUnknown } from './table.ts';

export function createSyntaxLowering(
  expressions: ReadonlyMap<string, ReadExpression>,
  block: (node: ParserNode, to: SyntaxLowering) => Stmt[],
  reassigned: () => ReadonlySet<string> = () => new Set(),
): SyntaxLowering {
  const to: SyntaxLowering = {
    depth: 0,
    cut: false,
    expr(node) {
      if (!node) return createUnknown(0);
      const line = lineOf(node);
      const read = expressions.get(node.kind());
      const unread = (): Expr => ({ op: 'some', parts: significantChildren(node).map(to.expr), line });
      return runOneLevelDeeper(to, () => read?.(node, line, to) ?? unread(), createUnknown(line));
    },
    body: (node) => (node ? runOneLevelDeeper(to, () => block(node, to), []) : []),
    reassigned,
    fn: (node, known, body) => createLazyFunction(to, node, known, body),
  };
  return to;
}

export function readStatement(
  table: ReadonlyMap<string, ReadStatement>,
  node: ParserNode,
  to: SyntaxLowering,
): Stmt[] {
  const line = lineOf(node);
  const read = table.get(node.kind());
  return read ? read(node, line, to) : [createStatement(to.expr(node), line)];
}

export function createLowering({
  statements,
  expressions,
}: {
  readonly statements: Readonly<Record<string, ReadStatement>>;
  readonly expressions: Readonly<Record<string, ReadExpression>>;
}): (root: ParserNode) => LoweredProgram {
  const [readers, table] = [byKind(expressions), byKind(statements)];
  return (root) => {
    let names: ReadonlySet<string> | undefined;
    const to = createSyntaxLowering(
      readers,
      (node) => readStatement(table, node, to),
      () => {
        names ??= reassignedIn(root.text());
        return names;
      },
    );
    const body = readStatement(table, root, to);
    return { body, cut: to.cut };
  };
}

const ASSIGNS =
  /\b([A-Za-z_]\w{0,80})(?:\s{0,9}(?:[-+*/%&|^]|<<|>>)?=(?![=>])|\+\+|--)|(?:\+\+|--)([A-Za-z_]\w{0,80})/g;

function reassignedIn(text: string): ReadonlySet<string> {
  const [once, again] = [new Set<string>(), new Set<string>()];
  for (const [, before, after = ''] of text.matchAll(ASSIGNS)) {
    const name = before ?? after;
    if (once.has(name)) again.add(name);
    else once.add(name);
  }
  return again;
}

export function byKind<Read>(readers: Readonly<Record<string, Read>>): Map<string, Read> {
  const entries = Object.entries(readers);
  return new Map(entries.flatMap(([kinds, read]) => kinds.split(' ').map((kind) => [kind, read] as const)));
}

export const readBlock = (node: ParserNode, _line: number, to: SyntaxLowering): Stmt[] =>
  significantChildren(node).flatMap(to.body);

export const readLastPart = (node: ParserNode, _line: number, to: SyntaxLowering): Expr =>
  to.expr(significantChildren(node).at(-1));

export const readName = (node: ParserNode, line: number): Expr => createName(node.text(), line);
