import type { CallArgument, DictEntry, Expr, Param, Stmt } from '../ir.ts';
import { byKind, readName } from './descent.ts';
import {
  fieldOf,
  fieldText,
  type MaybeNode,
  type ParserNode,
  partOfKind,
  partsOfKind,
  type ReadExpression,
  readEscapes,
  type SyntaxLowering,
  significantChildren,
} from './node.ts';
import * as t from './table.ts';

export const pythonExpressions = byKind<ReadExpression>({
  identifier: readName,
  'integer float': t.lowerNumber,
  ...t.LITERALS,
  string: text,
  concatenated_string: t.formatOf,
  attribute: t.createMemberLowering('object', 'attribute'),
  subscript: subscript,
  call: (node, line, to) =>
    t.createCall(to.expr(node.field('function')), args(node.field('arguments'), to), line),
  binary_operator: t.binaryOf('binary_operator', ['+']),
  boolean_operator: (node, line, to) =>
    t.lowerBinary(node, node.field('operator')?.text() === 'and' ? '&&' : '||', line, to),
  not_operator: (node, line, to) => ({ op: 'not', operand: to.expr(node.field('argument')), line }),
  unary_operator: (node, line, to) => t.lowerSign(node, to.expr(node.field('argument')), line),
  comparison_operator: comparison,
  conditional_expression: (node, line, to) => {
    const [yes, test, no] = significantChildren(node);
    return { op: 'choice', test: to.expr(test), yes: to.expr(yes), no: to.expr(no), line };
  },
  'list tuple set pattern_list tuple_pattern list_pattern expression_list': t.lowerList,
  dictionary: (node, line, to) =>
    t.createDict(
      significantChildren(node).map((part) => entry(part, to)),
      line,
    ),
  assignment: assignment,
  augmented_assignment: t.assignOf,
  named_expression: (node, line, to) =>
    t.createAssignment(to.expr(node.field('name')), to.expr(node.field('value')), line),
  as_pattern: (node, line, to) => {
    const [value, alias] = significantChildren(node);
    return t.createAssignment(to.expr(significantChildren(alias)[0] ?? alias), to.expr(value), line);
  },
  lambda: lambda,
  'list_comprehension set_comprehension generator_expression dictionary_comprehension': comprehension,
  'parenthesized_expression await list_splat dictionary_splat case_pattern interpolation': t.lowerFirstPart,
});

export function paramsOf(node: MaybeNode, to: SyntaxLowering): Param[] {
  return significantChildren(node).flatMap((part): Param[] => {
    const kind = part.kind();
    if (kind === 'identifier') return [{ name: part.text() }];
    const named = fieldOf(part, 'name') ?? significantChildren(part)[0];
    if (!named) return [];
    const type = part.field('type')?.text();
    const value = fieldOf(part, 'value');
    const byDefault = value ? to.expr(value) : undefined;
    return [{ name: named.text().replace(/^\*+/, ''), type, byDefault }];
  });
}

function subscript(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const parts = node.fieldChildren('subscript');
  const only = parts.length === 1 ? parts[0] : undefined;
  const object = to.expr(node.field('value'));
  return t.createIndex(object, only && only.kind() !== 'slice' ? to.expr(only) : undefined, line);
}

function lambda(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const params = paramsOf(node.field('parameters'), to);
  const body: Stmt[] = [{ op: 'return', value: to.expr(node.field('body')), line }];
  return t.createFunction({ name: '', params, marks: [], body, line, lambda: true }, line);
}

function comparison(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const operators = node.fieldChildren('operators').map((one) => one.text());
  const [left, right, ...more] = significantChildren(node);
  if (more.length > 0 || !left || !right) {
    return { op: 'some', parts: significantChildren(node).map(to.expr), line };
  }
  return t.createBinary(operators.join(' ') || '==', to.expr(left), to.expr(right), line);
}

function assignment(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const right = fieldOf(node, 'right');
  if (!right) return t.createUnknown(line);
  return t.createAssignment(to.expr(node.field('left')), to.expr(right), line);
}

function comprehension(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const clause = partOfKind(node, 'for_in_clause');
  const body = node.field('body');
  const target = clause?.field('left');
  const over = clause?.field('right');
  const element = body?.kind() === 'pair' ? body.field('value') : body;
  const made = body ? to.expr(element) : t.createUnknown(line);
  if (!target || !over) return made;
  const bind = t.createAssignment(to.expr(target), t.createIndex(to.expr(over), undefined, line), line);
  const tests = partsOfKind(node, 'if_clause').flatMap(significantChildren);
  const test = tests[0] && to.expr(tests[0]);
  const value: Expr = test ? { op: 'choice', test, yes: made, no: t.createUnknown(line), line } : made;
  const last = t.createIndex(t.createList([bind, value], line), t.constant(1, line), line);
  return t.createIndex(t.createList([last], line), undefined, line);
}

function entry(node: ParserNode, to: SyntaxLowering): DictEntry {
  if (node.kind() !== 'pair') return { value: to.expr(node) };
  return { key: to.expr(node.field('key')), value: to.expr(node.field('value')) };
}

function args(node: MaybeNode, to: SyntaxLowering): CallArgument[] {
  if (node?.kind() === 'generator_expression') return [{ value: to.expr(node) }];
  return significantChildren(node).map((part): CallArgument => {
    const kind = part.kind();
    if (kind === 'keyword_argument')
      return { value: to.expr(part.field('value')), name: fieldText(part, 'name') };
    if (kind === 'list_splat' || kind === 'dictionary_splat') return { value: to.expr(part), spread: true };
    return { value: to.expr(part) };
  });
}

function text(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const children = node.children();
  const begin = children[0]?.text() ?? '';
  const raw = /r/i.test(begin);
  const parts: Expr[] = [];
  for (const child of children.slice(1)) {
    const kind = child.kind();
    if (kind === 'string_content') {
      const inner = child.text();
      parts.push(t.constant(raw ? inner : readEscapes(inner), line));
    } else if (kind === 'interpolation') parts.push(to.expr(child.field('expression') ?? child));
  }
  if (parts.length === 0) return t.constant('', line);
  const [only] = parts;
  return parts.length === 1 && only?.op === 'constant' ? only : { op: 'format', parts, template: true, line };
}
