import {
  type CallArgument,
  type Constant,
  type DictEntry,
  type Expr,
  type ExprOf,
  type FunctionNode,
  isNumberType,
  type Param,
  type Stmt,
} from '../ir.ts';
import {
  buildNestedIf,
  chainOf,
  fieldOf,
  fieldText,
  lineOf,
  type MaybeNode,
  numberOf,
  type ParserNode,
  partOfKind,
  partsOfKind,
  type ReadExpression,
  type ReadStatement,
  type SyntaxLowering,
  significantChildren,
} from './node.ts';

export const createUnknown = (line: number): Expr => ({ op: 'some', parts: [], line });

export const constant = (value: Constant, line: number): Expr => ({ op: 'constant', value, line });

export const createName = (name: string, line: number): Expr => ({ op: 'name', name, line });

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

export const createList = (items: readonly Expr[], line: number): Expr => ({ op: 'list', items, line });

export function createDict(entries: readonly DictEntry[], line: number): Expr {
  return { op: 'dict', entries, line };
}

export const createFormat = (parts: readonly Expr[], line: number): Expr => ({ op: 'format', parts, line });

export function createAssignment(target: Expr, value: Expr, line: number, adds = false): Expr {
  return { op: 'assign', target, value, adds, line };
}

export const createFunction = (fn: FunctionNode, line: number): Expr & Stmt => ({ op: 'function', fn, line });

/** Returns `fn` with more properties. A copy (`{ ...fn }`) would convert the whole body, which is slow. */
export const extendFunction = (fn: FunctionNode, facts: Partial<FunctionNode>): FunctionNode =>
  Object.create(fn, Object.getOwnPropertyDescriptors(facts));

export const createStatement = (value: Expr, line: number): Stmt => ({ op: 'expr', value, line });

export function lowerNumber(node: ParserNode, line: number): Expr {
  const value = numberOf(node.text());
  return value === undefined ? createUnknown(line) : constant(value, line);
}

/** Converts a float. `2.0` gets no known value, because a constant 2 would be divided as an integer. */
export function lowerFloat(node: ParserNode, line: number): Expr {
  const value = numberOf(node.text());
  return value === undefined || Number.isInteger(value) ? createUnknown(line) : constant(value, line);
}

export function lowerNegativeNumber(node: ParserNode, operand: Expr, line: number): Expr | undefined {
  if (operand.op !== 'constant' || typeof operand.value !== 'number') return undefined;
  return /^-\d/.test(node.text()) ? constant(-operand.value, line) : undefined;
}

export const lowerSign = (node: ParserNode, operand: Expr, line: number): Expr =>
  lowerNegativeNumber(node, operand, line) ?? { op: 'some', parts: [operand], line };

export function lowerBinary(node: ParserNode, operator: string, line: number, to: SyntaxLowering): Expr {
  const [left, right] = [to.expr(node.field('left')), to.expr(node.field('right'))];
  return createBinary(operator, left, right, line);
}

export function lowerFirstPart(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const inner = significantChildren(node)[0];
  return inner ? to.expr(inner) : createUnknown(line);
}

export function binaryOf(
  kind: string,
  joins: readonly string[],
  names: Readonly<Record<string, string>> = {},
) {
  return (node: ParserNode, line: number, to: SyntaxLowering): Expr => {
    const written = fieldText(node, 'operator');
    const operator = names[written] ?? written;
    if (joins.includes(written)) {
      const parts = chainOf(node, kind, (one) => one.field('operator')?.text() === written).map(to.expr);
      if (parts.length > 2 || written === '.') return createFormat(parts, line);
      const [left, right] = parts;
      if (left && right) return createBinary('+', left, right, line);
    }
    return lowerBinary(node, operator, line, to);
  };
}

export function createMemberLowering(object: string, name: string): ReadExpression {
  return (node, line, to) => createMember(to.expr(node.field(object)), fieldText(node, name), line);
}

export function createIndexLowering(object: string, index: string): ReadExpression {
  return (node, line, to) => createIndex(to.expr(node.field(object)), to.expr(node.field(index)), line);
}

export const lowerList = (node: ParserNode, line: number, to: SyntaxLowering): Expr =>
  createList(significantChildren(node).map(to.expr), line);

export const formatOf = (node: ParserNode, line: number, to: SyntaxLowering): Expr =>
  createFormat(significantChildren(node).map(to.expr), line);

export function choiceOf(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const test = to.expr(node.field('condition'));
  const yes = to.expr(node.field('consequence'));
  return { op: 'choice', test, yes, no: to.expr(node.field('alternative')), line };
}

/** Converters of literals. A key lists the names that a literal's syntax node has in several grammars. */
export const LITERALS: Readonly<Record<string, ReadExpression>> = {
  true: (_, line) => constant(true, line),
  false: (_, line) => constant(false, line),
  'null nil none null_literal undefined': (_, line) => constant(null, line),
};

export function assignOf(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const operator = node.field('operator')?.text() ?? '=';
  const target = to.expr(node.field('left'));
  const right = to.expr(node.field('right'));
  const adds = operator === '+=' || operator === '.=';
  const next = adds || operator === '=' ? right : createBinary(operator.slice(0, -1), target, right, line);
  return createAssignment(target, next, line, adds);
}

export function readNamedArgument(part: ParserNode): { name?: string; value: MaybeNode } {
  return { name: part.field('name')?.text(), value: significantChildren(part).at(-1) ?? part };
}

export function argsOf(
  node: MaybeNode,
  to: SyntaxLowering,
  named?: (part: ParserNode) => { name?: string; value: MaybeNode },
): CallArgument[] {
  return significantChildren(node).map((part) => {
    const read = named?.(part) ?? { value: part };
    return { value: to.expr(read.value), name: read.name };
  });
}

export const ifOf = (node: ParserNode, line: number, to: SyntaxLowering): Stmt[] => [
  {
    op: 'if',
    test: to.expr(node.field('condition')),
    yes: to.body(node.field('consequence')),
    no: to.body(node.field('alternative')),
    line,
  },
];

export function createIfReader(then: string): ReadStatement {
  return (node, line, to) => {
    const branchOf = (one: ParserNode, line: number) => ({
      test: to.expr(one.field('condition')),
      yes: to.body(one.field(then)),
      line,
    });
    const branches = [branchOf(node, line)];
    let otherwise: Stmt[] = [];
    for (const clause of node.fieldChildren('alternative')) {
      if (clause.kind() === 'else_clause') otherwise = to.body(clause.field('body'));
      else branches.push(branchOf(clause, lineOf(clause)));
    }
    return buildNestedIf(branches, otherwise);
  };
}

export interface SwitchArm {
  readonly tests: readonly Expr[];
  readonly value: Expr;
}

export function lowerSwitchExpression(subject: Expr, arms: readonly SwitchArm[], line: number): Expr {
  const isOne = (test: Expr): Expr => createBinary('==', subject, test, line);
  const either = (left: Expr, right: Expr): Expr => createBinary('||', left, right, line);
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

export function whileOf(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const once = node.kind() === 'do_statement' ? true : undefined;
  const test = to.expr(node.field('condition'));
  return [{ op: 'loop', test, body: to.body(node.field('body')), once, line }];
}

export function createForReader(first: string, last = 'update'): ReadStatement {
  return (node, line, to) => {
    const test = to.expr(node.field('condition'));
    const after = node.fieldChildren(last).map((part) => createStatement(to.expr(part), line));
    const body = [...node.fieldChildren('body').flatMap(to.body), ...after];
    return [...node.fieldChildren(first).flatMap(to.body), { op: 'loop', test, body, line }];
  };
}

/** Converts `n++` and `n--` to a subtraction, which always gives a number. An addition may join texts. */
export function updateOf(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const target = to.expr(significantChildren(node)[0]);
  const by = /^--|--$/.test(node.text()) ? 1 : -1;
  return createAssignment(target, createBinary('-', target, constant(by, line), line), line);
}

export function createLoopReader(variable: string, over: string): ReadStatement {
  return (node, line, to) => {
    const [target, list] = [to.expr(node.field(variable)), to.expr(node.field(over))];
    return [{ op: 'loop', target, over: list, body: to.body(node.field('body')), line }];
  };
}

export function tryOf(
  node: ParserNode,
  line: number,
  to: SyntaxLowering,
  before: readonly Stmt[] = [],
): Stmt[] {
  const bodiesOf = (kind: string) =>
    partsOfKind(node, kind).map((part) => to.body(part.field('body') ?? significantChildren(part)[0]));
  const body = [...before, ...to.body(node.field('body'))];
  const [handlers, after] = [bodiesOf('catch_clause'), bodiesOf('finally_clause').flat()];
  return [{ op: 'try', body, handlers, after, line }];
}

export const bodyOf = (body: MaybeNode, block: string, line: number, to: SyntaxLowering): Stmt[] =>
  body?.kind() === block ? to.body(body) : [{ op: 'return', value: to.expr(body), line }];

export function lowerLambda(
  node: ParserNode,
  params: readonly Param[],
  line: number,
  to: SyntaxLowering,
): Expr {
  const body = node.field('body') ?? partOfKind(node, 'block');
  const fn = to.fn(node, { name: '', params, marks: [] }, () => bodyOf(body, 'block', line, to));
  return createFunction(fn, line);
}

export const lowerUnary = (node: ParserNode, operand: Expr, line: number): Expr =>
  node.text().startsWith('!') ? { op: 'not', operand, line } : lowerSign(node, operand, line);

export function returnOf(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const value = significantChildren(node)[0];
  return [{ op: 'return', value: value ? to.expr(value) : undefined, line }];
}

export const lowerStatement = (node: ParserNode, line: number, to: SyntaxLowering): Stmt[] =>
  significantChildren(node).map((part) => createStatement(to.expr(part), line));

export const lowerThrow = (_node: ParserNode, line: number): Stmt[] => [{ op: 'throw', line }];

export const lowerBreak = (_node: ParserNode, line: number): Stmt[] => [{ op: 'leave', line }];

const CLASS_NAME = /^(?:[\w.]{1,100}\.)?([A-Z]\w{0,80})(?:<.*)?\??$/s;
const PLAIN_CLASS = /^(?:String|Integer|Long|Boolean|Double|Float|Object|Map|List|Set|Exception)$/;

export function createDeclaration(name: string, type: string | undefined, line: number): Stmt[] {
  return [{ op: 'declare', name, type: classNameOfType(type), number: isNumber(type), line }];
}

export const declareNumbers = (params: readonly Param[], line: number): Stmt[] =>
  params.flatMap(({ name, type }) => (isNumber(type) ? createDeclaration(name, type, line) : []));

export function createDefinition(name: string, type: string | undefined, value: Expr, line: number): Stmt[] {
  const target = createName(name, line);
  const known = { type: classNameOfType(type), number: isNumber(type) };
  return [createStatement({ op: 'assign', target, value, adds: false, ...known, line }, line)];
}

export function createVariable(
  name: string,
  type: string | undefined,
  value: MaybeNode,
  line: number,
  to: SyntaxLowering,
): Stmt[] {
  return value ? createDefinition(name, type, to.expr(value), line) : createDeclaration(name, type, line);
}

export function forgetConstants(fields: readonly Stmt[], to: SyntaxLowering): Stmt[] {
  return fields.map((stmt) => {
    if (stmt.op !== 'expr' || stmt.value.op !== 'assign') return stmt;
    const { target, value, line } = stmt.value;
    if (target.op !== 'name' || value.op !== 'constant' || value.value === null) return stmt;
    if (!to.reassigned().has(target.name)) return stmt;
    return createStatement({ ...stmt.value, value: { op: 'some', parts: [], line } }, line);
  });
}

export function createFieldAssignment(name: string, line: number): Stmt {
  const target = createMember(createName('this', line), name, line);
  return createStatement(createAssignment(target, createName(name, line), line), line);
}

const isNumber = (type: string | undefined): true | undefined =>
  (type !== undefined && isNumberType(type)) || undefined;

export function classNameOfType(type: string | undefined): string | undefined {
  const known = CLASS_NAME.exec(type?.slice(0, 200) ?? '')?.[1];
  return known === undefined || PLAIN_CLASS.test(known) ? undefined : known;
}

export function lowerEnum(node: ParserNode, line: number): Stmt[] {
  return [{ op: 'class', name: fieldText(node, 'name'), bases: ['Enum'], marks: [], body: [], line }];
}

export const lowerToNothing = (): Stmt[] => [];

export function lowerParameters(
  list: MaybeNode,
  to: SyntaxLowering,
  byDefault: string,
  marks: (node: ParserNode) => string[],
): Param[] {
  return significantChildren(list).flatMap((part): Param[] => {
    const name = fieldOf(part, 'name') ?? (significantChildren(part).length === 0 ? part : undefined);
    if (!name) return [];
    const type = part.field('type')?.text().slice(0, 100);
    const value = fieldOf(part, byDefault);
    const on = marks(part);
    const byDefaultValue = value ? to.expr(value) : undefined;
    return [{ name: name.text(), type, marks: on.length > 0 ? on : undefined, byDefault: byDefaultValue }];
  });
}

export function lowerInterpolatedText(
  node: ParserNode,
  line: number,
  to: SyntaxLowering,
  content: RegExp,
  read: (text: string) => string,
): Expr {
  const parts: Expr[] = node.children().flatMap((child): Expr[] => {
    if (!child.isNamed()) return [];
    const kind = child.kind();
    if (content.test(kind) || /escape/.test(kind)) return [constant(read(child.text()), line)];
    return /start|end|quote|encoding/.test(kind) ? [] : [to.expr(child)];
  });
  if (parts.length === 0) return constant('', line);
  const [only] = parts;
  return parts.length === 1 && only?.op === 'constant' ? only : createFormat(parts, line);
}
