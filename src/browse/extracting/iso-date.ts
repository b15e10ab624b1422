const ISO =
  /^(\d{4})-?(\d{2})-?(\d{2})(?!\d)(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d{1,9})?\s{0,3}(Z|[+-]\d{2}(?::?\d{2})?)?)?/i;
/** Year, month and day in this order, with strokes or points. */
const YEAR_FIRST = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)/;
/** 21.11.2026: with points the day is first wherever they are used. */
const DAY_FIRST = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/;
/** 2026-11 or 2026. */
const REDUCED = /^(\d{4})(?:[-/](\d{1,2}))?$/;
const ZONE =
  /\s{0,3}(?:\b(?:GMT|UTC|[A-Z]{1,4}T|Z)\b|(?<=:\d\d\s{0,3})[+-]\d{2}:?\d{2})(?:\s\([^()]{0,60}\))?$/;
const MAX_DATE_CHARS = 100;

/** A date as pages write it in ISO 8601, with its time where that is written so; undefined for anything else. */
export function isoDate(text: string | undefined): string | undefined {
  const value = text?.trim() ?? '';
  if (value.length > MAX_DATE_CHARS) return undefined;
  const iso = ISO.exec(value);
  if (iso) {
    const [, year, month, day, time, zone] = iso;
    const date = dateOf(year, month, day);
    return date && time && isTime(time) ? `${date}T${time}${zoneOf(zone)}` : date;
  }
  const [, year, month, day] = YEAR_FIRST.exec(value) ?? [];
  if (year) return dateOf(year, month, day);
  const [, ...dayFirst] = DAY_FIRST.exec(value) ?? [];
  if (dayFirst.length > 0) return dateOf(dayFirst[2], dayFirst[1], dayFirst[0]);
  const [, alone, ofYear] = REDUCED.exec(value) ?? [];
  if (alone) return dateOf(alone, ofYear ?? '1', '1')?.slice(0, ofYear ? 7 : 4);
  return written(value);
}

/** `November 2nd, 2026`, `Mon, 02 Nov 2026 10:00:00 GMT`: the day that is written, whatever the zone of this machine. */
function written(value: string): string | undefined {
  if (!/\d{4}/.test(value) || !/[a-z]{3}/i.test(value)) return undefined;
  const plain = value.replace(/(\d)(?:st|nd|rd|th)\b/g, '$1').replace(ZONE, '');
  const time = Date.parse(`${plain} UTC`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
}

/** A day that the calendar has. */
function dateOf(year = '', month = '', day = ''): string | undefined {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return Number(year) >= 1000 && exists ? date.toISOString().slice(0, 10) : undefined;
}

function isTime(time: string): boolean {
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  return hour < 24 && minute < 60 && second <= 60;
}

/** With a colon, as the time has them. */
function zoneOf(zone = ''): string {
  return zone
    .toUpperCase()
    .replace(/^([+-]\d{2}):?(\d{2})?$/, (_, hours, minutes) => `${hours}:${minutes ?? '00'}`);
}
