import { credentialHeader } from '../../../lib/network/credential-header.ts';
import type { Operation } from '../../../operation.ts';
import { describeAcceptedValues, inputSchema } from '../../input.ts';
import type { JsonSchema } from '../../json-schema.ts';

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
    case 'object':
      return { type: 'string', contentMediaType: 'application/json', contentSchema: schema };
    default:
      return { ...rest, type: 'string' };
  }
}

const MAX_DIGITS = 15;

/** Returns a regular expression for whole numbers in a range, for the `pattern` of a text parameter. */
export function wholeNumberPattern(min = 0, max: number = Number.MAX_SAFE_INTEGER): string {
  if (max >= 10 ** MAX_DIGITS) return min <= 0 ? `^0*[0-9]{1,${MAX_DIGITS}}$` : `^0*(${atLeast(min)})$`;
  const parts: string[] = [];
  for (let from = min; from <= max; ) {
    const to = endOfBlock(from, max);
    parts.push(block(from, to));
    from = to + 1;
  }
  return `^0*(${parts.join('|')})$`;
}

function endOfBlock(from: number, max: number): number {
  let end = from;
  for (let width = 10; ; width *= 10) {
    const start = from - (from % width);
    const digit = Math.floor((from % width) / (width / 10));
    for (let last = 9; last >= digit; last--) {
      const to = start + (last + 1) * (width / 10) - 1;
      if (to <= max) {
        end = Math.max(end, to);
        break;
      }
    }
    if (from % width !== 0 || from === 0 || start + width - 1 > max) return end;
  }
}

/** Returns the regular expression of a range, for example `1[3-9][0-9]` for 130 to 199. */
function block(from: number, to: number): string {
  const [low, high] = [String(from), String(to)];
  let same = 0;
  while (same < low.length && low[same] === high[same]) same += 1;
  if (same === low.length) return low;
  const free = low.length - same - 1;
  const digit = low[same] === high[same] ? low[same] : `[${low[same]}-${high[same]}]`;
  return `${low.slice(0, same)}${digit}${'[0-9]'.repeat(free)}`;
}

function atLeast(min: number): string {
  const top = 10 ** String(min).length - 1;
  const inner = wholeNumberPattern(min, top).slice('^0*('.length, -')$'.length);
  return `${inner}|[1-9][0-9]{${String(top).length},${MAX_DIGITS - 1}}`;
}
