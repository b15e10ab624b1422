import { type Expr, type FunctionNode, SANITIZING_REGEX_NAME, type Stmt } from '../ir.ts';
import type { SyntaxNode } from '../syntax-tree.ts';

export type ParserNode = SyntaxNode;
export type MaybeNode = ParserNode | null | undefined;

/** Maximum depth of nested syntax. Deeper recursion could overflow the call stack. Real code is less deep. */
export const MAX_SYNTAX_DEPTH = 150;

export interface LoweringState {
  depth: number;
  cut: boolean;
}

export type ReadExpression = (node: ParserNode, line: number, to: SyntaxLowering) => Expr;
export type ReadStatement = (node: ParserNode, line: number, to: SyntaxLowering) => Stmt[];

/** Functions that convert a syntax node. They are passed as one object, because imports would be cyclic. */
export interface SyntaxLowering extends LoweringState {
  expr(node: MaybeNode): Expr;
  body(node: MaybeNode): Stmt[];
  reassigned(): ReadonlySet<string>;
  fn(
    node: ParserNode,
    known: Omit<FunctionNode, 'body' | 'line' | 'span'>,
    body: (line: number) => readonly Stmt[],
  ): FunctionNode;
}

/** Runs `work` one level deeper. At the maximum depth, returns `otherwise` and sets `cut`. */
export function runOneLevelDeeper<T>(at: LoweringState, work: () => T, otherwise: T): T {
  if (at.depth >= MAX_SYNTAX_DEPTH) {
    at.cut = true;
    return otherwise;
  }
  at.depth++;
  try {
    return work();
  } finally {
    at.depth--;
  }
}

export const lineOf = (node: ParserNode): number => node.range().start.line + 1;

/** Creates a function whose body is converted when it is first used. Most functions are never used. */
export function createLazyFunction(
  at: LoweringState,
  node: ParserNode,
  known: Omit<FunctionNode, 'body' | 'line' | 'span'>,
  body: (line: number) => readonly Stmt[],
): FunctionNode {
  const { start, end } = node.range();
  const line = start.line + 1;
  const { depth } = at;
  let read: readonly Stmt[] | undefined;
  return {
    ...known,
    line,
    span: [start.index, end.index],
    get body() {
      if (read) return read;
      const before = at.depth;
      at.depth = depth;
      try {
        read = body(line);
      } finally {
        at.depth = before;
      }
      return read;
    },
  };
}

export const fieldOf = (node: ParserNode, name: string): ParserNode | undefined =>
  node.field(name) ?? undefined;

export const fieldText = (node: ParserNode, name: string): string => node.field(name)?.text() ?? '';

export const significantChildren = (node: MaybeNode): ParserNode[] =>
  node?.children().filter((child) => child.isNamed() && !/comment$/.test(child.kind())) ?? [];

export const partsOfKind = (node: MaybeNode, kind: string): ParserNode[] =>
  significantChildren(node).filter((part) => part.kind() === kind);

export const partOfKind = (node: MaybeNode, kind: string): ParserNode | undefined =>
  significantChildren(node).find((part) => part.kind() === kind);

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' };

export function readEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(.)/gs, (_, char: string) => ESCAPES[char] ?? char);
}

export function numberOf(text: string): number | undefined {
  const plain = text
    .replaceAll('_', '')
    .replace(/^(?!0[xX])(.*\d)[lLfFdDnuUmM]+$|^(0[xX][\da-fA-F]+)[lLnuU]+$/, '$1$2');
  const value = Number(/^0[0-7]+$/.test(plain) ? `0o${plain.slice(1)}` : plain);
  return Number.isNaN(value) ? undefined : value;
}

/** Returns the operands of a chain such as `a + b + c`. Uses a loop, because recursion on a long chain could overflow. */
export function chainOf(node: ParserNode, kind: string, isSame: (node: ParserNode) => boolean): ParserNode[] {
  const right: ParserNode[] = [];
  let at = node;
  for (;;) {
    const [left, last] = [fieldOf(at, 'left'), fieldOf(at, 'right')];
    if (!left || !last) break;
    right.push(last);
    at = left;
    if (at.kind() !== kind || !isSame(at)) break;
  }
  right.push(at);
  return right.reverse();
}

export interface IfBranch {
  readonly test: Expr;
  readonly yes: readonly Stmt[];
  readonly line: number;
}

const MAX_ELSE_IFS = 100;

export function buildNestedIf(branches: readonly IfBranch[], otherwise: readonly Stmt[]): Stmt[] {
  const far = branches.slice(MAX_ELSE_IFS).map((one): Stmt => ({ op: 'if', ...one, no: [] }));
  let no: Stmt[] = [...far, ...otherwise];
  for (const one of branches.slice(0, MAX_ELSE_IFS).reverse()) no = [{ op: 'if', ...one, no }];
  return no;
}

/** Matches a regular expression that finds all unsafe characters: `/[^a-z0-9]/g`. Group 1 is its flags. */
const ALL_OTHERS = /^\/\[\^(?:a-z|A-Z|0-9|\\[wd-]|[A-Za-z0-9_ ]|-(?=\]))+\]\+?\/([a-z]*)$/;
export function regexOf(text: string, global: boolean, line: number): Expr {
  const end = text.lastIndexOf('/');
  return {
    op: 'regex',
    source: text.slice(1, end),
    flags: text.slice(end + 1),
    name: regexName(text, global),
    line,
  };
}

function regexName(text: string, global: boolean): string {
  const flags = ALL_OTHERS.exec(text.slice(0, 200))?.[1];
  return flags !== undefined && (!global || flags.includes('g')) ? SANITIZING_REGEX_NAME : '/regex/';
}
