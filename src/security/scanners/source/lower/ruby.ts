import type { Arg, Expr, Fn, Param, Program, Stmt, SwitchCase } from '../ir.ts';
import { type Node, readEscapes, regexOf, significantChildren } from './node.ts';
import * as t from './table.ts';

export function lowerRuby(root: Node): Program {
  return t.lowerBy(RUBY, root);
}

function paramsOf(list: Node | null): Param[] {
  return (list ? significantChildren(list) : []).map((part) => ({
    name: (part.field('name') ?? part).text().replace(/^[*&:]+|:$/g, ''),
  }));
}

/** Turns the last expression into a return, since a Ruby method returns its last expression. */
function withReturn(body: Stmt[]): Stmt[] {
  const last = body.at(-1);
  return last?.op === 'expr'
    ? [...body.slice(0, -1), { op: 'return', value: last.value, line: last.line }]
    : body;
}

function functionOf(node: Node, to: t.PartLowering): Fn {
  const name = node.field('name')?.text() ?? '';
  const known = { name, params: paramsOf(node.field('parameters')), marks: [] };
  return to.fn(node, known, () => withReturn(to.body(node.field('body'))));
}

function method(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const fn = functionOf(node, to);
  return [{ op: 'function', fn: Object.create(fn, { word: { value: true, enumerable: true } }), line }];
}

function argsOf(node: Node | null, to: t.PartLowering): Arg[] {
  return (node ? significantChildren(node) : []).map((part): Arg => {
    if (String(part.kind()) === 'pair') {
      const name = (part.field('key')?.text() ?? '').replace(/^:|:$|['"]/g, '');
      return { name, value: to.expr(part.field('value')) };
    }
    const splat = /splat/.test(String(part.kind()));
    return { value: to.expr(splat ? significantChildren(part)[0] : part), spread: splat ? true : undefined };
  });
}

const ROUTE = /^(?:get|post|put|patch|delete)$/;

function withMark(fn: Fn, name: string, line: number): Fn {
  const marks: Expr[] = [{ op: 'name', name, line }];
  return Object.create(fn, { marks: { value: marks, enumerable: true } });
}

const NOKOGIRI = /^Nokogiri(?:::XML)?(?:::Document)?\.(?:XML|parse)$/;

function call(node: Node, line: number, to: t.PartLowering): Expr {
  const receiver = node.field('receiver');
  const name = node.field('method')?.text() ?? 'call';
  const args = argsOf(node.field('arguments'), to);
  const block = node.field('block');
  if (receiver && NOKOGIRI.test(`${receiver.text()}.${name}`)) {
    const given = block?.text() ?? /&:\w+/.exec(node.field('arguments')?.text() ?? '')?.[0] ?? '';
    // Passes an option that the block sets as the fourth argument, which is where rules expect it.
    const [option] = /(?<=[.:])(?:noent|dtdload)\b|(?<=::)(?:NOENT|DTDLOAD)\b/.exec(given) ?? [];
    if (option) {
      while (args.length < 3) args.push({ value: { op: 'constant', value: null, line } });
      args.splice(3, 0, { value: { op: 'name', name: option.toUpperCase(), line } });
    }
  }
  if (block) {
    const fn = functionOf(block, to);
    // Marks the block of a Sinatra route, since Sinatra sends its return value to the client: `get '/' do ... end`.
    const marked = !receiver && ROUTE.test(name) && args.length > 0;
    args.push({ value: { op: 'function', fn: marked ? withMark(fn, name, line) : fn, line } });
  }
  if (!receiver && (name === 'require' || name === 'require_relative')) {
    return { op: 'call', callee: { op: 'name', name, line }, args, line };
  }
  const callee: Expr = receiver
    ? { op: 'member', object: to.expr(receiver), name, line }
    : { op: 'name', name, line };
  return { op: 'call', callee, args, line };
}

/** Lowers an assignment whose target is a member, even if it is parsed as a call: `http.verify_mode = ...`. */
function assignment(node: Node, line: number, to: t.PartLowering): Expr {
  const value = t.assignOf('right', to, node, line);
  if (value.op !== 'assign' || value.target.op !== 'call' || value.target.args.length > 0) return value;
  return { ...value, target: value.target.callee };
}

function ifOf(isUnless: boolean) {
  return (node: Node, line: number, to: t.PartLowering): Stmt[] => {
    const test = to.expr(node.field('condition'));
    const yes = to.body(node.field('consequence') ?? node.field('body'));
    const no = to.body(node.field('alternative'));
    return [{ op: 'if', test: isUnless ? { op: 'not', operand: test, line } : test, yes, no, line }];
  };
}

function begin(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const parts = significantChildren(node);
  const isPart = (kind: string) => (part: Node) => String(part.kind()) === kind;
  const body = parts
    .filter((part) => !/^(?:rescue|ensure|else)$/.test(String(part.kind())))
    .flatMap((part) => to.body(part));
  const handlers = parts.filter(isPart('rescue')).map((part) => to.body(part.field('body')));
  const after = parts
    .filter(isPart('ensure'))
    .flatMap((part) => significantChildren(part).flatMap((one) => to.body(one)));
  if (handlers.length === 0 && after.length === 0) return body;
  return [{ op: 'try', body, handlers, after, line }];
}

function caseOf(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const cases: SwitchCase[] = significantChildren(node).flatMap((part): SwitchCase[] => {
    const kind = String(part.kind());
    if (kind === 'else') return [{ tests: [], body: to.body(part) }];
    if (kind !== 'when') return [];
    const tests = part.fieldChildren('pattern').map((one) => to.expr(significantChildren(one)[0] ?? one));
    return [{ tests, body: to.body(part.field('body')) }];
  });
  return [{ op: 'switch', subject: to.expr(node.field('value')), cases, falls: false, line }];
}

/** Lowers Rails' `scope :newest, ->(count) { ... }` to a method of the class. */
function scopeOf(stmt: Stmt): Stmt {
  if (stmt.op !== 'expr' || stmt.value.op !== 'call') return stmt;
  const { callee, args } = stmt.value;
  const [name, body] = args.map(({ value }) => value);
  if (callee.op !== 'name' || callee.name !== 'scope' || name?.op !== 'constant') return stmt;
  const fn = body?.op === 'call' ? body.args[0]?.value : body;
  if (fn?.op !== 'function') return stmt;
  const named = {
    name: { value: String(name.value), enumerable: true },
    word: { value: true, enumerable: true },
  };
  return { op: 'function', fn: Object.create(fn.fn, named), line: stmt.line };
}

function classOf(node: Node, line: number, to: t.PartLowering): Stmt[] {
  const base = node.field('superclass');
  const bases = base ? [significantChildren(base)[0]?.text() ?? ''] : [];
  return [
    {
      op: 'class',
      name: node.field('name')?.text() ?? '',
      bases,
      marks: [],
      body: to.body(node.field('body')).map(scopeOf),
      bare: true,
      line,
    },
  ];
}

const text = (node: Node, line: number, to: t.PartLowering) =>
  t.textOf(node, line, to, /content/, readEscapes);

const operation = t.binaryOf('binary', ['+'], { and: '&&', or: '||' });

function binary(node: Node, line: number, to: t.PartLowering): Expr {
  const expr = operation(node, line, to);
  if (expr.op !== 'binary' || expr.operator !== '<<') return expr;
  return {
    op: 'call',
    callee: { op: 'member', object: expr.left, name: '<<', line },
    args: [{ value: expr.right }],
    line,
  };
}

function constantName(node: Node): string {
  return node.text().replaceAll('::', '.').replace(/^\./, '');
}

const RUBY: t.LoweringTable = {
  blocks: ['program', 'then', 'else', 'do', 'block_body', 'module', 'ERROR', 'parenthesized_statements'],
  wrappers: [
    'interpolation',
    'pattern',
    'parenthesized_statements',
    'block_argument',
    'splat_argument',
    'hash_splat_argument',
    'exception_variable',
  ],
  names: [
    'identifier',
    'constant',
    'self',
    'instance_variable',
    'class_variable',
    'global_variable',
    'super',
  ],
  statements: {
    body_statement: begin,
    begin,
    method,
    singleton_method: method,
    class: classOf,
    module: (node, line, to) => classOf(node, line, to),
    if: ifOf(false),
    elsif: ifOf(false),
    if_modifier: ifOf(false),
    unless: ifOf(true),
    unless_modifier: ifOf(true),
    while: t.whileOf,
    until: t.whileOf,
    while_modifier: t.whileOf,
    for: (node, line, to) => [
      {
        op: 'loop',
        target: to.expr(node.field('pattern')),
        over: to.expr(significantChildren(node.field('value') ?? node)[0]),
        body: to.body(node.field('body')),
        line,
      },
    ],
    case: caseOf,
    return: (node, line, to) => {
      const list = significantChildren(node)[0];
      const value = list && (significantChildren(list)[0] ?? list);
      return [{ op: 'return', value: value ? to.expr(value) : undefined, line }];
    },
    break: t.lowerBreak,
    next: t.lowerBreak,
    rescue_modifier: (node, _line, to) => to.body(node.field('body')),
  },
  expressions: {
    string: text,
    chained_string: (node, line, to) => ({
      op: 'format',
      parts: significantChildren(node).map(to.expr),
      line,
    }),
    heredoc_body: text,
    bare_string: text,
    delimited_symbol: text,
    subshell: (node, line, to) => ({
      op: 'call',
      callee: { op: 'name', name: 'system', line },
      args: [{ value: text(node, line, to) }],
      line,
    }),
    simple_symbol: (node, line) => t.constant(node.text().slice(1), line),
    hash_key_symbol: (node, line) => t.constant(node.text(), line),
    integer: t.numeral,
    float: t.lowerFloat,
    true: (_node, line) => t.constant(true, line),
    false: (_node, line) => t.constant(false, line),
    nil: (_node, line) => t.constant(null, line),
    regex: (node, line) => regexOf(node.text(), false, line),
    scope_resolution: (node, line) => ({ op: 'name', name: constantName(node), line }),
    binary,
    unary: (node, line, to) => {
      const operand = to.expr(node.field('operand'));
      return /^(?:!|not)/.test(node.text()) ? { op: 'not', operand, line } : t.lowerSign(node, operand, line);
    },
    call,
    element_reference: (node, line, to) => {
      const index = significantChildren(node)[1];
      return {
        op: 'index',
        object: to.expr(node.field('object')),
        index: index ? to.expr(index) : undefined,
        line,
      };
    },
    assignment,
    operator_assignment: assignment,
    left_assignment_list: (node, line, to) => ({
      op: 'list',
      items: significantChildren(node).map(to.expr),
      line,
    }),
    right_assignment_list: (node, line, to) => ({
      op: 'list',
      items: significantChildren(node).map(to.expr),
      line,
    }),
    conditional: (node, line, to) => ({
      op: 'choice',
      test: to.expr(node.field('condition')),
      yes: to.expr(node.field('consequence')),
      no: to.expr(node.field('alternative')),
      line,
    }),
    array: (node, line, to) => ({ op: 'list', items: significantChildren(node).map(to.expr), line }),
    string_array: (node, line, to) => ({ op: 'list', items: significantChildren(node).map(to.expr), line }),
    hash: (node, line, to) => ({
      op: 'dict',
      entries: significantChildren(node).map((part) => {
        const key = part.field('key');
        return key ? { key: to.expr(key), value: to.expr(part.field('value')) } : { value: to.expr(part) };
      }),
      line,
    }),
    lambda: (node, line, to) => ({ op: 'function', fn: functionOf(node, to), line }),
  },
};
