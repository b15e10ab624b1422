import type { Case, Expr, Fn, Param, Program, Stmt } from '../ir.ts';
import { lowerExpression } from './javascript-expression.ts';
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

/** A JavaScript or TypeScript file in the common form. */
export function lowerJavaScript(root: Node): Program {
  const at: Lowering = { depth: 0, cut: false };
  const body = statements(root, at);
  return { body, cut: at.cut };
}

export function expr(node: Node | null | undefined, at: Lowering): Expr {
  if (!node) return nothing(0);
  const line = lineOf(node);
  return deeper(at, () => lowerExpression(node, line, at), nothing(line));
}

/** The statements in a block, or the one that stands for a block. */
export function statements(node: Node | null | undefined, at: Lowering): Stmt[] {
  if (!node) return [];
  const kind = String(node.kind());
  if (kind === 'program' || kind === 'statement_block' || kind === 'class_static_block') {
    return deeper(at, () => partsOf(node).flatMap((child) => statement(child, at)), []);
  }
  return deeper(at, () => statement(node, at), []);
}

function statement(node: Node, at: Lowering): Stmt[] {
  const line = lineOf(node);
  switch (String(node.kind())) {
    case 'expression_statement':
      return partsOf(node).map((child) => ({ op: 'expr', value: expr(child, at), line }));
    case 'lexical_declaration':
    case 'variable_declaration':
      return partsOf(node).flatMap((child) => declarator(child, at));
    case 'function_declaration':
    case 'generator_function_declaration':
      return [{ op: 'function', fn: functionOf(node, at), line }];
    case 'class_declaration':
    case 'abstract_class_declaration':
      return [classOf(node, at, line)];
    case 'export_statement': {
      const marks = partsOf(node).filter((part) => String(part.kind()) === 'decorator');
      const inner = fieldOf(node, 'declaration') ?? fieldOf(node, 'value');
      if (!inner) return [];
      if (marks.length > 0 && /class/.test(String(inner.kind()))) return [classOf(inner, at, line)];
      return statements(inner, at);
    }
    case 'import_statement':
      return imports(node, line);
    case 'return_statement': {
      const value = partsOf(node)[0];
      return [{ op: 'return', value: value ? expr(value, at) : undefined, line }];
    }
    case 'throw_statement':
      return [{ op: 'throw', value: expr(partsOf(node)[0], at), line }];
    case 'break_statement':
    case 'continue_statement':
      return [{ op: 'leave', line }];
    case 'if_statement':
      return ifStatement(node, at);
    case 'for_statement':
      return [
        ...statements(node.field('initializer'), at),
        {
          op: 'loop',
          test: expr(node.field('condition'), at),
          body: [
            ...statements(node.field('body'), at),
            { op: 'expr', value: expr(node.field('increment'), at), line },
          ],
          line,
        },
      ];
    case 'for_in_statement':
      return [
        {
          op: 'loop',
          target: expr(node.field('left'), at),
          over: expr(node.field('right'), at),
          body: statements(node.field('body'), at),
          line,
        },
      ];
    case 'while_statement':
    case 'do_statement':
      return [
        {
          op: 'loop',
          test: String(node.kind()) === 'while_statement' ? expr(node.field('condition'), at) : undefined,
          body: statements(node.field('body'), at),
          line,
        },
      ];
    case 'try_statement':
      return [
        {
          op: 'try',
          body: statements(node.field('body'), at),
          handlers: [statements(node.field('handler')?.field('body'), at)],
          after: statements(node.field('finalizer')?.field('body'), at),
          line,
        },
      ];
    case 'switch_statement':
      return [switchStatement(node, at, line)];
    case 'statement_block':
    case 'labeled_statement':
    case 'ERROR':
    case 'class_static_block':
      return [{ op: 'block', body: partsOf(node).flatMap((child) => statements(child, at)), line }];
    case 'empty_statement':
    case 'interface_declaration':
    case 'type_alias_declaration':
    case 'ambient_declaration':
    case 'function_signature':
    case 'hash_bang_line':
    case 'statement_identifier':
      return [];
    default:
      return [{ op: 'expr', value: expr(node, at), line }];
  }
}

function declarator(node: Node, at: Lowering): Stmt[] {
  const value = fieldOf(node, 'value');
  const name = fieldOf(node, 'name');
  if (!value || !name) return [];
  const line = lineOf(node);
  return [
    {
      op: 'expr',
      value: { op: 'assign', target: expr(name, at), value: expr(value, at), adds: false, line },
      line,
    },
  ];
}

function ifStatement(node: Node, at: Lowering): Stmt[] {
  const branches: Branch[] = [];
  for (let one = node; ; ) {
    const yes = statements(one.field('consequence'), at);
    branches.push({ test: expr(one.field('condition'), at), yes, line: lineOf(one) });
    const alternative = one.field('alternative');
    const inner = alternative ? partsOf(alternative)[0] : undefined;
    if (!inner || String(inner.kind()) !== 'if_statement') return chained(branches, statements(inner, at));
    one = inner;
  }
}

function switchStatement(node: Node, at: Lowering, line: number): Stmt {
  const body = node.field('body');
  const cases: Case[] = (body ? partsOf(body) : []).map((part) => {
    const value = fieldOf(part, 'value');
    return {
      tests: value ? [expr(value, at)] : [],
      body: part.fieldChildren('body').flatMap((child) => statements(child, at)),
    };
  });
  return { op: 'switch', subject: expr(node.field('value'), at), cases, falls: true, line };
}

export function classOf(node: Node, at: Lowering, line: number): Stmt {
  const heritage = partsOf(node).find((part) => String(part.kind()) === 'class_heritage');
  const marks = partsOf(node)
    .filter((part) => String(part.kind()) === 'decorator')
    .map((part) => expr(partsOf(part)[0], at));
  return {
    op: 'class',
    name: node.field('name')?.text() ?? '',
    bases: heritage
      ? [
          heritage
            .text()
            .replace(/^extends\s+/, '')
            .slice(0, 100),
        ]
      : [],
    marks,
    body: deeper(at, () => classBody(node.field('body'), at), []),
    line,
  };
}

function classBody(body: Node | null, at: Lowering): Stmt[] {
  let marks: Expr[] = [];
  return (body ? partsOf(body) : []).flatMap((part): Stmt[] => {
    const line = lineOf(part);
    const kind = String(part.kind());
    if (kind === 'decorator') {
      marks.push(expr(partsOf(part)[0], at));
      return [];
    }
    const own = marks;
    marks = [];
    if (kind === 'method_definition') return [{ op: 'function', fn: functionOf(part, at, own), line }];
    if (kind === 'field_definition' || kind === 'public_field_definition') {
      const name = (part.field('property') ?? part.field('name'))?.text() ?? '';
      const value = expr(part.field('value'), at);
      const target: Expr = { op: 'name', name, line };
      return [{ op: 'expr', value: { op: 'assign', target, value, adds: false, line }, line }];
    }
    return kind === 'class_static_block' ? statements(part.field('body'), at) : [];
  });
}

/** A function, method or arrow function. */
export function functionOf(node: Node, at: Lowering, marks: readonly Expr[] = []): Fn {
  const body = fieldOf(node, 'body');
  const isBlock = body !== undefined && String(body.kind()) === 'statement_block';
  const alone = fieldOf(node, 'parameter');
  const known = {
    name: node.field('name')?.text() ?? '',
    params: alone ? [{ name: alone.text() }] : paramsOf(node.field('parameters'), at),
    marks,
    lambda: !isBlock ? (true as const) : undefined,
  };
  return functionAt(at, node, known, (line) =>
    isBlock ? statements(body, at) : [{ op: 'return', value: expr(body, at), line }],
  );
}

function paramsOf(node: Node | null, at: Lowering): Param[] {
  return (node ? partsOf(node) : []).map((part, place): Param => {
    const pattern = fieldOf(part, 'pattern') ?? fieldOf(part, 'left') ?? part;
    const type = part.field('type')?.text().replace(/^:\s*/, '');
    const value = fieldOf(part, 'value') ?? fieldOf(part, 'right');
    const kind = String(pattern.kind());
    const marks = partsOf(part)
      .filter((one) => String(one.kind()) === 'decorator')
      .map((one) => one.text().replace(/^@|\(.*$/gs, ''));
    const named = kind === 'identifier' || kind === 'this';
    return {
      name: named
        ? pattern.text()
        : kind === 'rest_pattern'
          ? (partsOf(pattern)[0]?.text() ?? '')
          : `#${place}`,
      type,
      marks: marks.length > 0 ? marks : undefined,
      byDefault: value ? expr(value, at) : undefined,
      pattern: !named && kind.endsWith('pattern') && kind !== 'rest_pattern' ? expr(pattern, at) : undefined,
    };
  });
}

function imports(node: Node, line: number): Stmt[] {
  const module = (node.field('source')?.text() ?? '').replace(/^['"](?:node:)?|['"]$/g, '');
  const clause = partsOf(node).find((part) => String(part.kind()) === 'import_clause');
  const out: Stmt[] = [];
  for (const part of clause ? partsOf(clause) : []) {
    const kind = String(part.kind());
    if (kind === 'identifier') out.push({ op: 'import', name: part.text(), path: module, module, line });
    else if (kind === 'namespace_import') {
      out.push({ op: 'import', name: partsOf(part)[0]?.text() ?? '', path: module, module, line });
    } else {
      for (const one of partsOf(part)) {
        const name = one.field('name')?.text() ?? '';
        const path = name === 'default' ? module : `${module}.${name}`;
        out.push({ op: 'import', name: one.field('alias')?.text() ?? name, path, module, line });
      }
    }
  }
  return out.length > 0 ? out : [{ op: 'import', name: `import ${module}`, path: module, module, line }];
}
