import { AppError } from '../../../errors.ts';
import { pushAll } from '../../../lib/long-lists.ts';
import type { PageContent } from '../../reading/page.ts';
import { fragmentToMarkdown } from '../fragment.ts';
import { oneLine } from '../markdown.ts';
import { describeDuration, describeRule, describeTime } from './calendar-times.ts';
import { type Component, type ContentLine, parseComponents, unescapeText } from './content-lines.ts';
import labels from './labels.json' with { type: 'json' };

const MAX_ENTRIES = 2000;
const MAX_PEOPLE = 100;
/** Maximum characters of HTML in the descriptions of all entries together. Further descriptions are not converted. */
const HTML_CHARACTERS = 1_000_000;
const ENTRIES = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY']);

export function readCalendar(text: string, url: string): PageContent {
  const root = parseComponents(text);
  const calendars = root.components.filter(({ name }) => name === 'VCALENDAR');
  if (calendars.length === 0) {
    throw new AppError(
      'unsupported',
      `${url} is declared as a calendar, but no calendar can be read from it`,
    );
  }
  const entries = calendars.flatMap(({ components }) => components.filter(({ name }) => ENTRIES.has(name)));
  const first = (...names: string[]) =>
    calendars.flatMap(({ lines }) => lines.filter(({ name }) => names.includes(name)))[0];
  const title = oneLine(unescapeText(first('X-WR-CALNAME', 'NAME')?.value ?? ''));
  const zone = oneLine(first('X-WR-TIMEZONE')?.value ?? '');
  const about = unescapeText(first('X-WR-CALDESC', 'DESCRIPTION')?.value ?? '').trim();
  const room = { html: HTML_CHARACTERS };
  const parts = [about, zone && `Time zone: ${zone}`];
  for (const entry of entries.slice(0, MAX_ENTRIES)) pushAll(parts, entryParts(entry, room));
  const left = entries.length - MAX_ENTRIES;
  if (left > 0) parts.push(`${left} more entries are not shown.`);
  return { title, markdown: parts.filter(Boolean).join('\n\n') };
}

const LABELS: Readonly<Record<string, string>> = labels;
const UNLISTED =
  /^(?:X-.*|SUMMARY|DESCRIPTION|COMMENT|DTSTART|DTEND|DURATION|UID|DTSTAMP|SEQUENCE|CREATED|LAST-MODIFIED|TRANSP|CLASS|REQUEST-STATUS|RELATED-TO|STYLED-DESCRIPTION|ACKNOWLEDGED)$/;
const TIMES = /^(?:DUE|COMPLETED|RDATE|EXDATE|RECURRENCE-ID)$/;
const PEOPLE = /^(?:ORGANIZER|ATTENDEE)$/;

function entryParts({ name, lines, components }: Component, room: { html: number }): string[] {
  const texts = (field: string) =>
    lines.filter((line) => line.name === field).map(({ value }) => unescapeText(value));
  const text = (field: string) => texts(field)[0] ?? '';
  const kind =
    name === 'VTODO' ? 'Task' : name === 'VJOURNAL' ? 'Entry' : name === 'VFREEBUSY' ? 'Busy times' : 'Event';
  const fields: [label: string, value: string][] = [['When', timeOf(lines)]];
  for (const [field, all] of Map.groupBy(lines, (line) => line.name)) {
    if (Object.hasOwn(LABELS, field) || !UNLISTED.test(field))
      fields.push([labelOf(field), valuesOf(field, all)]);
  }
  const reminders = components.filter((one) => one.name === 'VALARM').map(reminderOf);
  fields.push(['Reminder', reminders.filter(Boolean).join(', ')]);
  const list = fields
    .filter(([, value]) => value)
    .map(([label, value]) => `- **${label}:** ${value}`)
    .join('\n');
  // Outlook writes a description in HTML into the field `X-ALT-DESC`.
  const described = texts('DESCRIPTION').join('\n\n').trim() || text('X-ALT-DESC');
  const [description, comment] = [described, texts('COMMENT').join('\n\n')].map((one) => prose(one, room));
  return [`## ${oneLine(text('SUMMARY')) || kind}`, list, description ?? '', comment ?? ''];
}

function labelOf(field: string): string {
  const words = field.toLowerCase().replaceAll('-', ' ');
  return LABELS[field] ?? (words[0] ?? '').toUpperCase() + words.slice(1);
}

function valuesOf(field: string, lines: readonly ContentLine[]): string {
  if (PEOPLE.test(field)) {
    const left = lines.length - MAX_PEOPLE;
    return lines.slice(0, MAX_PEOPLE).map(personOf).join(', ') + (left > 0 ? ` and ${left} more` : '');
  }
  const one = (line: ContentLine) => {
    if (TIMES.test(field) || field === 'FREEBUSY')
      return line.value
        .split(',')
        .filter((value) => value.trim())
        .map((value) => describeTime({ ...line, value }))
        .map((time) => (line.parameters.RANGE === 'THISANDFUTURE' ? `${time} and later` : time))
        .join(', ');
    if (field === 'RRULE' || field === 'EXRULE') return describeRule(line.value);
    if (field === 'GEO') return line.value.replace(';', ', ');
    if (line.parameters.VALUE === 'BINARY')
      return line.parameters.FILENAME ?? line.parameters['X-FILENAME'] ?? '';
    return oneLine(unescapeText(line.value)).replace(
      /,(?=\S)(?!\/\/)/g,
      field === 'CATEGORIES' || field === 'RESOURCES' ? ', ' : ',',
    );
  };
  return lines.map(one).filter(Boolean).join(', ');
}

function timeOf(lines: readonly ContentLine[]): string {
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

function personOf({ value, parameters }: ContentLine): string {
  const address = value.replace(/^mailto:/i, '').trim();
  const name = oneLine(parameters.CN ?? '');
  const state = (parameters.PARTSTAT ?? 'NEEDS-ACTION').toLowerCase();
  const said = [address !== name && address, state !== 'needs-action' && state].filter(Boolean).join(', ');
  if (name) return name + (said && ` (${said})`);
  return oneLine(address) + (state !== 'needs-action' ? ` (${state})` : '');
}

function reminderOf({ lines }: Component): string {
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
