import type { Arg, DictEntry, Expr } from '../ir.ts';
import { byKind, type Descent, type ReadExpression } from './descent.ts';
import { classOf, functionOf } from './javascript-function.ts';
import {
  chainOf,
  createUnknown,
  fieldOf,
  lineOf,
  type Node,
  readEscapes,
  regexOf,
  significantChildren,
} from './node.ts';
import { lowerAugmentedAssignment, lowerBinary, lowerFirstPart, memberOf, numeral } from './table.ts';

export const javascriptExpressions = byKind<ReadExpression>([
  [
    'identifier this super property_identifier shorthand_property_identifier_pattern shorthand_property_identifier',
    (node, line) => ({ op: 'name', name: node.text(), line }),
  ],
  ['undefined null', (_, line) => ({ op: 'constant', value: null, line })],
  ['number', numeral],
  ['true', (_, line) => ({ op: 'constant', value: true, line })],
  ['false', (_, line) => ({ op: 'constant', value: false, line })],
  ['string', (node, line) => ({ op: 'constant', value: readEscapes(node.text().slice(1, -1)), line })],
  ['template_string', template],
  ['regex', (node, line) => regexOf(node.text(), true, line)],
  ['member_expression', memberOf('object', 'property')],
  [
    'subscript_expression',
    (node, line, at) => ({
      op: 'index',
      object: at.expr(node.field('object')),
      index: at.expr(node.field('index')),
      line,
    }),
  ],
  ['call_expression', (node, line, at) => call(node, 'function', line, at)],
  ['new_expression', (node, line, at) => call(node, 'constructor', line, at)],
  ['binary_expression', binary],
  ['unary_expression', unary],
  [
    'ternary_expression',
    (node, line, at) => ({
      op: 'choice',
      test: at.expr(node.field('condition')),
      yes: at.expr(node.field('consequence')),
      no: at.expr(node.field('alternative')),
      line,
    }),
  ],
  [
    'assignment_expression',
    (node, line, at) => ({
      op: 'assign',
      target: at.expr(node.field('left')),
      value: at.expr(node.field('right')),
      adds: false,
      line,
    }),
  ],
  ['augmented_assignment_expression', lowerAugmentedAssignment],
  [
    'arrow_function function_expression generator_function function',
    (node, line, at) => ({ op: 'function', fn: functionOf(node, at), line }),
  ],
  ['class', classExpression],
  [
    'object object_pattern',
    (node, line, at) => ({
      op: 'dict',
      entries: significantChildren(node).flatMap((part) => entry(part, at)),
      line,
    }),
  ],
  [
    'array array_pattern',
    (node, line, at) => ({ op: 'list', items: significantChildren(node).map(at.expr), line }),
  ],
  [
    'assignment_pattern object_assignment_pattern parenthesized_expression await_expression yield_expression ' +
      'spread_element as_expression satisfies_expression non_null_expression rest_pattern ' +
      'template_substitution jsx_expression',
    lowerFirstPart,
  ],
  ['type_assertion', (node, _, at) => at.expr(significantChildren(node).at(-1))],
  [
    'sequence_expression',
    (node, line, at) => ({
      op: 'index',
      object: { op: 'list', items: significantChildren(node).map(at.expr), line },
      index: { op: 'constant', value: -1, line },
      line,
    }),
  ],
  ['jsx_attribute', jsxAttribute],
  ['type_arguments type_annotation jsx_text', (_, line) => createUnknown(line)],
]);

function unary(node: Node, line: number, at: Descent): Expr {
  const operand = at.expr(node.field('argument'));
  const operator = node.field('operator')?.text();
  if (operator === '!') return { op: 'not', operand, line };
  if (operator === '-' && operand.op === 'constant' && typeof operand.value === 'number') {
    return { op: 'constant', value: -operand.value, line };
  }
  // Lowers `typeof x`, `void x` and `+x` to a number, since their result keeps nothing of a text.
  return { op: 'binary', operator: '-', left: { op: 'constant', value: 0, line }, right: operand, line };
}

function jsxAttribute(node: Node, line: number, at: Descent): Expr {
  const [name, value] = significantChildren(node);
  const target: Expr = {
    op: 'member',
    object: { op: 'name', name: 'jsx', line },
    name: name?.text() ?? '',
    line,
  };
  return { op: 'assign', target, value: at.expr(value), adds: false, line };
}

function classExpression(node: Node, line: number, at: Descent): Expr {
  const body = [classOf(node, line, at)];
  return {
    op: 'function',
    fn: { name: node.field('name')?.text() ?? '', params: [], marks: [], body, line },
    line,
  };
}

function template(node: Node, line: number, at: Descent): Expr {
  const parts: Expr[] = node.children().flatMap((child): Expr[] => {
    const kind = String(child.kind());
    if (kind === 'string_fragment')
      return [{ op: 'constant', value: readEscapes(child.text()), line: lineOf(child) }];
    if (kind === 'escape_sequence') return [{ op: 'constant', value: readEscapes(child.text()), line }];
    return kind === 'template_substitution' ? [at.expr(child)] : [];
  });
  return { op: 'format', parts, line };
}

function call(node: Node, field: string, line: number, at: Descent): Expr {
  const given = fieldOf(node, 'arguments');
  const args: Arg[] = !given
    ? []
    : String(given.kind()) === 'template_string'
      ? [{ value: { op: 'list', items: significantChildren(given).map((part) => at.expr(part)), line } }]
      : significantChildren(given).map((part) => ({
          value: at.expr(part),
          spread: String(part.kind()) === 'spread_element' ? (true as const) : undefined,
        }));
  const callee = at.expr(node.field(field));
  return { op: 'call', callee, args, makes: field === 'constructor' ? true : undefined, line };
}

function binary(node: Node, line: number, at: Descent): Expr {
  const operator = node.field('operator')?.text() ?? '';
  if (operator === '+' || operator === '||' || operator === '&&') {
    const parts = chainOf(node, 'binary_expression', (one) => one.field('operator')?.text() === operator);
    const operands = parts.map((part) => at.expr(part));
    const [first, ...rest] = operands;
    if (operator === '+' && operands.length > 2) return { op: 'format', parts: operands, line };
    if (first && operands.length <= 100)
      return rest.reduce((left, right): Expr => ({ op: 'binary', operator, left, right, line }), first);
    return { op: 'some', parts: operands, line };
  }
  return lowerBinary(node, operator, line, at);
}

function entry(node: Node, at: Descent): DictEntry[] {
  const line = lineOf(node);
  switch (String(node.kind())) {
    case 'pair':
    case 'pair_pattern': {
      const key = fieldOf(node, 'key');
      return [{ key: key ? keyOf(key, at) : undefined, value: at.expr(node.field('value')) }];
    }
    case 'shorthand_property_identifier':
    case 'shorthand_property_identifier_pattern':
      return [
        { key: { op: 'constant', value: node.text(), line }, value: { op: 'name', name: node.text(), line } },
      ];
    case 'object_assignment_pattern': {
      const name = node.field('left')?.text() ?? '';
      return [{ key: { op: 'constant', value: name, line }, value: { op: 'name', name, line } }];
    }
    case 'method_definition': {
      const key: Expr = { op: 'constant', value: node.field('name')?.text() ?? '', line };
      return [{ key, value: { op: 'function', fn: functionOf(node, at), line } }];
    }
    default:
      return [{ value: at.expr(node) }];
  }
}

function keyOf(key: Node, at: Descent): Expr {
  const line = lineOf(key);
  const kind = String(key.kind());
  if (kind === 'computed_property_name') return at.expr(significantChildren(key)[0]);
  if (kind === 'string') return { op: 'constant', value: key.text().slice(1, -1), line };
  return { op: 'constant', value: key.text(), line };
}
