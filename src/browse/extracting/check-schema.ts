import { type AppError, badRequestError } from '../../errors.ts';
import { isJsonObject } from '../../lib/json-members.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import type { DataSchema } from './structured.ts';

const MAX_CHARS = 20_000;
const MAX_DEPTH = 6;
const MAX_PROPERTIES = 200;
const MAX_VALUES = 100;
const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

export function checkExtractionSchema(given: Readonly<Record<string, unknown>>): DataSchema {
  if (JSON.stringify(given).length > MAX_CHARS) throw wrong(`is over ${MAX_CHARS} characters`);
  let properties = 0;
  const definitions = { ...objectOf(given.definitions), ...objectOf(given.$defs) };

  const copy = (value: unknown, depth: number, path: string): DataSchema => {
    checkIsSchema(value, path);
    if (depth > MAX_DEPTH) throw wrong(`is nested deeper than ${MAX_DEPTH} levels`);
    const schema = resolved(value, definitions, depth);
    const { type, items, format, required } = schema;
    checkType(type, path);
    const members = objectOf(schema.properties);
    properties += Object.keys(members).length;
    if (properties > MAX_PROPERTIES) throw wrong(`has over ${MAX_PROPERTIES} properties`);
    const inner = Object.entries(members).map(
      ([name, one]) => [name.slice(0, 200), copy(one, depth + 1, under(path, `properties.${name}`))] as const,
    );
    return {
      ...(typeof type === 'string' || isTexts(type) ? { type } : {}),
      ...(inner.length > 0 && { properties: Object.fromEntries(inner) }),
      ...(items !== undefined && {
        items: copy(Array.isArray(items) ? items[0] : items, depth + 1, under(path, 'items')),
      }),
      ...(Array.isArray(schema.enum) && { enum: schema.enum.slice(0, MAX_VALUES) }),
      ...(typeof format === 'string' && { format }),
      ...(isTexts(required, MAX_PROPERTIES) && { required }),
    };
  };
  const schema = copy(given, 0, '');
  if (!schema.properties && !schema.items) throw wrong('has no properties');
  return schema;
}

const SHOWN_CHARS = 100;

function under(path: string, step: string): string {
  return path === '' ? step : `${path}.${step}`;
}

function checkIsSchema(value: unknown, path: string): void {
  if (typeof value === 'boolean' || value === undefined || isJsonObject(value)) return;
  throw wrong(
    `has ${shown(value)} at ${path.slice(0, SHOWN_CHARS)}, which takes a schema such as {"type":"number"}`,
    false,
  );
}

function checkType(type: unknown, path: string): void {
  if (type === undefined) return;
  const unknown = (Array.isArray(type) ? type : [type]).find((one) => !TYPES.includes(one));
  if (unknown === undefined) return;
  const meant = typeof unknown === 'string' ? didYouMean(unknown, TYPES) : '';
  const place = under(path, 'type').slice(0, SHOWN_CHARS);
  throw wrong(`has the type ${shown(unknown)} at ${place}${meant}: types are ${TYPES.join(', ')}`, false);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}...` : text;
}

/** Resolves a `$ref`. Replaces `anyOf`, `oneOf` or `allOf` by the first schema in it that is not `null`. */
function resolved(
  value: unknown,
  definitions: Readonly<Record<string, unknown>>,
  depth: number,
): Readonly<Record<string, unknown>> {
  const schema = objectOf(value);
  const { $ref } = schema;
  if (typeof $ref === 'string') {
    const name = /^#\/(?:\$defs|definitions)\/([^/]{1,200})$/.exec($ref)?.[1];
    const found = name === undefined || !Object.hasOwn(definitions, name) ? undefined : definitions[name];
    if (found === undefined) {
      throw wrong(`refers to ${JSON.stringify($ref.slice(0, 100))}: only its own $defs can be named`);
    }
    if (depth >= MAX_DEPTH) throw wrong(`is nested deeper than ${MAX_DEPTH} levels`);
    return resolved(found, definitions, depth + 1);
  }
  for (const name of ['anyOf', 'oneOf', 'allOf']) {
    const list = schema[name];
    if (!Array.isArray(list) || depth >= MAX_DEPTH) continue;
    const first = list.slice(0, MAX_VALUES).find((one) => objectOf(one).type !== 'null');
    if (first !== undefined)
      return { ...resolved(first, definitions, depth + 1), ...withoutList(schema, name) };
  }
  return schema;
}

function withoutList({ ...schema }: Record<string, unknown>, name: string): Record<string, unknown> {
  delete schema[name];
  return schema;
}

function objectOf(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}

function isTexts(value: unknown, most = 10): value is string[] {
  return Array.isArray(value) && value.length <= most && value.every((one) => typeof one === 'string');
}

function wrong(what: string, withExample = true): AppError {
  const example =
    ': it takes a JSON schema such as {"type":"object","properties":{"title":{"type":"string"},"price":{"type":"number"}}}';
  return badRequestError(`extract ${what}${withExample ? example : ''}`);
}
