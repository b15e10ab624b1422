import { isJsonObject } from '../lib/json-members.ts';
import { extractWrittenUrl } from '../lib/network/written-address.ts';
import { isBlankText } from '../lib/text/invisible.ts';
import { MAX_JSON_MEMBERS, parseBoundedJson } from '../lib/text/json-body.ts';
import type { JsonSchema } from './json-schema.ts';

/** Writer of the input. For an assistant, more notations are accepted, such as `1` for true. */
export type InputWriter = 'program' | 'assistant';

/** Converts a value to its schema's type if the meaning is certain: `"5"` becomes 5. Does not validate. */
export function decodeValue(value: unknown, schema: JsonSchema, source: InputWriter): unknown {
  const given = source === 'assistant' ? decodeOther(value, schema) : value;
  const decoded = typeof given === 'string' ? decodeString(given, schema) : given;
  const { items, properties } = schema;
  if (Array.isArray(decoded))
    return items ? decoded.map((item) => decodeValue(item, items, source)) : decoded;
  return properties && isJsonObject(decoded) ? decodeMembers(decoded, schema, source) : decoded;
}

function decodeMembers(
  members: Readonly<Record<string, unknown>>,
  { properties = {}, required }: JsonSchema,
  source: InputWriter,
) {
  const schemaOf = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? {};
  // Keeps empty texts, because an empty text may mean that a setting is to be removed.
  const isKept = ([name, value]: [string, unknown]) =>
    value === '' || required?.includes(name) || !isOmitted(value, schemaOf(name), source);
  const kept = Object.entries(members).filter(isKept);
  return Object.fromEntries(kept.map(([name, value]) => [name, decodeValue(value, schemaOf(name), source)]));
}

/** Words that language models write for a missing value. In free-text parameters, they are kept. */
const ABSENT = new Set(['null', 'none', 'undefined']);

export function isOmitted(value: unknown, schema: JsonSchema, source: InputWriter): boolean {
  if (value === undefined || value === '' || value === null) return true;
  if (source === 'program') return false;
  if (typeof value !== 'string' || !ABSENT.has(value.trim().toLowerCase())) return false;
  return schema.enum ? !schema.enum.includes(value) : schema.type !== undefined && schema.type !== 'string';
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ true: true, yes: true, on: true, false: false, no: false, off: false }),
);

const DIGITS: ReadonlyMap<string, boolean> = new Map(Object.entries({ 1: true, 0: false }));
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

function decodeString(value: string, schema: JsonSchema): unknown {
  if (schema.format === 'uri') return extractWrittenUrl(value) ?? value;
  switch (schema.type) {
    case 'integer':
    case 'number':
      return NUMBER.test(value.trim()) ? Number(value) : value;
    case 'boolean':
      return BOOLEANS.get(value.trim().toLowerCase()) ?? value;
    case 'array':
      return listOf(value, schema);
    case 'object':
      return parseOr(value, value);
    case 'string':
      if (schema.minLength && isBlankText(value)) return '';
      return schema.enum ? enumValueOf(value, schema.enum) : value;
    default:
      return schema.enum ? enumValueOf(value, schema.enum) : decodeAny(value, schema.anyOf);
  }
}

function decodeOther(value: unknown, schema: JsonSchema): unknown {
  if (schema.type === 'boolean' && (value === 0 || value === 1)) return value === 1;
  if (typeof value === 'string')
    return schema.type === 'boolean' ? (DIGITS.get(value.trim()) ?? value) : value;
  if (value === undefined || value === null) return value;
  if (schema.type === 'array' && !Array.isArray(value)) return [value];
  if (typeof value === 'number' && schema.type === 'string' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) {
    return String(value);
  }
  return value;
}

function decodeAny(value: string, schemas: readonly JsonSchema[] = []): unknown {
  return schemas.map((schema) => decodeString(value, schema)).find((one) => one !== value) ?? value;
}

function enumValueOf(value: string, values: readonly unknown[]): unknown {
  if (values.includes(value)) return value;
  const bare = value.trim().toLowerCase();
  const same = values.filter((one) => typeof one === 'string' && one.toLowerCase() === bare);
  return same.length === 1 ? same[0] : value;
}

function listOf(text: string, { maxItems = MAX_JSON_MEMBERS, items }: JsonSchema): unknown[] {
  const json = /^\s*[[{"]/.test(text) ? parseOr(text, undefined) : undefined;
  if (Array.isArray(json)) return json;
  if (typeof json === 'string' || (items?.type === 'object' && isJsonObject(json))) return [json];
  return text.split(',', maxItems + 1).map((item) => item.trim());
}

function parseOr(text: string, other: unknown): unknown {
  try {
    return parseBoundedJson(text, 'it');
  } catch {
    return other;
  }
}
