import type { DictEntry, Expr, Fn, Param, Program, Stmt, SwitchCase } from '../ir.ts';
import { lineOf, type Node, readEscapes, significantChildren } from './node.ts';
import * as t from './table.ts';

export function lowerGo(root: Node): Program {
  return t.lowerBy(GO, root);
}

function paramsOf(list: Node | null): Param[] {
  return (list ? significantChildren(list) : []).flatMap((part) => {
    const type = part.field('type')?.text();
    return part.fieldChildren('name').map((name) => ({ name: name.text(), type }));
  });
}

function functionOf(node: Node, to: t.PartLowering): Fn {
  const name = node.field('name')?.text() ?? '';
  const known = { name, params: paramsOf(node.field('parameters')), marks: [] };
  return to.fn(node, known, () => to.body(node.field('body')));
}

function method(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const receiver = paramsOf(node.field('receiver'))[0];
  const written = node.field('receiver');
  const only = written ? significantChildren(written)[0] : undefined;
  const type = typeName(receiver?.type ?? only?.field('type')?.text());
  const fn = functionOf(node, to);
  const own = receiver ? Object.create(fn, { self: { value: receiver.name, enumerable: true } }) : fn;
  return [{ op: 'class', name: type, bases: [], marks: [], body: [{ op: 'function', fn: own, line }], line }];
}

function typeName(text = ''): string {
  return text.replace(/^[*&[\]]+|\[.*$/gs, '');
}

function structs(node: Node, line: number): Stmt[] {
  return significantChildren(node).flatMap((spec): Stmt[] => {
    const type = spec.field('type');
    if (type && String(type.kind()) === 'interface_type')
      return [faceOf(spec.field('name')?.text() ?? '', type, line)];
    if (!type || String(type.kind()) !== 'struct_type') return [];
    const fields = significantChildren(type).flatMap(significantChildren);
    const body = fields.flatMap((field): Stmt[] => {
      const written = typeName(field.field('type')?.text());
      return field.fieldChildren('name').map((name) => declaredAs(name.text(), written, line));
    });
    return [{ op: 'class', name: spec.field('name')?.text() ?? '', bases: [], marks: [], body, line }];
  });
}

function faceOf(name: string, type: Node, line: number): Stmt {
  const body = significantChildren(type).flatMap((part): Stmt[] => {
    const method = part.field('name')?.text();
    if (method === undefined) return [];
    const fn = { name: method, params: paramsOf(part.field('parameters')), marks: [], body: [], line };
    return [{ op: 'function', fn, line }];
  });
  return { op: 'class', name, bases: [], marks: [], body, line };
}

function declaredAs(name: string, type: string, line: number): Stmt {
  return { op: 'declare', name, type: /^[\w.]{1,100}$/.test(type) ? type : undefined, line };
}

/** Lowers `a, err := f()`: the first variable gets the result of the call, the other variables get none. */
function assigned(node: Node, left: Node[], right: Node[], line: number, to: t.PartLowering): Stmt[] {
  const adds = node.field('operator')?.text() === '+=';
  return left.flatMap((one, at): Stmt[] => {
    const value = right[at] ?? (at === 0 ? right[0] : undefined);
    if (!value) return [];
    return [
      { op: 'expr', value: { op: 'assign', target: to.expr(one), value: to.expr(value), adds, line }, line },
    ];
  });
}

function listOf(node: Node | null): Node[] {
  if (!node) return [];
  return String(node.kind()) === 'expression_list' ? significantChildren(node) : [node];
}

function assignment(node: Node, line: number, to: t.PartLowering): Stmt[] {
  return assigned(node, listOf(node.field('left')), listOf(node.field('right')), line, to);
}

function spec(node: Node, line: number, to: t.PartLowering): Stmt[] {
  return assigned(node, node.fieldChildren('name'), listOf(node.field('value')), line, to);
}

function imports(node: Node): Stmt[] {
  return significantChildren(node).flatMap((part): Stmt[] => {
    if (String(part.kind()) === 'import_spec_list') return imports(part);
    const module = part.field('path')?.text().slice(1, -1) ?? '';
    const own =
      module
        .replace(/\/v\d+$/, '')
        .split('/')
        .at(-1) ?? module;
    // Uses another path for `crypto/rand`: it is named like `math/rand`, but only the latter is predictable.
    const path = module === 'crypto/rand' ? 'crypto.rand' : own;
    return [{ op: 'import', name: part.field('name')?.text() ?? own, path, module, line: lineOf(part) }];
  });
}

function switchOf(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const cases: SwitchCase[] = significantChildren(node)
    .filter((part) => /_case$/.test(String(part.kind())))
    .map((part) => ({
      tests: listOf(part.field('value')).map(to.expr),
      body: significantChildren(part)
        .filter((one) => String(one.kind()) === 'statement_list')
        .flatMap((one) => to.body(one)),
    }));
  return [
    ...to.body(node.field('initializer')),
    { op: 'switch', subject: to.expr(node.field('value')), cases, falls: false, line },
  ];
}

function forOf(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const body = to.body(node.field('body'));
  const clause = significantChildren(node)[0];
  const kind = String(clause?.kind());
  if (clause && kind === 'range_clause') {
    // Uses the last name as the loop variable: in `for index, element`, the second name is the element.
    const names = listOf(clause.field('left'));
    const target = names.at(-1);
    return [
      {
        op: 'loop',
        target: target ? to.expr(target) : undefined,
        over: to.expr(clause.field('right')),
        body,
        line,
      },
    ];
  }
  if (clause && kind === 'for_clause') {
    return [
      ...to.body(clause.field('initializer')),
      { op: 'loop', test: to.expr(clause.field('condition')), body, line },
    ];
  }
  return [{ op: 'loop', test: clause && kind !== 'block' ? to.expr(clause) : undefined, body, line }];
}

function entries(node: Node, line: number, to: t.PartLowering): Expr {
  const parts = significantChildren(node);
  if (!parts.some((part) => String(part.kind()) === 'keyed_element'))
    return { op: 'list', items: parts.map(to.expr), line };
  const all: DictEntry[] = parts.map((part) => {
    const key = part.field('key');
    const inner = key && significantChildren(key)[0];
    const name =
      inner && String(inner.kind()) === 'identifier' ? t.constant(inner.text(), line) : to.expr(key);
    return { key: name, value: to.expr(part.field('value')) };
  });
  return { op: 'dict', entries: all, line };
}

const GO: t.LoweringTable = {
  blocks: [
    'source_file',
    'block',
    'statement_list',
    'labeled_statement',
    'var_declaration',
    'const_declaration',
    'var_spec_list',
    'ERROR',
  ],
  wrappers: ['parenthesized_expression', 'literal_element', 'type_assertion_expression', 'variadic_argument'],
  names: [
    'identifier',
    'field_identifier',
    'package_identifier',
    'type_identifier',
    'qualified_type',
    'blank_identifier',
  ],
  statements: {
    expression_statement: (node, line, to) =>
      significantChildren(node).map((part) => ({ op: 'expr', value: to.expr(part), line })),
    short_var_declaration: assignment,
    assignment_statement: assignment,
    var_spec: spec,
    const_spec: spec,
    function_declaration: (node, line, to) => [{ op: 'function', fn: functionOf(node, to), line }],
    method_declaration: method,
    if_statement: (node, line, to) => [...to.body(node.field('initializer')), ...t.ifOf(node, line, to)],
    for_statement: forOf,
    expression_switch_statement: switchOf,
    type_switch_statement: switchOf,
    select_statement: switchOf,
    return_statement: (node, line, to) => {
      const value = listOf(significantChildren(node)[0] ?? null)[0];
      return [{ op: 'return', value: value ? to.expr(value) : undefined, line }];
    },
    break_statement: t.lowerBreak,
    continue_statement: t.lowerBreak,
    import_declaration: (node) => imports(node),
    package_clause: t.lowerToNothing,
    type_declaration: structs,
    inc_statement: t.lowerToNothing,
    dec_statement: t.lowerToNothing,
  },
  expressions: {
    interpreted_string_literal: (node, line) => t.constant(readEscapes(node.text().slice(1, -1)), line),
    raw_string_literal: (node, line) => t.constant(node.text().slice(1, -1), line),
    rune_literal: (node, line) => t.constant(readEscapes(node.text().slice(1, -1)), line),
    int_literal: t.numeral,
    float_literal: t.lowerFloat,
    true: (_node, line) => t.constant(true, line),
    false: (_node, line) => t.constant(false, line),
    nil: (_node, line) => t.constant(null, line),
    binary_expression: t.binaryOf('binary_expression', ['+']),
    selector_expression: t.memberOf('operand', 'field'),
    index_expression: (node, line, to) => ({
      op: 'index',
      object: to.expr(node.field('operand')),
      index: to.expr(node.field('index')),
      line,
    }),
    slice_expression: (node, line, to) => ({ op: 'index', object: to.expr(node.field('operand')), line }),
    call_expression: (node, line, to) => ({
      op: 'call',
      callee: to.expr(node.field('function')),
      args: t.argsOf(node.field('arguments'), to),
      line,
    }),
    type_conversion_expression: (node, _line, to) => to.expr(node.field('operand')),
    unary_expression: (node, line, to) => {
      const operand = to.expr(node.field('operand'));
      if (node.field('operator')?.text() === '!') return { op: 'not', operand, line };
      return t.lowerNegativeNumber(node, operand, line) ?? operand;
    },
    composite_literal: (node, line, to) => {
      const type = node.field('type')?.text() ?? '';
      const value = to.expr(node.field('body'));
      // Lowers a literal with a type, `http.Cookie{Secure: false}`, to a call with its fields, as rules name it.
      return {
        op: 'call',
        callee: { op: 'name', name: `${type.slice(0, 60)}{}`, line },
        args: [{ value }],
        line,
      };
    },
    literal_value: entries,
    func_literal: (node, line, to) => ({ op: 'function', fn: functionOf(node, to), line }),
  },
};
