import type { Arg, DictEntry, Expr, Fn, Program, Stmt, SwitchCase } from '../ir.ts';
import { lineOf, type Node, readEscapes, significantChildren } from './node.ts';
import * as t from './table.ts';

export function lowerCSharp(root: Node): Program {
  return t.lowerBy(CSHARP, root);
}

function attributes(node: Node): string[] {
  return significantChildren(node)
    .filter((part) => String(part.kind()) === 'attribute_list')
    .flatMap(significantChildren)
    .map((part) => part.field('name')?.text() ?? '');
}

/** Lowers `[EnableCors("*", SupportsCredentials = true)]` to a call of `@EnableCors`, which rules can name. */
function attributeCalls(node: Node, to: t.PartLowering): Stmt[] {
  const all = significantChildren(node).filter((part) => String(part.kind()) === 'attribute_list');
  return all.flatMap(significantChildren).map((part): Stmt => {
    const line = lineOf(part);
    const given = significantChildren(part).find((one) => String(one.kind()) === 'attribute_argument_list');
    const args = (given ? significantChildren(given) : []).map((one): Arg => {
      const [first] = significantChildren(one);
      const parts = significantChildren(
        first && String(first.kind()) === 'assignment_expression' ? first : one,
      );
      return { name: parts.length > 1 ? parts[0]?.text() : undefined, value: to.expr(parts.at(-1)) };
    });
    const callee: Expr = { op: 'name', name: `@${part.field('name')?.text() ?? ''}`, line };
    return { op: 'expr', value: { op: 'call', callee, args, line }, line };
  });
}

function functionOf(node: Node, to: t.PartLowering): Fn {
  const line = lineOf(node);
  const known = {
    name: node.field('name')?.text() ?? '',
    params: t.lowerParameters(node.field('parameters'), to, 'default', attributes),
    marks: attributes(node).map((name): Expr => ({ op: 'name', name, line })),
  };
  return to.fn(node, known, () => {
    const body = node.field('body');
    const arrow = String(body?.kind()) === 'arrow_expression_clause';
    return arrow && body
      ? [{ op: 'return', value: to.expr(significantChildren(body)[0]), line }]
      : to.body(body);
  });
}

function method(node: Node, line: number, to: t.PartLowering): Stmt[] {
  return [...attributeCalls(node, to), { op: 'function', fn: functionOf(node, to), line }];
}

/** Lowers the parameters of a record: a constructor that stores its arguments in fields. */
function recordFields(node: Node, to: t.PartLowering): Stmt[] {
  const list = significantChildren(node).find((part) => String(part.kind()) === 'parameter_list');
  if (!list || !/^record/.test(String(node.kind()))) return [];
  const line = lineOf(node);
  const params = t.lowerParameters(list, to, 'default', attributes);
  const body = params.map(({ name }): Stmt => {
    const target: Expr = { op: 'member', object: { op: 'name', name: 'this', line }, name, line };
    return {
      op: 'expr',
      value: { op: 'assign', target, value: { op: 'name', name, line }, adds: false, line },
      line,
    };
  });
  return [
    { op: 'function', fn: { name: node.field('name')?.text() ?? '', params, marks: [], body, line }, line },
  ];
}

/** Matches base classes whose public methods a web framework calls with data of requests. */
const TAKES_REQUESTS = /(?:^|\.)\w*(?:Controller(?:Base)?|PageModel|Hub)(?:<.*)?$/s;

function classOf(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const list = significantChildren(node).find((part) => String(part.kind()) === 'base_list');
  const bases = list ? significantChildren(list).map((base) => base.text()) : [];
  const controller = bases
    .find((base) => TAKES_REQUESTS.test(base))
    ?.replace(/<.*$/s, '')
    .split('.')
    .at(-1);
  const parts = node.field('body') ? significantChildren(node.field('body') as Node) : [];
  const body = parts.flatMap((part): Stmt[] => {
    if (controller === undefined || !isAction(part)) return to.body(part);
    return [
      ...attributeCalls(part, to),
      { op: 'function', fn: marked(functionOf(part, to), controller, lineOf(part)), line: lineOf(part) },
    ];
  });
  const name = node.field('name')?.text() ?? '';
  return [
    ...attributeCalls(node, to),
    { op: 'class', name, bases, marks: [], body: [...recordFields(node, to), ...body], bare: true, line },
  ];
}

function isAction(part: Node): boolean {
  if (String(part.kind()) !== 'method_declaration') return false;
  const head = significantChildren(part).filter((one) => String(one.kind()) === 'modifier');
  const modifiers = head.map((one) => one.text());
  return (
    modifiers.includes('public') && !modifiers.includes('static') && !attributes(part).includes('NonAction')
  );
}

function variables(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const declaration =
    significantChildren(node).find((part) => String(part.kind()) === 'variable_declaration') ?? node;
  return significantChildren(declaration)
    .filter((part) => String(part.kind()) === 'variable_declarator')
    .flatMap((one): Stmt[] => {
      const parts = significantChildren(one);
      const value = parts.length > 1 ? parts.at(-1) : undefined;
      const first = one.field('name') ?? parts[0];
      const name = first?.text() ?? '';
      if (value && String(first?.kind()) === 'tuple_pattern')
        return [
          {
            op: 'expr',
            value: { op: 'assign', target: to.expr(first), value: to.expr(value), adds: false, line },
            line,
          },
        ];
      const written = declaration.field('type')?.text();
      return value
        ? t.createDefinition(name, written, to.expr(value), line)
        : t.createDeclaration(name, written, line);
    });
}

function switchOf(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const body = node.field('body');
  const cases: SwitchCase[] = (body ? significantChildren(body) : []).map((section) => {
    const parts = significantChildren(section);
    const isTest = (part: Node) => /pattern$/.test(String(part.kind()));
    return {
      tests: parts.filter(isTest).map(to.expr),
      body: parts.filter((part) => !isTest(part)).flatMap((part) => to.body(part)),
    };
  });
  return [{ op: 'switch', subject: to.expr(node.field('value')), cases, falls: true, line }];
}

function made(name: string, node: Node, line: number, to: t.PartLowering): Expr {
  const args =
    node.field('arguments') ??
    significantChildren(node).find((part) => String(part.kind()) === 'argument_list');
  const call: Expr = {
    op: 'call',
    callee: { op: 'name', name, line },
    args: t.argsOf(args, to, argument),
    makes: true,
    line,
  };
  const initializer =
    node.field('initializer') ??
    significantChildren(node).find((part) => String(part.kind()) === 'initializer_expression');
  if (!initializer) return call;
  const target: Expr = { op: 'name', name: `new ${name}`, line };
  const sets = significantChildren(initializer).map((part): Expr => {
    if (String(part.kind()) !== 'assignment_expression') {
      const parts = String(part.kind()) === 'initializer_expression' ? significantChildren(part) : [part];
      const args = parts.map((one) => ({ value: to.expr(one) }));
      return { op: 'call', callee: { op: 'member', object: target, name: 'Add', line }, args, line };
    }
    const left = part.field('left');
    const at =
      String(left?.kind()) === 'element_binding_expression' && left
        ? significantChildren(left)[0]
        : undefined;
    const inner: Expr = at
      ? { op: 'index', object: target, index: to.expr(at), line }
      : { op: 'member', object: target, name: left?.text() ?? '', line };
    return { op: 'assign', target: inner, value: to.expr(part.field('right')), adds: false, line };
  });
  const items: Expr[] = [{ op: 'assign', target, value: call, adds: false, line }, ...sets, target];
  return { op: 'index', object: { op: 'list', items, line }, index: t.constant(-1, line), line };
}

function plainName(node: Node | null): string {
  return node?.text().replace(/<.*$/s, '') ?? '';
}

function memberOf(node: Node, line: number, to: t.PartLowering): Expr {
  return {
    op: 'member',
    object: to.expr(node.field('expression')),
    name: plainName(node.field('name')),
    line,
  };
}

function argument(part: Node): { name?: string; value: Node | undefined } {
  const name = part.field('name')?.text();
  return { name, value: significantChildren(part).at(-1) ?? part };
}

/** Lowers a call. If the called function is unknown, the result of the call is assigned to the call's `out` variables. */
function invocation(node: Node, line: number, to: t.PartLowering): Expr {
  const called = node.field('function');
  const list = node.field('arguments');
  const parts = list ? significantChildren(list) : [];
  const args = t
    .argsOf(list, to, argument)
    .map((arg) =>
      arg.value.op === 'function' && /\.Map(?:Get|Post|Put|Delete|Patch)$/.test(called?.text() ?? '')
        ? { ...arg, value: { ...arg.value, fn: marked(arg.value.fn, 'HttpGet', line) } }
        : arg,
    )
    .map((arg, at) => ({ ...arg, ...putInto(parts[at], to) }));
  const call: Expr = { op: 'call', callee: to.expr(called), args, line };
  if (!args.some((arg) => arg.fills)) return call;
  return { op: 'index', object: { op: 'list', items: [call], line }, index: t.constant(0, line), line };
}

function putInto(part: Node | undefined, to: t.PartLowering): Partial<Pick<Arg, 'puts' | 'fills'>> {
  const [, kind] = /^(?:\w{1,80}:\s{0,9})?(out|ref)\s/.exec(part?.text().slice(0, 100) ?? '') ?? [];
  if (!part || kind === undefined) return {};
  const value = significantChildren(part).at(-1);
  const declares = String(value?.kind()) === 'declaration_expression';
  const puts = to.expr(declares && value ? significantChildren(value).at(-1) : value);
  return kind === 'out' ? { puts, fills: true } : { puts };
}

function marked(fn: Fn, name: string, line: number): Fn {
  const marks = [...fn.marks, { op: 'name', name, line }];
  return Object.create(fn, { marks: { value: marks, enumerable: true } });
}

function written(node: Node, line: number, to: t.PartLowering): Expr {
  const entries: DictEntry[] = [];
  let name: string | undefined;
  const all = node.children().filter((part) => !/comment$/.test(String(part.kind())));
  all.forEach((part, at) => {
    if (!part.isNamed()) return;
    if (String(all[at + 1]?.kind()) === '=') name = part.text();
    else {
      const own = name ?? part.text().slice(-100).split('.').at(-1) ?? '';
      entries.push({ key: t.constant(own, line), value: to.expr(part) });
      name = undefined;
    }
  });
  return { op: 'dict', entries, line };
}

function armOf(arm: Node, to: t.PartLowering): t.SwitchArm {
  const [pattern, ...rest] = significantChildren(arm);
  const constants = (part: Node | undefined): Node[] =>
    String(part?.kind()) === 'or_pattern'
      ? significantChildren(part as Node).flatMap(constants)
      : part
        ? [part]
        : [];
  const isDefault = String(pattern?.kind()) === 'discard';
  return { tests: isDefault ? [] : constants(pattern).map(to.expr), value: to.expr(rest.at(-1)) };
}

function tuple(node: Node, line: number, to: t.PartLowering): Expr {
  const parts = significantChildren(node);
  if (!parts.every((part) => part.field('name')))
    return {
      op: 'list',
      items: parts.map((part) => to.expr(significantChildren(part).at(-1) ?? part)),
      line,
    };
  const entries = parts.map((part) => ({
    key: t.constant(part.field('name')?.text() ?? '', line),
    value: to.expr(significantChildren(part).at(-1)),
  }));
  return { op: 'dict', entries, line };
}

function property(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const value = node.field('value');
  const name = node.field('name')?.text() ?? '';
  const type = node.field('type')?.text();
  const accessors = node.field('accessors');
  if (attributes(node).some((one) => /^(?:BindProperty|From(?:Query|Body|Form|Route|Header))$/.test(one))) {
    const form: Expr = { op: 'member', object: { op: 'name', name: 'Request', line }, name: 'Form', line };
    return t.createDefinition(
      name,
      type,
      { op: 'index', object: form, index: t.constant(name, line), line },
      line,
    );
  }
  const getter = String(value?.kind()) === 'arrow_expression_clause' ? value : getterOf(accessors);
  if (getter) {
    const known = { name, params: [], marks: [], word: true as const };
    const isBlock = String(getter.kind()) === 'block';
    return [
      {
        op: 'function',
        fn: to.fn(getter, known, () =>
          isBlock
            ? to.body(getter)
            : [{ op: 'return', value: to.expr(significantChildren(getter)[0]), line }],
        ),
        line,
      },
    ];
  }
  return value ? t.createDefinition(name, type, to.expr(value), line) : t.createDeclaration(name, type, line);
}

function getterOf(accessors: Node | null): Node | undefined {
  const get = (accessors ? significantChildren(accessors) : []).find((one) =>
    /^(?:\w+\s+)?get\b/.test(one.text().slice(0, 40)),
  );
  return (
    get &&
    significantChildren(get).find((part) => /^(?:block|arrow_expression_clause)$/.test(String(part.kind())))
  );
}

const CSHARP: t.LoweringTable = {
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
      significantChildren(node).map((part) => ({ op: 'expr', value: to.expr(part), line })),
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
    lock_statement: (node, _line, to) => to.body(significantChildren(node).at(-1)),
    for_statement: (node, line, to) => [
      ...node.fieldChildren('initializer').flatMap((part) => to.body(part)),
      { op: 'loop', test: to.expr(node.field('condition')), body: to.body(node.field('body')), line },
    ],
    foreach_statement: t.createLoopReader('left', 'right'),
    using_statement: (node, line, to) => [
      ...significantChildren(node)
        .slice(0, -1)
        .flatMap((part): Stmt[] =>
          String(part.kind()) === 'variable_declaration' ? variables(part, line, to) : to.body(part),
        ),
      ...to.body(node.field('body')),
    ],
    try_statement: t.tryOf,
    switch_statement: switchOf,
    return_statement: t.returnOf,
    throw_statement: (_node, line) => [{ op: 'throw', line }],
    break_statement: t.lowerBreak,
    continue_statement: t.lowerBreak,
    using_directive: (node, line) => {
      const path = significantChildren(node).at(-1)?.text() ?? '';
      return [{ op: 'import', name: `using ${path}`, path, module: path, line }];
    },
    property_declaration: property,
  },
  expressions: {
    string_literal: (node, line, to) => t.textOf(node, line, to, /content/, readEscapes),
    verbatim_string_literal: (node, line) => t.constant(node.text().slice(2, -1), line),
    raw_string_literal: (node, line, to) => t.textOf(node, line, to, /content/, (text) => text),
    interpolated_string_expression: (node, line, to) => t.textOf(node, line, to, /content/, readEscapes),
    interpolation: (node, _line, to) =>
      to.expr(significantChildren(node).find((part) => !/brace|clause/.test(String(part.kind())))),
    character_literal: (node, line) => t.constant(node.text().slice(1, -1), line),
    integer_literal: t.numeral,
    real_literal: t.lowerFloat,
    boolean_literal: (node, line) => t.constant(node.text() === 'true', line),
    null_literal: (_node, line) => t.constant(null, line),
    binary_expression: t.binaryOf('binary_expression', ['+']),
    member_access_expression: memberOf,
    element_access_expression: (node, line, to) => {
      const subscript = node.field('subscript');
      const inner = subscript ? significantChildren(subscript)[0] : undefined;
      return { op: 'index', object: to.expr(node.field('expression')), index: to.expr(inner), line };
    },
    conditional_access_expression: (node, line, to) => {
      const object = to.expr(node.field('condition'));
      const part = significantChildren(node).at(-1);
      if (String(part?.kind()) === 'element_binding_expression')
        return { op: 'index', object, index: to.expr(part && significantChildren(part)[0]), line };
      return { op: 'member', object, name: plainName(part?.field('name') ?? null), line };
    },
    invocation_expression: invocation,
    postfix_unary_expression: (node, _line, to) => to.expr(significantChildren(node)[0]),
    as_expression: (node, _line, to) => to.expr(significantChildren(node)[0]),
    is_pattern_expression: (node, line, to) => {
      const [subject, pattern] = significantChildren(node);
      const value = to.expr(subject);
      const name =
        String(pattern?.kind()) === 'declaration_pattern'
          ? significantChildren(pattern as Node)[1]
          : undefined;
      if (!name) return { op: 'binary', operator: 'is', left: value, right: to.expr(pattern), line };
      return { op: 'assign', target: to.expr(name), value, adds: false, line };
    },
    tuple_expression: tuple,
    tuple_pattern: (node, line, to) => ({ op: 'list', items: significantChildren(node).map(to.expr), line }),
    anonymous_object_creation_expression: written,
    switch_expression: (node, line, to) => {
      const [subject, ...arms] = significantChildren(node);
      return t.lowerSwitchExpression(
        to.expr(subject),
        arms.map((arm) => armOf(arm, to)),
        line,
      );
    },
    object_creation_expression: (node, line, to) =>
      made(node.field('type')?.text().replace(/<.*$/s, '') ?? '', node, line, to),
    implicit_object_creation_expression: (node, line, to) => made('new', node, line, to),
    array_creation_expression: (node, _line, to) => to.expr(significantChildren(node).at(-1)),
    implicit_array_creation_expression: (node, _line, to) => to.expr(significantChildren(node).at(-1)),
    initializer_expression: (node, line, to) => ({
      op: 'list',
      items: significantChildren(node).map(to.expr),
      line,
    }),
    assignment_expression: (node, line, to) => t.assignOf('right', to, node, line),
    conditional_expression: (node, line, to) => ({
      op: 'choice',
      test: to.expr(node.field('condition')),
      yes: to.expr(node.field('consequence')),
      no: to.expr(node.field('alternative')),
      line,
    }),
    prefix_unary_expression: (node, line, to) => {
      const operand = to.expr(significantChildren(node)[0]);
      return node.text().startsWith('!') ? { op: 'not', operand, line } : t.lowerSign(node, operand, line);
    },
    lambda_expression: (node, line, to) => {
      const body = node.field('body');
      const isBlock = String(body?.kind()) === 'block';
      const given = node.field('parameters');
      const params =
        String(given?.kind()) === 'parameter_list'
          ? t.lowerParameters(given, to, 'default', attributes)
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
