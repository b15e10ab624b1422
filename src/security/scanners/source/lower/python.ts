import { type Expr, type FunctionNode, isNumberType, type LoweredProgram, type Stmt } from '../ir.ts';
import { byKind, createSyntaxLowering, readStatement } from './descent.ts';
import {
  fieldOf,
  fieldText,
  lineOf,
  type ParserNode,
  partOfKind,
  partsOfKind,
  type ReadStatement,
  type SyntaxLowering,
  significantChildren,
} from './node.ts';
import { paramsOf, pythonExpressions } from './python-expression.ts';
import * as t from './table.ts';

export function lowerPython(root: ParserNode): LoweredProgram {
  const to = createSyntaxLowering(pythonExpressions, block);
  const body = to.body(root);
  return { body, cut: to.cut };
}

function block(node: ParserNode, to: SyntaxLowering): Stmt[] {
  return significantChildren(node).flatMap((child) => readStatement(STATEMENTS, child, to));
}

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

function elseOf(node: ParserNode, to: SyntaxLowering): Stmt[] {
  return to.body(node.field('alternative')?.field('body'));
}

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

function decoratorCall(mark: Expr): Expr {
  return mark.op === 'call' ? mark : t.createCall(mark, [], mark.line);
}

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
