import type { CallArgument, DictEntry, Expr } from '../ir.ts';
import { byKind, readLastPart, readName } from './descent.ts';
import { classOf, functionOf } from './javascript-function.ts';
import {
  chainOf,
  fieldOf,
  fieldText,
  lineOf,
  type ParserNode,
  type ReadExpression,
  readEscapes,
  regexOf,
  type SyntaxLowering,
  significantChildren,
} from './node.ts';
import * as t from './table.ts';

export const javascriptExpressions = byKind<ReadExpression>({
  'identifier this super import property_identifier': readName,
  'shorthand_property_identifier_pattern shorthand_property_identifier': readName,
  ...t.LITERALS,
  number: t.lowerNumber,
  string: (node, line) => t.constant(readEscapes(node.text().slice(1, -1)), line),
  template_string: template,
  regex: (node, line) => regexOf(node.text(), true, line),
  member_expression: t.createMemberLowering('object', 'property'),
  subscript_expression: t.createIndexLowering('object', 'index'),
  call_expression: (node, line, to) => call(node, 'function', line, to),
  new_expression: (node, line, to) => call(node, 'constructor', line, to),
  binary_expression: binary,
  unary_expression: unary,
  update_expression: t.updateOf,
  ternary_expression: t.choiceOf,
  assignment_expression: (node, line, to) =>
    t.createAssignment(to.expr(node.field('left')), to.expr(node.field('right')), line),
  augmented_assignment_expression: t.assignOf,
  'arrow_function function_expression generator_function function': (node, line, to) =>
    t.createFunction(functionOf(node, to), line),
  class: classExpression,
  'object object_pattern': (node, line, to) =>
    t.createDict(
      significantChildren(node).flatMap((part) => entry(part, to)),
      line,
    ),
  'array array_pattern': t.lowerList,
  'assignment_pattern object_assignment_pattern parenthesized_expression await_expression': t.lowerFirstPart,
  'yield_expression spread_element as_expression satisfies_expression non_null_expression': t.lowerFirstPart,
  'rest_pattern template_substitution jsx_expression': t.lowerFirstPart,
  type_assertion: readLastPart,
  sequence_expression: (node, line, to) =>
    t.createIndex(t.lowerList(node, line, to), t.constant(-1, line), line),
  jsx_attribute: jsxAttribute,
  'type_arguments type_annotation jsx_text': (_, line) => t.createUnknown(line),
});

function unary(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const operand = to.expr(node.field('argument'));
  const operator = node.field('operator')?.text();
  if (operator === '!') return { op: 'not', operand, line };
  if (operator === '-' && operand.op === 'constant' && typeof operand.value === 'number') {
    return t.constant(-operand.value, line);
  }
  if (operator === 'typeof') return t.createCall(t.createName('typeof', line), [{ value: operand }], line);
  // The result of `void x` or `+x` is never a text. Both become a subtraction, which always results in a number.
  return t.createBinary('-', t.constant(0, line), operand, line);
}

function jsxAttribute(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const [name, value] = significantChildren(node);
  const target = t.createMember(t.createName('jsx', line), name?.text() ?? '', line);
  // A JSX attribute without a value is true: `<input disabled />`.
  return t.createAssignment(target, value ? to.expr(value) : t.constant(true, line), line);
}

function classExpression(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const body = [classOf(node, line, to)];
  return t.createFunction({ name: fieldText(node, 'name'), params: [], marks: [], body, line }, line);
}

function template(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const parts: Expr[] = node.children().flatMap((child): Expr[] => {
    const kind = child.kind();
    if (kind === 'string_fragment') return [t.constant(readEscapes(child.text()), lineOf(child))];
    if (kind === 'escape_sequence') return [t.constant(readEscapes(child.text()), line)];
    return kind === 'template_substitution' ? [to.expr(child)] : [];
  });
  return t.createFormat(parts, line);
}

function call(node: ParserNode, field: string, line: number, to: SyntaxLowering): Expr {
  const given = node.field('arguments');
  const args: CallArgument[] =
    given?.kind() === 'template_string'
      ? [{ value: t.lowerList(given, line, to) }]
      : significantChildren(given).map((part) => ({
          value: to.expr(part),
          spread: part.kind() === 'spread_element' ? (true as const) : undefined,
        }));
  const callee = to.expr(node.field(field));
  return { op: 'call', callee, args, makes: field === 'constructor' ? true : undefined, line };
}

function binary(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const operator = fieldText(node, 'operator');
  if (operator === '+' || operator === '||' || operator === '&&') {
    const parts = chainOf(node, 'binary_expression', (one) => one.field('operator')?.text() === operator);
    const operands = parts.map(to.expr);
    const [first, ...rest] = operands;
    if (operator === '+' && operands.length > 2) return t.createFormat(operands, line);
    if (first && operands.length <= 100)
      return rest.reduce((left, right): Expr => t.createBinary(operator, left, right, line), first);
    return { op: 'some', parts: operands, line };
  }
  return t.lowerBinary(node, operator, line, to);
}

function entry(node: ParserNode, to: SyntaxLowering): DictEntry[] {
  const line = lineOf(node);
  switch (node.kind()) {
    case 'pair':
    case 'pair_pattern': {
      const key = fieldOf(node, 'key');
      return [{ key: key ? keyOf(key, to) : undefined, value: to.expr(node.field('value')) }];
    }
    case 'shorthand_property_identifier':
    case 'shorthand_property_identifier_pattern':
      return [{ key: t.constant(node.text(), line), value: t.createName(node.text(), line) }];
    case 'object_assignment_pattern': {
      const name = fieldText(node, 'left');
      return [{ key: t.constant(name, line), value: t.createName(name, line) }];
    }
    case 'method_definition': {
      const key = t.constant(fieldText(node, 'name'), line);
      return [{ key, value: t.createFunction(functionOf(node, to), line) }];
    }
    default:
      return [{ value: to.expr(node) }];
  }
}

function keyOf(key: ParserNode, to: SyntaxLowering): Expr {
  const line = lineOf(key);
  const kind = key.kind();
  if (kind === 'computed_property_name') return to.expr(significantChildren(key)[0]);
  if (kind === 'string') return t.constant(key.text().slice(1, -1), line);
  return t.constant(key.text(), line);
}
