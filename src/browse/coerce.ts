import type { DataSchema, Thing } from './structured.ts';

/** Values of pages as a schema's types. */

/** Characters of a text, and of one in which a number is read. */
const MAX_TEXT_CHARS = 5000;
const MAX_NUMBER_CHARS = 100;
/** Members that say what a thing is, where a text is wanted of it. */
const NAMES = ['name', '@value', 'value', 'text', 'url', 'contentUrl', 'streetAddress', '@id'];

export function typeOf({ type, properties, items }: DataSchema): string {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  const own = types.find((one) => one !== 'null');
  return own ?? (properties ? 'object' : items ? 'array' : 'any');
}

/** A value as a scalar of the schema's type; undefined where it is none. */
export function scalarOf(value: unknown, schema: DataSchema): unknown {
  const plain = plainOf(value);
  if (plain === undefined) return undefined;
  if (schema.enum) return oneOf(plain, schema.enum);
  switch (typeOf(schema)) {
    case 'string':
      return dated(textOf(plain), schema.format);
    case 'number':
      return numberOf(plain);
    case 'integer': {
      const number = numberOf(plain);
      return Number.isSafeInteger(number) ? number : undefined;
    }
    case 'boolean':
      return booleanOf(plain);
    case 'any':
      return typeof plain === 'string' ? textOf(plain) : plain;
    default:
      return undefined;
  }
}

type Plain = string | number | boolean;

/** A text, number or truth value: of a list its first, of a thing its name. */
function plainOf(value: unknown, depth = 0): Plain | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (depth > 3 || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return plainOf(value[0], depth + 1);
  for (const name of NAMES) {
    const found = Object.hasOwn(value, name) ? plainOf((value as Thing)[name], depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function textOf(plain: Plain): string {
  return String(plain)
    .slice(0, MAX_TEXT_CHARS)
    .replace(/^https?:\/\/schema\.org\//, '')
    .toWellFormed()
    .trim();
}

/** A date as ISO 8601 has it, where the schema wants one and the text begins with one or means one. */
function dated(text: string, format: string | undefined): string {
  if (format !== 'date' && format !== 'date-time') return text;
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
  if (format === 'date' && day) return day;
  const time = Date.parse(text.slice(0, MAX_NUMBER_CHARS));
  if (Number.isNaN(time)) return text;
  return format === 'date' ? new Date(time).toISOString().slice(0, 10) : new Date(time).toISOString();
}

function numberOf(plain: Plain): number | undefined {
  if (typeof plain === 'number') return Number.isFinite(plain) ? plain : undefined;
  if (typeof plain === 'boolean') return undefined;
  const found = /[-−]?\d[\d.,'’\s]*/.exec(plain.slice(0, MAX_NUMBER_CHARS))?.[0];
  if (found === undefined) return undefined;
  const digits = found
    .replace(/[\s'’]/g, '')
    .replace('−', '-')
    .replace(/(?<![.,])[.,]+$/, '');
  const number = Number(withPoint(digits));
  return Number.isFinite(number) ? number : undefined;
}

/** 1.234,56 and 1,234.56 with a point before the decimals alone. */
function withPoint(digits: string): string {
  const [comma, point] = [digits.lastIndexOf(','), digits.lastIndexOf('.')];
  if (comma < 0) return digits.indexOf('.') === point ? digits : digits.replaceAll('.', '');
  const isThousands =
    point < 0 ? digits.length - comma === 4 || digits.indexOf(',') !== comma : point > comma;
  return isThousands ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.');
}

const YES = new Set(['true', 'yes', 'ja', '1', 'instock', 'available', 'onlineonly', 'limitedavailability']);
const NO = new Set(['false', 'no', 'nein', '0', 'outofstock', 'soldout', 'unavailable', 'discontinued']);

function booleanOf(plain: Plain): boolean | undefined {
  const word = letters(plain);
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}

/** The value of the list that says the same. */
function oneOf(plain: Plain, values: readonly unknown[]): unknown {
  const word = letters(plain);
  return values.find(
    (value) =>
      (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') &&
      letters(value) === word,
  );
}

function letters(plain: Plain): string {
  return textOf(plain)
    .slice(0, MAX_NUMBER_CHARS)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
