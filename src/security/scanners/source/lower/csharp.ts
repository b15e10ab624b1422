import type { CallArgument, DictEntry, Expr, FunctionNode, Stmt, SwitchCase } from '../ir.ts';
import { createLowering, readBlock, readLastPart, readName } from './descent.ts';
import {
  fieldText,
  lineOf,
  type MaybeNode,
  type ParserNode,
  partOfKind,
  partsOfKind,
  readEscapes,
  type SyntaxLowering,
  significantChildren,
} from './node.ts';
import * as t from './table.ts';

const attributes = (node: ParserNode): string[] =>
  partsOfKind(node, 'attribute_list')
    .flatMap(significantChildren)
    .map((part) => fieldText(part, 'name'));

/** Converts `[HttpGet]` to `@HttpGet()`. `beside` has other attributes and the base class. */
function attributeCalls(node: ParserNode, to: SyntaxLowering, beside?: readonly string[]): Stmt[] {
  const all = partsOfKind(node, 'attribute_list');
  return all.flatMap(significantChildren).map((part): Stmt => {
    const line = lineOf(part);
    const given = partOfKind(part, 'attribute_argument_list');
    const args = significantChildren(given).map((one): CallArgument => {
      const [first] = significantChildren(one);
      const parts = significantChildren(first?.kind() === 'assignment_expression' ? first : one);
      return { name: parts.length > 1 ? parts[0]?.text() : undefined, value: to.expr(parts.at(-1)) };
    });
    if (beside) args.push({ name: 'beside', value: t.constant(beside.join(' '), line) });
    return t.createStatement(
      t.createCall(t.createName(`@${fieldText(part, 'name')}`, line), args, line),
      line,
    );
  });
}

function functionOf(node: ParserNode, to: SyntaxLowering): FunctionNode {
  const line = lineOf(node);
  const known = {
    name: fieldText(node, 'name'),
    params: t.lowerParameters(node.field('parameters'), to, 'default', attributes),
    marks: attributes(node).map((name) => t.createName(name, line)),
    isPrivate: partsOfKind(node, 'modifier').some((one) => one.text() === 'private') || undefined,
  };
  return to.fn(node, known, () => {
    const body = node.field('body');
    if (body?.kind() !== 'arrow_expression_clause') return to.body(body);
    return [{ op: 'return', value: to.expr(significantChildren(body)[0]), line }];
  });
}

function method(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  return [...attributeCalls(node, to), t.createFunction(functionOf(node, to), line)];
}

function recordFields(node: ParserNode, to: SyntaxLowering): Stmt[] {
  const list = partOfKind(node, 'parameter_list');
  if (!list || !/^record/.test(node.kind())) return [];
  const line = lineOf(node);
  const params = t.lowerParameters(list, to, 'default', attributes);
  const body = params.map(({ name }) => t.createFieldAssignment(name, line));
  return [
    ...t.declareNumbers(params, line),
    t.createFunction({ name: fieldText(node, 'name'), params, marks: [], body, line }, line),
  ];
}

/** Matches base classes of web frameworks. Requests can call all public methods of derived classes. */
const TAKES_REQUESTS = /(?:^|\.)\w*(?:Controller(?:Base)?|PageModel|Hub)(?:<.*)?$/s;

function classOf(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const bases = significantChildren(partOfKind(node, 'base_list')).map((base) => base.text());
  const controller = bases
    .find((base) => TAKES_REQUESTS.test(base))
    ?.replace(/<.*$/s, '')
    .split('.')
    .at(-1);
  const body = significantChildren(node.field('body')).flatMap((part): Stmt[] => {
    if (controller === undefined || !isAction(part)) return to.body(part);
    const fn = marked(functionOf(part, to), controller, lineOf(part));
    const beside = [...attributes(part), ...attributes(node), controller];
    return [...attributeCalls(part, to, beside), t.createFunction(fn, lineOf(part))];
  });
  const name = fieldText(node, 'name');
  return [
    ...attributeCalls(node, to),
    { op: 'class', name, bases, marks: [], body: [...recordFields(node, to), ...body], bare: true, line },
  ];
}

function isAction(part: ParserNode): boolean {
  if (part.kind() !== 'method_declaration') return false;
  const modifiers = partsOfKind(part, 'modifier').map((one) => one.text());
  return (
    modifiers.includes('public') && !modifiers.includes('static') && !attributes(part).includes('NonAction')
  );
}

function variables(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const declaration = partOfKind(node, 'variable_declaration') ?? node;
  return partsOfKind(declaration, 'variable_declarator').flatMap((one): Stmt[] => {
    const parts = significantChildren(one);
    const value = parts.length > 1 ? parts.at(-1) : undefined;
    const first = one.field('name') ?? parts[0];
    const name = first?.text() ?? '';
    if (value && first?.kind() === 'tuple_pattern')
      return [t.createStatement(t.createAssignment(to.expr(first), to.expr(value), line), line)];
    const type = declaration.field('type');
    if (type && value?.kind() === 'implicit_object_creation_expression')
      return t.createDefinition(name, type.text(), made(className(type), value, line, to), line);
    return t.createVariable(name, type?.text(), value, line, to);
  });
}

function switchOf(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const cases = significantChildren(node.field('body')).map((section): SwitchCase => {
    const parts = significantChildren(section);
    const isTest = (part: ParserNode) => /pattern$/.test(part.kind());
    return {
      tests: parts.filter(isTest).map(to.expr),
      body: parts.filter((part) => !isTest(part)).flatMap(to.body),
    };
  });
  return [{ op: 'switch', subject: to.expr(node.field('value')), cases, falls: true, line }];
}

function made(name: string, node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const args = node.field('arguments') ?? partOfKind(node, 'argument_list');
  const call: Expr = {
    ...t.createCall(t.createName(name, line), t.argsOf(args, to, t.readNamedArgument), line),
    makes: true,
  };
  const initializer = node.field('initializer') ?? partOfKind(node, 'initializer_expression');
  if (!initializer) return call;
  const target = t.createName(`new ${name}`, line);
  const sets = significantChildren(initializer).map((part): Expr => {
    if (part.kind() !== 'assignment_expression') {
      const parts = part.kind() === 'initializer_expression' ? significantChildren(part) : [part];
      const args = parts.map((one) => ({ value: to.expr(one) }));
      return t.createCall(t.createMember(target, 'Add', line), args, line);
    }
    const left = part.field('left');
    const row = lineOf(part);
    const at = left?.kind() === 'element_binding_expression' ? significantChildren(left)[0] : undefined;
    const inner = at
      ? t.createIndex(target, to.expr(at), row)
      : t.createMember(target, left?.text() ?? '', row);
    return t.createAssignment(inner, to.expr(part.field('right')), row);
  });
  const items = [t.createAssignment(target, call, line), ...sets, target];
  return t.createIndex(t.createList(items, line), t.constant(-1, line), line);
}

const plainName = (node: MaybeNode): string => node?.text().replace(/<.*$/s, '') ?? '';

const className = (type: MaybeNode): string => plainName(type).split('.').at(-1) ?? '';

/** Matches namespaces to remove, so that rules need only the short name: `System.IO.File` becomes `File`. */
const NAMESPACE =
  /^(?:global::)?(?:System|Microsoft)(?:\.(?:IO|Net|Net\.Http|Net\.Security|Net\.Sockets|Diagnostics|Text|Text\.RegularExpressions|Text\.Json|Security\.Cryptography|Security\.Cryptography\.X509Certificates|Security\.Authentication|Xml|Xml\.XPath|Xml\.Xsl|Data|Data\.SqlClient|Data\.Odbc|Data\.OleDb|Data\.Sqlite|Web|Reflection|Runtime\.InteropServices))?$/;

function memberOf(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const name = plainName(node.field('name'));
  if (NAMESPACE.test(node.field('expression')?.text().slice(0, 100) ?? '') && /^[A-Z]/.test(name))
    return t.createName(name, line);
  return t.createMember(to.expr(node.field('expression')), name, line);
}

/** Converts a call. `f(out x)` gives `x` the result of the call, unless the function `f` is known. */
function invocation(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const called = node.field('function');
  const mapping = /\.(Map(?:Get|Post|Put|Delete|Patch|Methods|Fallback))$/.exec(called?.text() ?? '')?.[1];
  const list = node.field('arguments');
  const parts = significantChildren(list);
  const args = t
    .argsOf(list, to, t.readNamedArgument)
    .map((arg) =>
      arg.value.op === 'function' && mapping !== undefined
        ? { ...arg, value: { ...arg.value, fn: marked(arg.value.fn, mapping, line) } }
        : arg,
    )
    .map((arg, at) => ({ ...arg, ...putInto(parts[at], to) }));
  const call = t.createCall(to.expr(called), args, line);
  if (!args.some((arg) => arg.fills)) return call;
  return t.createIndex(t.createList([call], line), t.constant(0, line), line);
}

function putInto(
  part: ParserNode | undefined,
  to: SyntaxLowering,
): Partial<Pick<CallArgument, 'puts' | 'fills'>> {
  const [, kind] = /^(?:\w{1,80}:\s{0,9})?(out|ref)\s/.exec(part?.text().slice(0, 100) ?? '') ?? [];
  if (!part || kind === undefined) return {};
  const value = significantChildren(part).at(-1);
  const declares = value?.kind() === 'declaration_expression';
  const puts = to.expr(declares ? significantChildren(value).at(-1) : value);
  return kind === 'out' ? { puts, fills: true } : { puts };
}

const marked = (fn: FunctionNode, name: string, line: number): FunctionNode =>
  t.extendFunction(fn, { marks: [...fn.marks, t.createName(name, line)] });

function written(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const entries: DictEntry[] = [];
  let name: string | undefined;
  const all = node.children().filter((part) => !/comment$/.test(part.kind()));
  all.forEach((part, at) => {
    if (!part.isNamed()) return;
    if (all[at + 1]?.kind() === '=') name = part.text();
    else {
      const own = name ?? part.text().slice(-100).split('.').at(-1) ?? '';
      entries.push({ key: t.constant(own, line), value: to.expr(part) });
      name = undefined;
    }
  });
  return t.createDict(entries, line);
}

function armOf(arm: ParserNode, to: SyntaxLowering): t.SwitchArm {
  const [pattern, ...rest] = significantChildren(arm);
  const constants = (part: ParserNode): ParserNode[] =>
    part.kind() === 'or_pattern' ? significantChildren(part).flatMap(constants) : [part];
  const isDefault = pattern === undefined || pattern.kind() === 'discard';
  return { tests: isDefault ? [] : constants(pattern).map(to.expr), value: to.expr(rest.at(-1)) };
}

function tuple(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const parts = significantChildren(node);
  if (!parts.every((part) => part.field('name')))
    return t.createList(
      parts.map((part) => to.expr(significantChildren(part).at(-1) ?? part)),
      line,
    );
  const entries = parts.map((part) => ({
    key: t.constant(fieldText(part, 'name'), line),
    value: to.expr(significantChildren(part).at(-1)),
  }));
  return t.createDict(entries, line);
}

function property(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const value = node.field('value');
  const name = fieldText(node, 'name');
  const type = node.field('type')?.text();
  const accessors = node.field('accessors');
  if (attributes(node).some((one) => /^(?:BindProperty|From(?:Query|Body|Form|Route|Header))$/.test(one))) {
    const form = t.createMember(t.createName('Request', line), 'Form', line);
    return t.createDefinition(name, type, t.createIndex(form, t.constant(name, line), line), line);
  }
  const getter = value?.kind() === 'arrow_expression_clause' ? value : getterOf(accessors);
  if (getter) {
    const known = { name, params: [], marks: [], word: true as const };
    const body = getter.kind() === 'block' ? getter : significantChildren(getter)[0];
    return [
      t.createFunction(
        to.fn(getter, known, () => t.bodyOf(body, 'block', line, to)),
        line,
      ),
    ];
  }
  return t.createVariable(name, type, value, line, to);
}

function getterOf(accessors: ParserNode | null): ParserNode | undefined {
  const get = significantChildren(accessors).find((one) => /^(?:\w+\s+)?get\b/.test(one.text().slice(0, 40)));
  return (
    get && significantChildren(get).find((part) => /^(?:block|arrow_expression_clause)$/.test(part.kind()))
  );
}

export const lowerCSharp = createLowering({
  statements: {
    'compilation_unit block declaration_list namespace_declaration': readBlock,
    'file_scoped_namespace_declaration global_statement checked_statement unsafe_statement': readBlock,
    'labeled_statement ERROR finally_clause': readBlock,
    expression_statement: t.lowerStatement,
    'local_declaration_statement variable_declaration': variables,
    field_declaration: (node, line, to) => [
      ...attributeCalls(node, to),
      ...t.forgetConstants(variables(node, line, to), to),
    ],
    'method_declaration constructor_declaration local_function_statement': method,
    'class_declaration struct_declaration record_declaration interface_declaration': classOf,
    enum_declaration: t.lowerEnum,
    if_statement: t.ifOf,
    'while_statement do_statement': t.whileOf,
    lock_statement: (node, _line, to) => to.body(significantChildren(node).at(-1)),
    for_statement: t.createForReader('initializer'),
    foreach_statement: t.createLoopReader('left', 'right'),
    using_statement: (node, line, to) => [
      ...significantChildren(node)
        .slice(0, -1)
        .flatMap((part): Stmt[] =>
          part.kind() === 'variable_declaration' ? variables(part, line, to) : to.body(part),
        ),
      ...to.body(node.field('body')),
    ],
    try_statement: t.tryOf,
    switch_statement: switchOf,
    return_statement: t.returnOf,
    throw_statement: t.lowerThrow,
    'break_statement continue_statement': t.lowerBreak,
    using_directive: (node, line) => {
      const path = significantChildren(node).at(-1)?.text() ?? '';
      return [{ op: 'import', name: `using ${path}`, path, module: path, line }];
    },
    property_declaration: (node, line, to) => [...attributeCalls(node, to), ...property(node, line, to)],
  },
  expressions: {
    'identifier this base qualified_name predefined_type generic_name': readName,
    'parenthesized_expression await_expression argument constant_pattern cast_expression': readLastPart,
    arrow_expression_clause: readLastPart,
    'string_literal interpolated_string_expression': (node, line, to) => {
      const text = t.lowerInterpolatedText(node, line, to, /content/, readEscapes);
      return text.op === 'format' ? { ...text, template: true } : text;
    },
    verbatim_string_literal: (node, line) => t.constant(node.text().slice(2, -1), line),
    raw_string_literal: (node, line, to) =>
      t.lowerInterpolatedText(node, line, to, /content/, (text) => text),
    interpolation: (node, _line, to) =>
      to.expr(significantChildren(node).find((part) => !/brace|clause/.test(part.kind()))),
    character_literal: (node, line) => t.constant(node.text().slice(1, -1), line),
    integer_literal: t.lowerNumber,
    real_literal: t.lowerFloat,
    boolean_literal: (node, line) => t.constant(node.text() === 'true', line),
    ...t.LITERALS,
    binary_expression: t.binaryOf('binary_expression', ['+']),
    member_access_expression: memberOf,
    element_access_expression: (node, line, to) => {
      const [inner] = significantChildren(node.field('subscript'));
      return t.createIndex(to.expr(node.field('expression')), to.expr(inner), line);
    },
    conditional_access_expression: (node, line, to) => {
      const object = to.expr(node.field('condition'));
      const part = significantChildren(node).at(-1);
      if (part?.kind() === 'element_binding_expression')
        return t.createIndex(object, to.expr(significantChildren(part)[0]), line);
      return t.createMember(object, plainName(part?.field('name')), line);
    },
    invocation_expression: invocation,
    as_expression: t.lowerFirstPart,
    postfix_unary_expression: (node, line, to) =>
      node.text().endsWith('!') ? t.lowerFirstPart(node, line, to) : t.updateOf(node, line, to),
    is_pattern_expression: (node, line, to) => {
      const [subject, pattern] = significantChildren(node);
      const value = to.expr(subject);
      const name = pattern?.kind() === 'declaration_pattern' ? significantChildren(pattern)[1] : undefined;
      if (!name) return t.createBinary('is', value, to.expr(pattern), line);
      return t.createAssignment(to.expr(name), value, line);
    },
    tuple_expression: tuple,
    tuple_pattern: t.lowerList,
    anonymous_object_creation_expression: written,
    switch_expression: (node, line, to) => {
      const [subject, ...arms] = significantChildren(node);
      const read = arms.map((arm) => armOf(arm, to));
      return t.lowerSwitchExpression(to.expr(subject), read, line);
    },
    object_creation_expression: (node, line, to) => made(className(node.field('type')), node, line, to),
    implicit_object_creation_expression: (node, line, to) => made('new', node, line, to),
    'array_creation_expression implicit_array_creation_expression': readLastPart,
    initializer_expression: t.lowerList,
    assignment_expression: t.assignOf,
    conditional_expression: t.choiceOf,
    prefix_unary_expression: (node, line, to) =>
      /^(?:\+\+|--)/.test(node.text())
        ? t.updateOf(node, line, to)
        : t.lowerUnary(node, to.expr(significantChildren(node)[0]), line),
    'lambda_expression anonymous_method_expression': (node, line, to) => {
      const given = node.field('parameters');
      const params =
        given?.kind() === 'parameter_list'
          ? t.lowerParameters(given, to, 'default', attributes)
          : [{ name: given?.text() ?? '' }];
      return t.lowerLambda(node, params, line, to);
    },
  },
});
