import type { CallArgument, Expr, FunctionNode, LoweredProgram, Stmt, SwitchCase } from '../ir.ts';
import { createLowering, readBlock, readLastPart, readName } from './descent.ts';
import {
  fieldText,
  lineOf,
  type ParserNode,
  partOfKind,
  partsOfKind,
  readEscapes,
  type SyntaxLowering,
  significantChildren,
} from './node.ts';
import * as t from './table.ts';

const MAX_NAMED_CLASSES = 200;

export function lowerJava(root: ParserNode, text: string): LoweredProgram {
  const { body, cut } = lowerProgram(root);
  const named = new Set<string>();
  for (const [name] of text.matchAll(/\b(?:javax?|jakarta|org|com)\.[\w.]{3,100}/g)) {
    if (named.size < MAX_NAMED_CLASSES) named.add(name);
  }
  const imports = [...named].map(
    (module): Stmt => ({ op: 'import', name: `import ${module}`, path: module, module, line: 1 }),
  );
  return { body: [...imports, ...body], cut };
}

const withoutPackage = (name: string): string => name.replace(/^(?:[a-z_]\w*\.)+(?=[A-Z])/, '');

const marksOf = (node: ParserNode): ParserNode[] =>
  partsOfKind(node, 'modifiers')
    .flatMap(significantChildren)
    .filter((part) => /annotation/.test(part.kind()));

const annotationNames = (node: ParserNode): string[] => marksOf(node).map((mark) => fieldText(mark, 'name'));

function functionOf(node: ParserNode, to: SyntaxLowering): FunctionNode {
  const line = lineOf(node);
  const known = {
    name: fieldText(node, 'name'),
    params: t.lowerParameters(node.field('parameters'), to, 'value', annotationNames),
    marks: annotationNames(node).map((name) => t.createName(name, line)),
    isPrivate: partsOfKind(node, 'modifiers').some((one) => /\bprivate\b/.test(one.text())) || undefined,
  };
  return to.fn(node, known, () => to.body(node.field('body')));
}

function method(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  return [...annotationCalls(node, to, 'method'), t.createFunction(functionOf(node, to), line)];
}

function annotationCalls(node: ParserNode, to: SyntaxLowering, on?: 'method'): Stmt[] {
  return marksOf(node).flatMap((mark): Stmt[] => {
    const given = mark.field('arguments');
    if (!given) return [];
    const [name, line] = [`@${fieldText(mark, 'name')}`, lineOf(mark)];
    const args = significantChildren(given).map((part): CallArgument => {
      if (part.kind() !== 'element_value_pair') return { value: to.expr(part) };
      return { name: fieldText(part, 'key'), value: to.expr(part.field('value')) };
    });
    if (on) args.push({ name: 'on', value: t.constant(on, line) });
    return [t.createStatement(t.createCall(t.createName(name, line), args, line), line)];
  });
}

const REQUEST_FIELD = /^(?:Query|Path|Form|Header|Cookie|Matrix)Param$/;

const isNamed = (call: Expr, name: string): boolean =>
  call.op === 'call' && call.callee.op === 'name' && call.callee.name === name;

function field(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const filled = annotationNames(node).find((name) => REQUEST_FIELD.test(name));
  const marks = annotationCalls(node, to);
  const setting = marks.flatMap((one) =>
    one.op === 'expr' && isNamed(one.value, '@Value') ? one.value : [],
  )[0];
  const isFinal = /\bfinal\b/.test(partOfKind(node, 'modifiers')?.text() ?? '');
  const own = variables(node, line, to);
  const all = [...marks, ...(isFinal ? own : t.forgetConstants(own, to))];
  if (filled === undefined && !setting) return all;
  const value = setting ?? t.createCall(t.createName(`@${filled}`, line), [], line);
  return all.flatMap((one) =>
    one.op === 'declare' ? t.createDefinition(one.name, undefined, value, line) : one,
  );
}

function classOf(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const base = node.field('superclass');
  const faces = node
    .field('interfaces')
    ?.text()
    .match(/[A-Z]\w*/g);
  return [
    ...annotationCalls(node, to),
    {
      op: 'class',
      name: fieldText(node, 'name'),
      bases:
        node.kind() === 'enum_declaration'
          ? ['Enum']
          : base
            ? [significantChildren(base)[0]?.text() ?? '']
            : [],
      faces: faces ?? undefined,
      marks: annotationNames(node).map((name) => t.createName(name, line)),
      body: [...recordNumbers(node, line, to), ...to.body(node.field('body'))],
      bare: true,
      line,
    },
  ];
}

function recordNumbers(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const list = node.field('parameters');
  return list
    ? t.declareNumbers(
        t.lowerParameters(list, to, 'value', () => []),
        line,
      )
    : [];
}

const variables = (node: ParserNode, line: number, to: SyntaxLowering): Stmt[] =>
  node.fieldChildren('declarator').flatMap((one): Stmt[] => {
    const type = one.field('dimensions') ? undefined : node.field('type')?.text();
    return t.createVariable(fieldText(one, 'name'), type, one.field('value'), line, to);
  });

function tryOf(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  const before = significantChildren(node.field('resources')).map((one) => {
    const target = t.createName(fieldText(one, 'name'), line);
    return t.createStatement(t.createAssignment(target, to.expr(one.field('value')), line), line);
  });
  return t.tryOf(node, line, to, before);
}

function switchOf(node: ParserNode, line: number, to: SyntaxLowering): Stmt[] {
  let falls = true;
  const cases = significantChildren(node.field('body')).map((group): SwitchCase => {
    if (group.kind() === 'switch_rule') falls = false;
    return { tests: testsOf(group, to), body: afterLabels(group).flatMap(to.body) };
  });
  return [{ op: 'switch', subject: to.expr(node.field('condition')), cases, falls, line }];
}

const testsOf = (group: ParserNode, to: SyntaxLowering): Expr[] =>
  partsOfKind(group, 'switch_label').flatMap(significantChildren).map(to.expr);

const afterLabels = (group: ParserNode): ParserNode[] =>
  significantChildren(group).filter((part) => part.kind() !== 'switch_label');

function switchValue(node: ParserNode, line: number, to: SyntaxLowering): Expr {
  const arms = significantChildren(node.field('body')).map((group): t.SwitchArm => {
    const values = afterLabels(group).flatMap(yielded).map(to.expr);
    const [only] = values;
    const value: Expr = values.length === 1 && only ? only : { op: 'some', parts: values, line };
    return { tests: testsOf(group, to), value };
  });
  return t.lowerSwitchExpression(to.expr(node.field('condition')), arms, line);
}

function yielded(part: ParserNode): ParserNode[] {
  const kind = part.kind();
  if (kind === 'block') return significantChildren(part).flatMap(yielded);
  return kind === 'yield_statement' || kind === 'expression_statement'
    ? significantChildren(part).slice(0, 1)
    : [];
}

function methodsOf(node: ParserNode, to: SyntaxLowering): CallArgument[] {
  const methods = to.body(partOfKind(node, 'class_body')).filter((stmt) => stmt.op === 'function');
  return methods.map(({ fn, line }) => ({ name: fn.name, value: t.createFunction(fn, line) }));
}

const lowerProgram = createLowering({
  statements: {
    'program block class_body constructor_body interface_body enum_body enum_body_declarations': readBlock,
    'static_initializer labeled_statement synchronized_statement ERROR finally_clause': readBlock,
    expression_statement: t.lowerStatement,
    local_variable_declaration: variables,
    field_declaration: field,
    'method_declaration constructor_declaration': method,
    'class_declaration enum_declaration record_declaration interface_declaration': classOf,
    if_statement: t.ifOf,
    'while_statement do_statement': t.whileOf,
    for_statement: t.createForReader('init'),
    enhanced_for_statement: t.createLoopReader('name', 'value'),
    'try_statement try_with_resources_statement': tryOf,
    switch_expression: switchOf,
    return_statement: t.returnOf,
    throw_statement: t.lowerThrow,
    'break_statement continue_statement': t.lowerBreak,
    import_declaration: (node, line) => {
      const module = significantChildren(node)[0]?.text() ?? '';
      const name = module.slice(module.lastIndexOf('.') + 1);
      return [{ op: 'import', name, path: name, module, line }];
    },
    package_declaration: t.lowerToNothing,
  },
  expressions: {
    'identifier this super type_identifier scoped_type_identifier scoped_identifier': readName,
    'parenthesized_expression cast_expression': readLastPart,
    'string_literal text_block': (node, line, to) =>
      t.lowerInterpolatedText(node, line, to, /fragment/, readEscapes),
    character_literal: (node, line) => t.constant(readEscapes(node.text().slice(1, -1)), line),
    'decimal_integer_literal hex_integer_literal': t.lowerNumber,
    decimal_floating_point_literal: t.lowerFloat,
    ...t.LITERALS,
    binary_expression: t.binaryOf('binary_expression', ['+']),
    field_access: (node, line, to) => {
      const name = fieldText(node, 'field');
      if (node.field('object')?.text() === 'Boolean') return t.constant(name === 'TRUE', line);
      if (/^[A-Z]/.test(name) && /^[a-z_][a-z0-9_.]{0,150}$/.test(fieldText(node, 'object'))) {
        return t.createName(name, line);
      }
      return t.createMember(to.expr(node.field('object')), name, line);
    },
    array_access: t.createIndexLowering('array', 'index'),
    method_invocation: (node, line, to) => {
      const object = node.field('object');
      const name = fieldText(node, 'name');
      const callee = object ? t.createMember(to.expr(object), name, line) : t.createName(name, line);
      return t.createCall(callee, t.argsOf(node.field('arguments'), to), line);
    },
    method_reference: (node, line, to) => {
      const [object, name] = significantChildren(node);
      if (!object || !name) return t.createUnknown(line);
      return t.createMember(to.expr(object), name.text(), line);
    },
    object_creation_expression: (node, line, to) => {
      const name = withoutPackage(fieldText(node, 'type').slice(0, 200).replace(/<.*$/s, ''));
      const args = [...t.argsOf(node.field('arguments'), to), ...methodsOf(node, to)];
      return { ...t.createCall(t.createName(name, line), args, line), makes: true };
    },
    array_creation_expression: (node, _line, to) => to.expr(node.field('value')),
    'array_initializer element_value_array_initializer': t.lowerList,
    assignment_expression: t.assignOf,
    ternary_expression: t.choiceOf,
    update_expression: t.updateOf,
    unary_expression: (node, line, to) => t.lowerUnary(node, to.expr(node.field('operand')), line),
    instanceof_expression: (node, line, to) =>
      t.createBinary('instanceof', to.expr(node.field('left')), t.constant('', line), line),
    switch_expression: switchValue,
    lambda_expression: (node, line, to) => {
      const given = node.field('parameters');
      const params =
        given?.kind() === 'identifier'
          ? [{ name: given?.text() ?? '' }]
          : t.lowerParameters(given, to, 'value', () => []);
      return t.lowerLambda(node, params, line, to);
    },
  },
});
