import { ALL_OTHERS_NAME, type Expr, type Fn, type Stmt } from '../ir.ts';
import type { SyntaxNode } from '../syntax-tree.ts';

export type Node = SyntaxNode;

/** Deeper code is not read: no one writes it by hand, and the stack is finite. */
export const MAX_DEPTH = 150;

/** What an adapter needs while it goes down a tree. */
export interface Lowering {
  depth: number;
  /** Something was left out. */
  cut: boolean;
}

/** Runs `work` one level down; past the limit gives `otherwise` and marks the file as cut. */
export function deeper<T>(at: Lowering, work: () => T, otherwise: T): T {
  if (at.depth >= MAX_DEPTH) {
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

/** Line of a node, from 1. */
export function lineOf(node: Node): number {
  return node.range().start.line + 1;
}

/** A function whose body is brought to the common form on first use: most bodies are never used. */
export function functionAt(
  at: Lowering,
  node: Node,
  known: Omit<Fn, 'body' | 'line' | 'span'>,
  body: (line: number) => readonly Stmt[],
): Fn {
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

export function fieldOf(node: Node, name: string): Node | undefined {
  return node.field(name) ?? undefined;
}

/** Children that mean something: no punctuation, no comments. */
export function partsOf(node: Node): Node[] {
  return node.children().filter((child) => child.isNamed() && !/comment$/.test(String(child.kind())));
}

/** An expression of which nothing is known. */
export function nothing(line: number): Expr {
  return { op: 'some', parts: [], line };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' };

/** A text literal's content, with common escapes read; others stay as written. */
export function readEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(.)/gs, (_, char: string) => ESCAPES[char] ?? char);
}

/** `0x1f`, `1_000`, `12L`, `3.5`; undefined for what is not a number. */
export function numberOf(text: string): number | undefined {
  const plain = text.replaceAll('_', '').replace(/(?<=\d)[lLfFdDnuUmM]+$/, '');
  const value = Number(/^0[0-7]+$/.test(plain) ? `0o${plain.slice(1)}` : plain);
  return Number.isNaN(value) ? undefined : value;
}

/**
 * A chain of one operator leaning left (`a + b + c ...`), as its operands in order: thousands of them add no depth.
 */
export function chainOf(node: Node, kind: string, isSame: (node: Node) => boolean): Node[] {
  const right: Node[] = [];
  let at = node;
  for (;;) {
    const [left, last] = [fieldOf(at, 'left'), fieldOf(at, 'right')];
    if (!left || !last) break;
    right.push(last);
    at = left;
    if (String(at.kind()) !== kind || !isSame(at)) break;
  }
  right.push(at);
  return right.reverse();
}

/** One branch of an `if` and its `else if`s. */
export interface Branch {
  readonly test: Expr;
  readonly yes: readonly Stmt[];
  readonly line: number;
}

/** More `else if` than this are read as separate statements. */
const MAX_ELSE_IFS = 100;

/** `if`, its `else if`s and its `else`, nested as far as the stack allows. */
export function chained(branches: readonly Branch[], otherwise: readonly Stmt[]): Stmt[] {
  const far = branches.slice(MAX_ELSE_IFS).map((one): Stmt => ({ op: 'if', ...one, no: [] }));
  let no: Stmt[] = [...far, ...otherwise];
  for (const one of branches.slice(0, MAX_ELSE_IFS).reverse()) no = [{ op: 'if', ...one, no }];
  return no;
}

/** A class of all characters but letters, digits, blanks, `_` and `-`, with its flags. */
const ALL_OTHERS = /^\/\[\^(?:a-z|A-Z|0-9|\\[wd-]|[A-Za-z0-9_ ]|-(?=\]))+\]\+?\/([a-z]*)$/;
/** A regular expression between slashes, with its flags behind it. */
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

/** What a regular expression is called. `global`: it finds one place only without the flag. */
function regexName(text: string, global: boolean): string {
  const flags = ALL_OTHERS.exec(text.slice(0, 200))?.[1];
  return flags !== undefined && (!global || flags.includes('g')) ? ALL_OTHERS_NAME : '/regex/';
}
