import { normalizeDateText, readDate } from '../../lib/time/written-date.ts';
import { fileTimeToMicros } from './import-values.ts';

const ISO = /^(\d{4})([-_.]?)(\d\d)\2(\d\d)(?:[01]\d[0-5]\d|2[0-3][0-5]\d)?(?:[0-5]\d)?(?=$|[\s,._T-])/;
const WEEKDAY = /^[\s,.()@-]{0,9}(?:(\p{L}{1,14})[\s,.()-]{0,9})?$/u;
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ru', 'sv', 'ja', 'zh', 'ko'];
const HALF_DAY_MS = 43_200_000;

/**
 * Returns the day in the name of a daily note: noon in UTC, in microseconds since 1970. Noon in UTC is on the
 * same day in nearly all time zones. Accepts names that begin with `2026-03-04`, `2026_03_04`,
 * `20260304` or `202603041530`, and names such as `Wednesday, March 4th, 2026`. Returns undefined for other names and for future days.
 */
export function dayOfNoteName(name: string): number | undefined {
  const [, year, , month, day] = ISO.exec(name) ?? [];
  const text = normalizeDateText(year === undefined ? name : `${year}-${month}-${day}`);
  const date = readDate(text);
  if (date?.month === undefined || date.day === undefined) return undefined;
  const noon = Date.UTC(date.year, date.month - 1, date.day) + HALF_DAY_MS;
  const outside = WEEKDAY.exec(`${text.slice(0, date.start)}${text.slice(date.end)}`);
  const isDay = outside !== null && (outside[1] === undefined || isWeekdayOf(noon, outside[1]));
  return isDay ? fileTimeToMicros(noon) : undefined;
}

let formats: Intl.DateTimeFormat[] | undefined;

function isWeekdayOf(time: number, word: string): boolean {
  formats ??= LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).map(
      (weekday) => new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' }),
    ),
  );
  const plain = word.toLowerCase();
  return formats.some((format) => format.format(time).replace('.', '').toLowerCase() === plain);
}
