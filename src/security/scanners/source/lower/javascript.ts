import type { CallArgument, DictEntry, Expr, FunctionNode, LoweredProgram, Param, Stmt } from '../ir.ts';
import { byKind, createSyntaxLowering, readLastPart, readName, readStatement } from './descent.ts';
import {
  buildNestedIf,
  chainOf,
  fieldOf,
  fieldText,
  type IfBranch,
  lineOf,
  type ParserNode,
  partOfKind,
  partsOfKind,
  type ReadExpression,
  type ReadStatement,
  readEscapes,
  regexOf,
  runOneLevelDeeper,
  type SyntaxLowering,
  significantChildren,
} from './node.ts';
import * as t from './table.ts';

function functionOf(node: ParserNode, to: SyntaxLowering, marks: readonly Expr[] = []): FunctionNode {
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
const fieldsOf = (params: ParserNode | null, line: number): Stmt[] =>
  significantChildren(params).flatMap((part): Stmt[] => {
    const isField = significantChildren(part).some((one) => one.kind() === 'accessibility_modifier');
    const name = isField ? fieldOf(part, 'pattern')?.text() : undefined;
    return name === undefined ? [] : [t.createFieldAssignment(name, line)];
  });

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

function classOf(node: ParserNode, line: number, to: SyntaxLowering): Stmt {
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

const javascriptExpressions = byKind<ReadExpression>({
  'identifier this super import property_identifier': readName,
  'shorthand_property_identifier_pattern shorthand_property_identifier': readName,
  ...t.LITERALS,
  number: t.lowerNumber,
  string: (node, line) => t.constant(readEscapes(node.text().slice(1, -1)), line),
  template_string: template,
  regex: (node, line) => regexOf(node.text(), true, line),
  member_expression: t.createMemberLowering('object', 'property'),
  subscript_expression: t.createIndexLowering('object', 'index'),
  call_expression: (node, line, to) => call(node, 'function', line, to),
  new_expression: (node, line, to) => call(node, 'constructor', line, to),
  binary_expression: binary,
  unary_expression: unary,
  update_expression: t.updateOf,
  ternary_expression: t.choiceOf,
  assignment_expression: (node, line, to) =>
    t.createAssignment(to.expr(node.field('left')), to.expr(node.field('right')), line),
  augmented_assignment_expression: t.assignOf,
  'arrow_function function_expression generator_function function': (node, line, to) =>
    t.createFunction(functionOf(node, to), line),
  class: classExpression,
  'object object_pattern': (node, line, to) =>
    t.createDict(
      significantChildren(node).flatMap((part) => entry(part, to)),
      line,
    ),
  'array array_pattern': t.lowerList,
  'assignment_pattern object_assignment_pattern parenthesized_expression await_expression': t.lowerFirstPart,
  'yield_expression spread_element as_expression satisfies_expression non_null_expression': t.lowerFirstPart,
  'rest_pattern template_substitution jsx_expression': t.lowerFirstPart,
  type_assertion: readLastPart,
  sequence_expression: (node, line, to) =>
    t.createIndex(t.lowerList(node, line, to), t.constant(-1, line), line),
  jsx_attribute: jsxAttribute,
  'type_arguments type_annotation jsx_text': (_, line) => t.createUnknown(line),
});

function unary(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const operand = to.expr(node.field('argument'));
  const operator = node.field('operator')?.text();
  if (operator === '!') return { op: 'not', operand, line };
  if (operator === '-' && operand.op === 'constant' && typeof operand.value === 'number') {
    return t.constant(-operand.value, line);
  }
  if (operator === 'typeof') return t.createCall(t.createName('typeof', line), [{ value: operand }], line);
  // The result of `void x` or `+x` is never a text. Both become a subtraction, which always results in a number.
  return t.createBinary('-', t.constant(0, line), operand, line);
}

function jsxAttribute(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const [name, value] = significantChildren(node);
  const target = t.createMember(t.createName('jsx', line), name?.text() ?? '', line);
  // A JSX attribute without a value is true: `<input disabled />`.
  return t.createAssignment(target, value ? to.expr(value) : t.constant(true, line), line);
}

function classExpression(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const body = [classOf(node, line, to)];
  return t.createFunction({ name: fieldText(node, 'name'), params: [], marks: [], body, line }, line);
}

function template(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const parts: Expr[] = node.children().flatMap((child): Expr[] => {
    const kind = child.kind();
    if (kind === 'string_fragment') return [t.constant(readEscapes(child.text()), lineOf(child))];
    if (kind === 'escape_sequence') return [t.constant(readEscapes(child.text()), line)];
    return kind === 'template_substitution' ? [to.expr(child)] : [];
  });
  return t.createFormat(parts, line);
}

function call(node: ParserNode, field: string, line: number, to: SyntaxLowering): Expr {
  const given = node.field('arguments');
  const args: CallArgument[] =
    given?.kind() === 'template_string'
      ? [{ value: t.lowerList(given, line, to) }]
      : significantChildren(given).map((part) => ({
          value: to.expr(part),
          spread: part.kind() === 'spread_element' ? (true as const) : undefined,
        }));
  const callee = to.expr(node.field(field));
  return { op: 'call', callee, args, makes: field === 'constructor' ? true : undefined, line };
}

function binary(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const operator = fieldText(node, 'operator');
  if (operator === '+' || operator === '||' || operator === '&&') {
    const parts = chainOf(node, 'binary_expression', (one) => one.field('operator')?.text() === operator);
    const operands = parts.map(to.expr);
    const [first, ...rest] = operands;
    if (operator === '+' && operands.length > 2) return t.createFormat(operands, line);
    if (first && operands.length <= 100)
      return rest.reduce((left, right): Expr => t.createBinary(operator, left, right, line), first);
    return { op: 'some', parts: operands, line };
  }
  return t.lowerBinary(node, operator, line, to);
}

function entry(node: ParserNode, to: SyntaxLowering): DictEntry[] {
  const line = lineOf(node);
  switch (node.kind()) {
    case 'pair':
    case 'pair_pattern': {
      const key = fieldOf(node, 'key');
      return [{ key: key ? keyOf(key, to) : undefined, value: to.expr(node.field('value')) }];
    }
    case 'shorthand_property_identifier':
    case 'shorthand_property_identifier_pattern':
      return [{ key: t.constant(node.text(), line), value: t.createName(node.text(), line) }];
    case 'object_assignment_pattern': {
      const name = fieldText(node, 'left');
      return [{ key: t.constant(name, line), value: t.createName(name, line) }];
    }
    case 'method_definition': {
      const key = t.constant(fieldText(node, 'name'), line);
      return [{ key, value: t.createFunction(functionOf(node, to), line) }];
    }
    default:
      return [{ value: to.expr(node) }];
  }
}

function keyOf(key: ParserNode, to: SyntaxLowering): Expr {
  const line = lineOf(key);
  const kind = key.kind();
  if (kind === 'computed_property_name') return to.expr(significantChildren(key)[0]);
  if (kind === 'string') return t.constant(key.text().slice(1, -1), line);
  return t.constant(key.text(), line);
}

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

const exportedFunction = (fn: FunctionNode): FunctionNode =>
  t.extendFunction(fn, { marks: [...fn.marks, t.createName('export', fn.line)] });

/** Stores an exported value in a variable with the export's name, even if the name is reserved, such as `default`. */
function put(name: string, value: Expr): Stmt {
  const { line } = value;
  return t.createStatement(t.createAssignment(t.createName(name, line), value, line), line);
}

const renamed = (node: ParserNode, line: number): Stmt[] =>
  specifiers(node).flatMap(({ name, alias }) =>
    alias === name || node.field('source') ? [] : [put(alias, t.createName(name, line))],
  );

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

const specifiers = (node: ParserNode): { name: string; alias: string }[] =>
  significantChildren(partOfKind(node, 'export_clause')).map((one) => {
    const name = fieldText(one, 'name');
    return { name, alias: one.field('alias')?.text() ?? name };
  });

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
