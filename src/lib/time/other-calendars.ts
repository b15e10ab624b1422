import { lettersOf } from '../text/letters.ts';

/** Calendars by the language of a page, because written dates do not name their calendar. */
const CALENDARS = [
  { calendar: 'persian', language: 'fa', firstDayMs: Date.UTC(622, 2, 22), yearDays: 365.2422 },
  { calendar: 'islamic-umalqura', language: 'ar', firstDayMs: Date.UTC(622, 6, 19), yearDays: 354.367 },
] as const;
/** Years in this range count as Persian or Islamic years, all others as Gregorian years. */
const [FIRST_YEAR, LAST_YEAR] = [1300, 1500];
const DAY_MS = 24 * 3_600_000;
const MAX_STEPS = 6;

type CalendarDay = readonly [year: number, month: number, day: number];

function calendarOf(language: string | undefined) {
  const [main] = (language ?? '').toLowerCase().split('-');
  return CALENDARS.find((one) => one.language === main);
}

export function toGregorianDay(day: CalendarDay, language: string | undefined): CalendarDay {
  const known = calendarOf(language);
  const [year, month, date] = day;
  if (!known || !(year >= FIRST_YEAR && year < LAST_YEAR && month >= 1 && month <= 12)) return day;
  const numbers = formatOf(known.calendar, 'en', 'numeric');
  const monthDays = known.yearDays / 12;
  const daysOf = (y: number, m: number, d: number) => (y - 1) * known.yearDays + (m - 1) * monthDays + d - 1;
  let ms = known.firstDayMs + Math.round(daysOf(year, month, date)) * DAY_MS;
  for (let step = 0; step < MAX_STEPS; step++) {
    const parts = new Map(
      numbers.formatToParts(ms).map(({ type, value }) => [type as string, Number(value)]),
    );
    const [y = 0, m = 0, d = 0] = ['year', 'month', 'day'].map((name) => parts.get(name) ?? 0);
    if (y === year && m === month && d === date) {
      const found = new Date(ms);
      return [found.getUTCFullYear(), found.getUTCMonth() + 1, found.getUTCDate()];
    }
    const apart = daysOf(year, month, date) - daysOf(y, m, d);
    ms += Math.sign(apart) * Math.max(1, Math.round(Math.abs(apart))) * DAY_MS;
  }
  return [Number.NaN, month, date];
}

export function addOtherMonths(months: Map<string, number>, language: string): void {
  const known = calendarOf(language);
  if (!known) return;
  const [names, numbers] = [
    formatOf(known.calendar, language, 'long'),
    formatOf(known.calendar, 'en', 'numeric'),
  ];
  for (let at = 0; at < 14; at++) {
    const ms = Date.UTC(2026, 0, 5) + at * 28 * DAY_MS;
    const month = (format: Intl.DateTimeFormat) =>
      format.formatToParts(ms).find(({ type }) => type === 'month')?.value ?? '';
    months.set(lettersOf(month(names)), Number(month(numbers)));
  }
}

function formatOf(calendar: string, language: string, month: 'long' | 'numeric'): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, {
    calendar,
    year: 'numeric',
    month,
    day: 'numeric',
    timeZone: 'UTC',
  });
}
