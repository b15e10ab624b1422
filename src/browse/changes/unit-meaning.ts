import { createHash } from 'node:crypto';
import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import { parseMonthName } from '../../lib/time/month-names.ts';
import { readTimeWord } from '../../lib/time/time-words.ts';
import { findDates, toIsoDay } from '../../lib/time/written-date.ts';
import { UPDATED_LABEL } from '../extracting/date-labels.ts';
import { markdownToPlainText } from '../reducing/plain-text.ts';
import words from './watch-words.json' with { type: 'json' };

/** What a unit of a page (a paragraph, item or row) says, without what changes by itself. */
export interface UnitMeaning {
  readonly text: string;
  /** The text with signs in the place of dates, counters and ids. */
  readonly skeleton: string;
  /** Dates that the skeleton leaves out: ISO 8601 with the written time, or '' for a time relative to now. */
  readonly dates: readonly string[];
  /** True if the dates say when the page was made. */
  readonly isLive: boolean;
  readonly key: string;
}

const AGO = new RegExp(`(?<![\\p{L}\\d])(?:${words.ago})(?![\\p{L}\\d])`, 'gu');
/** A label of the making of a page counts only beside the date or time that it labels. */
const LABEL = `(?<!\\p{Script=Latin})(?:${words.live}|${UPDATED_LABEL.source})`;
const LIVE = new RegExp(`${LABEL}[^.;!?\\d⟨]{0,22}⟨[dt]⟩|⟨[dt]⟩[^.;!?\\d⟨]{0,12}${LABEL}`, 'u');
const COUNT = "\\d[\\d.,’']{0,12}(?: ?\\d{3}){0,3}(?: ?(?:[km]|thousand|million|万|тыс\\.))?\\+?";
const COUNTED = new RegExp(`(?<![\\p{L}\\d€$£.,]|up to )${COUNT} ?(?:${words.counted})(?!\\p{L})`, 'gu');
const COUNTER = new RegExp(`(?<!\\p{L})(?:${words.counter})(?: ?[:：(]| by)? ?${COUNT}(?: times)?`, 'gu');
const LABELLED_ID = new RegExp(
  `(?<!\\p{L})(?:${words.ids})[ _-]?(?:id|token|number)?[:=# ]{1,3}[\\p{L}\\p{N}_.-]{4,80}`,
  'gu',
);
const LONG_TOKEN = /[\p{L}\p{N}_-]{16,200}/gu;
const TIME =
  /^(?:,| at| um| à| às| a las| alle| om| o| -| –|t)? ?(\d{1,2}[:.h]\d{2}(?::\d{2})?(?:\.\d{1,9})?)(?: ?(?:[ap]\.?m\.?|uhr|h))?(?: ?(?:utc|gmt|z|ce?s?t|[ep][sd]t|[+-]\d{2}:?\d{2})(?!\p{L}))?/u;
const BARE_SECONDS = /(?<!\d)\d{1,2}:\d{2}:\d{2}(?:\.\d{1,9})?(?: ?[ap]m)?(?!\d)/g;
const BARE_TIME = /(?<!\d)\d{1,2}[:.h]\d{2}(?!\d)(?: ?(?:[ap]m|uhr))?/g;
const EPOCH = /(?<!\d)1\d{9}(?:\d{3})?(?!\d)/g;
const COPYRIGHT = /(?:©|ⓒ|copyright|\(c\))[^.]{0,40}/gu;
/** Day and month without a year. Only names of months are looked up, since other words are common. */
const YEARLESS =
  /(?<![\d.])(\d{1,2})(?:st|nd|rd|th|er|º)?\.? (?:of |de )?(\p{L}{3,12})|(\p{L}{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?(?!\d|:\d)|(?<![\d.])(\d{1,2})\.(\d{1,2})\.(?!\d)/gu;
const MAX_UNIT_CHARS = 2000;
const PIECE = /[^|·•]{1,180}(?=\s|[|·•]|$)|[^|·•]{1,180}|[|·•]/g;

const known = new BoundedMap<UnitMeaning>(5000);

/** Caches meanings, because most units of a page are the same at the next look. */
export function readMeaning(markdown: string, language = ''): UnitMeaning {
  const name = `${language} ${markdown}`;
  const meaning = known.get(name) ?? meaningOf(markdown, language || undefined);
  known.set(name, meaning);
  return meaning;
}

function meaningOf(markdown: string, language: string | undefined): UnitMeaning {
  const number = /^\s{0,40}(\d{1,4}[.)])\s/.exec(markdown)?.[1];
  const cells = markdown.slice(0, 2 * MAX_UNIT_CHARS).replace(/^\||\|$/g, '');
  const plain = markdownToPlainText(cells).slice(0, MAX_UNIT_CHARS);
  const text = number === undefined ? plain : `${number} ${plain}`;
  const low = text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  const dates: string[] = [];
  const undated = (low.match(PIECE) ?? []).map((piece) => withoutDates(piece, language, dates)).join('');
  const timed = undated.replace(BARE_SECONDS, '⟨t⟩');
  const moving = timed
    .replace(BARE_TIME, '⟨t⟩')
    .replace(/\p{L}{2,14}/gu, (word) => (isWeekday(word) ? '⟨t⟩' : word));
  const isLive = LIVE.test(moving);
  const skeleton = (isLive ? moving : timed)
    .replace(CLAUSE, (clause) => withoutCounts(clause))
    .replace(COUNTER, '⟨n⟩')
    .replace(LABELLED_ID, '⟨id⟩')
    .replace(EPOCH, '⟨id⟩')
    .replace(LONG_TOKEN, (token) => (isId(token) ? '⟨id⟩' : token))
    .replace(COPYRIGHT, (owner) => owner.replace(/\d/g, ''))
    .replace(/\s+/g, ' ')
    .trim();
  return { text, skeleton, dates, isLive, key: hashOf(`${skeleton}\n${dates.join(' ')}`) };
}

/** A count moves by itself where a clause says little else. In a sentence it is what the sentence says. */
const CLAUSE = /[^|·•,;:()]{1,2000}/g;

function withoutCounts(clause: string): string {
  const rest = clause.replace(COUNTED, '⟨n⟩');
  const words = rest.replace(/⟨\w⟩/g, ' ').match(/\p{L}+/gu) ?? [];
  return words.length <= 3 ? rest : clause;
}

export const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 16);

/** True if a unit says little but dates of its making, ages, counters and ids, or is a bare number. */
export function isEmptyMeaning({ skeleton, isLive, dates }: UnitMeaning): boolean {
  const rest = skeleton.replace(/⟨\w{1,2}⟩/g, ' ');
  const isMoving = rest !== skeleton && (isLive || dates.every((date) => date === ''));
  const words = rest.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length <= (isMoving ? (isLive ? 5 : 3) : 0) || /^[\d.,' ]{1,15}[km]?$/.test(rest);
}

function withoutDates(piece: string, language: string | undefined, dates: string[]): string {
  const aged = piece.replace(AGO, '⟨a⟩');
  const whole = /\d/.test(aged) ? replaceSpans(aged, language, dates) : aged;
  return whole.replace(/⟨a⟩/g, () => {
    dates.push('');
    return '⟨d⟩';
  });
}

const WEEKDAYS: ReadonlySet<string> = new Set(words.weekdays.split('|'));
const isWeekday = (word: string): boolean => WEEKDAYS.has(word) || readTimeWord(word)?.kind === 'weekday';

interface DateSpan {
  readonly start: number;
  readonly end: number;
  readonly day: string;
}

function replaceSpans(piece: string, language: string | undefined, dates: string[]): string {
  // `findDates` trims its text, so spaces around a piece are put back.
  const inner = piece.trim();
  const [lead = '', tail = ''] = [
    piece.slice(0, piece.indexOf(inner)),
    piece.slice(piece.indexOf(inner) + inner.length),
  ];
  const full = findDates(inner, language).map((date): DateSpan => ({ ...date, day: toIsoDay(date) }));
  const spans = [...full, ...findYearless(inner, language, full)].sort((a, b) => a.start - b.start);
  let [out, at] = ['', 0];
  for (const { start, end, day } of spans) {
    const before = inner
      .slice(at, start)
      .replace(/(\p{L}{2,14})\.?,? ?(?:the |den |le |der )?$/u, (all, word: string) =>
        isWeekday(word) ? '' : all,
      );
    const time = TIME.exec(inner.slice(end));
    dates.push(time ? `${day} ${time[1]}` : day);
    out += `${before}⟨d⟩`;
    at = end + (time?.[0].length ?? 0);
  }
  return lead + out + inner.slice(at) + tail;
}

function findYearless(text: string, language: string | undefined, taken: readonly DateSpan[]): DateSpan[] {
  const spans: DateSpan[] = [];
  for (const match of text.matchAll(YEARLESS)) {
    const [whole, day = match[4] ?? match[5], name = match[3] ?? ''] = match;
    const month = match[6] === undefined ? parseMonthName(name, language) : Number(match[6]);
    const [start, end] = [match.index, match.index + whole.length];
    const isFree = taken.every((one) => end <= one.start || start >= one.end);
    if (!isFree || month === undefined || month < 1 || month > 12 || !(Number(day) >= 1 && Number(day) <= 31))
      continue;
    spans.push({ start, end, day: `--${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}` });
  }
  return spans;
}

/** Advisories, and releases by their day. */
const NAMED = /^(?:cve|ghsa)-|^[a-z]{1,40}(?:[-_][a-z]{1,40}){0,5}[-_]20\d{6}$/;

/** True for random tokens: letters and digits in turn, or hexadecimal numbers. */
function isId(token: string): boolean {
  const digits = token.replace(/\D/g, '').length;
  if (NAMED.test(token)) return false;
  return digits >= 3 && (digits < token.length || token.length >= 16) && !/^[\d-]+$/.test(token);
}

const HOUR_MS = 3_600_000;

/** Says whether two units differ only in dates that moved with the clock between `lookedAt` and `now`. */
export function isSameMeaning(old: UnitMeaning, now: UnitMeaning, lookedAt: number, at: number): boolean {
  if (old.skeleton !== now.skeleton || old.dates.length !== now.dates.length) return false;
  return now.dates.every((date, number) => {
    const before = old.dates[number] ?? '';
    if (date === before || date === '' || before === '') return true;
    // A page is never made in the future.
    if (now.isLive) return !(dayOf(date, at) > at + 14 * HOUR_MS);
    return isNear(before, lookedAt, lookedAt) && isNear(date, lookedAt, at);
  });
}

const dayOf = (date: string, at: number): number =>
  Date.parse(date.replace(/^--/, `${new Date(at).getUTCFullYear()}-`).slice(0, 10));

function isNear(date: string, from: number, to: number): boolean {
  const day = dayOf(date, to);
  return day >= from - 48 * HOUR_MS && day <= to + 14 * HOUR_MS;
}
