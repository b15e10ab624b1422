import type { Arg, Expr, Fn, Program, Stmt, SwitchCase } from '../ir.ts';
import { lineOf, type Node, readEscapes, significantChildren } from './node.ts';
import * as t from './table.ts';

/** Maximum number of classes that count as imported because the code writes their full name. */
const MAX_NAMED_CLASSES = 200;

export function lowerJava(root: Node, text: string): Program {
  const { body, cut } = t.lowerBy(JAVA, root);
  const named = new Set<string>();
  for (const [name] of text.matchAll(/\b(?:javax?|jakarta|org|com)\.[\w.]{3,100}/g)) {
    if (named.size < MAX_NAMED_CLASSES) named.add(name);
  }
  const imports = [...named].map(
    (module): Stmt => ({ op: 'import', name: `import ${module}`, path: module, module, line: 1 }),
  );
  return { body: [...imports, ...body], cut };
}

function withoutPackage(name: string): string {
  return name.replace(/^(?:[a-z_]\w*\.)+(?=[A-Z])/, '');
}

function marksOf(node: Node): Node[] {
  return significantChildren(node)
    .filter((part) => String(part.kind()) === 'modifiers')
    .flatMap(significantChildren)
    .filter((part) => /annotation/.test(String(part.kind())));
}

function annotationNames(node: Node): string[] {
  return marksOf(node).map((mark) => mark.field('name')?.text() ?? '');
}

function functionOf(node: Node, to: t.PartLowering): Fn {
  const line = lineOf(node);
  const known = {
    name: node.field('name')?.text() ?? '',
    params: t.lowerParameters(node.field('parameters'), to, 'value', annotationNames),
    marks: annotationNames(node).map((name): Expr => ({ op: 'name', name, line })),
  };
  return to.fn(node, known, () => to.body(node.field('body')));
}

function method(node: Node, line: number, to: t.PartLowering): Stmt[] {
  return [...annotationCalls(node, to), { op: 'function', fn: functionOf(node, to), line }];
}

/** Lowers `@Select("...")` to a call of `@Select`, which rules can name. Annotations without arguments are skipped. */
function annotationCalls(node: Node, to: t.PartLowering): Stmt[] {
  return marksOf(node).flatMap((mark): Stmt[] => {
    const given = mark.field('arguments');
    if (!given) return [];
    const [name, line] = [`@${mark.field('name')?.text() ?? ''}`, lineOf(mark)];
    const args = significantChildren(given).map((part): Arg => {
      if (String(part.kind()) !== 'element_value_pair') return { value: to.expr(part) };
      return { name: part.field('key')?.text() ?? '', value: to.expr(part.field('value')) };
    });
    return [{ op: 'expr', value: { op: 'call', callee: { op: 'name', name, line }, args, line }, line }];
  });
}

const REQUEST_FIELD = /^(?:Query|Path|Form|Header|Cookie|Matrix)Param$/;

function field(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const filled = annotationNames(node).find((name) => REQUEST_FIELD.test(name));
  const all = [...annotationCalls(node, to), ...variables(node, line, to)];
  if (filled === undefined) return all;
  const value: Expr = { op: 'call', callee: { op: 'name', name: `@${filled}`, line }, args: [], line };
  return all.flatMap((one) =>
    one.op === 'declare' ? t.createDefinition(one.name, undefined, value, line) : one,
  );
}

function classOf(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const base = node.field('superclass');
  const faces = node
    .field('interfaces')
    ?.text()
    .match(/[A-Z]\w*/g);
  return [
    ...annotationCalls(node, to),
    {
      op: 'class',
      name: node.field('name')?.text() ?? '',
      bases: base ? [significantChildren(base)[0]?.text() ?? ''] : [],
      faces: faces ?? undefined,
      marks: annotationNames(node).map((name): Expr => ({ op: 'name', name, line })),
      body: to.body(node.field('body')),
      bare: true,
      line,
    },
  ];
}

function variables(node: Node, line: number, to: t.PartLowering): Stmt[] {
  return node.fieldChildren('declarator').flatMap((one): Stmt[] => {
    const value = one.field('value');
    const name = one.field('name')?.text() ?? '';
    const type = one.field('dimensions') ? undefined : node.field('type')?.text();
    return value
      ? t.createDefinition(name, type, to.expr(value), line)
      : t.createDeclaration(name, type, line);
  });
}

function tryOf(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const resources = node.field('resources');
  const before = (resources ? significantChildren(resources) : []).flatMap((one): Stmt[] => {
    const target: Expr = { op: 'name', name: one.field('name')?.text() ?? '', line };
    return [
      {
        op: 'expr',
        value: { op: 'assign', target, value: to.expr(one.field('value')), adds: false, line },
        line,
      },
    ];
  });
  return t.tryOf(node, line, to, before);
}

function switchOf(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const body = node.field('body');
  let falls = true;
  const cases: SwitchCase[] = (body ? significantChildren(body) : []).map((group) => {
    if (String(group.kind()) === 'switch_rule') falls = false;
    const labels = significantChildren(group).filter((part) => String(part.kind()) === 'switch_label');
    const rest = significantChildren(group).filter((part) => String(part.kind()) !== 'switch_label');
    return {
      tests: labels.flatMap((label) => significantChildren(label).map(to.expr)),
      body: rest.flatMap((part) => to.body(part)),
    };
  });
  return [{ op: 'switch', subject: to.expr(node.field('condition')), cases, falls, line }];
}

function switchValue(node: Node, line: number, to: t.PartLowering): Expr {
  const groups = node.field('body');
  const arms = (groups ? significantChildren(groups) : []).map((group): t.SwitchArm => {
    const labels = significantChildren(group).filter((part) => String(part.kind()) === 'switch_label');
    const rest = significantChildren(group).filter((part) => String(part.kind()) !== 'switch_label');
    const values = rest.flatMap(yielded).map(to.expr);
    const [only] = values;
    return {
      tests: labels.flatMap((label) => significantChildren(label).map(to.expr)),
      value: values.length === 1 && only ? only : { op: 'some', parts: values, line },
    };
  });
  return t.lowerSwitchExpression(to.expr(node.field('condition')), arms, line);
}

function yielded(part: Node): Node[] {
  const kind = String(part.kind());
  if (kind === 'block') return significantChildren(part).flatMap(yielded);
  return kind === 'yield_statement' || kind === 'expression_statement'
    ? significantChildren(part).slice(0, 1)
    : [];
}

function methodsOf(node: Node, to: t.PartLowering): Arg[] {
  const body = significantChildren(node).find((part) => String(part.kind()) === 'class_body');
  const methods = (body ? to.body(body) : []).filter((stmt) => stmt.op === 'function');
  return methods.map(({ fn, line }) => ({ name: 'body', value: { op: 'function', fn, line } }));
}

const JAVA: t.LoweringTable = {
  blocks: [
    'program',
    'block',
    'class_body',
    'constructor_body',
    'interface_body',
    'enum_body',
    'enum_body_declarations',
    'static_initializer',
    'labeled_statement',
    'synchronized_statement',
    'ERROR',
    'finally_clause',
  ],
  wrappers: ['parenthesized_expression', 'cast_expression'],
  names: ['identifier', 'this', 'super', 'type_identifier', 'scoped_type_identifier', 'scoped_identifier'],
  statements: {
    expression_statement: (node, line, to) =>
      significantChildren(node).map((part) => ({ op: 'expr', value: to.expr(part), line })),
    local_variable_declaration: variables,
    field_declaration: field,
    method_declaration: method,
    constructor_declaration: method,
    class_declaration: classOf,
    enum_declaration: classOf,
    record_declaration: classOf,
    interface_declaration: classOf,
    if_statement: (node, line, to) => t.ifOf(node, line, to),
    while_statement: t.whileOf,
    do_statement: t.whileOf,
    for_statement: (node, line, to) => [
      ...node.fieldChildren('init').flatMap((part) => to.body(part)),
      { op: 'loop', test: to.expr(node.field('condition')), body: to.body(node.field('body')), line },
    ],
    enhanced_for_statement: t.createLoopReader('name', 'value'),
    try_statement: tryOf,
    try_with_resources_statement: tryOf,
    switch_expression: switchOf,
    return_statement: t.returnOf,
    throw_statement: (_node, line) => [{ op: 'throw', line }],
    break_statement: t.lowerBreak,
    continue_statement: t.lowerBreak,
    import_declaration: (node, line) => {
      const path = significantChildren(node)[0]?.text() ?? '';
      return [
        {
          op: 'import',
          name: path.slice(path.lastIndexOf('.') + 1),
          path: path.slice(path.lastIndexOf('.') + 1),
          module: path,
          line,
        },
      ];
    },
    package_declaration: t.lowerToNothing,
  },
  expressions: {
    string_literal: (node, line, to) => t.textOf(node, line, to, /fragment/, readEscapes),
    character_literal: (node, line) => t.constant(readEscapes(node.text().slice(1, -1)), line),
    text_block: (node, line, to) => t.textOf(node, line, to, /fragment/, readEscapes),
    decimal_integer_literal: t.numeral,
    hex_integer_literal: t.numeral,
    decimal_floating_point_literal: t.lowerFloat,
    true: (_node, line) => t.constant(true, line),
    false: (_node, line) => t.constant(false, line),
    null_literal: (_node, line) => t.constant(null, line),
    binary_expression: t.binaryOf('binary_expression', ['+']),
    field_access: (node, line, to) => {
      const name = node.field('field')?.text() ?? '';
      if (node.field('object')?.text() === 'Boolean') return t.constant(name === 'TRUE', line);
      if (/^[A-Z]/.test(name) && /^[a-z_][a-z0-9_.]{0,150}$/.test(node.field('object')?.text() ?? '')) {
        return { op: 'name', name, line };
      }
      return { op: 'member', object: to.expr(node.field('object')), name, line };
    },
    array_access: (node, line, to) => ({
      op: 'index',
      object: to.expr(node.field('array')),
      index: to.expr(node.field('index')),
      line,
    }),
    method_invocation: (node, line, to) => {
      const object = node.field('object');
      const name = node.field('name')?.text() ?? '';
      const callee: Expr = object
        ? { op: 'member', object: to.expr(object), name, line }
        : { op: 'name', name, line };
      return { op: 'call', callee, args: t.argsOf(node.field('arguments'), to), line };
    },
    method_reference: (node, line, to) => {
      const [object, name] = significantChildren(node);
      if (!object || !name) return { op: 'some', parts: [], line };
      return { op: 'member', object: to.expr(object), name: name.text(), line };
    },
    object_creation_expression: (node, line, to) => {
      const name = withoutPackage((node.field('type')?.text() ?? '').slice(0, 200).replace(/<.*$/s, ''));
      return {
        op: 'call',
        callee: { op: 'name', name, line },
        args: [...t.argsOf(node.field('arguments'), to), ...methodsOf(node, to)],
        makes: true,
        line,
      };
    },
    array_creation_expression: (node, _line, to) => to.expr(node.field('value')),
    array_initializer: (node, line, to) => ({
      op: 'list',
      items: significantChildren(node).map(to.expr),
      line,
    }),
    assignment_expression: (node, line, to) => t.assignOf('right', to, node, line),
    ternary_expression: (node, line, to) => ({
      op: 'choice',
      test: to.expr(node.field('condition')),
      yes: to.expr(node.field('consequence')),
      no: to.expr(node.field('alternative')),
      line,
    }),
    unary_expression: (node, line, to) => {
      const operand = to.expr(node.field('operand'));
      return node.field('operator')?.text() === '!'
        ? { op: 'not', operand, line }
        : t.lowerSign(node, operand, line);
    },
    instanceof_expression: (node, line, to) => ({
      op: 'binary',
      operator: 'instanceof',
      left: to.expr(node.field('left')),
      right: t.constant('', line),
      line,
    }),
    switch_expression: switchValue,
    lambda_expression: (node, line, to) => {
      const body = node.field('body');
      const isBlock = String(body?.kind()) === 'block';
      const given = node.field('parameters');
      const params =
        String(given?.kind()) === 'identifier'
          ? [{ name: given?.text() ?? '' }]
          : t.lowerParameters(given, to, 'value', () => []);
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
