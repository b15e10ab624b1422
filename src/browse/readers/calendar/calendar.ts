import { AppError } from '../../../errors.ts';
import { pushAll } from '../../../lib/long-lists.ts';
import type { PageContent } from '../../reading/page.ts';
import { fragmentToMarkdown } from '../fragment.ts';
import { oneLine } from '../markdown.ts';
import { describeDay, describeDuration, describeRecurrence, describeTime } from './calendar-times.ts';
import {
  type CalendarComponent,
  type CalendarContentLine,
  parseComponents,
  unescapeCalendarText,
} from './content-lines.ts';
import labels from './labels.json' with { type: 'json' };

const MAX_ENTRIES = 2000;
const MAX_PEOPLE = 100;
const HTML_CHARACTERS = 1_000_000;
const KNOWN_ZONES = new Set(Intl.supportedValuesOf('timeZone'));
const ENTRIES = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY']);

/** Converts a calendar (RFC 5545) or contact cards (vCard, RFC 6350) to Markdown, one heading per entry. */
export function readCalendar(text: string, url: string): PageContent {
  const root = parseComponents(text);
  const calendars = root.components.filter(({ name }) => name === 'VCALENDAR');
  const cards = root.components.filter(({ name }) => name === 'VCARD');
  if (calendars.length + cards.length === 0) {
    throw new AppError(
      'unsupported',
      `${url} is declared as a calendar, but no calendar can be read from it`,
    );
  }
  const inside = calendars.flatMap(({ components }) => components);
  const zones = new Map(inside.filter(({ name }) => name === 'VTIMEZONE').map(nameZone));
  const withZone = (line: CalendarContentLine) => {
    const TZID = zones.get(line.parameters.TZID);
    return TZID ? { ...line, parameters: { ...line.parameters, TZID } } : line;
  };
  const entries = [...cards, ...inside.filter(({ name }) => ENTRIES.has(name))];
  const first = (...names: string[]) =>
    calendars.flatMap(({ lines }) => lines.filter(({ name }) => names.includes(name)))[0];
  const title = oneLine(unescapeCalendarText(first('X-WR-CALNAME', 'NAME')?.value ?? ''));
  const zone = oneLine(first('X-WR-TIMEZONE')?.value ?? '');
  const about = unescapeCalendarText(first('X-WR-CALDESC', 'DESCRIPTION')?.value ?? '').trim();
  const room = { html: HTML_CHARACTERS };
  const parts = [about, zone && `Time zone: ${zone}`];
  for (const entry of entries.slice(0, MAX_ENTRIES))
    pushAll(parts, entryParts({ ...entry, lines: entry.lines.map(withZone) }, room));
  const left = entries.length - MAX_ENTRIES;
  if (left > 0) parts.push(`${left} more entries are not shown.`);
  return { title, markdown: parts.filter(Boolean).join('\n\n') };
}

/** Returns the id and name of a time zone. The name of an unknown zone includes its UTC offsets. */
function nameZone({ lines, components }: CalendarComponent): [id: string | undefined, name: string] {
  const id = lines.find(({ name }) => name === 'TZID')?.value ?? '';
  const [usual, summer] = ['STANDARD', 'DAYLIGHT'].map((part) => {
    const last = components.findLast(({ name }) => name === part)?.lines ?? [];
    return last.find(({ name }) => name === 'TZOFFSETTO')?.value.replace(/^([+-]\d\d)(\d\d)$/, 'UTC$1:$2');
  });
  const offsets = [usual, summer && `in summer ${summer}`].filter(Boolean).join(', ');
  return [id, offsets && !KNOWN_ZONES.has(id) ? `${id} (${offsets})` : id];
}

const LABELS: Readonly<Record<string, string>> = labels;
const UNLISTED =
  /^(?:X-.*|SUMMARY|DESCRIPTION|COMMENT|DTSTART|DTEND|DURATION|UID|DTSTAMP|SEQUENCE|CREATED|LAST-MODIFIED|TRANSP|CLASS|REQUEST-STATUS|RELATED-TO|STYLED-DESCRIPTION|ACKNOWLEDGED|FN|N|NOTE|VERSION|PRODID|REV|PHOTO|LOGO|SOUND|KEY|CLIENTPIDMAP)$/;
const TIMES = /^(?:DUE|COMPLETED|RDATE|EXDATE|RECURRENCE-ID)$/;
const DAYS = /^(?:BDAY|DEATHDATE|(?:X-|X-EVOLUTION-)?ANNIVERSARY|X-ABDATE)$/;
const UNSHOWN_SORT = /^(?:pref|internet|voice|x-.*|)$/;
const PEOPLE = /^(?:ORGANIZER|ATTENDEE)$/;

function entryParts({ name, lines, components }: CalendarComponent, room: { html: number }): string[] {
  const texts = (field: string) =>
    lines.filter((line) => line.name === field).map(({ value }) => unescapeCalendarText(value));
  const text = (field: string) => texts(field)[0] ?? '';
  const fields: [label: string, value: string][] = [
    ['When', timeOf(lines)],
    ['Also named', oneLine(texts('FN').slice(1).join(', '))],
  ];
  for (const [field, all] of Map.groupBy(lines, (line) => line.name)) {
    if (Object.hasOwn(LABELS, field) || !UNLISTED.test(field))
      fields.push([labelOf(field), valuesOf(field, all, lines)]);
  }
  const reminders = components.filter((one) => one.name === 'VALARM').map(reminderOf);
  fields.push(['Reminder', reminders.filter(Boolean).join(', ')]);
  const list = fields
    .filter(([, value]) => value)
    .map(([label, value]) => `- **${label}:** ${value}`)
    .join('\n');
  // Outlook writes a description in HTML into the field `X-ALT-DESC`.
  const described = [...texts('DESCRIPTION'), ...texts('NOTE')].join('\n\n').trim() || text('X-ALT-DESC');
  const [description, comment] = [described, texts('COMMENT').join('\n\n')].map((one) => prose(one, room));
  const heading = oneLine(text('SUMMARY') || text('FN')) || nameOf(lines);
  return [`## ${heading || (LABELS[name] ?? 'Event')}`, list, description ?? '', comment ?? ''];
}

function labelOf(field: string): string {
  const words = field.toLowerCase().replaceAll('-', ' ');
  return LABELS[field] ?? (words[0] ?? '').toUpperCase() + words.slice(1);
}

function valuesOf(
  field: string,
  lines: readonly CalendarContentLine[],
  entry: readonly CalendarContentLine[],
): string {
  if (PEOPLE.test(field)) {
    const left = lines.length - MAX_PEOPLE;
    return lines.slice(0, MAX_PEOPLE).map(personOf).join(', ') + (left > 0 ? ` and ${left} more` : '');
  }
  const one = (line: CalendarContentLine) => {
    if (TIMES.test(field) || field === 'FREEBUSY')
      return line.value
        .split(',')
        .filter((value) => value.trim())
        .map((value) => describeTime({ ...line, value }))
        .map((time) => (line.parameters.RANGE === 'THISANDFUTURE' ? `${time} and later` : time))
        .join(', ');
    if (field === 'RRULE' || field === 'EXRULE') return describeRecurrence(line.value);
    if (DAYS.test(field)) return describeDay(line.value.trim(), line.parameters['X-APPLE-OMIT-YEAR']);
    if (/^(?:GEO|ADR|ORG)$/.test(field)) return splitValue(line.value).filter(Boolean).join(', ');
    if (line.parameters.VALUE === 'BINARY')
      return line.parameters.FILENAME ?? line.parameters['X-FILENAME'] ?? '';
    return oneLine(unescapeCalendarText(line.value)).replace(
      /,(?=\S)(?!\/\/)/g,
      field === 'CATEGORIES' || field === 'RESOURCES' ? ', ' : ',',
    );
  };
  return lines
    .map((line) => one(line) && one(line).replace(/^(?:tel|mailto|geo):/i, '') + sortsOf(line, entry))
    .filter(Boolean)
    .join(', ');
}

function splitValue(value: string): string[] {
  return value.split(/(?<!\\);/).map((part) => oneLine(unescapeCalendarText(part)));
}

/** Writes the label and the types of a contact field in brackets, for example ` (Cabin, home)`. */
function sortsOf(
  { group, parameters: { TYPE = '' } }: CalendarContentLine,
  entry: readonly CalendarContentLine[],
): string {
  const own = entry.find((line) => group !== '' && line.group === group && line.name === 'X-ABLABEL');
  // Apple's programs write their standard labels as `_$!<Home>!$_`. Only `Home` is kept.
  const label = oneLine(unescapeCalendarText(own?.value ?? '')).replace(/^_\$!<|>!\$_$/g, '');
  const sorts = [label, ...TYPE.toLowerCase().split(',')].filter((one) => !UNSHOWN_SORT.test(one));
  return sorts.length > 0 ? ` (${sorts.join(', ')})` : '';
}

/** Joins the parts of a person's name. A contact card lists the family name first. */
function nameOf(lines: readonly CalendarContentLine[]): string {
  const value = lines.find(({ name }) => name === 'N')?.value ?? '';
  const [family, given, middle, before, after] = splitValue(value);
  return [before, given, middle, family, after].filter(Boolean).join(' ');
}

function timeOf(lines: readonly CalendarContentLine[]): string {
  const field = (name: string) => lines.find((line) => line.name === name);
  const [start, end, duration] = [field('DTSTART'), field('DTEND'), field('DURATION')];
  const from = start ? describeTime(start) : '';
  if (end) {
    const to = describeTime(end, start);
    return to && to !== from ? [from, to].filter(Boolean).join(' to ') : from;
  }
  const long = duration ? describeDuration(duration.value) : '';
  return [from, long && `for ${long}`].filter(Boolean).join(', ');
}

function personOf({ value, parameters }: CalendarContentLine): string {
  const address = value.replace(/^mailto:/i, '').trim();
  const name = oneLine(parameters.CN ?? '');
  const state = (parameters.PARTSTAT ?? 'NEEDS-ACTION').toLowerCase();
  const said = [address !== name && address, state !== 'needs-action' && state].filter(Boolean).join(', ');
  if (name) return name + (said && ` (${said})`);
  return oneLine(address) + (state !== 'needs-action' ? ` (${state})` : '');
}

function reminderOf({ lines }: CalendarComponent): string {
  const trigger = lines.find(({ name }) => name === 'TRIGGER');
  // Apple's programs write an alarm of the kind `NONE` for an event without alarms.
  if (!trigger || lines.some(({ name, value }) => name === 'ACTION' && value === 'NONE')) return '';
  const value = trigger.value.trim();
  if (/^\d/.test(value)) return describeTime(trigger);
  const long = describeDuration(value.replace(/^[+-]/, ''));
  if (!long) return 'at the time';
  return `${long} ${value.startsWith('-') ? 'before' : 'after'}${trigger.parameters.RELATED === 'END' ? ' the end' : ''}`;
}

function prose(text: string, room: { html: number }): string {
  const isHtml = /<(?:br|p|a|b|i|ul|ol|li|div|span|html)\b[^<>]{0,500}>/i.test(text);
  room.html -= isHtml ? text.length : 0;
  const plain =
    isHtml && room.html > 0 ? fragmentToMarkdown(text.replaceAll('\n', '<br>'), 'file:///') : text;
  return plain
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
