import type { Expr, FunctionNode, Param, Stmt } from '../ir.ts';
import {
  fieldOf,
  fieldText,
  lineOf,
  type ParserNode,
  partOfKind,
  partsOfKind,
  runOneLevelDeeper,
  type SyntaxLowering,
  significantChildren,
} from './node.ts';
import * as t from './table.ts';

export function functionOf(node: ParserNode, to: SyntaxLowering, marks: readonly Expr[] = []): FunctionNode {
  const body = node.field('body');
  const isBlock = body?.kind() === 'statement_block';
  const alone = fieldOf(node, 'parameter');
  const known = {
    name: fieldText(node, 'name'),
    params: alone ? [{ name: alone.text() }] : paramsOf(node.field('parameters'), to),
    marks,
    lambda: !isBlock ? (true as const) : undefined,
  };
  return to.fn(node, known, (line) =>
    isBlock
      ? [...fieldsOf(node.field('parameters'), line), ...to.body(body)]
      : [{ op: 'return', value: to.expr(body), line }],
  );
}

/** Converts parameter properties of TypeScript. `constructor(private users: Users)` also assigns a field. */
function fieldsOf(params: ParserNode | null, line: number): Stmt[] {
  return significantChildren(params).flatMap((part): Stmt[] => {
    const isField = significantChildren(part).some((one) => one.kind() === 'accessibility_modifier');
    const name = isField ? fieldOf(part, 'pattern')?.text() : undefined;
    return name === undefined ? [] : [t.createFieldAssignment(name, line)];
  });
}

function paramsOf(node: ParserNode | null, to: SyntaxLowering): Param[] {
  return significantChildren(node).map((part, place): Param => {
    const pattern = fieldOf(part, 'pattern') ?? fieldOf(part, 'left') ?? part;
    const type = part.field('type')?.text().replace(/^:\s*/, '');
    const value = fieldOf(part, 'value') ?? fieldOf(part, 'right');
    const kind = pattern.kind();
    const marks = decoratorsOf(part).flatMap((one) => [
      one.text().replace(/^@|\(.*$/gs, ''),
      // Keeps the name of a NestJS pipe such as `ParseIntPipe`, because the pipe makes the parameter safe.
      ...(/\bParse[A-Z]\w{1,20}Pipe\b/.exec(one.text().slice(0, 400)) ?? []),
    ]);
    const named = kind === 'identifier' || kind === 'this';
    return {
      name: named
        ? pattern.text()
        : kind === 'rest_pattern'
          ? (significantChildren(pattern)[0]?.text() ?? '')
          : `#${place}`,
      type,
      marks: marks.length > 0 ? marks : undefined,
      byDefault: value ? to.expr(value) : undefined,
      pattern: !named && kind.endsWith('pattern') && kind !== 'rest_pattern' ? to.expr(pattern) : undefined,
    };
  });
}

const decoratorsOf = (node: ParserNode): ParserNode[] => partsOfKind(node, 'decorator');

export function classOf(node: ParserNode, line: number, to: SyntaxLowering): Stmt {
  const marks = decoratorsOf(node).map((part) => to.expr(significantChildren(part)[0]));
  const base = partOfKind(node, 'class_heritage')
    ?.text()
    .replace(/^extends\s+/, '')
    .slice(0, 100);
  return {
    op: 'class',
    name: fieldText(node, 'name'),
    bases: base === undefined ? [] : [base],
    marks,
    body: runOneLevelDeeper(to, () => classBody(node.field('body'), to), []),
    line,
  };
}

const CHECKS_PLAIN =
  /^Is(?:Int|Number|NumberString|Numeric|Boolean|BooleanString|Enum|In|UUID|Date|DateString|ISO8601|MongoId|Alphanumeric|Alpha|Hexadecimal|Latitude|Longitude|Port|IP)$/;

function classBody(body: ParserNode | null, to: SyntaxLowering): Stmt[] {
  let marks: Expr[] = [];
  return significantChildren(body).flatMap((part): Stmt[] => {
    const line = lineOf(part);
    const kind = part.kind();
    if (kind === 'decorator') {
      const mark = to.expr(significantChildren(part)[0]);
      marks.push(mark);
      return [t.createStatement(mark, line)];
    }
    const own = marks;
    marks = [];
    if (kind === 'method_definition') {
      const inner = decoratorsOf(part).map((mark) => to.expr(significantChildren(mark)[0]));
      const calls = inner.map((mark) => t.createStatement(mark, line));
      return [...calls, t.createFunction(functionOf(part, to, [...own, ...inner]), line)];
    }
    if (kind === 'field_definition' || kind === 'public_field_definition') {
      const name = (part.field('property') ?? part.field('name'))?.text() ?? '';
      const isChecked = [
        ...own,
        ...decoratorsOf(part).map((mark) => to.expr(significantChildren(mark)[0])),
      ].some(
        (mark) => mark.op === 'call' && mark.callee.op === 'name' && CHECKS_PLAIN.test(mark.callee.name),
      );
      const type = isChecked ? 'number' : part.field('type')?.text().replace(/^:\s*/, '');
      if (!part.field('value') && type !== undefined) return t.createDeclaration(name, type, line);
      const value = to.expr(part.field('value'));
      return [t.createStatement(t.createAssignment(t.createName(name, line), value, line), line)];
    }
    return kind === 'class_static_block' ? to.body(part.field('body')) : [];
  });
}
