import { replaceNamedDays } from './named-days.ts';
import TIME_WORDS from './time-words.json' with { type: 'json' };
import { findDays } from './written-date.ts';

export interface TimeSpan {
  /** Milliseconds since 1970. `until` is the first moment after the span. */
  readonly since: number;
  readonly until: number;
}

/** Time span in a question. `isWholeQuestion` is true if the question names a time, but no subject. */
export interface AskedTime extends TimeSpan {
  readonly isWholeQuestion: boolean;
}

/** Time span of what a question asks. `asked` is there if the asked notes were also written in that time. */
export interface NamedTime {
  readonly span: TimeSpan;
  readonly asked: AskedTime | undefined;
}

type TimeUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';
const WORD_LISTS = [
  ...(['last', 'present', 'joining', 'in', 'since', 'until', 'after', 'next'] as const),
  ...(['about', 'storing', 'asking', 'self', 'own'] as const),
];
type WordList = (typeof WORD_LISTS)[number];

/** Word lists of a language, separated by spaces. `|` separates forms of two months, `_` joins two words of `own`. */
interface LanguageWords extends Readonly<Record<WordList, string>> {
  readonly weekend: string;
  readonly units?: Readonly<Partial<Record<TimeUnit, string>>>;
  readonly weekdays?: string;
  readonly months?: string;
  readonly numbers: string;
  /** Words for a quarter of a year, and for its number in one to four lists. */
  readonly quarter: string;
  readonly ordinals: string;
  /** True if the word for "last" may follow its noun, as in Spanish `la semana pasada`. */
  readonly lastFollows?: boolean;
  readonly of?: string;
  /** Times with other names than those of `Intl`, by unit: now, one ago and two ago, each with commas between. */
  readonly phrases?: Readonly<Partial<Record<TimeUnit, string>>>;
  /** True if words of the language are words of other languages, such as `fire`, and are read only in spans. */
  readonly isForSpansOnly?: boolean;
}

const UNITS: readonly TimeUnit[] = ['day', 'week', 'month', 'year'];
const COUNTS = [1, 2, 3, 5, 21, 22, 25];
const MAX_COUNT = 1000;
const MAX_WORDS = 12;
const MAX_QUESTION_WORDS = 60;
const DAY_MS = 86_400_000;
/** Adding this duration to 5 January eleven times gives a day in each of the other months. */
const MONTH_MS = 30.4 * DAY_MS;
/** A Sunday, to which a number of days is added to get any weekday. */
const SUNDAY = Date.UTC(2026, 1, 1);

/** Parses a text such as `last week` in local time, or returns undefined. Weeks begin on Monday. */
export function timeSpanOf(text: string, now: number): TimeSpan | undefined {
  const words = wordsOf(text);
  if (words.length > MAX_WORDS) return undefined;
  for (const vocabulary of vocabularies()) {
    const span = meaningOf(words, now, vocabulary);
    if (span) return span;
  }
  return undefined;
}

/** Returns the time span in a question such as `what did I save last week`, or undefined if uncertain. */
export function timeAskedFor(question: string, now: number): AskedTime | undefined {
  return findNamedTime(question, now)?.asked;
}

/** Returns the time span in a question of the asker's own doings, such as `what did I pay in October`. */
export function findNamedTime(question: string, now: number): NamedTime | undefined {
  const words = wordsOf(replaceNamedDays(question.slice(0, 1000)));
  if (words.length > MAX_QUESTION_WORDS) return undefined;
  // Requires the language's word for `save` or `I`, because a time word can exist in several languages.
  const spoken = vocabularies().filter(({ storing, own }) =>
    words.some((word, at) => storing.has(word) || own.has(word) || own.has(`${word}_${words[at + 1]}`)),
  );
  const times = spoken.flatMap((vocabulary) => timeInLanguage(words, now, vocabulary) ?? []);
  return times.find(({ asked }) => asked) ?? times[0];
}

function timeInLanguage(all: readonly string[], now: number, vocabulary: TimeLexicon): NamedTime | undefined {
  const { storing, about, asking, joining, next, self } = vocabulary;
  if (all.some((word) => next.has(word))) return undefined;
  const subject = all.findIndex((word, at) => at > 0 && about.has(word) && !joining.has(word));
  const words = subject < 0 ? all : all.slice(0, subject);
  const found: FoundTime[] = [];
  const rest: string[] = [];
  for (let at = 0; at < words.length; ) {
    const taken = longestTime(words, at, now, vocabulary);
    if (taken) found.push({ ...taken, at });
    else rest.push(words[at] ?? '');
    at += taken?.words.length ?? 1;
  }
  const span = found.length === 2 ? rangeOf(found, words, vocabulary) : found[0]?.span;
  if (!span || found.length > 2) return undefined;
  const isStored = all.some((word) => storing.has(word));
  // Of what a person did or paid, only a time such as `last month` is also the time of the note.
  if (!isStored && !(found.length === 1 && span.until <= now && isRelative(words, vocabulary)))
    return { span, asked: undefined };
  const isEmpty = (word: string) => storing.has(word) || asking.has(word) || joining.has(word);
  const isOwn = self.size === 0 || rest.some((word) => self.has(word));
  const isWholeQuestion = isStored && subject < 0 && isOwn && rest.every(isEmpty);
  return { span, asked: { ...span, isWholeQuestion } };
}

function isRelative(words: readonly string[], { last, present, weekdays, months }: TimeLexicon): boolean {
  if (words.some((word) => last.has(word))) return true;
  return !words.some((word) => present.has(word) || weekdays.has(word) || months.has(word) || isYear(word));
}

interface FoundTime {
  readonly span: TimeSpan;
  /** The span without a bound such as `since`. */
  readonly named: TimeSpan;
  readonly words: readonly string[];
  readonly at: number;
}

/** Joins two written days, such as `from November 3 to November 7, 2026`. A year may follow the last one alone. */
function rangeOf([first, second]: readonly FoundTime[], words: readonly string[], { joining }: TimeLexicon) {
  if (!first || !second) return undefined;
  const isDay = (one: FoundTime) => countDays(one.words) > 0;
  const between = words.slice(first.at + first.words.length, second.at);
  if (!isDay(first) || !isDay(second) || !between.every((word) => joining.has(word))) return undefined;
  const begin = new Date(first.named.since);
  if (!first.words.some(isYear)) {
    begin.setFullYear(new Date(second.named.since).getFullYear());
    if (begin.getTime() > second.named.since) begin.setFullYear(begin.getFullYear() - 1);
  }
  const since = begin.getTime();
  return since < second.named.until ? { since, until: second.named.until } : undefined;
}

function longestTime(words: readonly string[], at: number, now: number, vocabulary: TimeLexicon) {
  const { joining, of } = vocabulary;
  // After `of`, a time is only part of a phrase: `in the first week of March` is not March.
  if (at > 0 && words[at - 1] === of) return undefined;
  for (let count = Math.min(MAX_WORDS, words.length - at); count > 0; count--) {
    const some = words.slice(at, at + count);
    if (some[0] === of || !isClear(some, vocabulary)) continue;
    // `The first quarter of the game` does not name a time.
    if (of !== undefined && words[at + count] === of && some.some((word) => vocabulary.quarters.has(word)))
      continue;
    // Skips a phrase that ends with a preposition, because the preposition may belong to the next words.
    if (count > 1 && joining.has(some.at(-1) ?? '')) continue;
    const span = meaningOf(some, now, vocabulary);
    if (span) return { span: withBound(span, some, now, vocabulary), named: span, words: some };
  }
  return undefined;
}

/** Returns false for a month or year without `in`, because `may` is also a verb, and `June` a name. */
function isClear(words: readonly string[], vocabulary: TimeLexicon): boolean {
  const told = words.filter((word) => !vocabulary.joining.has(word));
  const [name = ''] = told;
  // Without a year, `Q3` is also the name of a car.
  const isShort = told.some((word) => word.length === 1 && vocabulary.quarters.has(word));
  if (isShort && !told.some(isYear)) return vocabulary.in.has(words[0] ?? '');
  if (told.length !== 1 || !(vocabulary.months.has(name) || /^\d/.test(name))) return true;
  return words.length === 2 && vocabulary.in.has(words[0] ?? '');
}

/** Extends a span: `since Monday` lasts until now, `before Monday` is all the time before. */
function withBound(
  span: TimeSpan,
  words: readonly string[],
  now: number,
  { since, until, after, months, phrases }: TimeLexicon,
): TimeSpan {
  const [first = ''] = words;
  // A range such as `from 3 to 7 November` is complete and stays as it is, and so is `avant-hier` with its `avant`.
  if (words.some((word) => months.has(word)) && countDays(words) > 1) return span;
  if (phrases.has(words.join(' '))) return span;
  if (since.has(first)) return { since: span.since, until: Math.max(now + 1, span.until) };
  if (after.has(first)) return { since: span.until, until: Math.max(now, span.until) + 1 };
  return until.has(first) ? { since: 0, until: span.since } : span;
}

/** Matches a word or a number, such as the first sign of `三天` (three days). */
const WORD = /\p{N}+|[一二两兩三四五六七八九十]{1,3}(?=[天日周週个個か年])|[\p{L}\p{M}]+/gu;
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Formats the local day of a time, for example `2026-11-29`. */
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
  const words = parts.flatMap((part) => part.match(WORD) ?? []);
  return words.filter((word, at) => !(/^(?:st|nd|rd|th)$/.test(word) && /^\d/.test(words[at - 1] ?? '')));
}

function meaningOf(words: readonly string[], now: number, vocabulary: TimeLexicon): TimeSpan | undefined {
  const { phrases, joining, since, after, until } = vocabulary;
  const told = words.filter((word) => !joining.has(word));
  if (told.length === 0) return undefined;
  const isBound = [since, after, until].some((bounds) => bounds.has(words[0] ?? ''));
  for (const some of [words, ...(isBound ? [words.slice(1)] : []), told]) {
    const exact = phrases.get(some.join(' '));
    if (exact) return unitSpan(exact, 0, now);
    for (const [at, word] of some.entries()) {
      const count = countOf(word, vocabulary);
      const phrase = count === undefined ? undefined : phrases.get(some.with(at, '#').join(' '));
      if (phrase && count !== undefined) return unitSpan(phrase, count, now);
    }
  }
  return (
    namedTime(told, now, vocabulary) ??
    writtenTime(words, told, now, vocabulary) ??
    numberedWeek(told, now, vocabulary) ??
    numberedQuarter(told, now, vocabulary)
  );
}

function namedTime(words: readonly string[], now: number, vocabulary: TimeLexicon): TimeSpan | undefined {
  const { last, present, weekends, lastFollows } = vocabulary;
  const named = words.filter((word) => !last.has(word) && !present.has(word));
  const place = words.findIndex((word) => last.has(word));
  const isLast = place >= 0;
  // `these last three days` has both, and means the same as `the last three days`.
  const isPresent = !isLast && words.some((word) => present.has(word));
  if (words.filter((word) => last.has(word)).length > 1) return undefined;
  const isRelative = isLast || isPresent;
  if (isRelative && weekends.has(named.join(' '))) return weekendSpan(Number(isLast), now);
  const span = isRelative ? relativeUnit(named, isLast, now, vocabulary) : undefined;
  if (span || isPresent || (place > 0 && !lastFollows)) return span;
  return weekdayOrMonth(named, isLast, now, vocabulary);
}

/** Parses phrases such as `this week`, `last two weeks`, `these two weeks` and `Monday last week`. */
function relativeUnit(named: readonly string[], isLast: boolean, now: number, vocabulary: TimeLexicon) {
  const { units, weekdays } = vocabulary;
  const unit = named.map((word) => units.get(word)).find((one) => one !== undefined);
  if (unit === undefined || named.length > 2) return undefined;
  if (named.length === 1) return unitSpan({ unit, back: Number(isLast) }, 0, now);
  const weekday = named.map((word) => weekdays.get(word)).find((one) => one !== undefined);
  if (unit === 'week' && weekday !== undefined) {
    const monday = new Date(startOf('week', Number(isLast), now));
    const day = monday.getDate() + ((weekday + 6) % 7);
    return daysSpan(monday.getFullYear(), monday.getMonth(), day, day);
  }
  const count = named.map((word) => countOf(word, vocabulary)).find((one) => one !== undefined);
  if (count === undefined || (!isLast && count < 2)) return undefined;
  const since = unit === 'week' ? startOf('day', 7 * count, now) : startOf(unit, count, now);
  return { since, until: now + 1 };
}

function weekdayOrMonth(
  named: readonly string[],
  isLast: boolean,
  now: number,
  { weekdays, months }: TimeLexicon,
): TimeSpan | undefined {
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

/** Parses a date, a day with its month, or a range of days such as `between 1 and 5 November`. */
function writtenTime(
  words: readonly string[],
  told: readonly string[],
  now: number,
  { months, last }: TimeLexicon,
): TimeSpan | undefined {
  const [day, ...more] = findDays(words.join(' ').replace(/(\d{4}) (\d\d) (\d\d)/g, '$1-$2-$3'));
  const isDate = told.length >= 3 && told.length <= 4 && !told.some((word) => last.has(word));
  const isPart = (word: string) => /^\d{1,4}$/.test(word) || months.has(word);
  const isRange =
    told.filter(isYear).length > 1 || (told.some((word) => months.has(word)) && countDays(told) > 1);
  if (day !== undefined && more.length === 0 && isDate && !isRange && told.every(isPart)) {
    const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
    return daysSpan(year, month - 1, date, date);
  }
  const years = told.filter(isYear);
  const parts = told.filter((word) => !isYear(word));
  const names = parts.flatMap((word) => months.get(word) ?? []);
  const days = parts.filter((word) => /^\d{1,2}$/.test(word)).map(Number);
  const [month] = names;
  const [from = 0, to = from] = days;
  // In `3 November and 7`, the second day belongs to the words that follow.
  const isAtEnd = days.length < 2 || !months.has(parts[1] ?? '');
  const fits =
    days.length > 0 && days.length <= 2 && names.length === 1 && parts.length === days.length + 1 && isAtEnd;
  if (!fits || years.length > 1 || month === undefined || from < 1 || from > to) return undefined;
  const date = new Date(now);
  const isLater = month > date.getMonth() || (month === date.getMonth() && from > date.getDate());
  const year = Number(years[0] ?? date.getFullYear() - Number(isLater));
  // Refuses days that do not exist: 31 February would be in March.
  return new Date(year, month, to).getMonth() === month ? daysSpan(year, month, from, to) : undefined;
}

const countDays = (words: readonly string[]): number => words.filter((word) => /^\d{1,2}$/.test(word)).length;
const isYear = (word: string): boolean => /^(?:19|20)\d\d$/.test(word);

function countOf(word: string, { numbers }: TimeLexicon): number | undefined {
  const count = /^\d{1,4}$/.test(word) ? Number(word) : numbers.get(word);
  return count !== undefined && count >= 1 && count <= MAX_COUNT ? count : undefined;
}

/** Parses the number of a week (ISO 8601), such as `week 46` and `KW 46 2026`. */
function numberedWeek(
  [unit = '', number = '', year, ...more]: readonly string[],
  now: number,
  { units }: TimeLexicon,
): TimeSpan | undefined {
  const isNumber = /^(?:[1-9]|[1-4]\d|5[0-3])$/.test(number);
  if (units.get(unit) !== 'week' || !isNumber || more.length > 0 || !isYear(year ?? '2000')) return undefined;
  const mondayIn = (of: number) =>
    startOf('week', 0, new Date(of, 0, 4 + 7 * (Number(number) - 1)).getTime());
  const ofThisYear = mondayIn(new Date(now).getFullYear());
  const isLater = year === undefined && ofThisYear > now;
  const since = mondayIn(Number(year ?? new Date(now).getFullYear() - Number(isLater)));
  return { since, until: startOf('week', -1, since) };
}

/** Parses a quarter of a year, such as `third quarter of 2025` and `Q3`. */
function numberedQuarter(
  told: readonly string[],
  now: number,
  { quarters, ordinals }: TimeLexicon,
): TimeSpan | undefined {
  const [year, ...years] = told.filter(isYear);
  const [one = '', other = '', ...more] = told.filter((word) => !isYear(word) && word !== '年');
  const number = quarters.has(one) ? other : one;
  const quarter = /^[1-4]$/.test(number) ? Number(number) - 1 : ordinals.get(number);
  if (quarter === undefined || more.length + years.length > 0 || quarters.has(one) === quarters.has(other))
    return undefined;
  const date = new Date(now);
  const isLater = year === undefined && 3 * quarter > date.getMonth();
  const of = Number(year ?? date.getFullYear() - Number(isLater));
  return { since: monthSpan(of, 3 * quarter).since, until: monthSpan(of, 3 * quarter + 2).until };
}

interface UnitsAgo {
  readonly unit: TimeUnit;
  /** Number of units ago (0: the current one), or 'count' if the phrase contains the number. */
  readonly back: number | 'count';
}

function unitSpan({ unit, back }: UnitsAgo, count: number, now: number): TimeSpan {
  const units = back === 'count' ? count : back;
  return { since: startOf(unit, units, now), until: startOf(unit, units - 1, now) };
}

function startOf(unit: TimeUnit, back: number, now: number): number {
  const date = new Date(now);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (unit === 'year') return new Date(year - back, 0, 1).getTime();
  if (unit === 'month') return new Date(year, month - back, 1).getTime();
  if (unit === 'quarter') return new Date(year, month - (month % 3) - 3 * back, 1).getTime();
  if (unit === 'day') return new Date(year, month, day - back).getTime();
  return new Date(year, month, day - ((date.getDay() + 6) % 7) - 7 * back).getTime();
}

/** Returns Saturday and Sunday of this week (`back` is 0) or of an earlier week. */
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

export interface TimeWord {
  readonly kind: 'weekday' | 'month' | 'number';
  /** Weekday from 0 (Sunday) to 6, month from 0 to 11, or the value of a number word. */
  readonly value: number;
}

let timeWords: Map<string, TimeWord> | undefined;

/** Returns the names of weekdays and months in all languages, in lower case. */
export function listDayAndMonthNames(): string[] {
  return vocabularies().flatMap(({ weekdays, months }) => [...weekdays.keys(), ...months.keys()]);
}

export function readTimeWord(word: string): TimeWord | undefined {
  if (!timeWords) {
    timeWords = new Map();
    const read = vocabularies().filter(({ isForSpansOnly }) => !isForSpansOnly);
    for (const { weekdays: weekday, months: month, numbers: number } of read.reverse())
      for (const [kind, list] of Object.entries({ number, month, weekday }))
        for (const [name, value] of list) timeWords.set(name, { kind: kind as TimeWord['kind'], value });
  }
  return timeWords.get(word);
}

type TimeLexicon = ReturnType<typeof readVocabulary>;
let known: readonly TimeLexicon[] | undefined;

function vocabularies(): readonly TimeLexicon[] {
  known ??= Object.entries(TIME_WORDS as Readonly<Record<string, LanguageWords>>).map(readVocabulary);
  return known;
}

/** Combines the words of a language with those of JavaScript's `Intl`: months, weekdays, `two days ago`. */
function readVocabulary([language, words]: readonly [string, LanguageWords]) {
  const phrases = new Map<string, UnitsAgo>();
  const units = new Map<string, TimeUnit>();
  const weekdays = new Map<string, number>();
  const months = new Map<string, number>();
  const numbers = new Map<string, number>();
  const ordinals = new Map<string, number>();
  addPhrases(phrases, language);
  addUnits(units, language, words.units);
  addList(numbers, words.numbers.split('|'));
  addList(ordinals, words.ordinals.split('|'));
  addList(weekdays, words.weekdays?.split('|') ?? []);
  addList(months, words.months?.split('|') ?? []);
  const names = (part: 'month' | 'weekday', from: number, stepMs: number, count: number) =>
    Array.from({ length: count }, (_, at) => datePart(language, part, from + at * stepMs).join(' '));
  addList(months, names('month', Date.UTC(2026, 0, 5), MONTH_MS, 12));
  addList(weekdays, names('weekday', SUNDAY, DAY_MS, 7));
  for (const unit of UNITS)
    for (const [back, list] of (words.phrases?.[unit] ?? '').split('|').entries())
      for (const phrase of list.split(',').filter(Boolean))
        phrases.set(wordsOf(phrase).join(' '), { unit, back });
  const lists = Object.fromEntries(
    WORD_LISTS.map((list) => [list, new Set(words[list].split(' ').filter(Boolean))]),
  ) as Record<WordList, Set<string>>;
  const joining = new Set([...lists.joining, ...lists.since, ...lists.until, ...lists.after]);
  const weekends = words.weekend.split('|').map((phrase) =>
    wordsOf(phrase)
      .filter((word) => !joining.has(word))
      .join(' '),
  );
  const { of, lastFollows = false, isForSpansOnly = false } = words;
  return {
    ...lists,
    joining,
    ...{ phrases, units, weekdays, months, numbers, ordinals },
    quarters: new Set(words.quarter.split(' ')),
    weekends: new Set(weekends),
    of,
    lastFollows,
    isForSpansOnly,
  };
}

function addList(to: Map<string, number>, rows: readonly string[]): void {
  for (const [at, names] of rows.entries())
    for (const name of names.split(' ').filter(Boolean)) if (!to.has(name)) to.set(name, at);
}

function addUnits(units: Map<string, TimeUnit>, language: string, more: LanguageWords['units'] = {}): void {
  for (const unit of UNITS) {
    const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
    const parts = COUNTS.flatMap((count) => format.formatToParts(count)).filter(
      ({ type }) => type === 'unit',
    );
    const names = [...parts.map(({ value }) => wordsOf(value).join(' ')), ...(more[unit] ?? '').split(' ')];
    for (const name of names.filter(Boolean)) units.set(name, unit);
  }
}

function addPhrases(phrases: Map<string, UnitsAgo>, language: string): void {
  const [auto, counted] = (['auto', 'always'] as const).map(
    (numeric) => new Intl.RelativeTimeFormat(language, { numeric }),
  );
  for (const unit of [...UNITS, 'quarter'] as const) {
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

/** Returns all forms of a month's or weekday's name. In Slavic languages, the name in a date differs. */
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
