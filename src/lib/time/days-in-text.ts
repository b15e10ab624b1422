/** Languages whose month names are recognised. In other languages, only dates in digits are recognised. */
const MONTH_LANGUAGES = 'en de fr es it pt nl sv da nb fi pl cs ro hu tr ru el id'.split(
  ' ',
) as readonly string[];
/** Maximum number of days that are read from one text. */
const MAX_DAYS = 50;
/** Matches a year. A text without a year contains no full date, so it is not searched. */
const YEAR = /(?<!\d)(?:1[5-9]|20|21)\d\d(?!\d)/;

const WIDE_DIGIT = /[０-９]/;

const YEAR_FIRST = /(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/g;
const YEAR_LAST = /(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)/g;
const HAN = /(?<!\d)(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日/g;
const DAY_FIRST =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º)?\s{1,3}(?:(?:of|de|di)\s{1,3})?(?:the\s)?(\p{L}{3,14})\.?,?\s{1,3}(?:(?:of|de|del)\s{1,3})?(\d{4})(?!\d)/giu;
const MONTH_FIRST = /(?<!\p{L})(\p{L}{3,14})\.?\s{1,3}(\d{1,2})(?:st|nd|rd|th)?,?\s{1,3}(\d{4})(?!\d)/giu;

let months: ReadonlyMap<string, number> | undefined;

/**
 * Returns the days that a text names with a year, in any notation, as `2026-03-14`. `3/4/2026` gives two days, because it is
 * ambiguous.
 */
export function findDays(written: string): string[] {
  const text = WIDE_DIGIT.test(written) ? written.normalize('NFKC') : written;
  if (!YEAR.test(text)) return [];
  const days = new Set<string>();
  const add = (year: string, month: number, day: string) => {
    const date = new Date(Date.UTC(Number(year), month - 1, Number(day)));
    const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(day);
    if (isDay && days.size < MAX_DAYS) days.add(date.toISOString().slice(0, 10));
  };
  for (const [, year = '', , month, day = ''] of text.matchAll(YEAR_FIRST)) add(year, Number(month), day);
  for (const [, year = '', month, day = ''] of text.matchAll(HAN)) add(year, Number(month), day);
  for (const [, first = '', separator, second = '', year = ''] of text.matchAll(YEAR_LAST)) {
    add(year, Number(second), first);
    if (separator === '/') add(year, Number(first), second);
  }
  for (const [, day = '', month = '', year = ''] of text.matchAll(DAY_FIRST)) add(year, monthOf(month), day);
  for (const [, month = '', day = '', year = ''] of text.matchAll(MONTH_FIRST))
    add(year, monthOf(month), day);
  return [...days];
}

/** Returns the number of the month with this name, from 1 to 12. Returns 0 for another word. */
function monthOf(name: string): number {
  months ??= readMonths();
  return months.get(name.toLowerCase()) ?? 0;
}

function readMonths(): ReadonlyMap<string, number> {
  const names = new Map<string, number>([['sept', 9]]);
  for (const language of MONTH_LANGUAGES) {
    for (const month of ['long', 'short'] as const) {
      // Reads each month's name with and without a day. In Slavic languages and Greek, a month's name has another form in a date.
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(language, { month, day, timeZone: 'UTC' });
        for (let at = 0; at < 12; at++) {
          const name = format
            .formatToParts(Date.UTC(2026, at, 1))
            .find(({ type }) => type === 'month')?.value;
          const plain = (name ?? '').toLowerCase().replace(/\.$/, '');
          if (/^\p{L}{3,}$/u.test(plain) && !names.has(plain)) names.set(plain, at + 1);
        }
      }
    }
  }
  return names;
}
