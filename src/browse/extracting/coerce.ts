import { parseInstant, readDate, toIsoDate } from '../../lib/time/written-date.ts';
import { findNumber } from './numbers.ts';
import type { DataItem, DataSchema } from './structured.ts';

const MAX_TEXT_CHARS = 5000;
const MAX_NUMBER_CHARS = 100;
const NAMES = 'name @value value text url contentUrl streetAddress href #text @id'.split(' ');

export function resolveSchemaType({ type, properties, items }: DataSchema): string {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  const own = types.find((one) => one !== 'null');
  return own ?? (properties ? 'object' : items ? 'array' : 'any');
}

/** Converts a value to the schema's type, or returns undefined. `language` is the language of a text. */
export function coerceToScalar(value: unknown, schema: DataSchema, language?: string): unknown {
  const plain = plainOf(value);
  if (plain === undefined) return undefined;
  if (schema.enum) return oneOf(plain, schema.enum);
  switch (resolveSchemaType(schema)) {
    case 'string':
      return dated(plain, schema.format, language);
    case 'number':
      return numberOf(plain, language);
    case 'integer': {
      const number = numberOf(plain, language);
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

function plainOf(value: unknown, depth = 0): Plain | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (depth > 3 || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return plainOf(value[0], depth + 1);
  for (const name of NAMES) {
    const found = Object.hasOwn(value, name) ? plainOf((value as DataItem)[name], depth + 1) : undefined;
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

/** Returns the text. If `format` asks for a date, returns an ISO 8601 date or undefined. */
function dated(plain: Plain, format: string | undefined, language: string | undefined): string | undefined {
  if (format !== 'date' && format !== 'date-time') return textOf(plain);
  const seconds = typeof plain === 'number' && plain >= 1e9 && plain < 1e13 ? plain : 0;
  if (seconds === 0) return findDate(textOf(plain), language, format === 'date-time');
  const time = new Date(seconds < 1e11 ? seconds * 1000 : seconds).toISOString();
  return format === 'date' ? time.slice(0, 10) : time;
}

function numberOf(plain: Plain, language: string | undefined): number | undefined {
  if (typeof plain === 'number') return Number.isFinite(plain) ? plain : undefined;
  return typeof plain === 'boolean' ? undefined : findNumber(plain, language);
}

const YES = new Set(['true', 'yes', 'ja', '1', 'instock', 'available', 'onlineonly', 'limitedavailability']);
const NO = new Set(['false', 'no', 'nein', '0', 'outofstock', 'soldout', 'unavailable', 'discontinued']);

const YES_BEGINS =
  /^(?:in stock|available|auf lager|lieferbar|sofort|verfügbar|en stock|disponible|disponibile|op voorraad|skladem|dostępny|на складе|в наличии|在庫あり|有货|yes|ja|oui|sí)(?!\p{L})/iu;
const NO_BEGINS =
  /^(?:out of stock|sold out|not |no longer|unavailable|currently unavailable|nicht |ausverkauft|vergriffen|rupture|épuisé|agotado|no disponible|non disponibile|esaurito|uitverkocht|нет |在庫なし|缺货|no$|nein$|non$)/iu;

function booleanOf(plain: Plain): boolean | undefined {
  const word = letters(plain);
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  const text = textOf(plain).slice(0, MAX_NUMBER_CHARS);
  return NO_BEGINS.test(text) ? false : YES_BEGINS.test(text) ? true : undefined;
}

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

const MAX_CHARS = 200;

/** Returns the date in a text as ISO 8601, if it has a day. `time` adds the time if its zone is known. */
function findDate(text: string, language: string | undefined, time: boolean): string | undefined {
  const value = text.slice(0, MAX_CHARS);
  const date = readDate(value, language);
  if (date?.day === undefined) return undefined;
  const iso = toIsoDate(value, language);
  if (!time) return iso?.slice(0, 10);
  const zoned = date.timeMs !== undefined && date.offsetMs !== undefined && !iso?.includes('T');
  return zoned ? new Date(parseInstant(value, language) ?? 0).toISOString() : iso;
}
