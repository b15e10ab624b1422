import type { DictEntry, Expr, FunctionNode, Stmt } from '../ir.ts';
import { createLowering, readBlock, readLastPart, readName } from './descent.ts';
import {
  fieldText,
  type ParserNode,
  partOfKind,
  partsOfKind,
  readEscapes,
  type SyntaxLowering,
  significantChildren,
} from './node.ts';
import * as t from './table.ts';

function functionOf(node: ParserNode, to: SyntaxLowering): FunctionNode {
  const known = {
    name: fieldText(node, 'name'),
    params: t.lowerParameters(node.field('parameters'), to, 'default_value', () => []),
    marks: [],
  };
  return to.fn(node, known, (line) => {
    const body = node.field('body');
    return body ? [...promotedFields(node, line), ...t.bodyOf(body, 'compound_statement', line, to)] : [];
  });
}

function promotedFields(node: ParserNode, line: number): Stmt[] {
  return partsOfKind(node.field('parameters'), 'property_promotion_parameter').map((part) => {
    const name = fieldText(part, 'name');
    const field = t.createMember(t.createName('$this', line), name.slice(1), line);
    return t.createStatement(t.createAssignment(field, t.createName(name, line), line), line);
  });
}

function call(callee: Expr, node: ParserNode, line: number, to: SyntaxLowering) {
  const args = node.field('arguments') ?? partOfKind(node, 'arguments');
  return t.createCall(callee, t.argsOf(args, to, t.readNamedArgument), line);
}

const named = (name: string, line: number): Expr =>
  t.createName(name.replace(/^\\/, '').replaceAll('\\', '.'), line);

const word = (name: string) => (node: ParserNode, line: number, to: SyntaxLowering) =>
  t.createCall(named(name, line), t.argsOf(node, to), line);

function methodOf(object: string) {
  const callee = t.createMemberLowering(object, 'name');
  return (node: ParserNode, line: number, to: SyntaxLowering) => {
    const name = node.field('name');
    if (!name || name.kind() === 'name') return call(callee(node, line, to), node, line, to);
    const args = t.argsOf(node.field('arguments'), to, t.readNamedArgument);
    return t.createCall(named('dynamic_method', line), [{ value: to.expr(name) }, ...args], line);
  };
}

function switchOf(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const cases = significantChildren(node.field('body')).map((part) => {
    const value = part.field('value');
    const rest = value ? significantChildren(part).slice(1) : significantChildren(part);
    return { tests: value ? [to.expr(value)] : [], body: rest.flatMap(to.body) };
  });
  return [{ op: 'switch', subject: to.expr(node.field('condition')), cases, falls: true, line }];
}

function matchOf(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const arms = significantChildren(node.field('body')).map((arm): t.SwitchArm => {
    const tests = significantChildren(arm.field('conditional_expressions')).map(to.expr);
    return { tests, value: to.expr(arm.field('return_expression')) };
  });
  return t.lowerSwitchExpression(to.expr(node.field('condition')), arms, line);
}

function foreachOf(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const [over, each] = significantChildren(node);
  const target = to.expr(each?.kind() === 'pair' ? significantChildren(each).at(-1) : each);
  return [{ op: 'loop', target, over: to.expr(over), body: to.body(node.field('body')), line }];
}

function array(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const parts = significantChildren(node);
  if (!parts.some((part) => significantChildren(part).length === 2))
    return t.createList(
      parts.map((part) => to.expr(significantChildren(part)[0] ?? part)),
      line,
    );
  const entries = parts.map((part): DictEntry => {
    const [key, value] = significantChildren(part);
    return value ? { key: to.expr(key), value: to.expr(value) } : { value: to.expr(key) };
  });
  return t.createDict(entries, line);
}

export const lowerPhp = createLowering({
  statements: {
    'program compound_statement declaration_list colon_block namespace_definition ERROR': readBlock,
    expression_statement: (node, line, to) =>
      significantChildren(node)[0]?.kind() === 'throw_expression'
        ? t.lowerThrow(node, line)
        : t.lowerStatement(node, line, to),
    echo_statement: (node, line, to) => [t.createStatement(word('echo')(node, line, to), line)],
    if_statement: t.createIfReader('body'),
    'while_statement do_statement': t.whileOf,
    for_statement: t.createForReader('initialize'),
    foreach_statement: foreachOf,
    try_statement: t.tryOf,
    switch_statement: switchOf,
    return_statement: t.returnOf,
    exit_statement: (node, line, to) => [
      t.createStatement(word('echo')(node, line, to), line),
      { op: 'throw', line },
    ],
    'break_statement continue_statement': t.lowerBreak,
    'function_definition method_declaration': (node, line, to) => [
      t.createFunction(functionOf(node, to), line),
    ],
    class_declaration: (node, line, to) => {
      const bases = significantChildren(partOfKind(node, 'base_clause')).map((part) => part.text());
      const marks = bases.map((base) => named(base, line));
      const body = to.body(node.field('body'));
      return [{ op: 'class', name: fieldText(node, 'name'), bases, marks, body, line }];
    },
    const_declaration: (node, line, to) =>
      partsOfKind(node, 'const_element').map((part): Stmt => {
        const [name, value] = significantChildren(part);
        return t.createStatement(
          t.createAssignment(named(name?.text() ?? '', line), to.expr(value), line),
          line,
        );
      }),
    property_declaration: (node, line, to) =>
      significantChildren(node).flatMap((part): Stmt[] => {
        const value = part.field('default_value');
        if (!value) return [];
        const target = named(fieldText(part, 'name'), line);
        return [t.createStatement(t.createAssignment(target, to.expr(value), line), line)];
      }),
    namespace_use_declaration: (node, line) =>
      significantChildren(node).map((part): Stmt => {
        const path = (significantChildren(part)[0] ?? part).text().replace(/^\\/, '');
        const own = path.split('\\').at(-1) ?? path;
        return { op: 'import', name: part.field('alias')?.text() ?? own, path: own, module: path, line };
      }),
    'php_tag text text_interpolation': t.lowerToNothing,
  },
  expressions: {
    'name variable_name qualified_name relative_scope': readName,
    dynamic_variable_name: (node, line, to) => {
      const [part] = significantChildren(node);
      return part?.kind() === 'name' ? t.createName(`$${part.text()}`, line) : to.expr(part);
    },
    'parenthesized_expression error_suppression_expression by_ref clone_expression': readLastPart,
    heredoc: (node, line, to) => {
      const body = partOfKind(node, 'heredoc_body');
      return body ? to.expr(body) : t.constant('', line);
    },
    argument: readLastPart,
    string: (node, line) => t.constant(node.text().slice(1, -1).replaceAll("\\'", "'"), line),
    nowdoc: (node, line) => t.constant(node.text(), line),
    'encapsed_string heredoc_body': (node, line, to) =>
      t.lowerInterpolatedText(node, line, to, /content/, readEscapes),
    'integer float': t.lowerNumber,
    boolean: (node, line) => t.constant(node.text().toLowerCase() === 'true', line),
    ...t.LITERALS,
    binary_expression: t.binaryOf('binary_expression', ['.'], { and: '&&', or: '||', '<>': '!=' }),
    'member_access_expression nullsafe_member_access_expression': t.createMemberLowering('object', 'name'),
    scoped_property_access_expression: t.createMemberLowering('scope', 'name'),
    class_constant_access_expression: (node, line, to) => {
      const [scope, name] = significantChildren(node);
      return t.createMember(to.expr(scope), name?.text() ?? '', line);
    },
    subscript_expression: (node, line, to) => {
      const [object, index] = significantChildren(node);
      const global = object?.text() === '$GLOBALS' ? partOfKind(index ?? node, 'string_content') : null;
      if (global) return t.createName(`$${global.text()}`, line);
      return t.createIndex(to.expr(object), index ? to.expr(index) : undefined, line);
    },
    function_call_expression: (node, line, to) => call(to.expr(node.field('function')), node, line, to),
    'member_call_expression nullsafe_member_call_expression': methodOf('object'),
    scoped_call_expression: methodOf('scope'),
    object_creation_expression: (node, line, to) => ({
      ...call(named(significantChildren(node)[0]?.text() ?? '', line), node, line, to),
      makes: true,
    }),
    print_intrinsic: word('print'),
    'include_expression include_once_expression': word('include'),
    'require_expression require_once_expression': word('include'),
    shell_command_expression: (node, line, to) => {
      const value = t.lowerInterpolatedText(node, line, to, /content/, readEscapes);
      return t.createCall(named('shell_exec', line), [{ value }], line);
    },
    'assignment_expression reference_assignment_expression': t.assignOf,
    augmented_assignment_expression: t.assignOf,
    conditional_expression: (node, line, to) => {
      const test = to.expr(node.field('condition'));
      const body = node.field('body');
      const yes = body ? to.expr(body) : test;
      return { op: 'choice', test, yes, no: to.expr(node.field('alternative')), line };
    },
    match_expression: matchOf,
    cast_expression: (node, line, to) => {
      const type = fieldText(node, 'type');
      if (/int|float|bool|double/.test(type)) return call(named('intval', line), node, line, to);
      return to.expr(node.field('value'));
    },
    update_expression: t.updateOf,
    unary_op_expression: (node, line, to) =>
      t.lowerUnary(node, to.expr(node.field('argument') ?? significantChildren(node)[0]), line),
    array_creation_expression: array,
    list_literal: t.lowerList,
    'anonymous_function arrow_function': (node, line, to) => t.createFunction(functionOf(node, to), line),
  },
});
