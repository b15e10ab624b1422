import { readFileSync } from 'node:fs';
import { findDays } from './written-date.ts';

export interface TimeSpan {
  /** Milliseconds since 1970. `until` is excluded. */
  readonly since: number;
  readonly until: number;
}

/** Time that a question names. With `isWholeQuestion`, it asks for all that was stored then, and for no subject. */
export interface AskedTime extends TimeSpan {
  readonly isWholeQuestion: boolean;
}

type Unit = 'day' | 'week' | 'month' | 'year';
/** Words of one language, separated by spaces, where `|` separates the numbers, weekdays, months or phrases of a list. */
interface LanguageWords {
  readonly last: string;
  readonly present: string;
  readonly weekend: string;
  readonly units?: Readonly<Partial<Record<Unit, string>>>;
  readonly weekdays?: string;
  readonly months?: string;
  readonly numbers: string;
  readonly joining: string;
  readonly about: string;
  readonly storing: string;
  readonly asking: string;
}

const UNITS: readonly Unit[] = ['day', 'week', 'month', 'year'];
const COUNTS = [1, 2, 3, 5, 21, 22, 25];
const MAX_COUNT = 1000;
/** A phrase with more words is not a time. */
const MAX_WORDS = 8;
const MAX_QUESTION_WORDS = 60;
const DAY_MS = 86_400_000;
/** Step that reaches each month of a year from its fifth January. */
const MONTH_MS = 30.4 * DAY_MS;
/** Months whose English names are also ordinary words (`may I`, `march on`). */
const UNCLEAR = new Set(['may', 'march', 'august']);
/** A Sunday. Day n of this month is weekday n - 1. */
const SUNDAY = Date.UTC(2026, 1, 1);

/** Returns the span of a text such as `last week`, in the machine's time zone, with weeks from Monday, or undefined. */
export function timeSpanOf(text: string, now: number): TimeSpan | undefined {
  const words = wordsOf(text);
  return words.length > MAX_WORDS ? undefined : meaningOf(words, now);
}

/** Returns when the texts that a question asks for were stored. Undefined if it is uncertain. */
export function timeAskedFor(question: string, now: number): AskedTime | undefined {
  const all = wordsOf(question.slice(0, 1000));
  const { storing, about, asking, joining } = vocabulary();
  if (all.length > MAX_QUESTION_WORDS || !all.some((word) => storing.has(word))) return undefined;
  const subject = all.findIndex((word, at) => at > 0 && about.has(word) && !joining.has(word));
  const words = subject < 0 ? all : all.slice(0, subject);
  const found: TimeSpan[] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length; ) {
    const taken = longestTime(words, at, now);
    if (taken) found.push(taken.span);
    else rest.push(words[at] ?? '');
    at += taken?.words ?? 1;
  }
  const [span] = found;
  if (!span || found.length > 1) return undefined;
  const isEmpty = (word: string) => storing.has(word) || asking.has(word) || joining.has(word);
  return { ...span, isWholeQuestion: subject < 0 && rest.every(isEmpty) };
}

function longestTime(words: readonly string[], at: number, now: number) {
  const { joining } = vocabulary();
  for (let count = Math.min(MAX_WORDS, words.length - at); count > 0; count--) {
    const some = words.slice(at, at + count);
    const [first = ''] = some;
    if (count === 1 && (UNCLEAR.has(first) || /^\d/.test(first))) continue;
    // A joining word at the end may belong to what follows.
    if (count > 1 && joining.has(some.at(-1) ?? '')) continue;
    const span = meaningOf(some, now);
    if (span) return { span, words: count };
  }
  return undefined;
}

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Returns the day of a time as `2026-11-29`, in the machine's time zone. */
export function localDay(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function wordsOf(text: string): string[] {
  const plain = text.normalize('NFC').toLowerCase();
  const parts = SPACELESS.test(plain)
    ? Array.from(new Intl.Segmenter('ja', { granularity: 'word' }).segment(plain), ({ segment }) => segment)
    : [plain];
  return parts.flatMap((part) => part.match(/\p{N}+|[\p{L}\p{M}]+/gu) ?? []);
}

function meaningOf(words: readonly string[], now: number): TimeSpan | undefined {
  const { phrases, joining } = vocabulary();
  const [whole, told] = [words, words.filter((word) => !joining.has(word))];
  if (told.length === 0) return undefined;
  for (const some of [whole, told]) {
    const exact = phrases.get(some.join(' '));
    if (exact) return unitSpan(exact, 0, now);
    for (const [at, word] of some.entries()) {
      const count = countOf(word);
      const phrase = count === undefined ? undefined : phrases.get(some.with(at, '#').join(' '));
      if (phrase && count !== undefined) return unitSpan(phrase, count, now);
    }
  }
  return namedTime(told, now) ?? writtenTime(words, told, now);
}

/** Reads a unit, a weekday, a weekend or a month that may come with a word for "last" or "this", or with a year. */
function namedTime(words: readonly string[], now: number): TimeSpan | undefined {
  const { last, present, weekends } = vocabulary();
  const named = words.filter((word) => !last.has(word) && !present.has(word));
  const isLast = words.some((word) => last.has(word));
  const isPresent = words.some((word) => present.has(word));
  if (words.length - named.length > 1) return undefined;
  const isRelative = isLast || isPresent;
  if (isRelative && weekends.has(named.join(' '))) return weekendSpan(Number(isLast), now);
  const span = isRelative ? relativeUnit(named, isLast, now) : undefined;
  return span ?? (isPresent ? undefined : weekdayOrMonth(named, isLast, now));
}

/** Reads the units of `this week`, `last week` and `last two weeks`. */
function relativeUnit(named: readonly string[], isLast: boolean, now: number): TimeSpan | undefined {
  const { units } = vocabulary();
  const unit = named.map((word) => units.get(word)).find((one) => one !== undefined);
  if (unit === undefined || named.length > 2) return undefined;
  if (named.length === 1) return unitSpan({ unit, back: Number(isLast) }, 0, now);
  const count = named.map(countOf).find((one) => one !== undefined);
  if (!isLast || count === undefined) return undefined;
  const since = unit === 'week' ? startOf('day', 7 * count, now) : startOf(unit, count, now);
  return { since, until: now + 1 };
}

function weekdayOrMonth(named: readonly string[], isLast: boolean, now: number): TimeSpan | undefined {
  const { weekdays, months } = vocabulary();
  const [first = '', second, ...more] = named;
  if (more.length > 0) return undefined;
  const weekday = weekdays.get(first);
  const date = new Date(now);
  if (weekday !== undefined && second === undefined)
    return unitSpan({ unit: 'day', back: ((date.getDay() - weekday + 6) % 7) + 1 }, 0, now);
  const month = months.get(first);
  if (month === undefined) return isLast || second !== undefined ? undefined : yearSpan(first);
  if (second !== undefined) return isYear(second) && !isLast ? monthSpan(Number(second), month) : undefined;
  const isBefore = month > date.getMonth() || (isLast && month === date.getMonth());
  return monthSpan(date.getFullYear() - Number(isBefore), month);
}

/** Reads a written date, a day with its month, or a range of such days: `between 1 and 5 November`. */
function writtenTime(words: readonly string[], told: readonly string[], now: number): TimeSpan | undefined {
  const [day, ...more] = findDays(words.join(' ').replace(/(\d{4}) (\d\d) (\d\d)/g, '$1-$2-$3'));
  const isDate = told.length >= 3 && told.length <= 4 && !told.some((word) => vocabulary().last.has(word));
  if (day !== undefined && more.length === 0 && isDate && told.every(isDatePart)) {
    const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
    return daysSpan(year, month - 1, date, date);
  }
  const { months } = vocabulary();
  const years = told.filter(isYear);
  const parts = told.filter((word) => !isYear(word));
  const names = parts.flatMap((word) => months.get(word) ?? []);
  const days = parts.filter((word) => /^\d{1,2}$/.test(word)).map(Number);
  const [month] = names;
  const [from = 0, to = from] = days;
  const fits = days.length > 0 && days.length <= 2 && names.length === 1 && parts.length === days.length + 1;
  if (!fits || years.length > 1 || month === undefined || from < 1 || to > 31 || from > to) return undefined;
  const date = new Date(now);
  const isLater = month > date.getMonth() || (month === date.getMonth() && from > date.getDate());
  return daysSpan(Number(years[0] ?? date.getFullYear() - Number(isLater)), month, from, to);
}

function isDatePart(word: string): boolean {
  return /^\d{1,4}$/.test(word) || vocabulary().months.has(word);
}

function isYear(word: string): boolean {
  return /^(?:19|20)\d\d$/.test(word);
}

function countOf(word: string): number | undefined {
  const count = /^\d{1,4}$/.test(word) ? Number(word) : vocabulary().numbers.get(word);
  return count !== undefined && count >= 1 && count <= MAX_COUNT ? count : undefined;
}

interface Back {
  readonly unit: Unit;
  /** Units before the current one, or 'count' if the phrase has a number. */
  readonly back: number | 'count';
}

function unitSpan({ unit, back }: Back, count: number, now: number): TimeSpan {
  const units = back === 'count' ? count : back;
  return { since: startOf(unit, units, now), until: startOf(unit, units - 1, now) };
}

function startOf(unit: Unit, back: number, now: number): number {
  const date = new Date(now);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (unit === 'year') return new Date(year - back, 0, 1).getTime();
  if (unit === 'month') return new Date(year, month - back, 1).getTime();
  if (unit === 'day') return new Date(year, month, day - back).getTime();
  return new Date(year, month, day - ((date.getDay() + 6) % 7) - 7 * back).getTime();
}

/** Returns Saturday and Sunday of this week, or of an earlier one. */
function weekendSpan(back: number, now: number): TimeSpan {
  const monday = new Date(startOf('week', back - 1, now));
  return { since: new Date(monday).setDate(monday.getDate() - 2), until: monday.getTime() };
}

function yearSpan(word: string): TimeSpan | undefined {
  const year = Number(word);
  if (!isYear(word)) return undefined;
  return { since: new Date(year, 0, 1).getTime(), until: new Date(year + 1, 0, 1).getTime() };
}

function monthSpan(year: number, month: number): TimeSpan {
  return { since: new Date(year, month, 1).getTime(), until: new Date(year, month + 1, 1).getTime() };
}

function daysSpan(year: number, month: number, from: number, to: number): TimeSpan {
  return { since: new Date(year, month, from).getTime(), until: new Date(year, month, to + 1).getTime() };
}

let known: ReturnType<typeof readVocabulary> | undefined;
function vocabulary() {
  known ??= readVocabulary();
  return known;
}

/** Reads our words and adds what the runtime knows: names of months and weekdays, and phrases such as `two days ago`. */
function readVocabulary() {
  const file = new URL('./time-words.json', import.meta.url);
  const languages = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, LanguageWords>);
  const all = (read: (words: LanguageWords) => string) =>
    new Set(languages.flatMap(([, words]) => read(words).split(/[ |]/).filter(Boolean)));
  const phrases = new Map<string, Back>();
  const units = new Map<string, Unit>();
  const weekdays = new Map<string, number>();
  const months = new Map<string, number>();
  const numbers = new Map<string, number>();
  const joining = all((words) => words.joining);
  for (const [language, words] of languages) {
    addPhrases(phrases, language);
    addUnits(units, language, words.units);
    addList(numbers, words.numbers.split('|'));
    addList(weekdays, words.weekdays?.split('|') ?? []);
    addList(months, words.months?.split('|') ?? []);
    const names = (part: 'month' | 'weekday', from: number, stepMs: number, count: number) =>
      Array.from({ length: count }, (_, at) => datePart(language, part, from + at * stepMs).join(' '));
    addList(months, names('month', Date.UTC(2026, 0, 5), MONTH_MS, 12));
    addList(weekdays, names('weekday', SUNDAY, DAY_MS, 7));
  }
  for (const phrase of ['day before yesterday', 'the day before yesterday'])
    phrases.set(phrase, { unit: 'day', back: 2 });
  const weekends = new Set(
    languages
      .flatMap(([, { weekend }]) => weekend.split('|'))
      .map((phrase) =>
        wordsOf(phrase)
          .filter((word) => !joining.has(word))
          .join(' '),
      ),
  );
  return {
    ...{ phrases, units, weekdays, months, numbers, weekends, joining },
    last: all((words) => words.last),
    present: all((words) => words.present),
    about: all((words) => words.about),
    storing: all((words) => words.storing),
    asking: all((words) => words.asking),
  };
}

/** Adds the names of each row of a list with the row's number, unless a name is known. */
function addList(to: Map<string, number>, rows: readonly string[]): void {
  for (const [at, names] of rows.entries())
    for (const name of names.split(' ').filter(Boolean)) if (!to.has(name)) to.set(name, at);
}

function addUnits(units: Map<string, Unit>, language: string, more: LanguageWords['units'] = {}): void {
  for (const unit of UNITS) {
    const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
    const parts = COUNTS.flatMap((count) => format.formatToParts(count)).filter(
      ({ type }) => type === 'unit',
    );
    const names = [...parts.map(({ value }) => wordsOf(value).join(' ')), ...(more[unit] ?? '').split(' ')];
    for (const name of names.filter(Boolean)) units.set(name, unit);
  }
}

function addPhrases(phrases: Map<string, Back>, language: string): void {
  const [auto, counted] = (['auto', 'always'] as const).map(
    (numeric) => new Intl.RelativeTimeFormat(language, { numeric }),
  );
  for (const unit of UNITS) {
    for (const back of [0, 1, 2]) {
      const phrase = wordsOf(auto?.format(-back, unit) ?? '').join(' ');
      if (!/\d/.test(phrase)) phrases.set(phrase, { unit, back });
    }
    for (const count of COUNTS) {
      const phrase = wordsOf(counted?.format(-count, unit) ?? '').join(' ');
      phrases.set(phrase.replace(/\d+/, '#'), { unit, back: 'count' });
    }
  }
}

/** Returns the names of a month or weekday, alone and within a date, where Slavic languages inflect it. */
function datePart(language: string, part: 'month' | 'weekday', at: number): string[] {
  const forms = [
    { [part]: 'long' },
    { [part]: 'long', day: 'numeric' },
    { [part]: 'long', day: 'numeric', year: 'numeric', month: 'long' },
  ];
  return forms.flatMap((options) =>
    new Intl.DateTimeFormat(language, { ...(options as Intl.DateTimeFormatOptions), timeZone: 'UTC' })
      .formatToParts(at)
      .filter(({ type }) => type === part)
      .map(({ value }) => wordsOf(value).join(' '))
      .filter((name) => /\p{L}/u.test(name)),
  );
}
