import type { Expr, Program, Stmt, SwitchCase } from '../ir.ts';
import { byKind, type Descent, descend, type ReadStatement, readStatement } from './descent.ts';
import { javascriptExpressions } from './javascript-expression.ts';
import { classOf, functionOf } from './javascript-function.ts';
import { buildNestedIf, fieldOf, type IfBranch, lineOf, type Node, significantChildren } from './node.ts';
import { createLoopReader, lowerBreak, returnOf, whileOf } from './table.ts';

export function lowerJavaScript(root: Node): Program {
  const at = descend(javascriptExpressions, block);
  const body = at.body(root);
  return { body, cut: at.cut };
}

const BLOCKS = new Set(['program', 'statement_block', 'class_static_block']);

function block(node: Node, at: Descent): Stmt[] {
  if (!BLOCKS.has(String(node.kind()))) return readStatement(STATEMENTS, node, at);
  return significantChildren(node).flatMap((child) => readStatement(STATEMENTS, child, at));
}

const STATEMENTS = byKind<ReadStatement>([
  [
    'expression_statement',
    (node, line, at) =>
      significantChildren(node).map((child) => ({ op: 'expr', value: at.expr(child), line })),
  ],
  [
    'lexical_declaration variable_declaration',
    (node, _, at) => significantChildren(node).flatMap((child) => declarator(child, at)),
  ],
  [
    'function_declaration generator_function_declaration',
    (node, line, at) => [{ op: 'function', fn: functionOf(node, at), line }],
  ],
  ['class_declaration abstract_class_declaration', (node, line, at) => [classOf(node, line, at)]],
  ['export_statement', exported],
  ['import_statement', imports],
  ['return_statement', returnOf],
  [
    'throw_statement',
    (node, line, at) => [{ op: 'throw', value: at.expr(significantChildren(node)[0]), line }],
  ],
  ['break_statement continue_statement', lowerBreak],
  ['if_statement', ifStatement],
  ['for_statement', forStatement],
  ['for_in_statement', createLoopReader('left', 'right')],
  ['while_statement', whileOf],
  ['do_statement', (node, line, at) => [{ op: 'loop', body: at.body(node.field('body')), line }]],
  [
    'try_statement',
    (node, line, at) => [
      {
        op: 'try',
        body: at.body(node.field('body')),
        handlers: [node.field('handler')].flatMap((one) => (one ? [at.body(one.field('body'))] : [])),
        after: at.body(node.field('finalizer')?.field('body')),
        line,
      },
    ],
  ],
  ['switch_statement', switchStatement],
  [
    'statement_block labeled_statement ERROR class_static_block',
    (node, line, at) => [{ op: 'block', body: significantChildren(node).flatMap(at.body), line }],
  ],
  [
    'empty_statement interface_declaration type_alias_declaration ambient_declaration function_signature ' +
      'hash_bang_line statement_identifier',
    () => [],
  ],
]);

function declarator(node: Node, at: Descent): Stmt[] {
  const value = fieldOf(node, 'value');
  const name = fieldOf(node, 'name');
  if (!value || !name) return [];
  const line = lineOf(node);
  return [
    {
      op: 'expr',
      value: { op: 'assign', target: at.expr(name), value: at.expr(value), adds: false, line },
      line,
    },
  ];
}

function exported(node: Node, line: number, at: Descent): Stmt[] {
  const inner = fieldOf(node, 'declaration') ?? fieldOf(node, 'value');
  if (!inner) return [...passedOn(node, line), ...renamed(node, line)];
  const isDecorated = significantChildren(node).some((part) => String(part.kind()) === 'decorator');
  const isClass = /^(?:abstract_)?class/.test(String(inner.kind()));
  const body = isDecorated && isClass ? [classOf(inner, line, at)] : at.body(inner);
  if (!node.children().some((part) => part.text() === 'default')) return body;
  const name = inner.field('name')?.text();
  if (name !== undefined && (isClass || /function/.test(String(inner.kind()))))
    return [...body, put('default', { op: 'name', name, line })];
  const [only] = body;
  return only?.op === 'expr' ? [put('default', only.value)] : body;
}

/** Assigns an exported value to a variable with its export name; `default` is safe, since no variable can have that name. */
function put(name: string, value: Expr): Stmt {
  const { line } = value;
  const target: Expr = { op: 'name', name, line };
  return { op: 'expr', value: { op: 'assign', target, value, adds: false, line }, line };
}

function renamed(node: Node, line: number): Stmt[] {
  return specifiers(node).flatMap(({ name, alias }) =>
    alias === name || node.field('source') ? [] : [put(alias, { op: 'name', name, line })],
  );
}

function passedOn(node: Node, line: number): Stmt[] {
  const source = node.field('source');
  if (!source) return [];
  const module = source.text().replace(/^['"](?:node:)?|['"]$/g, '');
  const names = specifiers(node).map(({ name, alias }): Stmt => {
    const path = name === 'default' ? module : `${module}.${name}`;
    return { op: 'import', name: alias, path, module, line };
  });
  return names.length > 0 ? names : [{ op: 'import', name: `* ${module}`, path: module, module, line }];
}

function specifiers(node: Node): { name: string; alias: string }[] {
  const clause = significantChildren(node).find((part) => String(part.kind()) === 'export_clause');
  return (clause ? significantChildren(clause) : []).map((one) => {
    const name = one.field('name')?.text() ?? '';
    return { name, alias: one.field('alias')?.text() ?? name };
  });
}

function ifStatement(node: Node, _: number, at: Descent): Stmt[] {
  const branches: IfBranch[] = [];
  for (let one = node; ; ) {
    const yes = at.body(one.field('consequence'));
    branches.push({ test: at.expr(one.field('condition')), yes, line: lineOf(one) });
    const alternative = one.field('alternative');
    const inner = alternative ? significantChildren(alternative)[0] : undefined;
    if (!inner || String(inner.kind()) !== 'if_statement') return buildNestedIf(branches, at.body(inner));
    one = inner;
  }
}

function forStatement(node: Node, line: number, at: Descent): Stmt[] {
  return [
    ...at.body(node.field('initializer')),
    {
      op: 'loop',
      test: at.expr(node.field('condition')),
      body: [...at.body(node.field('body')), { op: 'expr', value: at.expr(node.field('increment')), line }],
      line,
    },
  ];
}

function switchStatement(node: Node, line: number, at: Descent): Stmt[] {
  const body = node.field('body');
  const cases: SwitchCase[] = (body ? significantChildren(body) : []).map((part) => {
    const value = fieldOf(part, 'value');
    return {
      tests: value ? [at.expr(value)] : [],
      body: part.fieldChildren('body').flatMap(at.body),
    };
  });
  return [{ op: 'switch', subject: at.expr(node.field('value')), cases, falls: true, line }];
}

function imports(node: Node, line: number): Stmt[] {
  const module = (node.field('source')?.text() ?? '').replace(/^['"](?:node:)?|['"]$/g, '');
  const clause = significantChildren(node).find((part) => String(part.kind()) === 'import_clause');
  const out: Stmt[] = [];
  for (const part of clause ? significantChildren(clause) : []) {
    const kind = String(part.kind());
    if (kind === 'identifier') out.push({ op: 'import', name: part.text(), path: module, module, line });
    else if (kind === 'namespace_import') {
      const from = { module, name: '*' };
      out.push({
        op: 'import',
        name: significantChildren(part)[0]?.text() ?? '',
        path: module,
        module,
        from,
        line,
      });
    } else {
      for (const one of significantChildren(part)) {
        const name = one.field('name')?.text() ?? '';
        const path = name === 'default' ? module : `${module}.${name}`;
        out.push({ op: 'import', name: one.field('alias')?.text() ?? name, path, module, line });
      }
    }
  }
  return out.length > 0 ? out : [{ op: 'import', name: `import ${module}`, path: module, module, line }];
}
