import { credentialHeader } from '../../../lib/network/credential-header.ts';
import type { Operation } from '../../../operation.ts';
import { describeAcceptedValues, inputSchema } from '../../input.ts';
import type { JsonSchema } from '../../json-schema.ts';
import { wholeNumberPattern } from './number-pattern.ts';

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

export function openApiParameters(operation: Operation, method: 'GET' | 'POST', path: string): object[] {
  const { properties = {}, required = [] } = inputSchema(operation);
  const example = operation.example as Readonly<Record<string, unknown>>;
  const inPath = namesIn(path);
  return Object.entries(properties)
    .filter(([name]) => method === 'GET' || inPath.includes(name))
    .map(([name, schema]) => {
      const place = inPath.includes(name) ? 'path' : 'query';
      const list = schema.type === 'array';
      const needed = place === 'path' || required.includes(name);
      return {
        name,
        in: place,
        required: needed,
        allowEmptyValue: needed ? undefined : true,
        description: [schema.description, `Takes ${describeAcceptedValues(schema)}.`]
          .filter(Boolean)
          .join('. '),
        schema: asString(schema),
        ...(list && { style: 'form', explode: false }),
        example: name in example ? (list ? example[name] : String(example[name])) : undefined,
      };
    });
}

/** Describes headers for credentials, which then need not be part of an address. */
export function credentialHeaderParameters({ secret = [] }: Operation): object[] {
  return secret.map((parameter) => ({
    name: credentialHeader(parameter),
    in: 'header',
    required: false,
    description: `${parameter}, kept out of the address`,
    schema: { type: 'string' },
  }));
}

export function openApiRequestBody(operation: Operation, path: string): object {
  const { properties = {}, required = [], ...rest } = inputSchema(operation);
  const inPath = namesIn(path);
  const stays = ([name]: readonly [string, unknown]) => !inPath.includes(name);
  const schema = withOptionalMembers({
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(stays)),
    required: required.filter((name) => !inPath.includes(name)),
  });
  const example = Object.fromEntries(Object.entries(operation.example).filter(stays));
  return { required: true, content: { 'application/json': { schema, example } } };
}

/** Lets optional members also accept null, at any depth. */
function withOptionalMembers(schema: JsonSchema, isTop = true): JsonSchema {
  const { properties, required = [], items } = schema;
  const extend = ([name, member]: readonly [string, JsonSchema]) => {
    const inner = withOptionalMembers(member, false);
    return [name, required.includes(name) ? inner : orNull(isTop ? orText(inner) : inner)];
  };
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(extend)) }),
    ...(items && { items: withOptionalMembers(items, false) }),
  };
}

function orNull({ type, enum: values, anyOf, ...rest }: JsonSchema): JsonSchema {
  return {
    ...rest,
    ...(type !== undefined && { type: [type, 'null'].flat() }),
    ...(values && { enum: [...values, null] }),
    ...(anyOf && { anyOf: type === undefined ? [...anyOf, NULL_SCHEMA] : anyOf }),
  };
}

function orText({ minLength, ...schema }: JsonSchema): JsonSchema {
  const { type, format, pattern, enum: values, ...rest } = schema;
  if (type === 'array') return { ...schema, type: ['array', 'string'] };
  if (type !== 'string') return schema;
  if (values !== undefined) return { ...schema, enum: [...values, ''] };
  if (format === undefined && pattern === undefined) return schema;
  return { ...rest, type, anyOf: [{ format, pattern }, EMPTY_TEXT_SCHEMA] };
}

export const NULL_SCHEMA: JsonSchema = { type: 'null' };

export const EMPTY_TEXT_SCHEMA: JsonSchema = { maxLength: 0 };

function asString({ description, ...schema }: JsonSchema): JsonSchema {
  const { type, minimum, maximum, items = {}, ...rest } = schema;
  switch (type) {
    case 'integer':
      return { type: 'string', pattern: wholeNumberPattern(Math.max(0, minimum ?? 0), maximum) };
    case 'number':
      return { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]+)?$' };
    case 'boolean':
      return { type: 'string', enum: ['true', 'false'] };
    case 'array':
      return { ...rest, type, items: asString(items) };
    default:
      return { ...rest, type: 'string' };
  }
}
