import type { Expr, Fn, Param, Stmt } from '../ir.ts';
import type { Descent } from './descent.ts';
import {
  createLazyFunction,
  fieldOf,
  lineOf,
  type Node,
  runOneLevelDeeper,
  significantChildren,
} from './node.ts';
import { createDeclaration } from './table.ts';

export function functionOf(node: Node, at: Descent, marks: readonly Expr[] = []): Fn {
  const body = fieldOf(node, 'body');
  const isBlock = body !== undefined && String(body.kind()) === 'statement_block';
  const alone = fieldOf(node, 'parameter');
  const known = {
    name: node.field('name')?.text() ?? '',
    params: alone ? [{ name: alone.text() }] : paramsOf(node.field('parameters'), at),
    marks,
    lambda: !isBlock ? (true as const) : undefined,
  };
  return createLazyFunction(at, node, known, (line) =>
    isBlock
      ? [...fieldsOf(node.field('parameters'), line), ...at.body(body)]
      : [{ op: 'return', value: at.expr(body), line }],
  );
}

/** Lowers TypeScript's parameter properties: `constructor(private users: Users)` also assigns the field. */
function fieldsOf(params: Node | null, line: number): Stmt[] {
  return (params ? significantChildren(params) : []).flatMap((part): Stmt[] => {
    const isField = significantChildren(part).some((one) => String(one.kind()) === 'accessibility_modifier');
    const name = isField ? fieldOf(part, 'pattern')?.text() : undefined;
    if (name === undefined) return [];
    const target: Expr = { op: 'member', object: { op: 'name', name: 'this', line }, name, line };
    const value: Expr = { op: 'name', name, line };
    return [{ op: 'expr', value: { op: 'assign', target, value, adds: false, line }, line }];
  });
}

function paramsOf(node: Node | null, at: Descent): Param[] {
  return (node ? significantChildren(node) : []).map((part, place): Param => {
    const pattern = fieldOf(part, 'pattern') ?? fieldOf(part, 'left') ?? part;
    const type = part.field('type')?.text().replace(/^:\s*/, '');
    const value = fieldOf(part, 'value') ?? fieldOf(part, 'right');
    const kind = String(pattern.kind());
    const marks = decoratorsOf(part).map((one) => one.text().replace(/^@|\(.*$/gs, ''));
    const named = kind === 'identifier' || kind === 'this';
    return {
      name: named
        ? pattern.text()
        : kind === 'rest_pattern'
          ? (significantChildren(pattern)[0]?.text() ?? '')
          : `#${place}`,
      type,
      marks: marks.length > 0 ? marks : undefined,
      byDefault: value ? at.expr(value) : undefined,
      pattern: !named && kind.endsWith('pattern') && kind !== 'rest_pattern' ? at.expr(pattern) : undefined,
    };
  });
}

function decoratorsOf(node: Node): Node[] {
  return significantChildren(node).filter((part) => String(part.kind()) === 'decorator');
}

export function classOf(node: Node, line: number, at: Descent): Stmt {
  const heritage = significantChildren(node).find((part) => String(part.kind()) === 'class_heritage');
  const marks = decoratorsOf(node).map((part) => at.expr(significantChildren(part)[0]));
  const base = heritage
    ?.text()
    .replace(/^extends\s+/, '')
    .slice(0, 100);
  return {
    op: 'class',
    name: node.field('name')?.text() ?? '',
    bases: base === undefined ? [] : [base],
    marks,
    body: runOneLevelDeeper(at, () => classBody(node.field('body'), at), []),
    line,
  };
}

function classBody(body: Node | null, at: Descent): Stmt[] {
  let marks: Expr[] = [];
  return (body ? significantChildren(body) : []).flatMap((part): Stmt[] => {
    const line = lineOf(part);
    const kind = String(part.kind());
    if (kind === 'decorator') {
      marks.push(at.expr(significantChildren(part)[0]));
      return [];
    }
    const own = marks;
    marks = [];
    if (kind === 'method_definition') return [{ op: 'function', fn: functionOf(part, at, own), line }];
    if (kind === 'field_definition' || kind === 'public_field_definition') {
      const name = (part.field('property') ?? part.field('name'))?.text() ?? '';
      const type = part.field('type')?.text().replace(/^:\s*/, '');
      if (!part.field('value') && type !== undefined) return createDeclaration(name, type, line);
      const value = at.expr(part.field('value'));
      const target: Expr = { op: 'name', name, line };
      return [{ op: 'expr', value: { op: 'assign', target, value, adds: false, line }, line }];
    }
    return kind === 'class_static_block' ? at.body(part.field('body')) : [];
  });
}
