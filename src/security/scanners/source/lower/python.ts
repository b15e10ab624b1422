import type { Expr, Fn, Program, Stmt, SwitchCase } from '../ir.ts';
import { byKind, type Descent, descend, type ReadStatement, readStatement } from './descent.ts';
import {
  buildNestedIf,
  createLazyFunction,
  fieldOf,
  type IfBranch,
  lineOf,
  type Node,
  significantChildren,
} from './node.ts';
import { paramsOf, pythonExpressions } from './python-expression.ts';
import { createLoopReader, lowerBreak, returnOf, whileOf } from './table.ts';

export function lowerPython(root: Node): Program {
  const at = descend(pythonExpressions, block);
  const body = at.body(root);
  return { body, cut: at.cut };
}

function block(node: Node, at: Descent): Stmt[] {
  return significantChildren(node).flatMap((child) => readStatement(STATEMENTS, child, at));
}

const forEach = createLoopReader('left', 'right');

const STATEMENTS = byKind<ReadStatement>([
  [
    'expression_statement',
    (node, line, at) =>
      significantChildren(node).map((child) => ({ op: 'expr', value: at.expr(child), line })),
  ],
  ['return_statement', returnOf],
  ['raise_statement', (_, line) => [{ op: 'throw', line }]],
  ['break_statement continue_statement', lowerBreak],
  ['if_statement', ifStatement],
  ['for_statement', (node, line, at) => [...forEach(node, line, at), ...elseOf(node, at)]],
  ['while_statement', (node, line, at) => [...whileOf(node, line, at), ...elseOf(node, at)]],
  ['try_statement', tryStatement],
  ['with_statement', withStatement],
  ['match_statement', matchStatement],
  ['function_definition', (node, line, at) => [{ op: 'function', fn: functionOf(node, [], at), line }]],
  ['class_definition', (node, line, at) => [classOf(node, [], line, at)]],
  ['decorated_definition', decorated],
  ['import_statement import_from_statement', imports],
  ['assert_statement', assertStatement],
  ['block module ERROR', (node, _, at) => at.body(node)],
  ['delete_statement pass_statement global_statement nonlocal_statement future_import_statement', () => []],
]);

function assertStatement(node: Node, line: number, at: Descent): Stmt[] {
  const [test, ...rest] = significantChildren(node).map(at.expr);
  if (!test) return [];
  const no = [...rest.map((value): Stmt => ({ op: 'expr', value, line })), { op: 'throw' as const, line }];
  return [{ op: 'if', test, yes: [], no, line }];
}

function elseOf(node: Node, at: Descent): Stmt[] {
  const alternative = fieldOf(node, 'alternative');
  return alternative ? at.body(fieldOf(alternative, 'body')) : [];
}

function ifStatement(node: Node, line: number, at: Descent): Stmt[] {
  const branches: IfBranch[] = [
    { test: at.expr(node.field('condition')), yes: at.body(fieldOf(node, 'consequence')), line },
  ];
  let otherwise: Stmt[] = [];
  for (const clause of node.fieldChildren('alternative')) {
    if (String(clause.kind()) === 'else_clause') otherwise = at.body(fieldOf(clause, 'body'));
    else {
      const yes = at.body(fieldOf(clause, 'consequence'));
      branches.push({ test: at.expr(clause.field('condition')), yes, line: lineOf(clause) });
    }
  }
  return buildNestedIf(branches, otherwise);
}

function tryStatement(node: Node, line: number, at: Descent): Stmt[] {
  const handlers: Stmt[][] = [];
  const after: Stmt[] = [];
  const body = at.body(fieldOf(node, 'body'));
  for (const child of significantChildren(node)) {
    const kind = String(child.kind());
    const inner = significantChildren(child).find((part) => String(part.kind()) === 'block');
    if (kind === 'except_clause' || kind === 'except_group_clause') handlers.push(at.body(inner));
    else if (kind === 'finally_clause') after.push(...at.body(inner));
    else if (kind === 'else_clause') body.push(...at.body(inner));
  }
  return [{ op: 'try', body, handlers, after, line }];
}

function withStatement(node: Node, line: number, at: Descent): Stmt[] {
  const out: Stmt[] = [];
  for (const item of significantChildren(node).flatMap((part) =>
    String(part.kind()) === 'with_clause' ? significantChildren(part) : [],
  )) {
    const value = fieldOf(item, 'value') ?? item;
    out.push({ op: 'expr', value: at.expr(value), line });
  }
  return [...out, ...at.body(node.field('body'))];
}

function matchStatement(node: Node, line: number, at: Descent): Stmt[] {
  const subject = at.expr(node.field('subject'));
  const cases: SwitchCase[] = [];
  const body = fieldOf(node, 'body');
  for (const clause of body ? significantChildren(body) : []) {
    if (String(clause.kind()) !== 'case_clause') continue;
    const patterns = significantChildren(clause).filter((part) => String(part.kind()) === 'case_pattern');
    cases.push({
      tests: patterns.flatMap((part) => tests(part, at)),
      body: at.body(fieldOf(clause, 'consequence')),
    });
  }
  return [{ op: 'switch', subject, cases, falls: false, line }];
}

/** Returns the constants that a pattern matches; an empty list for a pattern that matches everything. */
function tests(pattern: Node, at: Descent): Expr[] {
  return significantChildren(pattern).flatMap((part) => {
    const kind = String(part.kind());
    if (kind === 'union_pattern') return significantChildren(part).map((one) => at.expr(one));
    if (part.text() === '_') return [];
    return [at.expr(part)];
  });
}

function decorated(node: Node, line: number, at: Descent): Stmt[] {
  const marks = significantChildren(node)
    .filter((part) => String(part.kind()) === 'decorator')
    .flatMap((part) => significantChildren(part).map((inner) => at.expr(inner)));
  const definition = fieldOf(node, 'definition');
  if (!definition) return [];
  const calls = marks.map((mark): Stmt => ({ op: 'expr', value: decoratorCall(mark), line: mark.line }));
  if (String(definition.kind()) === 'class_definition')
    return [...calls, classOf(definition, marks, line, at)];
  return [...calls, { op: 'function', fn: functionOf(definition, marks, at), line }];
}

/** Lowers a decorator to the call that Python makes: of the decorator, or of its factory with the written arguments. */
function decoratorCall(mark: Expr): Expr {
  return mark.op === 'call' ? mark : { op: 'call', callee: mark, args: [], line: mark.line };
}

function classOf(node: Node, marks: readonly Expr[], line: number, at: Descent): Stmt {
  const bases = fieldOf(node, 'superclasses');
  return {
    op: 'class',
    name: node.field('name')?.text() ?? '',
    bases: bases ? significantChildren(bases).map((base) => base.text().slice(0, 100)) : [],
    marks,
    body: at.body(fieldOf(node, 'body')),
    line,
  };
}

function functionOf(node: Node, marks: readonly Expr[], at: Descent): Fn {
  const name = node.field('name')?.text() ?? '';
  const known = { name, params: paramsOf(fieldOf(node, 'parameters'), at), marks };
  return createLazyFunction(at, node, known, () => at.body(fieldOf(node, 'body')));
}

function imports(node: Node, line: number): Stmt[] {
  const from = node.field('module_name')?.text().replace(/^\.+/, '');
  const names = node.fieldChildren('name');
  return names.map((one): Stmt => {
    const aliased = String(one.kind()) === 'aliased_import';
    const name = (aliased ? one.field('name') : one)?.text() ?? '';
    const alias = aliased ? one.field('alias')?.text() : undefined;
    if (from !== undefined)
      return {
        op: 'import',
        name: alias ?? name,
        path: from ? `${from}.${name}` : name,
        module: `${from}.${name}`,
        from: { module: node.field('module_name')?.text() ?? '', name },
        line,
      };
    // Uses only the first part of the module, since `import a.b` binds only the name `a`.
    const top = name.split('.')[0] ?? name;
    const own = { module: alias === undefined ? top : name, name: '' };
    return { op: 'import', name: alias ?? top, path: own.module, module: name, from: own, line };
  });
}
