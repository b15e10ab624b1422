import type { Arg, Entry, Expr } from '../ir.ts';
import {
  chainOf,
  fieldOf,
  type Lowering,
  type Node,
  nothing,
  numberOf,
  partsOf,
  readEscapes,
} from './node.ts';
import { expr, paramsOf } from './python.ts';

/** One expression, with what is in it. */
export function lowerExpression(node: Node, line: number, at: Lowering): Expr {
  const kind = String(node.kind());
  switch (kind) {
    case 'identifier':
      return { op: 'name', name: node.text(), line };
    case 'integer':
    case 'float': {
      const value = numberOf(node.text());
      return value === undefined ? nothing(line) : { op: 'constant', value, line };
    }
    case 'true':
    case 'false':
      return { op: 'constant', value: kind === 'true', line };
    case 'none':
      return { op: 'constant', value: null, line };
    case 'string':
      return text(node, line, at);
    case 'concatenated_string':
      return { op: 'format', parts: partsOf(node).map((part) => expr(part, at)), line };
    case 'attribute':
      return {
        op: 'member',
        object: expr(node.field('object'), at),
        name: node.field('attribute')?.text() ?? '',
        line,
      };
    case 'subscript': {
      const parts = node.fieldChildren('subscript');
      const only = parts.length === 1 ? parts[0] : undefined;
      const object = expr(node.field('value'), at);
      if (!only || String(only.kind()) === 'slice') return { op: 'index', object, line };
      return { op: 'index', object, index: expr(only, at), line };
    }
    case 'call':
      return {
        op: 'call',
        callee: expr(node.field('function'), at),
        args: args(fieldOf(node, 'arguments'), at),
        line,
      };
    case 'binary_operator':
      return binary(node, line, at);
    case 'boolean_operator': {
      const operator = node.field('operator')?.text() === 'and' ? '&&' : '||';
      return {
        op: 'binary',
        operator,
        left: expr(node.field('left'), at),
        right: expr(node.field('right'), at),
        line,
      };
    }
    case 'not_operator':
      return { op: 'not', operand: expr(node.field('argument'), at), line };
    case 'comparison_operator':
      return comparison(node, line, at);
    case 'conditional_expression': {
      const [yes, test, no] = partsOf(node);
      return { op: 'choice', test: expr(test, at), yes: expr(yes, at), no: expr(no, at), line };
    }
    case 'list':
    case 'tuple':
    case 'set':
    case 'pattern_list':
    case 'tuple_pattern':
    case 'list_pattern':
    case 'expression_list':
      return { op: 'list', items: partsOf(node).map((part) => expr(part, at)), line };
    case 'dictionary':
      return { op: 'dict', entries: partsOf(node).map((part) => entry(part, at)), line };
    case 'assignment':
      return assignment(node, line, at);
    case 'augmented_assignment':
      return augmented(node, line, at);
    case 'named_expression':
      return {
        op: 'assign',
        target: expr(node.field('name'), at),
        value: expr(node.field('value'), at),
        adds: false,
        line,
      };
    case 'as_pattern': {
      const [value, alias] = partsOf(node);
      const target = alias && partsOf(alias)[0];
      return { op: 'assign', target: expr(target ?? alias, at), value: expr(value, at), adds: false, line };
    }
    case 'lambda':
      return {
        op: 'function',
        fn: {
          name: '',
          params: paramsOf(fieldOf(node, 'parameters'), at),
          marks: [],
          body: [{ op: 'return', value: expr(node.field('body'), at), line }],
          line,
          lambda: true,
        },
        line,
      };
    case 'list_comprehension':
    case 'set_comprehension':
    case 'generator_expression':
    case 'dictionary_comprehension':
      return comprehension(node, line, at);
    case 'parenthesized_expression':
    case 'await':
    case 'list_splat':
    case 'dictionary_splat':
    case 'case_pattern':
    case 'interpolation': {
      const inner = partsOf(node)[0];
      return inner ? expr(inner, at) : nothing(line);
    }
    default:
      return { op: 'some', parts: partsOf(node).map((part) => expr(part, at)), line };
  }
}

function binary(node: Node, line: number, at: Lowering): Expr {
  const operator = node.field('operator')?.text() ?? '';
  if (operator === '+') {
    const same = (one: Node) => one.field('operator')?.text() === '+';
    const parts = chainOf(node, 'binary_operator', same).map((part) => expr(part, at));
    const [first, second] = parts;
    if (parts.length > 2) return { op: 'format', parts, line };
    if (first && second) return { op: 'binary', operator, left: first, right: second, line };
  }
  return {
    op: 'binary',
    operator,
    left: expr(node.field('left'), at),
    right: expr(node.field('right'), at),
    line,
  };
}

function comparison(node: Node, line: number, at: Lowering): Expr {
  const operators = node.fieldChildren('operators').map((one) => one.text());
  const [left, right, ...more] = partsOf(node);
  if (more.length > 0 || !left || !right) {
    return { op: 'some', parts: partsOf(node).map((part) => expr(part, at)), line };
  }
  return {
    op: 'binary',
    operator: operators.join(' ') || '==',
    left: expr(left, at),
    right: expr(right, at),
    line,
  };
}

function assignment(node: Node, line: number, at: Lowering): Expr {
  const right = fieldOf(node, 'right');
  if (!right) return nothing(line);
  return { op: 'assign', target: expr(node.field('left'), at), value: expr(right, at), adds: false, line };
}

function augmented(node: Node, line: number, at: Lowering): Expr {
  const operator = node.field('operator')?.text() ?? '+=';
  const target = expr(node.field('left'), at);
  const right = expr(node.field('right'), at);
  if (operator === '+=') return { op: 'assign', target, value: right, adds: true, line };
  const value: Expr = { op: 'binary', operator: operator.slice(0, -1), left: target, right, line };
  return { op: 'assign', target, value, adds: false, line };
}

function comprehension(node: Node, line: number, at: Lowering): Expr {
  const clauses = partsOf(node).filter((part) => String(part.kind()) === 'for_in_clause');
  const body = fieldOf(node, 'body');
  const target = clauses[0]?.field('left');
  const over = clauses[0]?.field('right');
  const made = body
    ? String(body.kind()) === 'pair'
      ? expr(body.field('value'), at)
      : expr(body, at)
    : nothing(line);
  if (!target || !over) return made;
  const bind: Expr = {
    op: 'assign',
    target: expr(target, at),
    value: { op: 'index', object: expr(over, at), line },
    adds: false,
    line,
  };
  const tests = partsOf(node)
    .filter((part) => String(part.kind()) === 'if_clause')
    .flatMap(partsOf);
  const test = tests[0] && expr(tests[0], at);
  const value: Expr = test ? { op: 'choice', test, yes: made, no: nothing(line), line } : made;
  // The binding first, then what is made of it; the list as a whole carries the latter.
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

function entry(node: Node, at: Lowering): Entry {
  if (String(node.kind()) !== 'pair') return { value: expr(node, at) };
  return { key: expr(node.field('key'), at), value: expr(node.field('value'), at) };
}

function args(node: Node | undefined, at: Lowering): Arg[] {
  if (!node) return [];
  if (String(node.kind()) === 'generator_expression') return [{ value: expr(node, at) }];
  return partsOf(node).map((part): Arg => {
    const kind = String(part.kind());
    if (kind === 'keyword_argument') {
      return { value: expr(part.field('value'), at), name: part.field('name')?.text() ?? '' };
    }
    if (kind === 'list_splat' || kind === 'dictionary_splat') return { value: expr(part, at), spread: true };
    return { value: expr(part, at) };
  });
}

function text(node: Node, line: number, at: Lowering): Expr {
  const children = node.children();
  const begin = children[0]?.text() ?? '';
  const raw = /r/i.test(begin);
  const parts: Expr[] = [];
  for (const child of children.slice(1)) {
    const kind = String(child.kind());
    if (kind === 'string_content') {
      const inner = child.text();
      parts.push({ op: 'constant', value: raw ? inner : readEscapes(inner), line });
    } else if (kind === 'interpolation') parts.push(expr(child.field('expression') ?? child, at));
  }
  if (parts.length === 0) return { op: 'constant', value: '', line };
  const [only] = parts;
  return parts.length === 1 && only?.op === 'constant' ? only : { op: 'format', parts, line };
}
