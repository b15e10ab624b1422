import { parseInstant } from '../../lib/time/written-date.ts';
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a text without surrounding white space, or a number as text. Returns undefined for blank texts and other values. */
export function asTrimmedText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

export function parseTags(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(',') : asList(value);
  return list.flatMap((one) => asTrimmedText(one) ?? []);
}

/** True for a list of texts, numbers and nulls, of which `parseTags` loses nothing. */
export function isTextList(value: unknown): boolean {
  return (
    Array.isArray(value) && value.every((one) => one === null || ['string', 'number'].includes(typeof one))
  );
}

export function isWholeTags(value: unknown): boolean {
  return typeof value === 'string' || isTextList(value);
}

const MILLISECONDS_FROM = 1e11;
export const MICROSECONDS_FROM = 1e14;

/** Parses a time (a number, ISO 8601 or English) into microseconds since 1970. Undefined for anything else, and for 0. */
export function parseTimeMicros(value: unknown): number | undefined {
  const text = value instanceof Date ? value.toISOString() : asTrimmedText(value);
  if (text === undefined) return undefined;
  const isNumber = /^\d+(?:\.\d+)?$/.test(text) && !/^(?:\d{4}|(?:19|20)\d{6})$/.test(text);
  const micro = isNumber ? microOf(Number(text)) : dateOf(text);
  return isPossible(micro) ? Math.round(micro) : undefined;
}

/** True if `parseTimeMicros` uses every character of a time. The name of a time zone makes it false. */
export function isWholeTime(value: unknown): boolean {
  return /^[\d\s:.+TZ-]+$/i.test(asTrimmedText(value) ?? '') && parseTimeMicros(value) !== undefined;
}

/** Converts a file's time from milliseconds to microseconds since 1970. Returns undefined for a time that no entry can have. */
export function fileTimeToMicros(ms: number | undefined): number | undefined {
  return ms !== undefined && isPossible(ms * 1000) ? Math.floor(ms * 1000) : undefined;
}

function isPossible(micro: number): boolean {
  return Number.isFinite(micro) && micro > 0 && micro <= (Date.now() + 86_400_000) * 1000;
}

function microOf(number: number): number {
  if (number >= MICROSECONDS_FROM) return number;
  return number >= MILLISECONDS_FROM ? number * 1000 : number * 1e6;
}

/** Parses a date. Without a time zone it counts as UTC, so that a file gives the same entries on every machine. */
function dateOf(text: string): number {
  return (parseInstant(text) ?? Number.NaN) * 1000;
}
