import { lettersOf } from '../../lib/text/letters.ts';
import { parseIsoDate } from './iso-date.ts';

const MAX_CHARS = 200;
const ISO_DAY = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/;
const EAST_ASIAN = /(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})/;
const DAY_MONTH =
  /(?<!\d)(\d{1,2})(?:\.|st|nd|rd|th|º)?\s(?:de |of )?(\p{L}{3,12})\.?,?\s(?:de )?(\d{4})(?!\d)/iu;
const MONTH_DAY = /(?<!\p{L})(\p{L}{3,12})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})(?!\d)/iu;
const NUMBERS = /(?<!\d)(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?!\d)/;
const ZONED = /(?:GMT|UTC|Z|[+-]\d{2}:?\d{2})\)?$/i;

/** Returns the full date in a text as ISO 8601, or undefined. If `time` is set, the result includes a time that has a zone. */
export function findDate(text: string, language: string | undefined, time: boolean): string | undefined {
  const value = western(text.slice(0, MAX_CHARS)).normalize('NFKC').replace(/\s+/g, ' ').trim();
  // Parses only text with a day, because a month alone is not a full date.
  const whole = /(?<!\d)\d{1,2}(?!\d)|^\d{8}/.test(value) ? parseIsoDate(value) : undefined;
  if (time) {
    const at = ZONED.test(value) && /\d:\d/.test(value) ? Date.parse(value) : Number.NaN;
    if (!whole?.includes('T') && !Number.isNaN(at)) return new Date(at).toISOString();
  }
  if (whole && whole.length >= 10) return time ? whole : whole.slice(0, 10);
  const iso = ISO_DAY.exec(value)?.[0];
  if (iso) return parseIsoDate(iso);
  const [, year, month, day] = EAST_ASIAN.exec(value) ?? [];
  if (year) return dayOf(year, month, day);
  return named(value, language) ?? numbered(value, language);
}

function western(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

function named(value: string, language: string | undefined): string | undefined {
  const [, day, month = '', year] = DAY_MONTH.exec(value) ?? [];
  const number = day === undefined ? undefined : monthOf(month, language);
  if (number !== undefined) return dayOf(year, number, day);
  const [, first = '', dayAfter, yearAfter] = MONTH_DAY.exec(value) ?? [];
  const after = dayAfter === undefined ? undefined : monthOf(first, language);
  return after === undefined ? undefined : dayOf(yearAfter, after, dayAfter);
}

/** Reads 3/4/2026 as March 4 for en-US. Returns undefined for plain English, in which 3/4 is ambiguous. */
function numbered(value: string, language: string | undefined): string | undefined {
  const [, first, second, year] = NUMBERS.exec(value) ?? [];
  if (year === undefined) return undefined;
  if (Number(first) > 12) return dayOf(year, second, first);
  if (Number(second) > 12) return dayOf(year, first, second);
  if (/^en-us$/i.test(language ?? '')) return dayOf(year, first, second);
  return language === undefined || /^en$/i.test(language) ? undefined : dayOf(year, second, first);
}

function dayOf(year = '', month: string | number = '', day = ''): string | undefined {
  return parseIsoDate(`${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`);
}

const MAX_LANGUAGES = 100;
const known = new Map<string, ReadonlyMap<string, number>>();

function monthOf(word: string, language = 'en'): number | undefined {
  const own = lettersOf(word);
  for (const months of [monthsOf(language), monthsOf('en')]) {
    const number = months.get(own);
    if (number !== undefined) return number;
    const alike = [...months].filter(
      ([name]) => name.startsWith(own) || (name.length > 2 && own === `${name}t`),
    );
    if (new Set(alike.map(([, month]) => month)).size === 1) return alike[0]?.[1];
  }
  return undefined;
}

function monthsOf(language: string): ReadonlyMap<string, number> {
  const before = known.get(language);
  if (before) return before;
  const months = new Map<string, number>();
  try {
    for (const month of ['long', 'short'] as const) {
      for (const options of [{ month }, { month, day: 'numeric' }] as const) {
        const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
        for (let at = 0; at < 12; at++) {
          const parts = format.formatToParts(Date.UTC(2026, at, 5));
          const name = lettersOf(parts.find(({ type }) => type === 'month')?.value ?? '');
          if (name !== '' && !months.has(name)) months.set(name, at + 1);
        }
      }
    }
  } catch {}
  if (known.size >= MAX_LANGUAGES) known.clear();
  known.set(language, months);
  return months;
}
