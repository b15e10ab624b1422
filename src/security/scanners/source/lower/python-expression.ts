import type { Arg, DictEntry, Expr, Param } from '../ir.ts';
import { byKind, type Descent, type ReadExpression } from './descent.ts';
import { chainOf, createUnknown, fieldOf, type Node, readEscapes, significantChildren } from './node.ts';
import {
  lowerAugmentedAssignment,
  lowerBinary,
  lowerFirstPart,
  lowerSign,
  memberOf,
  numeral,
} from './table.ts';

export const pythonExpressions = byKind<ReadExpression>([
  ['identifier', (node, line) => ({ op: 'name', name: node.text(), line })],
  ['integer float', numeral],
  ['true', (_, line) => ({ op: 'constant', value: true, line })],
  ['false', (_, line) => ({ op: 'constant', value: false, line })],
  ['none', (_, line) => ({ op: 'constant', value: null, line })],
  ['string', text],
  [
    'concatenated_string',
    (node, line, at) => ({ op: 'format', parts: significantChildren(node).map(at.expr), line }),
  ],
  ['attribute', memberOf('object', 'attribute')],
  ['subscript', subscript],
  [
    'call',
    (node, line, at) => ({
      op: 'call',
      callee: at.expr(node.field('function')),
      args: args(fieldOf(node, 'arguments'), at),
      line,
    }),
  ],
  ['binary_operator', binary],
  [
    'boolean_operator',
    (node, line, at) => lowerBinary(node, node.field('operator')?.text() === 'and' ? '&&' : '||', line, at),
  ],
  ['not_operator', (node, line, at) => ({ op: 'not', operand: at.expr(node.field('argument')), line })],
  ['unary_operator', (node, line, at) => lowerSign(node, at.expr(node.field('argument')), line)],
  ['comparison_operator', comparison],
  [
    'conditional_expression',
    (node, line, at) => {
      const [yes, test, no] = significantChildren(node);
      return { op: 'choice', test: at.expr(test), yes: at.expr(yes), no: at.expr(no), line };
    },
  ],
  [
    'list tuple set pattern_list tuple_pattern list_pattern expression_list',
    (node, line, at) => ({ op: 'list', items: significantChildren(node).map(at.expr), line }),
  ],
  [
    'dictionary',
    (node, line, at) => ({
      op: 'dict',
      entries: significantChildren(node).map((part) => entry(part, at)),
      line,
    }),
  ],
  ['assignment', assignment],
  ['augmented_assignment', lowerAugmentedAssignment],
  [
    'named_expression',
    (node, line, at) => ({
      op: 'assign',
      target: at.expr(node.field('name')),
      value: at.expr(node.field('value')),
      adds: false,
      line,
    }),
  ],
  [
    'as_pattern',
    (node, line, at) => {
      const [value, alias] = significantChildren(node);
      const target = alias && significantChildren(alias)[0];
      return { op: 'assign', target: at.expr(target ?? alias), value: at.expr(value), adds: false, line };
    },
  ],
  ['lambda', lambda],
  ['list_comprehension set_comprehension generator_expression dictionary_comprehension', comprehension],
  ['parenthesized_expression await list_splat dictionary_splat case_pattern interpolation', lowerFirstPart],
]);

export function paramsOf(node: Node | undefined, at: Descent): Param[] {
  return (node ? significantChildren(node) : []).flatMap((part): Param[] => {
    const kind = String(part.kind());
    if (kind === 'identifier') return [{ name: part.text() }];
    const named = fieldOf(part, 'name') ?? significantChildren(part)[0];
    if (!named) return [];
    const type = part.field('type')?.text();
    const value = fieldOf(part, 'value');
    return [
      {
        name: named.text().replace(/^\*+/, ''),
        type,
        byDefault: value ? at.expr(value) : undefined,
      },
    ];
  });
}

function subscript(node: Node, line: number, at: Descent): Expr {
  const parts = node.fieldChildren('subscript');
  const only = parts.length === 1 ? parts[0] : undefined;
  const object = at.expr(node.field('value'));
  if (!only || String(only.kind()) === 'slice') return { op: 'index', object, line };
  return { op: 'index', object, index: at.expr(only), line };
}

function lambda(node: Node, line: number, at: Descent): Expr {
  return {
    op: 'function',
    fn: {
      name: '',
      params: paramsOf(fieldOf(node, 'parameters'), at),
      marks: [],
      body: [{ op: 'return', value: at.expr(node.field('body')), line }],
      line,
      lambda: true,
    },
    line,
  };
}

function binary(node: Node, line: number, at: Descent): Expr {
  const operator = node.field('operator')?.text() ?? '';
  if (operator === '+') {
    const same = (one: Node) => one.field('operator')?.text() === '+';
    const parts = chainOf(node, 'binary_operator', same).map((part) => at.expr(part));
    const [first, second] = parts;
    if (parts.length > 2) return { op: 'format', parts, line };
    if (first && second) return { op: 'binary', operator, left: first, right: second, line };
  }
  return lowerBinary(node, operator, line, at);
}

function comparison(node: Node, line: number, at: Descent): Expr {
  const operators = node.fieldChildren('operators').map((one) => one.text());
  const [left, right, ...more] = significantChildren(node);
  if (more.length > 0 || !left || !right) {
    return { op: 'some', parts: significantChildren(node).map((part) => at.expr(part)), line };
  }
  return {
    op: 'binary',
    operator: operators.join(' ') || '==',
    left: at.expr(left),
    right: at.expr(right),
    line,
  };
}

function assignment(node: Node, line: number, at: Descent): Expr {
  const right = fieldOf(node, 'right');
  if (!right) return createUnknown(line);
  return { op: 'assign', target: at.expr(node.field('left')), value: at.expr(right), adds: false, line };
}

function comprehension(node: Node, line: number, at: Descent): Expr {
  const clauses = significantChildren(node).filter((part) => String(part.kind()) === 'for_in_clause');
  const body = fieldOf(node, 'body');
  const target = clauses[0]?.field('left');
  const over = clauses[0]?.field('right');
  const made = body
    ? String(body.kind()) === 'pair'
      ? at.expr(body.field('value'))
      : at.expr(body)
    : createUnknown(line);
  if (!target || !over) return made;
  const bind: Expr = {
    op: 'assign',
    target: at.expr(target),
    value: { op: 'index', object: at.expr(over), line },
    adds: false,
    line,
  };
  const tests = significantChildren(node)
    .filter((part) => String(part.kind()) === 'if_clause')
    .flatMap(significantChildren);
  const test = tests[0] && at.expr(tests[0]);
  const value: Expr = test ? { op: 'choice', test, yes: made, no: createUnknown(line), line } : made;
  // Binds the loop variable first, then evaluates the element; the resulting list contains only the element.
  return {
    op: 'index',
    object: {
      op: 'list',
      items: [
        {
          op: 'index',
          object: { op: 'list', items: [bind, value], line },
          index: { op: 'constant', value: 1, line },
          line,
        },
      ],
      line,
    },
    line,
  };
}

function entry(node: Node, at: Descent): DictEntry {
  if (String(node.kind()) !== 'pair') return { value: at.expr(node) };
  return { key: at.expr(node.field('key')), value: at.expr(node.field('value')) };
}

function args(node: Node | undefined, at: Descent): Arg[] {
  if (!node) return [];
  if (String(node.kind()) === 'generator_expression') return [{ value: at.expr(node) }];
  return significantChildren(node).map((part): Arg => {
    const kind = String(part.kind());
    if (kind === 'keyword_argument') {
      return { value: at.expr(part.field('value')), name: part.field('name')?.text() ?? '' };
    }
    if (kind === 'list_splat' || kind === 'dictionary_splat') return { value: at.expr(part), spread: true };
    return { value: at.expr(part) };
  });
}

function text(node: Node, line: number, at: Descent): Expr {
  const children = node.children();
  const begin = children[0]?.text() ?? '';
  const raw = /r/i.test(begin);
  const parts: Expr[] = [];
  for (const child of children.slice(1)) {
    const kind = String(child.kind());
    if (kind === 'string_content') {
      const inner = child.text();
      parts.push({ op: 'constant', value: raw ? inner : readEscapes(inner), line });
    } else if (kind === 'interpolation') parts.push(at.expr(child.field('expression') ?? child));
  }
  if (parts.length === 0) return { op: 'constant', value: '', line };
  const [only] = parts;
  return parts.length === 1 && only?.op === 'constant' ? only : { op: 'format', parts, line };
}
