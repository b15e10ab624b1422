import type { Expr, FunctionNode, LoweredProgram, Stmt } from '../ir.ts';
import { byKind, createSyntaxLowering, readStatement } from './descent.ts';
import { javascriptExpressions } from './javascript-expression.ts';
import { classOf, functionOf } from './javascript-function.ts';
import {
  buildNestedIf,
  fieldOf,
  fieldText,
  type IfBranch,
  lineOf,
  type ParserNode,
  partOfKind,
  type ReadStatement,
  type SyntaxLowering,
  significantChildren,
} from './node.ts';
import * as t from './table.ts';

export function lowerJavaScript(root: ParserNode): LoweredProgram {
  const to = createSyntaxLowering(javascriptExpressions, block);
  const body = to.body(root);
  return { body, cut: to.cut };
}

const BLOCKS = new Set(['program', 'statement_block', 'class_static_block']);

function block(node: ParserNode, to: SyntaxLowering): Stmt[] {
  if (!BLOCKS.has(node.kind())) return readStatement(STATEMENTS, node, to);
  return significantChildren(node).flatMap((child) => readStatement(STATEMENTS, child, to));
}

const STATEMENTS = byKind<ReadStatement>({
  expression_statement: (node, line, to) => directive(node, line) ?? t.lowerStatement(node, line, to),
  'lexical_declaration variable_declaration': (node, _, to) =>
    significantChildren(node).flatMap((child) => declarator(child, to)),
  'function_declaration generator_function_declaration': (node, line, to) => [
    t.createFunction(functionOf(node, to), line),
  ],
  'class_declaration abstract_class_declaration': (node, line, to) => [classOf(node, line, to)],
  enum_declaration: t.lowerEnum,
  export_statement: exported,
  import_statement: imports,
  return_statement: t.returnOf,
  throw_statement: (node, line, to) => [{ op: 'throw', value: to.expr(significantChildren(node)[0]), line }],
  'break_statement continue_statement': t.lowerBreak,
  if_statement: ifStatement,
  for_statement: t.createForReader('initializer', 'increment'),
  for_in_statement: t.createLoopReader('left', 'right'),
  'while_statement do_statement': t.whileOf,
  try_statement: (node, line, to) => {
    const body = to.body(node.field('body'));
    const handlers = node.fieldChildren('handler').map((one) => to.body(one.field('body')));
    return [{ op: 'try', body, handlers, after: to.body(node.field('finalizer')?.field('body')), line }];
  },
  switch_statement: switchStatement,
  'statement_block labeled_statement ERROR class_static_block': (node, line, to) => [
    { op: 'block', body: significantChildren(node).flatMap(to.body), line },
  ],
  'empty_statement interface_declaration type_alias_declaration ambient_declaration': t.lowerToNothing,
  'function_signature hash_bang_line statement_identifier': t.lowerToNothing,
});

/** Converts the directive `'use server'` to an import, because rules can require imports, not directives. */
function directive(node: ParserNode, line: number): Stmt[] | undefined {
  const [, module] = /^['"](use server)['"]/.exec(node.text().slice(0, 20)) ?? [];
  return module === undefined ? undefined : [{ op: 'import', name: '', path: '', module, line }];
}

function declarator(node: ParserNode, to: SyntaxLowering): Stmt[] {
  const value = fieldOf(node, 'value');
  const name = fieldOf(node, 'name');
  if (!value || !name) return [];
  const line = lineOf(node);
  return [t.createStatement(t.createAssignment(to.expr(name), to.expr(value), line), line)];
}

function exported(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const inner = fieldOf(node, 'declaration') ?? fieldOf(node, 'value');
  if (!inner) return [...passedOn(node, line), ...renamed(node, line)];
  const isDecorated = significantChildren(node).some((part) => part.kind() === 'decorator');
  const isClass = /^(?:abstract_)?class/.test(inner.kind());
  const body = isDecorated && isClass ? [classOf(inner, line, to)] : to.body(inner);
  if (!node.children().some((part) => part.text() === 'default')) return body.map(markExported);
  const name = inner.field('name')?.text();
  if (name !== undefined && (isClass || /function/.test(inner.kind())))
    return [...body.map(markExported), put('default', t.createName(name, line))];
  const [only] = body;
  return only?.op === 'expr' ? [put('default', only.value)] : body;
}

/** Marks an exported function, because frameworks call some exported functions by name, such as `GET`. */
function markExported(stmt: Stmt): Stmt {
  if (stmt.op === 'function') return { ...stmt, fn: exportedFunction(stmt.fn) };
  if (stmt.op !== 'expr' || stmt.value.op !== 'assign' || stmt.value.value.op !== 'function') return stmt;
  const { value } = stmt.value;
  return { ...stmt, value: { ...stmt.value, value: { ...value, fn: exportedFunction(value.fn) } } };
}

function exportedFunction(fn: FunctionNode): FunctionNode {
  return t.extendFunction(fn, { marks: [...fn.marks, t.createName('export', fn.line)] });
}

/** Stores an exported value in a variable with the export's name, even if the name is reserved, such as `default`. */
function put(name: string, value: Expr): Stmt {
  const { line } = value;
  return t.createStatement(t.createAssignment(t.createName(name, line), value, line), line);
}

function renamed(node: ParserNode, line: number): Stmt[] {
  return specifiers(node).flatMap(({ name, alias }) =>
    alias === name || node.field('source') ? [] : [put(alias, t.createName(name, line))],
  );
}

function passedOn(node: ParserNode, line: number): Stmt[] {
  const source = node.field('source');
  if (!source) return [];
  const module = source.text().replace(/^['"](?:node:)?|['"]$/g, '');
  const names = specifiers(node).map(({ name, alias }): Stmt => {
    const path = name === 'default' ? module : `${module}.${name}`;
    return { op: 'import', name: alias, path, module, line };
  });
  return names.length > 0 ? names : [{ op: 'import', name: `* ${module}`, path: module, module, line }];
}

function specifiers(node: ParserNode): { name: string; alias: string }[] {
  return significantChildren(partOfKind(node, 'export_clause')).map((one) => {
    const name = fieldText(one, 'name');
    return { name, alias: one.field('alias')?.text() ?? name };
  });
}

function ifStatement(node: ParserNode, _: number, to: SyntaxLowering): Stmt[] {
  const branches: IfBranch[] = [];
  for (let one = node; ; ) {
    const yes = to.body(one.field('consequence'));
    branches.push({ test: to.expr(one.field('condition')), yes, line: lineOf(one) });
    const [inner] = significantChildren(one.field('alternative'));
    if (inner?.kind() !== 'if_statement') return buildNestedIf(branches, to.body(inner));
    one = inner;
  }
}

function switchStatement(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const cases = significantChildren(node.field('body')).map((part) => {
    const value = fieldOf(part, 'value');
    return { tests: value ? [to.expr(value)] : [], body: part.fieldChildren('body').flatMap(to.body) };
  });
  return [{ op: 'switch', subject: to.expr(node.field('value')), cases, falls: true, line }];
}

function imports(node: ParserNode, line: number): Stmt[] {
  const module = fieldText(node, 'source').replace(/^['"](?:node:)?|['"]$/g, '');
  const known = { op: 'import', path: module, module, line } as const;
  const out = significantChildren(partOfKind(node, 'import_clause')).flatMap((part): Stmt[] => {
    const kind = part.kind();
    if (kind === 'identifier') return [{ ...known, name: part.text() }];
    if (kind === 'namespace_import') {
      const name = significantChildren(part)[0]?.text() ?? '';
      return [{ ...known, name, from: { module, name: '*' } }];
    }
    return significantChildren(part).map((one) => {
      const name = fieldText(one, 'name');
      const path = name === 'default' ? module : `${module}.${name}`;
      return { ...known, name: one.field('alias')?.text() ?? name, path };
    });
  });
  return out.length > 0 ? out : [{ ...known, name: `import ${module}` }];
}
