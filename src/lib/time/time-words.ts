import { mapWordsToKeys } from '../text/word-table.ts';
import WORDS from './time-words.json' with { type: 'json' };

export interface TimeSpan {
  /** Milliseconds since 1970. `until` is excluded. */
  readonly since: number;
  readonly until: number;
}

type Unit = keyof typeof WORDS.units;
const DAY_MS = 86_400_000;

/** Maps the words of each row to the number of the row, from 0. */
function placesOf(rows: readonly string[]): ReadonlyMap<string, number> {
  return new Map(rows.flatMap((row, at) => row.split(' ').map((word) => [word, at] as const)));
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const AGO = placesOf(WORDS.daysAgo);
const WEEKDAY = placesOf(WORDS.weekdays);
const MONTH = placesOf(WORDS.months);
const NUMBER = placesOf(WORDS.numbers);
const UNIT = mapWordsToKeys(WORDS.units) as ReadonlyMap<string, Unit>;
const PRESENT_WORDS = setOf(WORDS.present);
const LAST_WORDS = setOf(WORDS.last);
const OPENING_WORDS = setOf(WORDS.opening);
/** A question with such a verb and a time asks for stored texts: `what did I note last week?` */
const STORING_VERBS = setOf(WORDS.storing);
/** A phrase with a higher number is not a time. */
const MAX_COUNT = 1000;
const MAX_WORDS = 6;

/** Returns the span of a text such as `last week`, in UTC, with weeks from Monday, or undefined. */
export function timeSpanOf(text: string, now: number): TimeSpan | undefined {
  const words = wordsOf(text);
  if (words.length > MAX_WORDS) return undefined;
  const begin = words.findIndex((word) => !OPENING_WORDS.has(word));
  return begin < 0 ? undefined : meaningOf(words.slice(begin), now);
}

/** Months whose English names are also ordinary words (`may I`, `march on`). */
const UNCLEAR = new Set(['may', 'march', 'august']);
const MAX_QUESTION_WORDS = 60;
/** A time after these words belongs to the subject: `about the meeting on Monday`. */
const ABOUT_WORDS = setOf(WORDS.about);

/** Returns when the texts that a question asks for were stored. Undefined if it is uncertain. */
export function timeAskedFor(question: string, now: number): TimeSpan | undefined {
  const all = wordsOf(question.slice(0, 1000));
  if (all.length > MAX_QUESTION_WORDS || !all.some((word) => STORING_VERBS.has(word))) return undefined;
  const subject = all.findIndex((word) => ABOUT_WORDS.has(word));
  const words = subject < 0 ? all : all.slice(0, subject);
  const found: TimeSpan[] = [];
  for (let at = 0; at < words.length; ) {
    const taken = longestTime(words, at, now);
    if (taken) found.push(taken.span);
    at += taken?.words ?? 1;
  }
  return found.length === 1 ? found[0] : undefined;
}

function longestTime(words: readonly string[], at: number, now: number) {
  for (let count = Math.min(MAX_WORDS, words.length - at); count > 0; count--) {
    const some = words.slice(at, at + count);
    const [first = ''] = some;
    if (count === 1 && (UNCLEAR.has(first) || /^\d/.test(first))) continue;
    const span = meaningOf(some, now);
    if (span) return { span, words: count };
  }
  return undefined;
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function meaningOf(words: readonly string[], now: number): TimeSpan | undefined {
  const [first = '', second = '', third = '', ...rest] = words;
  const joined = words.join(' ');
  if (joined === 'day before yesterday' || joined === 'the day before yesterday')
    return unitSpan('day', 2, now);
  if (rest.length > 0) return undefined;
  if (words.length === 1) return oneWord(first, now);
  if (words.length === 2) return twoWords(first, second, now);
  const unit = UNIT.get(second);
  if (third === 'ago' && unit) return ago(unit, countOf(first), now);
  const last = UNIT.get(third);
  if (!last) return undefined;
  if (first === 'vor') return ago(last, countOf(second), now);
  const count = countOf(second);
  if (!LAST_WORDS.has(first) || count === undefined) return undefined;
  return {
    since: startOf(last === 'week' ? 'day' : last, last === 'week' ? 7 * count : count, now),
    until: now + 1,
  };
}

function oneWord(word: string, now: number): TimeSpan | undefined {
  const days = AGO.get(word);
  if (days !== undefined) return unitSpan('day', days, now);
  const weekday = WEEKDAY.get(word);
  if (weekday !== undefined) return unitSpan('day', daysSince(weekday, now), now);
  const month = MONTH.get(word);
  if (month !== undefined) return unitSpan('month', monthsSince(month, now), now);
  return /^(?:19|20)\d\d$/.test(word) ? yearSpan(Number(word)) : undefined;
}

function twoWords(first: string, second: string, now: number): TimeSpan | undefined {
  const unit = UNIT.get(second);
  if (unit && PRESENT_WORDS.has(first)) return unitSpan(unit, 0, now);
  if (unit && LAST_WORDS.has(first)) return unitSpan(unit, 1, now);
  const month = MONTH.get(first);
  if (month !== undefined && /^(?:19|20)\d\d$/.test(second)) return monthSpan(Number(second), month);
  const named = LAST_WORDS.has(first) && !UNIT.has(second) && !AGO.has(second) && !/^\d/.test(second);
  if (named && MONTH.has(second) && MONTH.get(second) === new Date(now).getUTCMonth()) {
    return unitSpan('month', 12, now);
  }
  return named ? oneWord(second, now) : undefined;
}

function ago(unit: Unit, count: number | undefined, now: number): TimeSpan | undefined {
  return count === undefined ? undefined : unitSpan(unit, count, now);
}

function countOf(word: string): number | undefined {
  const count = /^\d{1,4}$/.test(word) ? Number(word) : NUMBER.get(word);
  return count !== undefined && count >= 1 && count <= MAX_COUNT ? count : undefined;
}

function daysSince(weekday: number, now: number): number {
  return ((new Date(now).getUTCDay() - weekday + 6) % 7) + 1;
}

function monthsSince(month: number, now: number): number {
  return (new Date(now).getUTCMonth() - month + 12) % 12;
}

function unitSpan(unit: Unit, back: number, now: number): TimeSpan {
  return { since: startOf(unit, back, now), until: startOf(unit, back - 1, now) };
}

function startOf(unit: Unit, back: number, now: number): number {
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (unit === 'year') return Date.UTC(year - back, 0, 1);
  if (unit === 'month') return Date.UTC(year, month - back, 1);
  const today = Date.UTC(year, month, day);
  if (unit === 'day') return today - back * DAY_MS;
  return today - (((date.getUTCDay() + 6) % 7) + 7 * back) * DAY_MS;
}

function yearSpan(year: number): TimeSpan {
  return { since: Date.UTC(year, 0, 1), until: Date.UTC(year + 1, 0, 1) };
}

function monthSpan(year: number, month: number): TimeSpan {
  return { since: Date.UTC(year, month, 1), until: Date.UTC(year, month + 1, 1) };
}
