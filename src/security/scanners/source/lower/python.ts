import type { Case, Expr, Fn, Param, Program, Stmt } from '../ir.ts';
import {
  type Branch,
  chained,
  deeper,
  fieldOf,
  functionAt,
  type Lowering,
  lineOf,
  type Node,
  nothing,
  partsOf,
} from './node.ts';
import { lowerExpression } from './python-expression.ts';

/** A Python module in the common form. */
export function lowerPython(root: Node): Program {
  const at: Lowering = { depth: 0, cut: false };
  const body = block(root, at);
  return { body, cut: at.cut };
}

function block(node: Node | undefined, at: Lowering): Stmt[] {
  if (!node) return [];
  return deeper(at, () => partsOf(node).flatMap((child) => statement(child, at)), []);
}

function statement(node: Node, at: Lowering): Stmt[] {
  const line = lineOf(node);
  const kind = String(node.kind());
  switch (kind) {
    case 'expression_statement':
      return partsOf(node).map((child) => ({ op: 'expr', value: expr(child, at), line }));
    case 'return_statement': {
      const value = partsOf(node)[0];
      return [{ op: 'return', value: value ? expr(value, at) : undefined, line }];
    }
    case 'raise_statement':
      return [{ op: 'throw', line }];
    case 'break_statement':
    case 'continue_statement':
      return [{ op: 'leave', line }];
    case 'if_statement':
      return ifStatement(node, at, line);
    case 'for_statement':
      return [
        {
          op: 'loop',
          target: expr(node.field('left'), at),
          over: expr(node.field('right'), at),
          body: block(fieldOf(node, 'body'), at),
          line,
        },
        ...elseOf(node, at),
      ];
    case 'while_statement':
      return [
        { op: 'loop', test: expr(node.field('condition'), at), body: block(fieldOf(node, 'body'), at), line },
        ...elseOf(node, at),
      ];
    case 'try_statement':
      return [tryStatement(node, at, line)];
    case 'with_statement':
      return withStatement(node, at, line);
    case 'match_statement':
      return [matchStatement(node, at, line)];
    case 'function_definition':
      return [{ op: 'function', fn: functionOf(node, [], at), line }];
    case 'class_definition':
      return [classOf(node, [], at, line)];
    case 'decorated_definition':
      return decorated(node, at, line);
    case 'import_statement':
    case 'import_from_statement':
      return imports(node, line);
    case 'assert_statement': {
      const [test, ...rest] = partsOf(node).map((child) => expr(child, at));
      if (!test) return [];
      return [
        {
          op: 'if',
          test,
          yes: [],
          no: [...rest.map((value): Stmt => ({ op: 'expr', value, line })), { op: 'throw', line }],
          line,
        },
      ];
    }
    case 'block':
    case 'module':
      return block(node, at);
    case 'delete_statement':
    case 'pass_statement':
    case 'global_statement':
    case 'nonlocal_statement':
    case 'future_import_statement':
    case 'ERROR':
      return kind === 'ERROR' ? block(node, at) : [];
    default:
      return [{ op: 'expr', value: expr(node, at), line }];
  }
}

function elseOf(node: Node, at: Lowering): Stmt[] {
  const alternative = fieldOf(node, 'alternative');
  return alternative ? block(fieldOf(alternative, 'body'), at) : [];
}

function ifStatement(node: Node, at: Lowering, line: number): Stmt[] {
  const branches: Branch[] = [
    { test: expr(node.field('condition'), at), yes: block(fieldOf(node, 'consequence'), at), line },
  ];
  let otherwise: Stmt[] = [];
  for (const clause of node.fieldChildren('alternative')) {
    if (String(clause.kind()) === 'else_clause') otherwise = block(fieldOf(clause, 'body'), at);
    else {
      const yes = block(fieldOf(clause, 'consequence'), at);
      branches.push({ test: expr(clause.field('condition'), at), yes, line: lineOf(clause) });
    }
  }
  return chained(branches, otherwise);
}

function tryStatement(node: Node, at: Lowering, line: number): Stmt {
  const handlers: Stmt[][] = [];
  const after: Stmt[] = [];
  const body = block(fieldOf(node, 'body'), at);
  for (const child of partsOf(node)) {
    const kind = String(child.kind());
    const inner = partsOf(child).find((part) => String(part.kind()) === 'block');
    if (kind === 'except_clause' || kind === 'except_group_clause') handlers.push(block(inner, at));
    else if (kind === 'finally_clause') after.push(...block(inner, at));
    else if (kind === 'else_clause') body.push(...block(inner, at));
  }
  return { op: 'try', body, handlers, after, line };
}

function withStatement(node: Node, at: Lowering, line: number): Stmt[] {
  const out: Stmt[] = [];
  for (const item of partsOf(node).flatMap((part) =>
    String(part.kind()) === 'with_clause' ? partsOf(part) : [],
  )) {
    const value = fieldOf(item, 'value') ?? item;
    out.push({ op: 'expr', value: expr(value, at), line });
  }
  return [...out, ...block(fieldOf(node, 'body'), at)];
}

function matchStatement(node: Node, at: Lowering, line: number): Stmt {
  const subject = expr(node.field('subject'), at);
  const cases: Case[] = [];
  const body = fieldOf(node, 'body');
  for (const clause of body ? partsOf(body) : []) {
    if (String(clause.kind()) !== 'case_clause') continue;
    const patterns = partsOf(clause).filter((part) => String(part.kind()) === 'case_pattern');
    cases.push({
      tests: patterns.flatMap((part) => tests(part, at)),
      body: block(fieldOf(clause, 'consequence'), at),
    });
  }
  return { op: 'switch', subject, cases, falls: false, line };
}

/** What a pattern matches: constants, or nothing listed for one that matches all. */
function tests(pattern: Node, at: Lowering): Expr[] {
  return partsOf(pattern).flatMap((part) => {
    const kind = String(part.kind());
    if (kind === 'union_pattern') return partsOf(part).map((one) => expr(one, at));
    if (part.text() === '_') return [];
    return [expr(part, at)];
  });
}

function decorated(node: Node, at: Lowering, line: number): Stmt[] {
  const marks = partsOf(node)
    .filter((part) => String(part.kind()) === 'decorator')
    .flatMap((part) => partsOf(part).map((inner) => expr(inner, at)));
  const definition = fieldOf(node, 'definition');
  if (!definition) return [];
  if (String(definition.kind()) === 'class_definition') return [classOf(definition, marks, at, line)];
  return [{ op: 'function', fn: functionOf(definition, marks, at), line }];
}

function classOf(node: Node, marks: readonly Expr[], at: Lowering, line: number): Stmt {
  const bases = fieldOf(node, 'superclasses');
  return {
    op: 'class',
    name: node.field('name')?.text() ?? '',
    bases: bases ? partsOf(bases).map((base) => base.text().slice(0, 100)) : [],
    marks,
    body: block(fieldOf(node, 'body'), at),
    line,
  };
}

function functionOf(node: Node, marks: readonly Expr[], at: Lowering): Fn {
  const name = node.field('name')?.text() ?? '';
  const known = { name, params: paramsOf(fieldOf(node, 'parameters'), at), marks };
  return functionAt(at, node, known, () => block(fieldOf(node, 'body'), at));
}

export function paramsOf(node: Node | undefined, at: Lowering): Param[] {
  return (node ? partsOf(node) : []).flatMap((part): Param[] => {
    const kind = String(part.kind());
    if (kind === 'identifier') return [{ name: part.text() }];
    const named = fieldOf(part, 'name') ?? partsOf(part)[0];
    if (!named) return [];
    const type = part.field('type')?.text();
    const value = fieldOf(part, 'value');
    return [
      {
        name: named.text().replace(/^\*+/, ''),
        type,
        byDefault: value ? expr(value, at) : undefined,
      },
    ];
  });
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
        line,
      };
    // `import a.b` binds `a` alone.
    const top = name.split('.')[0] ?? name;
    return { op: 'import', name: alias ?? top, path: alias === undefined ? top : name, module: name, line };
  });
}

export function expr(node: Node | null | undefined, at: Lowering): Expr {
  if (!node) return nothing(0);
  const line = lineOf(node);
  return deeper(at, () => lowerExpression(node, line, at), nothing(line));
}
