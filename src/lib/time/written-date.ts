import { parseMonthName } from './month-names.ts';
import { toGregorianDay } from './other-calendars.ts';
import zoneHours from './zone-hours.json' with { type: 'json' };

/** Finds dates in untrusted text. `Date.parse` is unsuitable: it reads most texts with a number as a date. */

export interface WrittenDate {
  readonly year: number;
  readonly month?: number;
  readonly day?: number;
  readonly timeMs?: number;
  /** Milliseconds by which the zone is ahead of UTC. */
  readonly offsetMs?: number;
  readonly start: number;
  readonly end: number;
}

const MAX_CHARS = 200;
const MAX_DATES = 4;
const MAX_DAYS = 50;
const MINUTE_MS = 60_000;

/** Matches the name of a month. Some Arabic names have a second word, for example Rabi al-Awwal. */
const MONTH = '(?<name>[\\p{L}\\p{M}]{2,14}(?: ال\\p{L}{3,7})?)';
type DateParts = readonly [year: unknown, month: unknown, day: unknown];
type DateReader = (match: RegExpExecArray, language: string | undefined) => DateParts | undefined;

/** Reads the groups of a pattern: `y`, or `yy` for a year of two digits, `m`, or `name` and `english`, and `d`. */
const readGroups: DateReader = ({ groups = {} }, language) => {
  const { y, yy, m, d, name, english } = groups;
  const month = m ?? (name === undefined ? parseMonthName(english ?? '') : parseMonthName(name, language));
  return [y ?? shortYear(yy), month, d];
};

const FORMS: readonly { readonly pattern: RegExp; readonly read?: DateReader }[] = [
  { pattern: /(?<![\d.,/-])(?<y>\d{4})-(?<m>\d{1,2})-(?<d>\d{1,2})(?!\d)/g },
  { pattern: /(?<!\d)(?<y>\d{4})([/.]) ?(?<m>\d{1,2})\2 ?(?<d>\d{1,2})(?![\d/])/g },
  { pattern: /(?<!\d)(?<y>\d{4}) (?<m>\d\d)[/-](?<d>\d\d)(?![\d/-])/g },
  { pattern: /^(?<y>\d{4})(?<m>\d\d)(?<d>\d\d)(?![\d.,])/g },
  { pattern: /(?<!\d)(?<y>\d{4}) ?[年년] ?(?<m>\d{1,2}) ?[月월] ?(?<d>\d{1,2})(?: ?[日号일])?/g },
  {
    pattern: /(令和|平成|昭和) ?(\d{1,2}|元) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?日/g,
    read: ([, era = '', y, m, d]) => [(ERAS[era] ?? 0) + (y === '元' ? 1 : Number(y)), m, d],
  },
  {
    pattern: /([〇零一二三四五六七八九]{4})年([一二三四五六七八九十]{1,2})月([一二三四五六七八九十]{1,3})日/g,
    read: ([, y = '', m = '', d = '']) => [fromHan(y), fromHan(m), fromHan(d)],
  },
  ...[
    `(?<![\\d.:])(?<d>\\d{1,2})(?:\\.?°|\\.|st|nd|rd|th|er|re)?[ /-]?(?:de |of |d['’])?(?<![\\p{L}\\d])${MONTH}\\.?,?[ /-](?:del? |of )?(?<y>\\d{4})(?!\\d)`,
    `(?<!\\p{L})${MONTH}\\.?[ /-](?<d>\\d{1,2})(?:st|nd|rd|th)?(?:,? ?|[/-])(?<!\\d)(?<y>\\d{4})(?!\\d)`,
    `(?<!\\d)(?<y>\\d{4})\\.? (?:m\\. )?${MONTH}\\.? (?<d>\\d{1,2})(?!\\d)`,
  ].map((source) => ({ pattern: new RegExp(source, 'giu') })),
  // RFC 850, such as `06-Nov-94`.
  { pattern: /(?<!\d)(?<d>\d{1,2})-(?<english>[a-z]{3})-(?<yy>\d\d)(?!\d)/gi },
  // RFC 822, such as `Sun, 06 Nov 94 08:49:37 GMT`.
  { pattern: /(?<!\d)(?<d>\d{1,2}) (?<english>[a-z]{3}) (?<yy>\d\d)(?= \d{1,2}:\d\d)/gi },
  {
    // Format of C's `asctime`, such as `Sun Nov  6 08:49:37 1994`.
    pattern:
      /(?<!\p{L})(?<english>[a-z]{3}) {1,2}(?<d>\d{1,2}) \d\d:\d\d(?::\d\d)?(?: (?:[A-Z]{1,4}T?|[+-]\d{4}))? (?<y>\d{4})(?!\d)/giu,
  },
  { pattern: /(?:ngày )?(?<!\d)(?<d>\d{1,2}) tháng (?<m>\d{1,2})(?:,| năm)? (?<y>\d{4})(?!\d)/gi },
  { pattern: /(?<![\d.])(?<d>\d{1,2})\. ?(?<m>\d{1,2})\. ?(?<y>\d{4})(?!\.?\d)/g },
  {
    pattern: /(?<![\d.])(\d\d)\.(\d\d)\.(\d\d)(?![\d.])/g,
    read: ([, first, m, last], language) =>
      hasYearFirst(language) ? [shortYear(first), m, last] : [shortYear(last), m, first],
  },
  { pattern: /(?<![\d/-])(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d\d)(?![\d/-])/g, read: readSlashed },
];

function readSlashed(
  { index, input, 1: first, 3: second, 4: y }: RegExpExecArray,
  language: string | undefined,
): DateParts | undefined {
  const year = y?.length === 2 ? shortYear(y) : y;
  const before = input.slice(Math.max(0, index - MAX_BEFORE_CHARS), index);
  const weekday = WEEKDAY.exec(before)?.[1]?.toLowerCase();
  // A year with two digits counts only if the text is just a date, or if a label precedes the date.
  const isAlone = index < MAX_BEFORE_CHARS && LABEL.test(before);
  if (y?.length === 2 && weekday === undefined && !isAlone && !before.endsWith(':') && !before.endsWith(': '))
    return undefined;
  if (y?.length === 2 && hasYearFirst(language))
    return first?.length === 2 ? [shortYear(first), second, y] : undefined;
  if (Number(first) > 12) return [year, second, first];
  if (Number(second) > 12) return [year, first, second];
  const order = orderByWeekday(weekday, Number(year), Number(first), Number(second)) ?? orderIn(language);
  if (first === second || order === 'month first') return [year, first, second];
  return order === 'day first' ? [year, second, first] : undefined;
}

const ERAS: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988, 昭和: 1925 };
function orderIn(language: string | undefined): ('day first' | 'month first') | undefined {
  if (/^en-(?:us|ph|pr|gu)\b/i.test(language ?? '')) return 'month first';
  return language === undefined || /^en$/i.test(language) ? undefined : 'day first';
}

const MAX_BEFORE_CHARS = 16;
const LABEL = /^(?:(?:le|on|am|den|el|il|op|em|dia|date|datum|fecha|data|dato) )?$/i;
const WEEKDAYS = 'sun mon tue wed thu fri sat';
const WEEKDAY = /(?<!\p{L})(sun|mon|tue|wed|thu|fri|sat)\p{L}{0,6}\.?,? $/iu;

function orderByWeekday(weekday: string | undefined, year: number, first: number, second: number) {
  if (weekday === undefined) return undefined;
  const fits = (month: number, day: number) =>
    WEEKDAYS.split(' ')[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] === weekday;
  if (fits(first, second) === fits(second, first)) return undefined;
  return fits(first, second) ? 'month first' : 'day first';
}

const hasYearFirst = (language: string | undefined): boolean => /^(?:ja|zh|ko|hu)\b/i.test(language ?? '');
const shortYear = (year = ''): number => Number(year) + (Number(year) < 70 ? 2000 : 1900);

function fromHan(text: string): number {
  const digit = (sign: string) => Math.max(0, '〇一二三四五六七八九'.indexOf(sign === '零' ? '〇' : sign));
  const [tens, ones] = text.split('十');
  if (ones !== undefined) return (tens ? digit(tens) : 1) * 10 + (ones ? digit(ones) : 0);
  return Number([...text].map(digit).join(''));
}

/** Returns at most four dates. `language` is for month names and for the order in 3/4/2026. */
export function findDates(text: string, language?: string): WrittenDate[] {
  const value = normalizeDateText(text.slice(0, MAX_CHARS));
  return scanDates(value, language)
    .slice(0, MAX_DATES)
    .map((date) => ({ ...date, ...timeAfter(value, date) }));
}

/** Matches the separator of the two days of a range, for example in `14/03/2026-18/03/2026`. */
const JOINS =
  /(?<=\d[/-]\d\d?[/-]\d{4})[/-](?=\d\d?[/-]\d\d?[/-]\d{4})|[/-](?=\d{4}-\d\d?-\d\d?(?!\d|[/-]\d{4}(?![/-])))/g;

/** Returns the dates in a text that have a year, as `2026-03-14`. `3/4/2026` gives both possible dates. */
export function findDays(text: string): string[] {
  if (!/\p{Nd}{4}|[一二三四五六七八九十元\d] ?年/u.test(text)) return [];
  const value = normalizeDateText(text).replace(JOINS, ' ');
  const days = new Set<string>();
  for (const order of ['en-GB', 'en-US'])
    for (const date of scanDates(value, order, order === 'en-GB' ? FORMS : FORMS.slice(-1)))
      if (/\d{4}|年/.test(value.slice(date.start, date.end)) && days.size < MAX_DAYS)
        days.add(toIsoDay(date));
  return [...days];
}

/** Returns the days in a question. Of a day without a year, the last and the next as seen from `today` are meant. */
export function findDaysNear(question: string, today: string): string[] {
  const written = findDays(question);
  if (written.length > 0 || !/\p{Nd}/u.test(question)) return written;
  const text = normalizeDateText(question).slice(0, MAX_CHARS);
  const year = Number(today.slice(0, 4));
  // A year is tried behind each word and number, as in `18 de outubro` and `October 18th`, or before a month.
  const ends = Array.from(
    text.matchAll(/\p{L}(?!\p{L})|\d(?:st|nd|rd|th|\.)?(?!\d)/gu),
    (end) => end.index + end[0].length,
  );
  const tried = ends.map((end) => text.slice(0, end).slice(-25)).filter((part) => /\d/.test(part));
  const ofMonths = text.replace(/(?<!\d)\d{1,2} ?[月월]/g, `${year}年$&`);
  const days = findDays([...tried.map((part) => `${part} ${year}`), ofMonths].join('; '));
  return days.flatMap((day) => [day, `${year + (day <= today ? 1 : -1)}${day.slice(4)}`]);
}

function scanDates(value: string, language: string | undefined, forms = FORMS): WrittenDate[] {
  const found: { readonly date: WrittenDate; readonly form: number }[] = [];
  if (!/\d{2}|[\d元一二三四五六七八九十] ?年/.test(value)) return [];
  for (const [form, { pattern, read = readGroups }] of forms.entries()) {
    for (const match of value.matchAll(pattern)) {
      const [written = 0, ofYear = 0, ofMonth = 0] = read(match, language)?.map(Number) ?? [];
      const [year, month, day] = toGregorianDay([gregorian(written, language), ofYear, ofMonth], language);
      const place = { start: match.index, end: match.index + match[0].length };
      if (isDay(year, month, day)) found.push({ date: { year, month, day, ...place }, form });
    }
  }
  found.sort((a, b) => a.date.start - b.date.start || a.form - b.form);
  const apart: WrittenDate[] = [];
  for (const { date } of found) if (date.start >= (apart.at(-1)?.end ?? 0)) apart.push(date);
  return apart;
}

const REDUCED = /^(\d{4})(?:[-/.](\d{1,2})| ?[年년] ?(?:(\d{1,2}) ?[月월])?)?$/;
const MONTH_YEAR = /^([\p{L}\p{M}]{2,14})\.?,? (?:del? )?(\d{4})$/u;

/** Returns the first date in a short text, or the year or month if the text is nothing else. */
export function readDate(text: string | undefined, language?: string): WrittenDate | undefined {
  if (text === undefined || text.length > MAX_CHARS) return undefined;
  const [date] = findDates(text, language);
  if (date) return date;
  const value = normalizeDateText(text);
  const [, year, ...months] = REDUCED.exec(value) ?? [];
  const [, name = '', ofYear] = year === undefined ? (MONTH_YEAR.exec(value) ?? []) : [];
  const month = ofYear === undefined ? months.find(Boolean) : parseMonthName(name, language);
  if (year === undefined && month === undefined) return undefined;
  const parts = {
    year: gregorian(Number(year ?? ofYear), language),
    ...(month !== undefined && { month: Number(month) }),
  };
  const isReal = isDay(parts.year, parts.month ?? 1, 1);
  return isReal ? { ...parts, start: 0, end: value.length } : undefined;
}

/** Formats a date by ISO 8601: `2026-03-14`, or `2026-03` or `2026` if day or month are unknown. */
export function toIsoDay({ year, month, day }: WrittenDate): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${year}${month === undefined ? '' : `-${two(month)}`}${day === undefined ? '' : `-${two(day)}`}`;
}

/** Parses a written date to milliseconds since 1970, in UTC by default, or returns undefined. */
export function parseInstant(text: string | undefined, language?: string): number | undefined {
  const date = readDate(text?.trim(), language);
  if (!date) return undefined;
  const { year, month = 1, day = 1, timeMs = 0, offsetMs = 0 } = date;
  return Date.UTC(year, month - 1, day) + timeMs - offsetMs;
}

/** Converts a written date, or seconds or milliseconds since 1970, to ISO 8601. */
export function toIsoDate(text: string | undefined, language?: string): string | undefined {
  const value = text?.trim() ?? '';
  if (/^1\d{9}(?:\d{3})?$/.test(value)) {
    return new Date(Number(value.padEnd(13, '0'))).toISOString().replace(/\.\d{3}/, '');
  }
  const date = readDate(value, language);
  if (!date) return undefined;
  const [, time, zone] = ISO_TIME.exec(value) ?? [];
  if (time === undefined || date.timeMs === undefined) return toIsoDay(date);
  return `${toIsoDay(date)}T${time}${isoZone(zone)}`;
}

const ISO_TIME =
  /^\d{4}-?\d{2}-?\d{2}[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d{1,9})?\s{0,3}(Z|[+-]\d{2}(?::?\d{2})?)?/i;

function isoZone(zone = ''): string {
  return zone
    .toUpperCase()
    .replace(/^([+-]\d{2}):?(\d{2})?$/, (_, hours, minutes) => `${hours}:${minutes ?? '00'}`);
}

export function normalizeDateText(text: string): string {
  return text
    .replace(/[ºª]/g, '°')
    .normalize('NFKC')
    .replace(/(?![0-9])\p{Nd}/gu, digitOf)
    .replace(/[\s\u200e\u200f]+/g, ' ')
    .trim();
}

/** Converts a digit of any script to ASCII. In each script, the digits have consecutive code points. */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

function isDay(year?: number, month?: number, day?: number): year is number {
  if (year === undefined || month === undefined || day === undefined || !(year >= 1000)) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Subtracts 543 from a year of the Buddhist calendar, which Thai pages use. */
function gregorian(year = Number.NaN, language?: string): number {
  return /^th\b/i.test(language ?? '') && year > 2400 ? year - 543 : year;
}

/** Times of programs have seconds. Up to four words stand before them, such as the weekday. */
const TIME =
  /^(?:[.,]{0,2} ?[\p{L}\p{M}]{1,14}?(?:[.,]{0,2} [\p{L}\p{M}]{1,14}?){0,3}?[.,]?(?= ?(?:[上下]午|午[前後]|晚上|凌晨|오[전후])? ?\d{1,2}(?::|시 )\d\d?(?::|분 )\d)|[.,]| ?[T|·•–-]|(?:, ?| )(?:at|um|kl\.?|klo|pukul|kell|à|om|às|a las|alle|ore|в)(?= )|\([^()]{1,12}\))? ?([上下]午|午[前後]|晚上|凌晨|오[전후])? ?(\d{1,2})(?:[:.h]|時|时|시) ?(\d\d|\d(?=[分분]))(?:(?:[:.]|[分분] ?)(\d\d|\d(?=[秒초]))(?:[.,](\d{1,9}))?[秒초]?)?(?!\d)(?: ?(?:([ap])\.? ?m\b|([πμصم])(?:\.? ?μ\.?)?(?!\p{L})))?/iu;
const ZONE = /^[^\S]?(Z\b|[A-Z]{2,4}\b)?[^\S]?([+-])?(\d\d|(?<=[A-Z] ?[+-])\d)?(?::?(\d\d))?/i;
const HOURS_AHEAD: Readonly<Record<string, number>> = zoneHours;

function timeAfter(value: string, { start, end }: WrittenDate): Pick<WrittenDate, 'timeMs' | 'offsetMs'> {
  const within = /\d\d:\d\d/.exec(value.slice(start, end));
  const from = within ? start + within.index : end;
  const time = TIME.exec(value.slice(from));
  if (!time) return {};
  const [whole, half = '', hours, minutes, seconds = 0, below = '', latin = '', apm = latin] = time;
  const noon = /[下後晚후pμم]/i.test(half || apm);
  const isHalf = half !== '' || apm !== '';
  const hour = isHalf ? (Number(hours) % 12) + (noon ? 12 : 0) : Number(hours);
  if (hour > 24 || Number(minutes) > 59 || Number(seconds) > 60 || (hour === 24 && Number(minutes) > 0))
    return {};
  const ms = ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  const timeMs = ms + Math.floor(Number(`0.${below || 0}`) * 1000);
  return { timeMs, ...zoneAt(value.slice(from + whole.length)) };
}

function zoneAt(rest: string): Pick<WrittenDate, 'offsetMs'> {
  const [, name, sign, hours, minutes = '0'] = ZONE.exec(rest) ?? [];
  if (sign !== undefined && hours !== undefined)
    return { offsetMs: (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS };
  const ahead = name === undefined ? undefined : HOURS_AHEAD[name.toUpperCase()];
  return ahead === undefined ? {} : { offsetMs: ahead * 60 * MINUTE_MS };
}
