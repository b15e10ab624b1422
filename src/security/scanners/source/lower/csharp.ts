import type { Case, Expr, Fn, Program, Stmt } from '../ir.ts';
import { lineOf, type Node, partsOf, readEscapes } from './node.ts';
import * as t from './table.ts';

/** A C# file in the common form. */
export function lowerCSharp(root: Node): Program {
  return t.lowerBy(CSHARP, root);
}

function attributes(node: Node): string[] {
  return partsOf(node)
    .filter((part) => String(part.kind()) === 'attribute_list')
    .flatMap(partsOf)
    .map((part) => part.field('name')?.text() ?? '');
}

function functionOf(node: Node, to: t.To): Fn {
  const line = lineOf(node);
  const known = {
    name: node.field('name')?.text() ?? '',
    params: t.paramsBy(node.field('parameters'), to, 'default', attributes),
    marks: attributes(node).map((name): Expr => ({ op: 'name', name, line })),
  };
  return to.fn(node, known, () => {
    const body = node.field('body');
    const arrow = String(body?.kind()) === 'arrow_expression_clause';
    return arrow && body ? [{ op: 'return', value: to.expr(partsOf(body)[0]), line }] : to.body(body);
  });
}

function method(node: Node, line: number, to: t.To): Stmt[] {
  return [{ op: 'function', fn: functionOf(node, to), line }];
}

function classOf(node: Node, line: number, to: t.To): Stmt[] {
  const bases = partsOf(node).find((part) => String(part.kind()) === 'base_list');
  return [
    {
      op: 'class',
      name: node.field('name')?.text() ?? '',
      bases: bases ? partsOf(bases).map((base) => base.text()) : [],
      marks: [],
      body: to.body(node.field('body')),
      bare: true,
      line,
    },
  ];
}

function variables(node: Node, line: number, to: t.To): Stmt[] {
  const declaration = partsOf(node).find((part) => String(part.kind()) === 'variable_declaration') ?? node;
  return partsOf(declaration)
    .filter((part) => String(part.kind()) === 'variable_declarator')
    .flatMap((one): Stmt[] => {
      const parts = partsOf(one);
      const value = parts.length > 1 ? parts.at(-1) : undefined;
      const name = one.field('name')?.text() ?? parts[0]?.text() ?? '';
      const written = declaration.field('type')?.text();
      if (!value) return t.declared(name, written, line);
      const target: Expr = { op: 'name', name, line };
      const type = t.classOfType(written);
      return [
        { op: 'expr', value: { op: 'assign', target, value: to.expr(value), adds: false, type, line }, line },
      ];
    });
}

function tryOf(node: Node, line: number, to: t.To): Stmt[] {
  const parts = partsOf(node);
  return [
    {
      op: 'try',
      body: to.body(node.field('body')),
      handlers: parts
        .filter((part) => String(part.kind()) === 'catch_clause')
        .map((part) => to.body(part.field('body'))),
      after: parts
        .filter((part) => String(part.kind()) === 'finally_clause')
        .flatMap((part) => to.body(partsOf(part)[0])),
      line,
    },
  ];
}

function switchOf(node: Node, line: number, to: t.To): Stmt[] {
  const body = node.field('body');
  const cases: Case[] = (body ? partsOf(body) : []).map((section) => {
    const parts = partsOf(section);
    const isTest = (part: Node) => /pattern$/.test(String(part.kind()));
    return {
      tests: parts.filter(isTest).map(to.expr),
      body: parts.filter((part) => !isTest(part)).flatMap((part) => to.body(part)),
    };
  });
  return [{ op: 'switch', subject: to.expr(node.field('value')), cases, falls: true, line }];
}

/** `new X { A = 1 }`: the object made, and its members as fields. */
function made(name: string, node: Node, line: number, to: t.To): Expr {
  const args =
    node.field('arguments') ?? partsOf(node).find((part) => String(part.kind()) === 'argument_list');
  const call: Expr = {
    op: 'call',
    callee: { op: 'name', name, line },
    args: t.argsOf(args, to, argument),
    makes: true,
    line,
  };
  const initializer =
    node.field('initializer') ??
    partsOf(node).find((part) => String(part.kind()) === 'initializer_expression');
  if (!initializer) return call;
  const target: Expr = { op: 'name', name: `new ${name}`, line };
  const sets = partsOf(initializer).map((part): Expr => {
    if (String(part.kind()) !== 'assignment_expression') return to.expr(part);
    const inner: Expr = { op: 'member', object: target, name: part.field('left')?.text() ?? '', line };
    return { op: 'assign', target: inner, value: to.expr(part.field('right')), adds: false, line };
  });
  const items: Expr[] = [{ op: 'assign', target, value: call, adds: false, line }, ...sets, target];
  return { op: 'index', object: { op: 'list', items, line }, index: t.constant(-1, line), line };
}

/** Type arguments do not belong to a method's name: `Query<User>`. */
function plainName(node: Node | null): string {
  return node?.text().replace(/<.*$/s, '') ?? '';
}

function memberOf(node: Node, line: number, to: t.To): Expr {
  return {
    op: 'member',
    object: to.expr(node.field('expression')),
    name: plainName(node.field('name')),
    line,
  };
}

function argument(part: Node): { name?: string; value: Node | undefined } {
  const name = part.field('name')?.text();
  return { name, value: partsOf(part).at(-1) ?? part };
}

const CSHARP: t.Table = {
  blocks: [
    'compilation_unit',
    'block',
    'declaration_list',
    'namespace_declaration',
    'file_scoped_namespace_declaration',
    'global_statement',
    'checked_statement',
    'unsafe_statement',
    'labeled_statement',
    'ERROR',
    'finally_clause',
  ],
  wrappers: [
    'parenthesized_expression',
    'await_expression',
    'argument',
    'constant_pattern',
    'cast_expression',
    'arrow_expression_clause',
  ],
  names: ['identifier', 'this', 'base', 'qualified_name', 'predefined_type', 'generic_name'],
  statements: {
    expression_statement: (node, line, to) =>
      partsOf(node).map((part) => ({ op: 'expr', value: to.expr(part), line })),
    local_declaration_statement: variables,
    variable_declaration: variables,
    field_declaration: variables,
    method_declaration: method,
    constructor_declaration: method,
    local_function_statement: method,
    class_declaration: classOf,
    struct_declaration: classOf,
    record_declaration: classOf,
    interface_declaration: classOf,
    if_statement: (node, line, to) => t.ifOf(node, line, to),
    while_statement: t.whileOf,
    do_statement: t.whileOf,
    lock_statement: (node, _line, to) => to.body(partsOf(node).at(-1)),
    for_statement: (node, line, to) => [
      ...node.fieldChildren('initializer').flatMap((part) => to.body(part)),
      { op: 'loop', test: to.expr(node.field('condition')), body: to.body(node.field('body')), line },
    ],
    foreach_statement: (node, line, to) => [
      {
        op: 'loop',
        target: to.expr(node.field('left')),
        over: to.expr(node.field('right')),
        body: to.body(node.field('body')),
        line,
      },
    ],
    using_statement: (node, line, to) => [
      ...partsOf(node)
        .slice(0, -1)
        .flatMap((part): Stmt[] =>
          String(part.kind()) === 'variable_declaration' ? variables(part, line, to) : to.body(part),
        ),
      ...to.body(node.field('body')),
    ],
    try_statement: tryOf,
    switch_statement: switchOf,
    return_statement: t.returnOf,
    throw_statement: (_node, line) => [{ op: 'throw', line }],
    break_statement: t.leave,
    continue_statement: t.leave,
    using_directive: (node, line) => {
      const path = partsOf(node).at(-1)?.text() ?? '';
      return [{ op: 'import', name: `using ${path}`, path, module: path, line }];
    },
    property_declaration: (node, line, to) => {
      const value = node.field('value');
      const name = node.field('name')?.text() ?? '';
      if (!value) return t.declared(name, node.field('type')?.text(), line);
      const target: Expr = { op: 'name', name, line };
      return [
        { op: 'expr', value: { op: 'assign', target, value: to.expr(value), adds: false, line }, line },
      ];
    },
  },
  expressions: {
    string_literal: (node, line, to) => t.textOf(node, line, to, /content/, readEscapes),
    verbatim_string_literal: (node, line) => t.constant(node.text().slice(2, -1), line),
    raw_string_literal: (node, line, to) => t.textOf(node, line, to, /content/, (text) => text),
    interpolated_string_expression: (node, line, to) => t.textOf(node, line, to, /content/, readEscapes),
    interpolation: (node, _line, to) =>
      to.expr(partsOf(node).find((part) => !/brace|clause/.test(String(part.kind())))),
    character_literal: (node, line) => t.constant(node.text().slice(1, -1), line),
    integer_literal: t.numeral,
    real_literal: t.numeral,
    boolean_literal: (node, line) => t.constant(node.text() === 'true', line),
    null_literal: (_node, line) => t.constant(null, line),
    binary_expression: t.binaryOf('binary_expression', ['+']),
    member_access_expression: memberOf,
    element_access_expression: (node, line, to) => {
      const subscript = node.field('subscript');
      const inner = subscript ? partsOf(subscript)[0] : undefined;
      return { op: 'index', object: to.expr(node.field('expression')), index: to.expr(inner), line };
    },
    conditional_access_expression: (node, line, to) => {
      const name = plainName(partsOf(node).at(-1)?.field('name') ?? null);
      return { op: 'member', object: to.expr(node.field('condition')), name, line };
    },
    invocation_expression: (node, line, to) => ({
      op: 'call',
      callee: to.expr(node.field('function')),
      args: t.argsOf(node.field('arguments'), to, argument),
      line,
    }),
    object_creation_expression: (node, line, to) =>
      made(node.field('type')?.text().replace(/<.*$/s, '') ?? '', node, line, to),
    implicit_object_creation_expression: (node, line, to) => made('new', node, line, to),
    array_creation_expression: (node, _line, to) => to.expr(partsOf(node).at(-1)),
    implicit_array_creation_expression: (node, _line, to) => to.expr(partsOf(node).at(-1)),
    initializer_expression: (node, line, to) => ({ op: 'list', items: partsOf(node).map(to.expr), line }),
    assignment_expression: (node, line, to) => t.assignOf('right', to, node, line),
    conditional_expression: (node, line, to) => ({
      op: 'choice',
      test: to.expr(node.field('condition')),
      yes: to.expr(node.field('consequence')),
      no: to.expr(node.field('alternative')),
      line,
    }),
    prefix_unary_expression: (node, line, to) => {
      const operand = to.expr(partsOf(node)[0]);
      return node.text().startsWith('!') ? { op: 'not', operand, line } : t.signed(node, operand, line);
    },
    lambda_expression: (node, line, to) => {
      const body = node.field('body');
      const isBlock = String(body?.kind()) === 'block';
      const given = node.field('parameters');
      const params =
        String(given?.kind()) === 'parameter_list'
          ? t.paramsBy(given, to, 'default', attributes)
          : [{ name: given?.text() ?? '' }];
      return {
        op: 'function',
        fn: to.fn(node, { name: '', params, marks: [] }, () =>
          isBlock ? to.body(body) : [{ op: 'return', value: to.expr(body), line }],
        ),
        line,
      };
    },
  },
};
