import type { CallArgument, Expr, FunctionNode, Param, Stmt, SwitchCase } from '../ir.ts';
import { createLowering, readBlock, readLastPart, readName } from './descent.ts';
import {
  fieldText,
  type MaybeNode,
  type ParserNode,
  partsOfKind,
  readEscapes,
  regexOf,
  type SyntaxLowering,
  significantChildren,
} from './node.ts';
import * as t from './table.ts';

const paramsOf = (list: ParserNode | null): Param[] =>
  significantChildren(list).map((part) => ({
    name: (part.field('name') ?? part).text().replace(/^[*&:]+|:$/g, ''),
  }));

function withReturn(body: Stmt[]): Stmt[] {
  const last = body.at(-1);
  return last?.op === 'expr'
    ? [...body.slice(0, -1), { op: 'return', value: last.value, line: last.line }]
    : body;
}

function functionOf(node: ParserNode, to: SyntaxLowering): FunctionNode {
  const name = fieldText(node, 'name');
  const known = { name, params: paramsOf(node.field('parameters')), marks: [] };
  return to.fn(node, known, () => withReturn(to.body(node.field('body'))));
}

function method(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  return [t.createFunction(t.extendFunction(functionOf(node, to), { word: true }), line)];
}

function argsOf(node: MaybeNode, to: SyntaxLowering): CallArgument[] {
  return significantChildren(node).map((part): CallArgument => {
    if (part.kind() === 'pair') {
      const name = fieldText(part, 'key').replace(/^:|:$|['"]/g, '');
      return { name, value: to.expr(part.field('value')) };
    }
    const splat = /splat|block_argument/.test(part.kind());
    return { value: to.expr(splat ? significantChildren(part)[0] : part), spread: splat ? true : undefined };
  });
}

/** Matches `Dir[]`, which searches for files, and `DB[]`, which runs an SQL statement. */
const INDEXED_CALL = /^(?:Dir|DB)\[\]$/;
/** Matches names that are calls even without arguments. Other names without arguments may be variables. */
const BARE_CALL = /^(?:skip_forgery_protection|protect_from_forgery|attr_protected)$/;
const ENDING_CALL = /^(?:raise|fail|abort|exit|halt)\b/;
const ROUTE = /^(?:get|post|put|patch|delete)$/;

const NOKOGIRI = /^Nokogiri(?:::XML)?(?:::Document)?\.(?:XML|parse)$/;

function call(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const receiver = node.field('receiver');
  const name = node.field('method')?.text() ?? 'call';
  const args = argsOf(node.field('arguments'), to);
  const block = node.field('block');
  if (receiver && NOKOGIRI.test(`${receiver.text()}.${name}`)) {
    const given = block?.text() ?? /&:\w+/.exec(fieldText(node, 'arguments'))?.[0] ?? '';
    // Moves an option such as `noent` from the block to the fourth argument, because rules test this argument.
    const [option] = /(?<=[.:])(?:noent|dtdload)\b|(?<=::)(?:NOENT|DTDLOAD)\b/.exec(given) ?? [];
    if (option) {
      if (args.at(-1)?.spread) args.pop();
      while (args.length < 3) args.push({ value: t.constant(null, line) });
      args.splice(3, 0, { value: t.createName(option.toUpperCase(), line) });
    }
  }
  if (block) {
    const fn = functionOf(block, to);
    // Marks the block of a Sinatra route, `get '/' do ... end`, because Sinatra sends its result to the client.
    const isRoute = !receiver && ROUTE.test(name) && args.length > 0;
    const marked = isRoute ? t.extendFunction(fn, { marks: [t.createName(name, line)] }) : fn;
    args.push({ value: t.createFunction(marked, line) });
  }
  const callee = receiver ? t.createMember(to.expr(receiver), name, line) : t.createName(name, line);
  return t.createCall(callee, args, line);
}

function assignment(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const value = t.assignOf(node, line, to);
  if (value.op !== 'assign' || value.target.op !== 'call' || value.target.args.length > 0) return value;
  return { ...value, target: value.target.callee };
}

function ifOf(isUnless: boolean) {
  return (node: ParserNode, line: number, to: SyntaxLowering): Stmt[] => {
    const test = to.expr(node.field('condition'));
    const yes = to.body(node.field('consequence') ?? node.field('body'));
    const no = to.body(node.field('alternative'));
    return [{ op: 'if', test: isUnless ? { op: 'not', operand: test, line } : test, yes, no, line }];
  };
}

function begin(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const body = significantChildren(node)
    .filter((part) => !/^(?:rescue|ensure|else)$/.test(part.kind()))
    .flatMap(to.body);
  const handlers = partsOfKind(node, 'rescue').map((part) => to.body(part.field('body')));
  const after = partsOfKind(node, 'ensure').flatMap(significantChildren).flatMap(to.body);
  if (handlers.length === 0 && after.length === 0) return body;
  return [{ op: 'try', body, handlers, after, line }];
}

function caseOf(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const cases = significantChildren(node).flatMap((part): SwitchCase[] => {
    const kind = part.kind();
    if (kind === 'else') return [{ tests: [], body: to.body(part) }];
    if (kind !== 'when') return [];
    const tests = part.fieldChildren('pattern').map((one) => to.expr(significantChildren(one)[0] ?? one));
    return [{ tests, body: to.body(part.field('body')) }];
  });
  return [{ op: 'switch', subject: to.expr(node.field('value')), cases, falls: false, line }];
}

function caseValueOf(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const [choice] = caseOf(node, line, to);
  const arms = choice?.op === 'switch' ? choice.cases : [];
  const values = arms.map(({ tests, body }) => ({ tests, last: body.at(-1) }));
  const read = values.map(({ tests, last }): t.SwitchArm => {
    return { tests, value: last?.op === 'expr' ? last.value : { op: 'some', parts: [], line } };
  });
  return choice?.op === 'switch'
    ? t.lowerSwitchExpression(choice.subject, read, line)
    : t.constant(null, line);
}

function scopeOf(stmt: Stmt): Stmt {
  if (stmt.op !== 'expr' || stmt.value.op !== 'call') return stmt;
  const { callee, args } = stmt.value;
  const [name, body] = args.map(({ value }) => value);
  if (callee.op !== 'name' || callee.name !== 'scope' || name?.op !== 'constant') return stmt;
  const fn = body?.op === 'call' ? body.args[0]?.value : body;
  if (fn?.op !== 'function') return stmt;
  const named = t.extendFunction(fn.fn, { name: String(name.value), word: true });
  return t.createFunction(named, stmt.line);
}

function classOf(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const base = node.field('superclass');
  const bases = base ? [significantChildren(base)[0]?.text() ?? ''] : [];
  const body = to.body(node.field('body')).map(scopeOf);
  return [{ op: 'class', name: fieldText(node, 'name'), bases, marks: [], body, bare: true, line }];
}

const text = (node: ParserNode, line: number, to: SyntaxLowering) =>
  t.lowerInterpolatedText(node, line, to, /content/, readEscapes);

const operation = t.binaryOf('binary', ['+'], { and: '&&', or: '||' });

function binary(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const expr = operation(node, line, to);
  if (expr.op !== 'binary' || expr.operator !== '<<') return expr;
  return t.createCall(t.createMember(expr.left, '<<', line), [{ value: expr.right }], line);
}

const constantName = (node: ParserNode): string => node.text().replaceAll('::', '.').replace(/^\./, '');

export const lowerRuby = createLowering({
  statements: {
    'program then else do block_body module ERROR parenthesized_statements': readBlock,
    'body_statement begin': begin,
    'method singleton_method': method,
    class: classOf,
    'if elsif if_modifier': ifOf(false),
    'unless unless_modifier': ifOf(true),
    'while until while_modifier': t.whileOf,
    for: (node, line, to) => {
      const target = to.expr(node.field('pattern'));
      const over = to.expr(significantChildren(node.field('value') ?? node)[0]);
      return [{ op: 'loop', target, over, body: to.body(node.field('body')), line }];
    },
    case: caseOf,
    return: (node, line, to) => {
      const [list] = significantChildren(node);
      const value = significantChildren(list)[0] ?? list;
      return [{ op: 'return', value: value ? to.expr(value) : undefined, line }];
    },
    'break next': t.lowerBreak,
    'call identifier': (node, line, to) => {
      const stmt: Stmt = { op: 'expr', value: to.expr(node), line };
      return ENDING_CALL.test(node.text()) ? [stmt, { op: 'throw', line }] : [stmt];
    },
    rescue_modifier: (node, _line, to) => to.body(node.field('body')),
  },
  expressions: {
    identifier: (node, line) =>
      BARE_CALL.test(node.text()) ? t.createCall(readName(node, line), [], line) : readName(node, line),
    'constant self instance_variable class_variable global_variable super': readName,
    'interpolation pattern parenthesized_statements block_argument splat_argument': readLastPart,
    'hash_splat_argument exception_variable': readLastPart,
    'string heredoc_body bare_string delimited_symbol': text,
    chained_string: t.formatOf,
    subshell: (node, line, to) =>
      t.createCall(t.createName('system', line), [{ value: text(node, line, to) }], line),
    simple_symbol: (node, line) => t.constant(node.text().slice(1), line),
    hash_key_symbol: (node, line) => t.constant(node.text(), line),
    integer: t.lowerNumber,
    float: t.lowerFloat,
    ...t.LITERALS,
    regex: (node, line, to) =>
      partsOfKind(node, 'interpolation').length > 0
        ? t.createCall(t.createName('interpolated_regexp', line), [{ value: text(node, line, to) }], line)
        : regexOf(
            node
              .text()
              .replace(/^%r[^\w\s]/, '/')
              .replace(/[\])}>|!]([a-z]{0,9})$/, '/$1'),
            false,
            line,
          ),
    scope_resolution: (node, line) => t.createName(constantName(node), line),
    binary,
    unary: (node, line, to) => {
      const operand = to.expr(node.field('operand'));
      return /^(?:!|not)/.test(node.text()) ? { op: 'not', operand, line } : t.lowerSign(node, operand, line);
    },
    call,
    case: caseValueOf,
    element_reference: (node, line, to) => {
      const index = significantChildren(node)[1];
      const name = `${node.field('object')?.text()}[]`;
      if (index && INDEXED_CALL.test(name))
        return t.createCall(t.createName(name, line), [{ value: to.expr(index) }], line);
      return t.createIndex(to.expr(node.field('object')), index ? to.expr(index) : undefined, line);
    },
    'assignment operator_assignment': assignment,
    'left_assignment_list right_assignment_list array string_array': t.lowerList,
    conditional: t.choiceOf,
    hash: (node, line, to) => {
      const entries = significantChildren(node).map((part) => {
        const key = part.field('key');
        return key ? { key: to.expr(key), value: to.expr(part.field('value')) } : { value: to.expr(part) };
      });
      return t.createDict(entries, line);
    },
    lambda: (node, line, to) => t.createFunction(functionOf(node, to), line),
  },
});
