import {
  type CallArgument,
  type DictEntry,
  type Expr,
  type FunctionNode,
  isNumberType,
  type LoweredProgram,
  type Param,
  type Stmt,
} from '../ir.ts';
import { byKind, createSyntaxLowering, readName, readStatement } from './descent.ts';
import {
  fieldOf,
  fieldText,
  lineOf,
  type MaybeNode,
  type ParserNode,
  partOfKind,
  partsOfKind,
  type ReadExpression,
  type ReadStatement,
  readEscapes,
  type SyntaxLowering,
  significantChildren,
} from './node.ts';
import * as t from './table.ts';

const pythonExpressions = byKind<ReadExpression>({
  identifier: readName,
  'integer float': t.lowerNumber,
  ...t.LITERALS,
  string: text,
  concatenated_string: t.formatOf,
  attribute: t.createMemberLowering('object', 'attribute'),
  subscript: subscript,
  call: (node, line, to) =>
    t.createCall(to.expr(node.field('function')), args(node.field('arguments'), to), line),
  binary_operator: t.binaryOf('binary_operator', ['+']),
  boolean_operator: (node, line, to) =>
    t.lowerBinary(node, node.field('operator')?.text() === 'and' ? '&&' : '||', line, to),
  not_operator: (node, line, to) => ({ op: 'not', operand: to.expr(node.field('argument')), line }),
  unary_operator: (node, line, to) => t.lowerSign(node, to.expr(node.field('argument')), line),
  comparison_operator: comparison,
  conditional_expression: (node, line, to) => {
    const [yes, test, no] = significantChildren(node);
    return { op: 'choice', test: to.expr(test), yes: to.expr(yes), no: to.expr(no), line };
  },
  'list tuple set pattern_list tuple_pattern list_pattern expression_list': t.lowerList,
  dictionary: (node, line, to) =>
    t.createDict(
      significantChildren(node).map((part) => entry(part, to)),
      line,
    ),
  assignment: assignment,
  augmented_assignment: t.assignOf,
  named_expression: (node, line, to) =>
    t.createAssignment(to.expr(node.field('name')), to.expr(node.field('value')), line),
  as_pattern: (node, line, to) => {
    const [value, alias] = significantChildren(node);
    return t.createAssignment(to.expr(significantChildren(alias)[0] ?? alias), to.expr(value), line);
  },
  lambda: lambda,
  'list_comprehension set_comprehension generator_expression dictionary_comprehension': comprehension,
  'parenthesized_expression await list_splat dictionary_splat case_pattern interpolation': t.lowerFirstPart,
});

function paramsOf(node: MaybeNode, to: SyntaxLowering): Param[] {
  return significantChildren(node).flatMap((part): Param[] => {
    const kind = part.kind();
    if (kind === 'identifier') return [{ name: part.text() }];
    const named = fieldOf(part, 'name') ?? significantChildren(part)[0];
    if (!named) return [];
    const type = part.field('type')?.text();
    const value = fieldOf(part, 'value');
    const byDefault = value ? to.expr(value) : undefined;
    return [{ name: named.text().replace(/^\*+/, ''), type, byDefault }];
  });
}

function subscript(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const parts = node.fieldChildren('subscript');
  const only = parts.length === 1 ? parts[0] : undefined;
  const object = to.expr(node.field('value'));
  return t.createIndex(object, only && only.kind() !== 'slice' ? to.expr(only) : undefined, line);
}

function lambda(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const params = paramsOf(node.field('parameters'), to);
  const body: Stmt[] = [{ op: 'return', value: to.expr(node.field('body')), line }];
  return t.createFunction({ name: '', params, marks: [], body, line, lambda: true }, line);
}

function comparison(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const operators = node.fieldChildren('operators').map((one) => one.text());
  const [left, right, ...more] = significantChildren(node);
  if (more.length > 0 || !left || !right) {
    return { op: 'some', parts: significantChildren(node).map(to.expr), line };
  }
  return t.createBinary(operators.join(' ') || '==', to.expr(left), to.expr(right), line);
}

function assignment(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const right = fieldOf(node, 'right');
  if (!right) return t.createUnknown(line);
  return t.createAssignment(to.expr(node.field('left')), to.expr(right), line);
}

function comprehension(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const clause = partOfKind(node, 'for_in_clause');
  const body = node.field('body');
  const target = clause?.field('left');
  const over = clause?.field('right');
  const element = body?.kind() === 'pair' ? body.field('value') : body;
  const made = body ? to.expr(element) : t.createUnknown(line);
  if (!target || !over) return made;
  const bind = t.createAssignment(to.expr(target), t.createIndex(to.expr(over), undefined, line), line);
  const tests = partsOfKind(node, 'if_clause').flatMap(significantChildren);
  const test = tests[0] && to.expr(tests[0]);
  const value: Expr = test ? { op: 'choice', test, yes: made, no: t.createUnknown(line), line } : made;
  const last = t.createIndex(t.createList([bind, value], line), t.constant(1, line), line);
  return t.createIndex(t.createList([last], line), undefined, line);
}

function entry(node: ParserNode, to: SyntaxLowering): DictEntry {
  if (node.kind() !== 'pair') return { value: to.expr(node) };
  return { key: to.expr(node.field('key')), value: to.expr(node.field('value')) };
}

function args(node: MaybeNode, to: SyntaxLowering): CallArgument[] {
  if (node?.kind() === 'generator_expression') return [{ value: to.expr(node) }];
  return significantChildren(node).map((part): CallArgument => {
    const kind = part.kind();
    if (kind === 'keyword_argument')
      return { value: to.expr(part.field('value')), name: fieldText(part, 'name') };
    if (kind === 'list_splat' || kind === 'dictionary_splat') return { value: to.expr(part), spread: true };
    return { value: to.expr(part) };
  });
}

function text(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const children = node.children();
  const begin = children[0]?.text() ?? '';
  const raw = /r/i.test(begin);
  const parts: Expr[] = [];
  for (const child of children.slice(1)) {
    const kind = child.kind();
    if (kind === 'string_content') {
      const inner = child.text();
      parts.push(t.constant(raw ? inner : readEscapes(inner), line));
    } else if (kind === 'interpolation') parts.push(to.expr(child.field('expression') ?? child));
  }
  if (parts.length === 0) return t.constant('', line);
  const [only] = parts;
  return parts.length === 1 && only?.op === 'constant' ? only : { op: 'format', parts, template: true, line };
}

export function lowerPython(root: ParserNode): LoweredProgram {
  const to = createSyntaxLowering(pythonExpressions, block);
  const body = to.body(root);
  return { body, cut: to.cut };
}

const block = (node: ParserNode, to: SyntaxLowering): Stmt[] =>
  significantChildren(node).flatMap((child) => readStatement(STATEMENTS, child, to));

const forEach = t.createLoopReader('left', 'right');

const STATEMENTS = byKind<ReadStatement>({
  expression_statement: t.lowerStatement,
  return_statement: t.returnOf,
  raise_statement: t.lowerThrow,
  'break_statement continue_statement': t.lowerBreak,
  if_statement: t.createIfReader('consequence'),
  for_statement: (node, line, to) => [...forEach(node, line, to), ...elseOf(node, to)],
  while_statement: (node, line, to) => [...t.whileOf(node, line, to), ...elseOf(node, to)],
  try_statement: tryStatement,
  with_statement: withStatement,
  match_statement: matchStatement,
  function_definition: (node, line, to) => [t.createFunction(functionOf(node, [], to), line)],
  class_definition: (node, line, to) => [classOf(node, [], line, to)],
  decorated_definition: decorated,
  'import_statement import_from_statement': imports,
  assert_statement: assertStatement,
  'block module ERROR': (node, _, to) => to.body(node),
  'delete_statement pass_statement global_statement': t.lowerToNothing,
  'nonlocal_statement future_import_statement': t.lowerToNothing,
});

function assertStatement(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const [test, ...rest] = significantChildren(node).map(to.expr);
  if (!test) return [];
  const no = [...rest.map((value) => t.createStatement(value, line)), { op: 'throw' as const, line }];
  return [{ op: 'if', test, yes: [], no, line }];
}

const elseOf = (node: ParserNode, to: SyntaxLowering): Stmt[] =>
  to.body(node.field('alternative')?.field('body'));

function tryStatement(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const handlers: Stmt[][] = [];
  const after: Stmt[] = [];
  const body = to.body(node.field('body'));
  for (const child of significantChildren(node)) {
    const kind = child.kind();
    const inner = partOfKind(child, 'block');
    if (kind === 'except_clause' || kind === 'except_group_clause') handlers.push(to.body(inner));
    else if (kind === 'finally_clause') after.push(...to.body(inner));
    else if (kind === 'else_clause') body.push(...to.body(inner));
  }
  return [{ op: 'try', body, handlers, after, line }];
}

function withStatement(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const items = partsOfKind(node, 'with_clause').flatMap(significantChildren);
  const out = items.map((item) => t.createStatement(to.expr(item.field('value') ?? item), line));
  return [...out, ...to.body(node.field('body'))];
}

function matchStatement(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const subject = to.expr(node.field('subject'));
  const cases = partsOfKind(node.field('body'), 'case_clause').map((clause) => ({
    tests: partsOfKind(clause, 'case_pattern').flatMap((part) => tests(part, to)),
    body: to.body(clause.field('consequence')),
  }));
  return [{ op: 'switch', subject, cases, falls: false, line }];
}

function tests(pattern: ParserNode, to: SyntaxLowering): Expr[] {
  return significantChildren(pattern).flatMap((part) => {
    const kind = part.kind();
    if (kind === 'union_pattern') return significantChildren(part).map(to.expr);
    if (part.text() === '_') return [];
    return [to.expr(part)];
  });
}

function decorated(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const marks = partsOfKind(node, 'decorator').flatMap(significantChildren).map(to.expr);
  const definition = fieldOf(node, 'definition');
  if (!definition) return [];
  const calls = marks.map((mark) => t.createStatement(decoratorCall(mark), mark.line));
  if (definition.kind() === 'class_definition') return [...calls, classOf(definition, marks, line, to)];
  return [...calls, t.createFunction(functionOf(definition, marks, to), line)];
}

const decoratorCall = (mark: Expr): Expr => (mark.op === 'call' ? mark : t.createCall(mark, [], mark.line));

function classOf(node: ParserNode, marks: readonly Expr[], line: number, to: SyntaxLowering): Stmt {
  const above = significantChildren(node.field('superclasses'));
  const bases = above.map((base) => base.text().slice(0, 100));
  const body = [...to.body(node.field('body')), ...typedFields(node.field('body'))];
  // Treats base classes like decorators: both can make a framework call the class's methods.
  const all = [...marks, ...above.map(to.expr)];
  return { op: 'class', name: fieldText(node, 'name'), bases, marks: all, body, line };
}

/** Declares number fields, such as `count: int`. Libraries such as Pydantic accept only numbers for them. */
function typedFields(body: ParserNode | null): Stmt[] {
  return partsOfKind(body, 'expression_statement').flatMap((part) => {
    const field = partOfKind(part, 'assignment');
    const type = field?.field('type')?.text();
    if (!field || type === undefined || /^(?:True|False|-?\d.*)$/s.test(fieldText(field, 'right'))) return [];
    return isNumberType(type) ? t.createDeclaration(fieldText(field, 'left'), type, lineOf(part)) : [];
  });
}

function functionOf(node: ParserNode, marks: readonly Expr[], to: SyntaxLowering): FunctionNode {
  const name = fieldText(node, 'name');
  const known = { name, params: paramsOf(node.field('parameters'), to), marks };
  return to.fn(node, known, () => to.body(node.field('body')));
}

function imports(node: ParserNode, line: number): Stmt[] {
  const from = node.field('module_name')?.text().replace(/^\.+/, '');
  const names = node.fieldChildren('name');
  return names.map((one): Stmt => {
    const aliased = one.kind() === 'aliased_import';
    const name = (aliased ? one.field('name') : one)?.text() ?? '';
    const alias = aliased ? one.field('alias')?.text() : undefined;
    if (from !== undefined)
      return {
        op: 'import',
        name: alias ?? name,
        path: from ? `${from}.${name}` : name,
        module: `${from}.${name}`,
        from: { module: fieldText(node, 'module_name'), name },
        line,
      };
    // `import a.b` defines the name `a`.
    const top = name.split('.')[0] ?? name;
    const own = { module: alias === undefined ? top : name, name: '' };
    return { op: 'import', name: alias ?? top, path: own.module, module: name, from: own, line };
  });
}
