import { asObject, isNoValue, parseTags, parseTimeMicros } from './import-values.ts';
import names from './known-field-names.json' with { type: 'json' };

/**
 * Patterns of the field names that programs use in JSON records, columns and front matter. A pattern is tested
 * on a name in lower case without blanks, hyphens and underscores. The most reliable pattern comes first.
 */
export type KnownField = keyof typeof names;
const NAMES = Object.fromEntries(
  Object.entries(names).map(([field, patterns]) => [field, patterns.map((name) => new RegExp(name))]),
) as Record<KnownField, RegExp[]>;

/** Returns the index of the first pattern that matches, or -1. A lower index means a more reliable name. */
export function rankField(kind: KnownField, name: string): number {
  const plain = toPlainFieldName(name);
  return NAMES[kind].findIndex((pattern) => pattern.test(plain));
}

/** Returns a field's name in lower case without blanks, hyphens, underscores and the prefix `metadata.`. */
export function toPlainFieldName(name: string): string {
  return name
    .slice(0, 40)
    .toLowerCase()
    .replace(/^metadata_?\.|[\s_-]/g, '');
}

export function findField<Value>(
  kind: KnownField,
  fields: Iterable<readonly [name: string, given: unknown]>,
  read: (given: unknown) => Value | undefined,
): { readonly name: string; readonly given: unknown; readonly value: Value } | undefined {
  const known = [...fields].flatMap(([name, given]) => {
    const rank = rankField(kind, name);
    return rank < 0 ? [] : [{ name, given, rank }];
  });
  const isUsable = ({ given }: { given: unknown }) => kind === 'text' || !isNoValue(given);
  for (const { name, given } of known.filter(isUsable).sort((one, other) => one.rank - other.rank)) {
    const value = read(given);
    if (value !== undefined) return { name, given, value };
  }
  return undefined;
}

export function findTags(fields: Iterable<readonly [name: string, given: unknown]>): string[] {
  return [...fields].flatMap(([name, given]) => (rankField('tags', name) < 0 ? [] : parseTags(given)));
}

/** Numbers from this on are seconds since 1970 (March 1973). Lower numbers are hours, counts or years. */
const SECONDS_FROM = 1e8;

/** Parses a time in an unknown format, also as databases wrap it in an object, into microseconds since 1970. Returns undefined if it is ambiguous. */
export function parseFieldTime(value: unknown): number | undefined {
  const { seconds, _seconds = seconds } = asObject(value);
  const given = _seconds ?? value;
  const isSmall = /^\d{1,9}(?:\.\d+)?$/.test(String(given).trim()) && Number(given) < SECONDS_FROM;
  const isDay = /^(?:19|20)\d{2}(?:\d{4})?$/.test(String(given).trim());
  return isSmall && !isDay
    ? undefined
    : parseTimeMicros(typeof given === 'string' ? given.replace(/^@/, '') : given);
}
