import type { CalendarContentLine } from './content-lines.ts';
import months from './months.json' with { type: 'json' };

const DAY_MS = 86_400_000;

export function describeTime(
  { value, parameters }: CalendarContentLine,
  start?: CalendarContentLine,
): string {
  const [given = '', second] = value.trim().split('/');
  // Removes the time from a value of the type DATE. Some programs write one, although it has no meaning.
  const first = parameters.VALUE === 'DATE' ? (given.split(/T/i, 1)[0] ?? '') : given;
  const zone = zoneOf(first, parameters.TZID);
  if (second !== undefined) {
    const end = /^[+-]?P/.test(second) ? `for ${describeDuration(second)}` : `to ${timeOf(second) || second}`;
    return `${dayOf(first)} ${timeOf(first)} ${end}${zone && ` ${zone}`}`;
  }
  const [day, time] = [dayOf(first), timeOf(first)];
  if (!day) return first;
  // The end of an all-day event is the day after its last day, unless the end equals the start.
  if (!time) return start && day > dayOf(start.value) ? dayBefore(day) : day;
  const isSameDay = start !== undefined && dayOf(start.value) === day;
  return [isSameDay ? '' : day, time, zone].filter(Boolean).join(' ');
}

function zoneOf(value: string, zone: string | undefined): string {
  if (/Z$/i.test(value.trim())) return 'UTC';
  const [offset] = /[+-]\d\d:?\d\d$/.exec(/T.*/i.exec(value.trim())?.[0] ?? '') ?? [];
  if (offset !== undefined) return `UTC${offset}`;
  if (!/T/i.test(value) || zone === undefined) return '';
  // Removes the path before the zone's name, as in `/freeassociation.sourceforge.net/Europe/Berlin`.
  return zone
    .replace(/^\/.*?\/(?=[A-Z])/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function dayOf(value: string): string {
  const [, year, month, day] = /^\s*(\d{4})-?(\d\d)-?(\d\d)/.exec(value) ?? [];
  return year ? `${year}-${month}-${day}` : '';
}

function timeOf(value: string): string {
  const [, hour, minute, second] = /T(\d\d):?(\d\d):?(\d\d)?/i.exec(value) ?? [];
  if (!hour) return '';
  return `${hour}:${minute}${second && second !== '00' ? `:${second}` : ''}`;
}

function dayBefore(day: string): string {
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) ? day : new Date(time - DAY_MS).toISOString().slice(0, 10);
}

const PERIODS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'];

export function describeDuration(value: string): string {
  // Some programs write `T` before days, too, for example `PT1D` instead of `P1D`.
  const [, parts = ''] = /^[+-]?P((?:T?\d{1,6}[WDHMS])*)T?$/i.exec(value.trim()) ?? [];
  return [...parts.matchAll(/(\d{1,6})([WDHMS])/gi)]
    .filter(([, number]) => Number(number) > 0)
    .map(
      ([, number, unit]) =>
        `${Number(number)} ${startingWith(PERIODS, unit)}${Number(number) === 1 ? '' : 's'}`,
    )
    .join(' ');
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Describes a recurrence rule, for example `every 2 weeks on Monday`. Rare parts stay unchanged. */
export function describeRecurrence(rule: string): string {
  const parts = new Map(
    rule
      .trim()
      .split(';')
      .map((part): [string, string] => {
        const at = part.indexOf('=');
        return [part.slice(0, Math.max(at, 0)).toUpperCase(), part.slice(at + 1)];
      }),
  );
  const take = (name: string) => {
    const value = parts.get(name) ?? '';
    parts.delete(name);
    return value;
  };
  const period = startingWith(PERIODS, /^(..).*LY$/i.exec(take('FREQ'))?.[1]);
  if (!period) return rule.trim();
  const interval = Number(take('INTERVAL') || 1);
  const [days, monthDays, until, count] = [take('BYDAY'), take('BYMONTHDAY'), take('UNTIL'), take('COUNT')];
  const [places, inMonths] = [days && take('BYSETPOS'), take('BYMONTH')];
  take('WKST');
  const end = until && [dayOf(until), timeOf(until), zoneOf(until, undefined)].filter(Boolean).join(' ');
  return [
    interval === 1 ? `every ${period}` : `every ${interval} ${period}s`,
    days && `on ${places && `${listOf(places, (place) => placeOf(place))} of `}${listOf(days, weekdayOf)}`,
    monthDays &&
      `on ${listOf(monthDays, (day) => (day === '-1' ? 'the last day' : `day ${day}`))} of the month`,
    inMonths && `in ${listOf(inMonths, monthOf)}`,
    end && `until ${end}`,
    count && `${count} times`,
    ...[...parts].map(([name, value]) => `(${name} ${value})`),
  ]
    .filter(Boolean)
    .join(' ');
}

function weekdayOf(text: string): string {
  const [, place, day] = /^([+-]?\d{1,2})?([A-Z]{2})$/i.exec(text.trim()) ?? [];
  const name = startingWith(WEEKDAYS, day) || text;
  return place === undefined ? name : placeOf(place, name);
}

function listOf(values: string, describe: (value: string) => string): string {
  return values
    .split(',')
    .map((value) => describe(value))
    .join(', ');
}

function placeOf(place: string, name = ''): string {
  const number = Number(place);
  const end = number < 0 ? ' from the end' : '';
  return (number === -1 ? `the last ${name}` : `${name} no. ${Math.abs(number)}${end}`).trim();
}

const monthOf = (month: string): string => months[Number(month) - 1] ?? month;

/** Describes a day, also one without a year: `--0412` is April 12. Apple's programs name a year to omit. */
export function describeDay(value: string, omitted = ''): string {
  const [, year, month = '', day] = /^(--|\d{4}-?)(\d\d)-?(\d\d)/.exec(value) ?? [];
  const hasYear = year !== '--' && !(omitted && year?.startsWith(omitted));
  return day && !hasYear ? `${monthOf(month)} ${Number(day)}` : dayOf(value) || value;
}

function startingWith(names: readonly string[], letters = ' '): string | undefined {
  return names.find((name) => name.toLowerCase().startsWith(letters.toLowerCase()));
}
