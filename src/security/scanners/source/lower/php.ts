import type { DictEntry, Expr, Fn, Program, Stmt, SwitchCase } from '../ir.ts';
import { buildNestedIf, type IfBranch, lineOf, type Node, readEscapes, significantChildren } from './node.ts';
import * as t from './table.ts';

export function lowerPhp(root: Node): Program {
  return t.lowerBy(PHP, root);
}

function functionOf(node: Node, to: t.PartLowering): Fn {
  const known = {
    name: node.field('name')?.text() ?? '',
    params: t.lowerParameters(node.field('parameters'), to, 'default_value', () => []),
    marks: [],
  };
  return to.fn(node, known, (line) => {
    const body = node.field('body');
    const isBlock = String(body?.kind()) === 'compound_statement';
    return isBlock || !body ? to.body(body) : [{ op: 'return', value: to.expr(body), line }];
  });
}

function call(callee: Expr, node: Node, line: number, to: t.PartLowering): Extract<Expr, { op: 'call' }> {
  const args =
    node.field('arguments') ?? significantChildren(node).find((part) => String(part.kind()) === 'arguments');
  const argument = (part: Node) => {
    const name = part.field('name')?.text();
    return { name, value: significantChildren(part).at(-1) ?? part };
  };
  return { op: 'call', callee, args: t.argsOf(args, to, argument), line };
}

function named(name: string, line: number): Expr {
  return { op: 'name', name: name.replace(/^\\/, '').replaceAll('\\', '.'), line };
}

/** Lowers language constructs such as `echo` and `include` to calls of that name. */
function word(name: string) {
  return (node: Node, line: number, to: t.PartLowering): Expr => ({
    op: 'call',
    callee: named(name, line),
    args: significantChildren(node).map((part) => ({ value: to.expr(part) })),
    line,
  });
}

function methodCall(node: Node, line: number, to: t.PartLowering): Expr {
  const callee: Expr = {
    op: 'member',
    object: to.expr(node.field('object')),
    name: node.field('name')?.text() ?? '',
    line,
  };
  return call(callee, node, line, to);
}

function ifOf(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const branches: IfBranch[] = [
    { test: to.expr(node.field('condition')), yes: to.body(node.field('body')), line },
  ];
  let otherwise: Stmt[] = [];
  for (const clause of node.fieldChildren('alternative')) {
    const yes = to.body(clause.field('body'));
    if (String(clause.kind()) === 'else_clause') otherwise = yes;
    else branches.push({ test: to.expr(clause.field('condition')), yes, line: lineOf(clause) });
  }
  return buildNestedIf(branches, otherwise);
}

function switchOf(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const body = node.field('body');
  const cases: SwitchCase[] = (body ? significantChildren(body) : []).map((part) => {
    const value = part.field('value');
    const rest = value ? significantChildren(part).slice(1) : significantChildren(part);
    return { tests: value ? [to.expr(value)] : [], body: rest.flatMap((one) => to.body(one)) };
  });
  return [{ op: 'switch', subject: to.expr(node.field('condition')), cases, falls: true, line }];
}

function foreachOf(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const [over, each] = significantChildren(node);
  const target = each && String(each.kind()) === 'pair' ? significantChildren(each).at(-1) : each;
  return [
    { op: 'loop', target: to.expr(target), over: to.expr(over), body: to.body(node.field('body')), line },
  ];
}

function array(node: Node, line: number, to: t.PartLowering): Expr {
  const parts = significantChildren(node);
  if (!parts.some((part) => significantChildren(part).length === 2))
    return { op: 'list', items: parts.map((part) => to.expr(significantChildren(part)[0] ?? part)), line };
  const entries: DictEntry[] = parts.map((part) => {
    const [key, value] = significantChildren(part);
    return value ? { key: to.expr(key), value: to.expr(value) } : { value: to.expr(key) };
  });
  return { op: 'dict', entries, line };
}

const PHP: t.LoweringTable = {
  blocks: [
    'program',
    'compound_statement',
    'declaration_list',
    'colon_block',
    'namespace_definition',
    'ERROR',
  ],
  wrappers: [
    'parenthesized_expression',
    'error_suppression_expression',
    'by_ref',
    'clone_expression',
    'heredoc',
    'argument',
  ],
  names: ['name', 'variable_name', 'qualified_name', 'relative_scope'],
  statements: {
    expression_statement: (node, line, to) =>
      significantChildren(node).map((part) => ({ op: 'expr', value: to.expr(part), line })),
    echo_statement: (node, line, to) => [{ op: 'expr', value: word('echo')(node, line, to), line }],
    if_statement: ifOf,
    while_statement: t.whileOf,
    do_statement: t.whileOf,
    for_statement: (node, line, to) => [
      ...to.body(node.field('initialize')),
      {
        op: 'loop',
        test: to.expr(node.field('condition')),
        body: node.fieldChildren('body').flatMap((part) => to.body(part)),
        line,
      },
    ],
    foreach_statement: foreachOf,
    try_statement: t.tryOf,
    switch_statement: switchOf,
    return_statement: t.returnOf,
    exit_statement: (node, line, to) => [
      { op: 'expr', value: word('echo')(node, line, to), line },
      { op: 'throw', line },
    ],
    break_statement: t.lowerBreak,
    continue_statement: t.lowerBreak,
    function_definition: (node, line, to) => [{ op: 'function', fn: functionOf(node, to), line }],
    method_declaration: (node, line, to) => [{ op: 'function', fn: functionOf(node, to), line }],
    class_declaration: (node, line, to) => {
      const base = significantChildren(node).find((part) => String(part.kind()) === 'base_clause');
      const bases = base ? significantChildren(base).map((part) => part.text()) : [];
      return [
        {
          op: 'class',
          name: node.field('name')?.text() ?? '',
          bases,
          marks: bases.map((base): Expr => named(base, line)),
          body: to.body(node.field('body')),
          line,
        },
      ];
    },
    property_declaration: (node, line, to) =>
      significantChildren(node).flatMap((part): Stmt[] => {
        const value = part.field('default_value');
        if (!value) return [];
        const target = named(part.field('name')?.text() ?? '', line);
        return [
          { op: 'expr', value: { op: 'assign', target, value: to.expr(value), adds: false, line }, line },
        ];
      }),
    namespace_use_declaration: (node, line) =>
      significantChildren(node).map((part): Stmt => {
        const path = (significantChildren(part)[0] ?? part).text().replace(/^\\/, '');
        const own = path.split('\\').at(-1) ?? path;
        return { op: 'import', name: part.field('alias')?.text() ?? own, path: own, module: path, line };
      }),
    php_tag: t.lowerToNothing,
    text: t.lowerToNothing,
    text_interpolation: t.lowerToNothing,
  },
  expressions: {
    string: (node, line) => t.constant(node.text().slice(1, -1).replaceAll("\\'", "'"), line),
    nowdoc: (node, line) => t.constant(node.text(), line),
    encapsed_string: (node, line, to) => t.textOf(node, line, to, /content/, readEscapes),
    heredoc_body: (node, line, to) => t.textOf(node, line, to, /content/, readEscapes),
    integer: t.numeral,
    float: t.numeral,
    boolean: (node, line) => t.constant(node.text().toLowerCase() === 'true', line),
    null: (_node, line) => t.constant(null, line),
    binary_expression: t.binaryOf('binary_expression', ['.'], { and: '&&', or: '||', '<>': '!=' }),
    member_access_expression: t.memberOf('object', 'name'),
    nullsafe_member_access_expression: t.memberOf('object', 'name'),
    scoped_property_access_expression: t.memberOf('scope', 'name'),
    class_constant_access_expression: (node, line, to) => {
      const [scope, name] = significantChildren(node);
      return { op: 'member', object: to.expr(scope), name: name?.text() ?? '', line };
    },
    subscript_expression: (node, line, to) => {
      const [object, index] = significantChildren(node);
      return { op: 'index', object: to.expr(object), index: index ? to.expr(index) : undefined, line };
    },
    function_call_expression: (node, line, to) => call(to.expr(node.field('function')), node, line, to),
    member_call_expression: methodCall,
    nullsafe_member_call_expression: methodCall,
    scoped_call_expression: (node, line, to) =>
      call(
        { op: 'member', object: to.expr(node.field('scope')), name: node.field('name')?.text() ?? '', line },
        node,
        line,
        to,
      ),
    object_creation_expression: (node, line, to) => ({
      ...call(named(significantChildren(node)[0]?.text() ?? '', line), node, line, to),
      makes: true,
    }),
    print_intrinsic: word('print'),
    include_expression: word('include'),
    include_once_expression: word('include'),
    require_expression: word('include'),
    require_once_expression: word('include'),
    shell_command_expression: (node, line, to) => ({
      op: 'call',
      callee: named('shell_exec', line),
      args: [{ value: t.textOf(node, line, to, /content/, readEscapes) }],
      line,
    }),
    assignment_expression: (node, line, to) => t.assignOf('right', to, node, line),
    reference_assignment_expression: (node, line, to) => t.assignOf('right', to, node, line),
    augmented_assignment_expression: (node, line, to) => t.assignOf('right', to, node, line),
    conditional_expression: (node, line, to) => {
      const test = to.expr(node.field('condition'));
      const body = node.field('body');
      return {
        op: 'choice',
        test,
        yes: body ? to.expr(body) : test,
        no: to.expr(node.field('alternative')),
        line,
      };
    },
    cast_expression: (node, line, to) => {
      const type = node.field('type')?.text() ?? '';
      if (/int|float|bool|double/.test(type)) return call(named('intval', line), node, line, to);
      return to.expr(node.field('value'));
    },
    unary_op_expression: (node, line, to) => {
      const operand = to.expr(node.field('argument') ?? significantChildren(node)[0]);
      return node.text().startsWith('!') ? { op: 'not', operand, line } : t.lowerSign(node, operand, line);
    },
    array_creation_expression: array,
    list_literal: (node, line, to) => ({ op: 'list', items: significantChildren(node).map(to.expr), line }),
    anonymous_function: (node, line, to) => ({ op: 'function', fn: functionOf(node, to), line }),
    arrow_function: (node, line, to) => ({ op: 'function', fn: functionOf(node, to), line }),
  },
};
