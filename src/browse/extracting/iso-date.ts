const ISO =
  /^(\d{4})-?(\d{2})-?(\d{2})(?!\d)(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d{1,9})?\s{0,3}(Z|[+-]\d{2}(?::?\d{2})?)?)?/i;
const YEAR_FIRST = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)/;
/** Matches dates such as 21.11.2026. In a date with dots, the day always comes first. */
const DAY_FIRST = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/;
const REDUCED = /^(\d{4})(?:[-/](\d{1,2}))?$/;
const ZONE =
  /\s{0,3}(?:\b(?:GMT|UTC|[A-Z]{1,4}T|Z)\b|(?<=:\d\d\s{0,3})[+-]\d{2}:?\d{2})(?:\s\([^()]{0,60}\))?$/;
const MAX_DATE_CHARS = 100;

/** Converts a date as pages write it to ISO 8601, and keeps a time in ISO form. Returns undefined for other text. */
export function parseIsoDate(text: string | undefined): string | undefined {
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

/** Parses dates such as `Mon, 02 Nov 2026 10:00:00 GMT` to the day as written, whatever the local time zone. */
function written(value: string): string | undefined {
  if (!/\d{4}/.test(value) || !/[a-z]{3}/i.test(value)) return undefined;
  const plain = value.replace(/(\d)(?:st|nd|rd|th)\b/g, '$1').replace(ZONE, '');
  const time = Date.parse(`${plain} UTC`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
}

function dateOf(year = '', month = '', day = ''): string | undefined {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return Number(year) >= 1000 && exists ? date.toISOString().slice(0, 10) : undefined;
}

function isTime(time: string): boolean {
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  return hour < 24 && minute < 60 && second <= 60;
}

function zoneOf(zone = ''): string {
  return zone
    .toUpperCase()
    .replace(/^([+-]\d{2}):?(\d{2})?$/, (_, hours, minutes) => `${hours}:${minutes ?? '00'}`);
}
