/** Readers of what a file of JSON may have at any place. */

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The trimmed text, or a number's; undefined for anything else and for a blank one. */
export function wordsOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

/** Texts of a list, or of one text with commas between. */
export function tagsOf(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(',') : listOf(value);
  return list.flatMap((one) => wordsOf(one) ?? []);
}

/** Milliseconds from which a number is one of milliseconds and not of seconds: the year 5138 in seconds. */
const MILLISECONDS_FROM = 1e11;
const MICROSECONDS_FROM = 1e14;

/**
 * Microseconds since 1970 of a number of seconds, milliseconds or microseconds, of digits, or of a date as ISO 8601 or
 * English has it; undefined for what is not a time, before 1970 or after tomorrow.
 */
export function timeOf(value: unknown): number | undefined {
  const text = value instanceof Date ? value.toISOString() : wordsOf(value);
  if (text === undefined) return undefined;
  const micro = /^\d+(?:\.\d+)?$/.test(text) && !/^\d{4}$/.test(text) ? microOf(Number(text)) : dateOf(text);
  return isPossible(micro) ? Math.round(micro) : undefined;
}

/** Microseconds since 1970 of a file's time in milliseconds; undefined where that is not a time that an entry has. */
export function fileTimeOf(ms: number | undefined): number | undefined {
  return ms !== undefined && isPossible(ms * 1000) ? Math.floor(ms * 1000) : undefined;
}

function isPossible(micro: number): boolean {
  return Number.isFinite(micro) && micro >= 0 && micro <= (Date.now() + 86_400_000) * 1000;
}

function microOf(number: number): number {
  if (number >= MICROSECONDS_FROM) return number;
  return number >= MILLISECONDS_FROM ? number * 1000 : number * 1e6;
}

/** A time without a zone is of UTC: the same file gives the same entries on every machine. */
function dateOf(text: string): number {
  const plain = text.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T');
  const zoned = /(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.test(plain) || /^\d{4}-\d\d-\d\d$/.test(plain);
  return Date.parse(zoned ? plain : `${plain}${/^\d{4}-\d\d-\d\dT/.test(plain) ? 'Z' : ' UTC'}`) * 1000;
}
