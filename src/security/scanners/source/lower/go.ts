import type { DictEntry, Expr, FunctionNode, Param, Stmt } from '../ir.ts';
import { createLowering, readBlock, readLastPart, readName } from './descent.ts';
import {
  fieldText,
  lineOf,
  type MaybeNode,
  type ParserNode,
  partsOfKind,
  readEscapes,
  type SyntaxLowering,
  significantChildren,
} from './node.ts';
import * as t from './table.ts';

const paramsOf = (list: ParserNode | null): Param[] =>
  significantChildren(list).flatMap((part) => {
    const type = part.field('type')?.text();
    return part.fieldChildren('name').map((name) => ({ name: name.text(), type }));
  });

function functionOf(node: ParserNode, to: SyntaxLowering): FunctionNode {
  const name = fieldText(node, 'name');
  const known = { name, params: paramsOf(node.field('parameters')), marks: [] };
  return to.fn(node, known, () => to.body(node.field('body')));
}

function method(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const receiver = paramsOf(node.field('receiver'))[0];
  const [only] = significantChildren(node.field('receiver'));
  const type = typeName(receiver?.type ?? only?.field('type')?.text());
  const fn = functionOf(node, to);
  const own = receiver ? t.extendFunction(fn, { self: receiver.name }) : fn;
  return [{ op: 'class', name: type, bases: [], marks: [], body: [t.createFunction(own, line)], line }];
}

const typeName = (text = ''): string => text.replace(/^[*&[\]]+|\[.*$/gs, '');

function structs(node: ParserNode, line: number): Stmt[] {
  return significantChildren(node).flatMap((spec): Stmt[] => {
    const type = spec.field('type');
    if (type?.kind() === 'interface_type') return [faceOf(fieldText(spec, 'name'), type, line)];
    if (type?.kind() !== 'struct_type') return [];
    const fields = significantChildren(type).flatMap(significantChildren);
    const body = fields.flatMap((field): Stmt[] => {
      const written = typeName(field.field('type')?.text());
      return field.fieldChildren('name').map((name) => declaredAs(name.text(), written, line));
    });
    return [{ op: 'class', name: fieldText(spec, 'name'), bases: [], marks: [], body, line }];
  });
}

function faceOf(name: string, type: ParserNode, line: number): Stmt {
  const body = significantChildren(type).flatMap((part): Stmt[] => {
    const method = part.field('name')?.text();
    if (method === undefined) return [];
    const fn = { name: method, params: paramsOf(part.field('parameters')), marks: [], body: [], line };
    return [t.createFunction(fn, line)];
  });
  return { op: 'class', name, bases: [], marks: [], body, line };
}

function declaredAs(name: string, type: string, line: number): Stmt {
  return { op: 'declare', name, type: /^[\w.]{1,100}$/.test(type) ? type : undefined, line };
}

/** In `a, err := f()`, only `a` gets the result. In `_, ok := m[k]`, `ok` is true if `m` has the key `k`. */
function assigned(
  node: ParserNode,
  left: ParserNode[],
  right: ParserNode[],
  line: number,
  to: SyntaxLowering,
): Stmt[] {
  const adds = node.field('operator')?.text() === '+=';
  return left.flatMap((one, at): Stmt[] => {
    const value = right[at] ?? (at === 0 ? right[0] : undefined);
    const asked =
      at === 1 && left.length === 2 && right[0]?.kind() === 'index_expression' ? right[0] : undefined;
    if (asked) {
      const isMissing: Expr = { op: 'not', operand: to.expr(asked), line };
      return [
        t.createStatement(
          t.createAssignment(to.expr(one), { op: 'not', operand: isMissing, line }, line),
          line,
        ),
      ];
    }
    if (!value) return [];
    return [t.createStatement(t.createAssignment(to.expr(one), to.expr(value), line, adds), line)];
  });
}

function listOf(node: MaybeNode): ParserNode[] {
  if (!node) return [];
  return node.kind() === 'expression_list' ? significantChildren(node) : [node];
}

const assignment = (node: ParserNode, line: number, to: SyntaxLowering): Stmt[] =>
  assigned(node, listOf(node.field('left')), listOf(node.field('right')), line, to);

const spec = (node: ParserNode, line: number, to: SyntaxLowering): Stmt[] =>
  assigned(node, node.fieldChildren('name'), listOf(node.field('value')), line, to);

function imports(node: ParserNode): Stmt[] {
  return significantChildren(node).flatMap((part): Stmt[] => {
    if (part.kind() === 'import_spec_list') return imports(part);
    const module = part.field('path')?.text().slice(1, -1) ?? '';
    const own =
      module
        .replace(/\/v\d+$/, '')
        .split('/')
        .at(-1) ?? module;
    // Renames `crypto/rand`, because rules use the name `rand` for the predictable `math/rand`.
    const path = module === 'crypto/rand' ? 'crypto.rand' : own;
    return [{ op: 'import', name: part.field('name')?.text() ?? own, path, module, line: lineOf(part) }];
  });
}

function switchOf(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const cases = significantChildren(node)
    .filter((part) => /_case$/.test(part.kind()))
    .map((part) => ({
      tests: listOf(part.field('value')).map(to.expr),
      body: partsOfKind(part, 'statement_list').flatMap(to.body),
    }));
  return [
    ...to.body(node.field('initializer')),
    { op: 'switch', subject: to.expr(node.field('value')), cases, falls: false, line },
  ];
}

function forOf(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const body = to.body(node.field('body'));
  const [clause] = significantChildren(node);
  if (clause?.kind() === 'range_clause') {
    // In `for index, element := range list`, the last name is the loop variable.
    const last = listOf(clause.field('left')).at(-1);
    const target = last && to.expr(last);
    return [{ op: 'loop', target, over: to.expr(clause.field('right')), body, line }];
  }
  if (clause?.kind() === 'for_clause') {
    const test = to.expr(clause.field('condition'));
    const all = [...body, ...to.body(clause.field('update'))];
    return [...to.body(clause.field('initializer')), { op: 'loop', test, body: all, line }];
  }
  const test = clause && clause.kind() !== 'block' ? to.expr(clause) : undefined;
  return [{ op: 'loop', test, body, line }];
}

function entries(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const parts = significantChildren(node);
  if (!parts.some((part) => part.kind() === 'keyed_element')) return t.createList(parts.map(to.expr), line);
  const all = parts.map((part): DictEntry => {
    const key = part.field('key');
    const [inner] = significantChildren(key);
    const name = inner?.kind() === 'identifier' ? t.constant(inner.text(), line) : to.expr(key);
    return { key: name, value: to.expr(part.field('value')) };
  });
  return t.createDict(all, line);
}

export const lowerGo = createLowering({
  statements: {
    'source_file block statement_list labeled_statement var_declaration const_declaration': readBlock,
    'var_spec_list ERROR': readBlock,
    expression_statement: t.lowerStatement,
    'short_var_declaration assignment_statement': assignment,
    'var_spec const_spec': spec,
    function_declaration: (node, line, to) => [t.createFunction(functionOf(node, to), line)],
    method_declaration: method,
    if_statement: (node, line, to) => [...to.body(node.field('initializer')), ...t.ifOf(node, line, to)],
    for_statement: forOf,
    'expression_switch_statement type_switch_statement select_statement': switchOf,
    return_statement: (node, line, to) => {
      const value = listOf(significantChildren(node)[0])[0];
      return [{ op: 'return', value: value ? to.expr(value) : undefined, line }];
    },
    'break_statement continue_statement': t.lowerBreak,
    import_declaration: imports,
    type_declaration: structs,
    'inc_statement dec_statement': (node, line, to) => [t.createStatement(t.updateOf(node, line, to), line)],
    package_clause: t.lowerToNothing,
  },
  expressions: {
    'identifier field_identifier package_identifier type_identifier qualified_type': readName,
    blank_identifier: readName,
    'parenthesized_expression literal_element type_assertion_expression variadic_argument': readLastPart,
    'interpreted_string_literal rune_literal': (node, line) =>
      t.constant(readEscapes(node.text().slice(1, -1)), line),
    raw_string_literal: (node, line) => t.constant(node.text().slice(1, -1), line),
    int_literal: t.lowerNumber,
    float_literal: t.lowerFloat,
    ...t.LITERALS,
    binary_expression: t.binaryOf('binary_expression', ['+']),
    selector_expression: t.createMemberLowering('operand', 'field'),
    index_expression: t.createIndexLowering('operand', 'index'),
    slice_expression: (node, line, to) => t.createIndex(to.expr(node.field('operand')), undefined, line),
    call_expression: (node, line, to) =>
      t.createCall(to.expr(node.field('function')), t.argsOf(node.field('arguments'), to), line),
    type_conversion_expression: (node, _line, to) => to.expr(node.field('operand')),
    unary_expression: (node, line, to) => {
      const operand = to.expr(node.field('operand'));
      if (node.field('operator')?.text() === '!') return { op: 'not', operand, line };
      return t.lowerNegativeNumber(node, operand, line) ?? operand;
    },
    composite_literal: (node, line, to) => {
      const type = fieldText(node, 'type');
      const value = to.expr(node.field('body'));
      // Converts `http.Cookie{Secure: false}` to a call with the fields as its argument.
      return t.createCall(t.createName(`${type.slice(0, 60)}{}`, line), [{ value }], line);
    },
    literal_value: entries,
    func_literal: (node, line, to) => t.createFunction(functionOf(node, to), line),
  },
});
