import type { Arg, Expr, Fn, Param, Program, Stmt } from '../ir.ts';
import {
  chainOf,
  createLazyFunction,
  createUnknown,
  fieldOf,
  type LoweringState,
  lineOf,
  type Node,
  numberOf,
  runOneLevelDeeper,
  significantChildren,
} from './node.ts';

type Maybe = Node | null | undefined;

export interface PartLowering {
  expr(node: Maybe): Expr;
  body(node: Maybe): Stmt[];
  fn(node: Node, known: Omit<Fn, 'body' | 'line' | 'span'>, body: (line: number) => readonly Stmt[]): Fn;
}

type Parts = Pick<PartLowering, 'expr' | 'body'>;

/** A language's readers of syntax nodes, by node kind. A kind without a reader becomes `some` of its children. */
export interface LoweringTable {
  readonly statements: Readonly<Record<string, (node: Node, line: number, to: PartLowering) => Stmt[]>>;
  readonly expressions: Readonly<Record<string, (node: Node, line: number, to: PartLowering) => Expr>>;
  /** Kinds of nodes that only group statements. */
  readonly blocks: readonly string[];
  /** Kinds of nodes that are replaced by the one expression in them. */
  readonly wrappers: readonly string[];
  readonly names: readonly string[];
}

export function lowerBy(table: LoweringTable, root: Node): Program {
  const at: LoweringState = { depth: 0, cut: false };
  const [blocks, wrappers, names] = [new Set(table.blocks), new Set(table.wrappers), new Set(table.names)];
  const to: PartLowering = {
    expr(node) {
      if (!node) return createUnknown(0);
      const line = lineOf(node);
      return runOneLevelDeeper(at, () => expression(node, line), createUnknown(line));
    },
    body(node) {
      return node ? runOneLevelDeeper(at, () => statement(node), []) : [];
    },
    fn: (node, known, body) => createLazyFunction(at, node, known, body),
  };
  function expression(node: Node, line: number): Expr {
    const kind = String(node.kind());
    if (names.has(kind)) return { op: 'name', name: node.text(), line };
    const read = Object.hasOwn(table.expressions, kind) ? table.expressions[kind] : undefined;
    if (read) return read(node, line, to);
    const parts = significantChildren(node);
    if (wrappers.has(kind)) return to.expr(parts.at(-1));
    return { op: 'some', parts: parts.map(to.expr), line };
  }
  function statement(node: Node): Stmt[] {
    const kind = String(node.kind());
    if (blocks.has(kind)) return significantChildren(node).flatMap((part) => to.body(part));
    const line = lineOf(node);
    const read = Object.hasOwn(table.statements, kind) ? table.statements[kind] : undefined;
    if (read) return read(node, line, to);
    return [{ op: 'expr', value: to.expr(node), line }];
  }
  const body = statement(root);
  return { body, cut: at.cut };
}

export function constant(value: string | number | boolean | null, line: number): Expr {
  return { op: 'constant', value, line };
}

export function numeral(node: Node, line: number): Expr {
  const value = numberOf(node.text());
  return value === undefined ? createUnknown(line) : constant(value, line);
}

/** Lowers a floating-point literal. `2.0` becomes unknown: as a whole number it would be divided as a whole number. */
export function lowerFloat(node: Node, line: number): Expr {
  const value = numberOf(node.text());
  return value === undefined || Number.isInteger(value) ? createUnknown(line) : constant(value, line);
}

export function lowerNegativeNumber(node: Node, operand: Expr, line: number): Expr | undefined {
  if (operand.op !== 'constant' || typeof operand.value !== 'number') return undefined;
  return /^-\d/.test(node.text()) ? constant(-operand.value, line) : undefined;
}

/** Lowers a sign before an operand. The result carries the operand's data, unless it is a negative number. */
export function lowerSign(node: Node, operand: Expr, line: number): Expr {
  return lowerNegativeNumber(node, operand, line) ?? { op: 'some', parts: [operand], line };
}

export function lowerBinary(node: Node, operator: string, line: number, to: Parts): Expr {
  const [left, right] = [to.expr(node.field('left')), to.expr(node.field('right'))];
  return { op: 'binary', operator, left, right, line };
}

export function lowerAugmentedAssignment(node: Node, line: number, to: Parts): Expr {
  const operator = node.field('operator')?.text() ?? '+=';
  const target = to.expr(node.field('left'));
  const right = to.expr(node.field('right'));
  if (operator === '+=') return { op: 'assign', target, value: right, adds: true, line };
  const value: Expr = { op: 'binary', operator: operator.slice(0, -1), left: target, right, line };
  return { op: 'assign', target, value, adds: false, line };
}

export function lowerFirstPart(node: Node, line: number, to: Parts): Expr {
  const inner = significantChildren(node)[0];
  return inner ? to.expr(inner) : createUnknown(line);
}

/** Returns a reader of binary operators. Long chains of those in `joins`, which concatenate text, are flattened. */
export function binaryOf(
  kind: string,
  joins: readonly string[],
  names: Readonly<Record<string, string>> = {},
) {
  return (node: Node, line: number, to: PartLowering): Expr => {
    const written = node.field('operator')?.text() ?? '';
    const operator = names[written] ?? written;
    if (joins.includes(written)) {
      const parts = chainOf(node, kind, (one) => one.field('operator')?.text() === written).map(to.expr);
      if (parts.length > 2) return { op: 'format', parts, line };
      const [left, right] = parts;
      if (left && right) return { op: 'binary', operator: '+', left, right, line };
    }
    return lowerBinary(node, operator, line, to);
  };
}

export function memberOf(object: string, name: string) {
  return (node: Node, line: number, to: Parts): Expr => ({
    op: 'member',
    object: to.expr(node.field(object)),
    name: node.field(name)?.text() ?? '',
    line,
  });
}

export function assignOf(value: string, to: PartLowering, node: Node, line: number): Expr {
  const operator = node.field('operator')?.text() ?? '=';
  const target = to.expr(node.field('left'));
  const right = to.expr(node.field(value));
  // Combines target and value, since `a ||= b` keeps the value of `a` if there is one.
  const [, either] = /^(\|\||\?\?|&&)=$/.exec(operator) ?? [];
  const next: Expr =
    either === undefined ? right : { op: 'binary', operator: either, left: target, right, line };
  return { op: 'assign', target, value: next, adds: operator === '+=' || operator === '.=', line };
}

/** Lowers call arguments in order. `named` returns the name of an argument, for languages with named arguments. */
export function argsOf(
  node: Maybe,
  to: PartLowering,
  named?: (part: Node) => { name?: string; value: Maybe },
): Arg[] {
  return (node ? significantChildren(node) : []).map((part) => {
    const read = named?.(part) ?? { value: part };
    return { value: to.expr(read.value), name: read.name };
  });
}

export function ifOf(node: Node, line: number, to: PartLowering, yes = 'consequence'): Stmt[] {
  return [
    {
      op: 'if',
      test: to.expr(node.field('condition')),
      yes: to.body(node.field(yes)),
      no: to.body(node.field('alternative')),
      line,
    },
  ];
}

/** One branch of a `switch` expression; a branch without `tests` is the default. */
export interface SwitchArm {
  readonly tests: readonly Expr[];
  readonly value: Expr;
}

export function lowerSwitchExpression(subject: Expr, arms: readonly SwitchArm[], line: number): Expr {
  const isOne = (test: Expr): Expr => ({ op: 'binary', operator: '==', left: subject, right: test, line });
  const either = (left: Expr, right: Expr): Expr => ({ op: 'binary', operator: '||', left, right, line });
  const byDefault = arms.find(({ tests }) => tests.length === 0)?.value ?? createUnknown(line);
  return arms
    .filter(({ tests }) => tests.length > 0)
    .slice(0, MAX_ARMS)
    .reduceRight<Expr>((no, { tests, value }) => {
      const test = tests.map(isOne).reduce(either);
      return { op: 'choice', test, yes: value, no, line };
    }, byDefault);
}

const MAX_ARMS = 40;

export function whileOf(node: Node, line: number, to: Parts): Stmt[] {
  return [{ op: 'loop', test: to.expr(node.field('condition')), body: to.body(node.field('body')), line }];
}

export function createLoopReader(variable: string, over: string) {
  return (node: Node, line: number, to: Parts): Stmt[] => {
    const [target, list] = [to.expr(node.field(variable)), to.expr(node.field(over))];
    return [{ op: 'loop', target, over: list, body: to.body(node.field('body')), line }];
  };
}

export function tryOf(node: Node, line: number, to: Parts, before: readonly Stmt[] = []): Stmt[] {
  const bodiesOf = (kind: string) =>
    significantChildren(node)
      .filter((part) => String(part.kind()) === kind)
      .map((part) => to.body(part.field('body') ?? significantChildren(part)[0]));
  const body = [...before, ...to.body(node.field('body'))];
  const [handlers, after] = [bodiesOf('catch_clause'), bodiesOf('finally_clause').flat()];
  return [{ op: 'try', body, handlers, after, line }];
}

export function returnOf(node: Node, line: number, to: Parts): Stmt[] {
  const value = significantChildren(node)[0];
  return [{ op: 'return', value: value ? to.expr(value) : undefined, line }];
}

export function lowerBreak(_node: Node, line: number): Stmt[] {
  return [{ op: 'leave', line }];
}

/** Matches a class name, with an optional package and type arguments. */
const CLASS_NAME = /^(?:[\w.]{1,100}\.)?([A-Z]\w{0,80})(?:<.*)?\??$/s;
const PLAIN_CLASS = /^(?:String|Integer|Long|Boolean|Double|Float|Object|Map|List|Set|Exception)$/;

export function createDeclaration(name: string, type: string | undefined, line: number): Stmt[] {
  return [{ op: 'declare', name, type: classNameOfType(type), number: isNumber(type), line }];
}

export function createDefinition(name: string, type: string | undefined, value: Expr, line: number): Stmt[] {
  const target: Expr = { op: 'name', name, line };
  const known = { type: classNameOfType(type), number: isNumber(type) };
  return [{ op: 'expr', value: { op: 'assign', target, value, adds: false, ...known, line }, line }];
}

const NUMBERS =
  /^(?:(?:u?(?:int|long|short)|s?byte|float|double|decimal|boolean|bool|Guid|UUID|DateTime|DateTimeOffset|LocalDate|LocalDateTime|Integer|Long|Double|Boolean)\??)$/;

/** True if a variable of that type cannot hold text. */
function isNumber(type: string | undefined): true | undefined {
  return (type !== undefined && NUMBERS.test(type)) || undefined;
}

export function classNameOfType(type: string | undefined): string | undefined {
  const known = CLASS_NAME.exec(type?.slice(0, 200) ?? '')?.[1];
  return known === undefined || PLAIN_CLASS.test(known) ? undefined : known;
}

export function lowerToNothing(): Stmt[] {
  return [];
}

export function lowerParameters(
  list: Maybe,
  to: PartLowering,
  byDefault: string,
  marks: (node: Node) => string[],
): Param[] {
  return (list ? significantChildren(list) : []).flatMap((part): Param[] => {
    const name = fieldOf(part, 'name') ?? (significantChildren(part).length === 0 ? part : undefined);
    if (!name) return [];
    const type = part.field('type')?.text().slice(0, 100);
    const value = fieldOf(part, byDefault);
    const on = marks(part);
    return [
      {
        name: name.text(),
        type,
        marks: on.length > 0 ? on : undefined,
        byDefault: value ? to.expr(value) : undefined,
      },
    ];
  });
}

export function textOf(
  node: Node,
  line: number,
  to: PartLowering,
  content: RegExp,
  read: (text: string) => string,
): Expr {
  const parts: Expr[] = node.children().flatMap((child): Expr[] => {
    if (!child.isNamed()) return [];
    const kind = String(child.kind());
    if (content.test(kind)) return [constant(read(child.text()), line)];
    if (/escape/.test(kind)) return [constant(read(child.text()), line)];
    return /start|end|quote|encoding/.test(kind) ? [] : [to.expr(child)];
  });
  if (parts.length === 0) return constant('', line);
  const [only] = parts;
  return parts.length === 1 && only?.op === 'constant' ? only : { op: 'format', parts, line };
}
