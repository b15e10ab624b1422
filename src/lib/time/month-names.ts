import { lettersOf } from '../text/letters.ts';
import { addOtherMonths } from './other-calendars.ts';

/** Languages that are always tried, because a page often declares the language of its template only. */
const COMMON = 'de fr es it pt nl ru sv da pl cs tr uk id fi el hu ro lt he ar hi'.split(' ');
const MIN_ABBREVIATION_LETTERS = 3;
const MAX_LANGUAGES = 100;
const known = new Map<string, ReadonlyMap<string, number>>();

export function parseMonthName(word: string, language = 'en'): number | undefined {
  // Removes the Hebrew word for "in", which is written as one word with the month.
  const own = lettersOf(word).replace(/^\u05d1(?=\p{L}{2})/u, '');
  for (const months of [namesIn(language), namesIn('en')]) {
    const number = months.get(own) ?? abbreviated(own, months);
    if (number !== undefined) return number;
  }
  if (own === 'mrz') return 3;
  const numbers = new Set(COMMON.flatMap((one) => namesIn(one).get(own) ?? []));
  return numbers.size === 1 ? [...numbers][0] : undefined;
}

function abbreviated(own: string, months: ReadonlyMap<string, number>): number | undefined {
  if (own.length < MIN_ABBREVIATION_LETTERS) return undefined;
  const alike = new Set<number>();
  for (const [name, month] of months)
    if (name.startsWith(own) || (name.length > 2 && own === `${name}t`)) alike.add(month);
  return alike.size === 1 ? [...alike][0] : undefined;
}

function namesIn(language: string): ReadonlyMap<string, number> {
  const before = known.get(language);
  if (before) return before;
  const months = new Map<string, number>();
  try {
    for (const month of ['long', 'short'] as const) {
      for (const options of [{ month }, { month, day: 'numeric' }] as const) {
        const format = new Intl.DateTimeFormat(language, {
          ...options,
          calendar: 'gregory',
          timeZone: 'UTC',
        });
        for (let at = 0; at < 12; at++) {
          const parts = format.formatToParts(Date.UTC(2026, at, 5));
          const name = lettersOf(parts.find(({ type }) => type === 'month')?.value ?? '');
          if (/\p{L}/u.test(name) && !months.has(name)) months.set(name, at + 1);
        }
      }
    }
    addOtherMonths(months, language);
  } catch {}
  if (known.size >= MAX_LANGUAGES) known.clear();
  known.set(language, months);
  return months;
}
