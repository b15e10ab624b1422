import type { Arg, Entry, Expr } from '../ir.ts';
import { classOf, expr, functionOf } from './javascript.ts';
import {
  chainOf,
  fieldOf,
  type Lowering,
  lineOf,
  type Node,
  nothing,
  numberOf,
  partsOf,
  readEscapes,
} from './node.ts';

/** One expression, with what is in it. */
export function lowerExpression(node: Node, line: number, at: Lowering): Expr {
  const kind = String(node.kind());
  switch (kind) {
    case 'identifier':
    case 'this':
    case 'super':
    case 'undefined':
    case 'property_identifier':
    case 'shorthand_property_identifier_pattern':
    case 'shorthand_property_identifier':
      return kind === 'undefined'
        ? { op: 'constant', value: null, line }
        : { op: 'name', name: node.text(), line };
    case 'number': {
      const value = numberOf(node.text());
      return value === undefined ? nothing(line) : { op: 'constant', value, line };
    }
    case 'true':
    case 'false':
      return { op: 'constant', value: kind === 'true', line };
    case 'null':
      return { op: 'constant', value: null, line };
    case 'string':
      return { op: 'constant', value: readEscapes(node.text().slice(1, -1)), line };
    case 'template_string':
      return template(node, line, at);
    case 'regex':
      return { op: 'name', name: '/regex/', line };
    case 'member_expression':
      return {
        op: 'member',
        object: expr(node.field('object'), at),
        name: node.field('property')?.text() ?? '',
        line,
      };
    case 'subscript_expression':
      return {
        op: 'index',
        object: expr(node.field('object'), at),
        index: expr(node.field('index'), at),
        line,
      };
    case 'call_expression':
      return call(node, 'function', line, at);
    case 'new_expression':
      return call(node, 'constructor', line, at);
    case 'binary_expression':
      return binary(node, line, at);
    case 'unary_expression': {
      const operand = expr(node.field('argument'), at);
      const operator = node.field('operator')?.text();
      if (operator === '!') return { op: 'not', operand, line };
      if (operator === '-' && operand.op === 'constant' && typeof operand.value === 'number') {
        return { op: 'constant', value: -operand.value, line };
      }
      // `typeof x`, `void x`, `+x`: nothing of the text is left.
      return { op: 'binary', operator: '-', left: { op: 'constant', value: 0, line }, right: operand, line };
    }
    case 'ternary_expression':
      return {
        op: 'choice',
        test: expr(node.field('condition'), at),
        yes: expr(node.field('consequence'), at),
        no: expr(node.field('alternative'), at),
        line,
      };
    case 'assignment_expression':
      return {
        op: 'assign',
        target: expr(node.field('left'), at),
        value: expr(node.field('right'), at),
        adds: false,
        line,
      };
    case 'augmented_assignment_expression': {
      const operator = node.field('operator')?.text() ?? '';
      const target = expr(node.field('left'), at);
      const value = expr(node.field('right'), at);
      if (operator === '+=') return { op: 'assign', target, value, adds: true, line };
      return {
        op: 'assign',
        target,
        value: { op: 'binary', operator: operator.slice(0, -1), left: target, right: value, line },
        adds: false,
        line,
      };
    }
    case 'arrow_function':
    case 'function_expression':
    case 'generator_function':
    case 'function':
      return { op: 'function', fn: functionOf(node, at), line };
    case 'class':
      return classExpression(node, line, at);
    case 'object':
    case 'object_pattern':
      return { op: 'dict', entries: partsOf(node).flatMap((part) => entry(part, at)), line };
    case 'array':
    case 'array_pattern':
      return { op: 'list', items: partsOf(node).map((part) => expr(part, at)), line };
    case 'assignment_pattern':
    case 'object_assignment_pattern':
    case 'parenthesized_expression':
    case 'await_expression':
    case 'yield_expression':
    case 'spread_element':
    case 'as_expression':
    case 'satisfies_expression':
    case 'non_null_expression':
    case 'rest_pattern':
    case 'template_substitution':
    case 'jsx_expression':
      return partsOf(node)[0] ? expr(partsOf(node)[0], at) : nothing(line);
    case 'type_assertion':
    case 'sequence_expression': {
      const parts = partsOf(node);
      if (kind === 'type_assertion') return expr(parts.at(-1), at);
      const items = parts.map((part) => expr(part, at));
      return {
        op: 'index',
        object: { op: 'list', items, line },
        index: { op: 'constant', value: -1, line },
        line,
      };
    }
    case 'jsx_attribute': {
      const [name, value] = partsOf(node);
      const target: Expr = {
        op: 'member',
        object: { op: 'name', name: 'jsx', line },
        name: name?.text() ?? '',
        line,
      };
      return { op: 'assign', target, value: expr(value, at), adds: false, line };
    }
    case 'type_arguments':
    case 'type_annotation':
    case 'jsx_text':
      return nothing(line);
    default:
      return { op: 'some', parts: partsOf(node).map((part) => expr(part, at)), line };
  }
}

function classExpression(node: Node, line: number, at: Lowering): Expr {
  const body = [classOf(node, at, line)];
  return {
    op: 'function',
    fn: { name: node.field('name')?.text() ?? '', params: [], marks: [], body, line },
    line,
  };
}

function template(node: Node, line: number, at: Lowering): Expr {
  const parts: Expr[] = node.children().flatMap((child): Expr[] => {
    const kind = String(child.kind());
    if (kind === 'string_fragment')
      return [{ op: 'constant', value: readEscapes(child.text()), line: lineOf(child) }];
    if (kind === 'escape_sequence') return [{ op: 'constant', value: readEscapes(child.text()), line }];
    return kind === 'template_substitution' ? [expr(child, at)] : [];
  });
  return { op: 'format', parts, line };
}

function call(node: Node, field: string, line: number, at: Lowering): Expr {
  const given = fieldOf(node, 'arguments');
  const args: Arg[] = !given
    ? []
    : String(given.kind()) === 'template_string'
      ? [{ value: { op: 'list', items: partsOf(given).map((part) => expr(part, at)), line } }]
      : partsOf(given).map((part) => ({
          value: expr(part, at),
          spread: String(part.kind()) === 'spread_element' ? (true as const) : undefined,
        }));
  return { op: 'call', callee: expr(node.field(field), at), args, line };
}

function binary(node: Node, line: number, at: Lowering): Expr {
  const operator = node.field('operator')?.text() ?? '';
  if (operator === '+' || operator === '||' || operator === '&&') {
    const parts = chainOf(node, 'binary_expression', (one) => one.field('operator')?.text() === operator);
    const operands = parts.map((part) => expr(part, at));
    const [first, ...rest] = operands;
    if (operator === '+' && operands.length > 2) return { op: 'format', parts: operands, line };
    if (first && operands.length <= 100)
      return rest.reduce((left, right): Expr => ({ op: 'binary', operator, left, right, line }), first);
    return { op: 'some', parts: operands, line };
  }
  return {
    op: 'binary',
    operator,
    left: expr(node.field('left'), at),
    right: expr(node.field('right'), at),
    line,
  };
}

function entry(node: Node, at: Lowering): Entry[] {
  const line = lineOf(node);
  switch (String(node.kind())) {
    case 'pair':
    case 'pair_pattern': {
      const key = fieldOf(node, 'key');
      return [{ key: key ? keyOf(key, at) : undefined, value: expr(node.field('value'), at) }];
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
      return [{ value: expr(node, at) }];
  }
}

function keyOf(key: Node, at: Lowering): Expr {
  const line = lineOf(key);
  const kind = String(key.kind());
  if (kind === 'computed_property_name') return expr(partsOf(key)[0], at);
  if (kind === 'string') return { op: 'constant', value: key.text().slice(1, -1), line };
  return { op: 'constant', value: key.text(), line };
}
