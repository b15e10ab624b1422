import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import { parseInstant } from '../../lib/time/written-date.ts';

export type ImportFields = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): ImportFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

export const toListOrEmpty = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns a text without surrounding white space, or a number as text, otherwise undefined. */
export function asTrimmedText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

/** Returns true for a word by which programs say that a value is missing. */
export function isNoValue(value: unknown): boolean {
  return typeof value === 'string' && /^\s*(?:\[\s*\]|null|None|nan|NaN|undefined)\s*$/.test(value);
}

/** Parses tags from a list, from a list of JSON or Python such as `['a', 'b']`, or from a text with commas or semicolons. */
export function parseTags(value: unknown): string[] {
  if (isNoValue(value)) return [];
  const inner = typeof value === 'string' ? /^\s*\[(['"].*['"])\]\s*$/.exec(value)?.[1] : undefined;
  const quoted = inner?.replace(/(?<=^|,\s?)'([^'"]*)'(?=,|$)/g, '"$1"');
  const json = quoted === undefined ? value : parseJsonOrNothing(`[${quoted}]`);
  const list =
    typeof value === 'string' && !isTextList(json)
      ? value.split(/;\s/.test(value) ? ';' : ',')
      : toListOrEmpty(json);
  return list.flatMap((one) => asTrimmedText(one) ?? []);
}

/** Returns true for a list of texts, numbers and nulls, which `parseTags` reads completely. */
export function isTextList(value: unknown): boolean {
  return (
    Array.isArray(value) && value.every((one) => one === null || ['string', 'number'].includes(typeof one))
  );
}

const MILLISECONDS_FROM = 1e11;
export const MIN_MICROSECONDS = 1e14;

/** Parses a time into microseconds since 1970. Returns undefined for 0, for what is not a time, and above `most`. */
export function parseTimeMicros(value: unknown, most?: number): number | undefined {
  const text = value instanceof Date ? value.toISOString() : asTrimmedText(value);
  if (text === undefined) return undefined;
  const isNumber =
    /^\d+(?:\.\d+)?$/.test(text) && !/^(?:\d{4}|(?:19|20)\d{6}(?:\d{6}(?:\d{3})?)?)$/.test(text);
  const micro = isNumber ? microOf(Number(text)) : dateOf(text);
  return isPossible(micro, most) ? Math.round(micro) : undefined;
}

/** Returns true for a time that `parseTimeMicros` converts without loss. A time zone's name would be lost. */
export function isWholeTime(value: unknown, most?: number): boolean {
  return /^[\d\s:.+TZ-]+$/i.test(asTrimmedText(value) ?? '') && parseTimeMicros(value, most) !== undefined;
}

/** Converts a file's time from ms to microseconds since 1970. Returns undefined for an impossible time. */
export function fileTimeToMicros(ms: number | undefined): number | undefined {
  return ms !== undefined && isPossible(ms * 1000) ? Math.floor(ms * 1000) : undefined;
}

/** Returns true for a time since 1970 up to `most`. Without `most`, it is not in the future, except for a fast clock. */
export function isPossible(micro: number, most = (Date.now() + 86_400_000) * 1000): boolean {
  return Number.isFinite(micro) && micro > 0 && micro <= most;
}

function microOf(number: number): number {
  if (number >= MIN_MICROSECONDS) return number;
  return number >= MILLISECONDS_FROM ? number * 1000 : number * 1e6;
}

/** Parses a date. A date without a time zone is UTC, so that the result is the same on every machine. */
function dateOf(text: string): number {
  const spaced = text
    .replace(/^(\d{8})(\d{6})(\d{3})?$/, '$1T$2.$3Z')
    .replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)/, '$1-$2-$3:$4:$5');
  return (parseInstant(spaced) ?? Number.NaN) * 1000;
}
