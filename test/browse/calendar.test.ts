import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectPageKind } from '../../src/browse/fetching/page-kind.ts';
import { readCalendar } from '../../src/browse/readers/calendar/calendar.ts';
import { parseComponents } from '../../src/browse/readers/calendar/content-lines.ts';
import { readDocument } from '../../src/browse/readers/document.ts';
import { processorSeconds } from '../helpers/processor-time.ts';

const calendar = (lines: readonly string[], end = '\r\n') =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join(end);
const event = (...lines: string[]) => calendar(['BEGIN:VEVENT', 'SUMMARY:S', ...lines, 'END:VEVENT']);
const read = (text: string) => readCalendar(text, 'a.ics').markdown;

test('folded lines are joined and escapes are read', () => {
  expect(
    read(
      event(
        'DESCRIPTION:Bring the k',
        ' ey\\, the rope\\; and',
        '  a lamp.\\nThen C:\\\\boats',
        'LOCATION:Quay\\, ',
        '\teast',
      ),
    ),
  ).toBe('## S\n\n- **Where:** Quay, east\n\nBring the key, the rope; and a lamp.\nThen C:\\boats');
});

test.each<[string, string[], string]>([
  [
    'a zone',
    ['DTSTART;TZID=Europe/Berlin:20260314T100000', 'DTEND;TZID=Europe/Berlin:20260314T113000'],
    '2026-03-14 10:00 Europe/Berlin to 11:30 Europe/Berlin',
  ],
  [
    'a quoted zone',
    ['DTSTART;TZID="W. Europe Standard Time":20260314T100000'],
    '2026-03-14 10:00 W. Europe Standard Time',
  ],
  [
    'a zone in a path',
    ['DTSTART;TZID=/mozilla.org/20050126_1/America/New_York:20260314T100000'],
    '2026-03-14 10:00 America/New_York',
  ],
  [
    'UTC over midnight',
    ['DTSTART:20260314T230000Z', 'DTEND:20260315T010000Z'],
    '2026-03-14 23:00 UTC to 2026-03-15 01:00 UTC',
  ],
  ['no zone', ['DTSTART:20260314T100030'], '2026-03-14 10:00:30'],
  ['one whole day', ['DTSTART;VALUE=DATE:20260314', 'DTEND;VALUE=DATE:20260315'], '2026-03-14'],
  ['one whole day as its end', ['DTSTART;VALUE=DATE:20260314', 'DTEND;VALUE=DATE:20260314'], '2026-03-14'],
  ['whole days', ['DTSTART;VALUE=DATE:20260228', 'DTEND;VALUE=DATE:20260302'], '2026-02-28 to 2026-03-01'],
  [
    'a duration',
    ['DTSTART:20260314T100000Z', 'DURATION:PT1H30M'],
    '2026-03-14 10:00 UTC, for 1 hour 30 minutes',
  ],
  ['a period of a week', ['DTSTART:20260314T100000Z', 'DURATION:P1W'], '2026-03-14 10:00 UTC, for 1 week'],
])('times with %s', (_name, lines, when) => {
  expect(read(event(...lines))).toBe(`## S\n\n- **When:** ${when}`);
});

test.each([
  [
    'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20260501T000000Z',
    'Repeats',
    'every 2 weeks on Monday, Wednesday until 2026-05-01 00:00 UTC',
  ],
  ['RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=5', 'Repeats', 'every month on the last Friday 5 times'],
  ['RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=14', 'Repeats', 'every year on day 14 of the month in March'],
  ['RRULE:FREQ=MONTHLY;BYMONTHDAY=-1,15', 'Repeats', 'every month on the last day, day 15 of the month'],
  ['RRULE:FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1', 'Repeats', 'every month on the last of Monday, Tuesday'],
  [
    'RRULE:FREQ=MONTHLY;BYMONTHDAY=1,2;BYSETPOS=2',
    'Repeats',
    'every month on day 1, day 2 of the month (BYSETPOS 2)',
  ],
  [
    'EXDATE;TZID=Europe/Berlin:20260321T100000,20260328T100000',
    'Not on',
    '2026-03-21 10:00 Europe/Berlin, 2026-03-28 10:00 Europe/Berlin',
  ],
  ['RECURRENCE-ID:20260314T100000Z', 'In place of', '2026-03-14 10:00 UTC'],
  ['ORGANIZER;CN="Larsen, Kim":mailto:kim@x.example', 'Organizer', 'Larsen, Kim (kim@x.example)'],
  [
    'ATTENDEE;PARTSTAT=ACCEPTED;CN=Bo:MAILTO:bo@x.example\r\nATTENDEE:mailto:di@x.example',
    'Attendees',
    'Bo (bo@x.example, accepted), di@x.example',
  ],
  ['CATEGORIES:Boats,Work', 'Categories', 'Boats, Work'],
  ['STATUS:CANCELLED', 'Status', 'CANCELLED'],
  ['URL:https://x.example/a,b', 'Web address', 'https://x.example/a,b'],
  ['GEO:54.5;9.5', 'Position', '54.5, 9.5'],
  ['CONTACT:Ada\\, office', 'Contact', 'Ada, office'],
  ['PRIORITY:1', 'Priority', '1'],
  [
    'FREEBUSY:20260314T100000Z/PT1H,20260315T100000Z/20260315T120000Z',
    'Busy',
    '2026-03-14 10:00 for 1 hour UTC, 2026-03-15 10:00 to 12:00 UTC',
  ],
  ['BEGIN:VALARM\r\nTRIGGER:-PT15M\r\nEND:VALARM', 'Reminder', '15 minutes before'],
])('the field %s is read', (line, label, value) => {
  expect(read(event(line))).toBe(`## S\n\n- **${label}:** ${value}`);
});

test('a calendar says its name and zone, and tasks and broken lines are read as far as they go', () => {
  const text = calendar(
    [
      'X-WR-CALNAME:Harbour',
      'X-WR-TIMEZONE:Europe/Oslo',
      'BEGIN:VTIMEZONE',
      'TZID:x',
      'END:VTIMEZONE',
      'BEGIN:VTODO',
      'DUE:20260314',
      'no value',
      ';=:x',
      'END:VTODO',
      'BEGIN:VEVENT',
      'SUMMARY:Cut',
    ],
    '\n',
  );
  expect(readCalendar(text.replace('END:VCALENDAR\n', ''), 'a.ics')).toEqual({
    title: 'Harbour',
    markdown: 'Time zone: Europe/Oslo\n\n## Task\n\n- **Due:** 2026-03-14\n\n## Cut',
  });
  expect(() => read('BEGIN:VTHING\nEND:VTHING')).toThrow('no calendar can be read');
});

test.each([
  ['an own zone', 'Office', ['STANDARD:+0530'], 'Office (UTC+05:30)'],
  [
    'an own zone with summer time',
    'Office',
    ['STANDARD:+0100', 'DAYLIGHT:+0200'],
    'Office (UTC+01:00, in summer UTC+02:00)',
  ],
  ['a known zone', 'Europe/Berlin', ['STANDARD:+0100', 'DAYLIGHT:+0200'], 'Europe/Berlin'],
  ['an own zone without offsets', 'Office', [], 'Office'],
])('%s is named as a reader needs it', (_name, zone, parts, shown) => {
  const offsets = parts.flatMap((part) => {
    const [name, offset] = part.split(':');
    return [`BEGIN:${name}`, `TZOFFSETTO:${offset}`, `END:${name}`];
  });
  const lines = ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...offsets, 'END:VTIMEZONE', 'BEGIN:VEVENT'];
  const text = calendar([...lines, `DTSTART;TZID=${zone}:20260314T100000`, 'END:VEVENT']);
  expect(read(text)).toBe(`## Event\n\n- **When:** 2026-03-14 10:00 ${shown}`);
});

const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n');

test.each<[string, string[], string]>([
  ['a name in parts', ['N:Carvalho;Inês;Maria;Dr.;jun.'], '## Dr. Inês Maria Carvalho jun.'],
  ['a name with an escaped semicolon', ['FN:Rope\\; Tar', 'N:x'], '## Rope; Tar'],
  [
    'a quoted-printable name in two lines',
    ['FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCr=', '=67en'],
    '## Jürgen',
  ],
  [
    'a quoted-printable name that is folded too',
    ['FN;ENCODING=QUOTED-PRINTABLE:J=C3=', ' =BCrgen'],
    '## Jürgen',
  ],
  ['an encoding without a name', ['FN;QUOTED-PRINTABLE;CHARSET=ISO-8859-1:J=FCrgen'], '## Jürgen'],
  [
    'sorts of a number',
    ['FN:A', 'TEL;CELL;VOICE:+1', 'TEL;TYPE=home;TYPE=fax:+2'],
    '## A\n\n- **Telephone:** +1 (cell), +2 (home, fax)',
  ],
  [
    'an own label',
    ['FN:A', 'item1.TEL;VALUE=uri:tel:+1', 'item1.X-ABLabel:_$!<Cabin>!$_'],
    '## A\n\n- **Telephone:** +1 (Cabin)',
  ],
  [
    'an address',
    ['FN:A', 'ADR:;;Quay 1\\, left;Kiel;;24103;'],
    '## A\n\n- **Address:** Quay 1, left, Kiel, 24103',
  ],
  ['a birthday without a year', ['FN:A', 'BDAY:--0412'], '## A\n\n- **Birthday:** April 12'],
  [
    'days of Apple, with and without a year',
    [
      'FN:A',
      'BDAY;X-APPLE-OMIT-YEAR=1604:1604-03-12',
      'item1.X-ABDATE;type=pref:2009-08-08',
      'item1.X-ABLabel:_$!<Anniversary>!$_',
      'item2.X-ABDATE;X-APPLE-OMIT-YEAR=1604:16040601',
      'item2.X-ABLabel:Launch',
    ],
    '## A\n\n- **Birthday:** March 12\n- **Date:** 2009-08-08 (Anniversary), June 1 (Launch)',
  ],
  [
    'relations and web addresses',
    [
      'FN:A',
      'item1.X-ABRELATEDNAMES:Kari',
      'item1.X-ABLabel:_$!<Spouse>!$_',
      'item2.URL:https\\://a.example',
      'item2.X-ABLabel:_$!<HomePage>!$_',
      'X-SOCIALPROFILE;type=chat:https://chat.example/a',
      'X-EVOLUTION-SPOUSE:Kim',
    ],
    '## A\n\n- **Related:** Kari (Spouse)\n- **Web address:** https://a.example (HomePage)\n- **Profile:** https://chat.example/a (chat)\n- **Spouse:** Kim',
  ],
  ['a birthday', ['FN:A', 'BDAY:19800412'], '## A\n\n- **Birthday:** 1980-04-12'],
  [
    'a note and a picture',
    ['FN:A', 'NOTE:one\\ntwo', 'PHOTO;ENCODING=b:AAAA', ' BBBB', 'REV:1'],
    '## A\n\none\ntwo',
  ],
])('%s in a contact card is read', (_name, lines, shown) => {
  expect(read(card('VERSION:3.0', ...lines))).toBe(shown);
});

test.each([
  ['text/vcard', 'https://x.example/a'],
  ['application/octet-stream', 'https://x.example/a.vcf'],
  ['', 'https://x.example/a'],
])('contact cards of the type %s at %s are recognized, each under its name', async (contentType, url) => {
  const raw = { url, contentType, body: Buffer.from(card('FN:One') + card('FN:Two')) };
  const kind = await detectPageKind(raw);
  expect(await readDocument(kind, raw)).toMatchObject({ markdown: '## One\n\n## Two' });
});

test('descriptions in HTML become Markdown', () => {
  expect(read(event('DESCRIPTION:<p>Bring <b>rope</b></p><ul><li>one</li></ul>'))).toBe(
    '## S\n\nBring **rope**\n\n- one',
  );
});

test.each([
  ['text/calendar; charset=utf-8', 'https://x.example/feed'],
  ['application/octet-stream', 'https://x.example/a.ics'],
  ['', 'invite'],
])('a calendar of the type %s at %s is recognized', async (contentType, url) => {
  const raw = { url, contentType, body: Buffer.from(event('LOCATION:Kai')) };
  expect((await readDocument(await detectPageKind(raw), raw)).markdown).toContain('**Where:** Kai');
});

test('any text of a description comes back whole, wherever its line is folded', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, unit: fc.constantFrom(...'ab ,;\\:"\nä日') }),
      fc.integer({ min: 1, max: 20 }),
      (text, width) => {
        const escaped = text.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n');
        const line = `DESCRIPTION:x${escaped}x`;
        const folded = line.match(new RegExp(`[^]{1,${width}}`, 'gu'))?.join('\r\n ') ?? '';
        const lines = `x${text}x`.split('\n').map((one) => one.trimEnd());
        expect(read(event(folded))).toBe(
          `## S\n\n${lines
            .join('\n')
            .replace(/\n{3,}/g, '\n\n')
            .trim()}`,
        );
      },
    ),
    { seed: 38, numRuns: 300 },
  );
});

test.each([
  [
    'a whole day that is written with a time',
    'DTSTART;VALUE=DATE:20260822T000000\nDTEND;VALUE=DATE:20260823T000000',
    '- **When:** 2026-08-22',
  ],
  ['a list that ends in a comma', 'EXDATE:20260101,20260102,', '- **Not on:** 2026-01-01, 2026-01-02'],
  [
    'the answer of a person without a name',
    'ATTENDEE;PARTSTAT=DECLINED:mailto:k@x.example',
    '- **Attendees:** k@x.example (declined)',
  ],
  [
    'a value in quoted-printable over several lines',
    'DESCRIPTION;ENCODING=QUOTED-PRINTABLE:Fr=C3=BChling=\n am See=0D=0Ab=3D1\\, c',
    'Frühling am See\nb=1\\, c',
  ],
  [
    'a value in quoted-printable with blanks after a soft line break',
    'DESCRIPTION;ENCODING=QUOTED-PRINTABLE:Fr=C3=BChling= \t\n am=20\\, See',
    'Frühling am \\, See',
  ],
  [
    'a quoted-printable value in Latin 1',
    'DESCRIPTION;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Fr=FChling',
    'Frühling',
  ],
  [
    'a quoted-printable value in Cyrillic',
    'DESCRIPTION;CHARSET=windows-1251;ENCODING=QUOTED-PRINTABLE:=CF=F0=E8=EF=EB=FB=E2',
    'Приплыв',
  ],
  [
    'a quoted-printable value with tag characters',
    `DESCRIPTION;ENCODING=QUOTED-PRINTABLE:Tide${[...Buffer.from('\u{e0041}\u{e0042}\u200b')].map((one) => `=${one.toString(16).toUpperCase()}`).join('')} mill`,
    'Tide mill',
  ],
  [
    'the alarm of icalendar 69',
    'BEGIN:VALARM\nTRIGGER:P1501W3DT7H28M16S\nEND:VALARM',
    '- **Reminder:** 1501 weeks 3 days 7 hours 28 minutes 16 seconds after',
  ],
  [
    'the alarm of khal 290',
    'BEGIN:VALARM\nTRIGGER:-PT0DT0H10M0S\nEND:VALARM',
    '- **Reminder:** 10 minutes before',
  ],
  [
    'the alarms of gocal 5, of which the first is none',
    'BEGIN:VALARM\nTRIGGER;VALUE=DATE-TIME:19760401T005545Z\nACTION:NONE\nEND:VALARM\nBEGIN:VALARM\nTRIGGER:-PT15M\nEND:VALARM',
    '- **Reminder:** 15 minutes before',
  ],
  [
    'the person of ical.js 1020',
    'ATTENDEE;MEMBER="mailto:a@b.c","mailto:d@e.f":mailto:x@y.z',
    '- **Attendees:** x@y.z',
  ],
  [
    'the time of libical 96',
    'DTSTART;TZID=America/Los_Angeles;X-MY-TZID-NAME=America/LA:20131115T123000',
    '- **When:** 2013-11-15 12:30 America/Los_Angeles',
  ],
  ['a time with its offset', 'DTSTART:20260314T100000+0100', '- **When:** 2026-03-14 10:00 UTC+0100'],
  ['a length without a beginning', 'DURATION:PT15M', '- **When:** for 15 minutes'],
  [
    'quotation marks in a name',
    "ATTENDEE;CN=^'Ada^' L:mailto:a@x.example",
    '- **Attendees:** "Ada" L (a@x.example)',
  ],
  [
    'a change of all later times',
    'RECURRENCE-ID;RANGE=THISANDFUTURE:20260314T100000Z',
    '- **In place of:** 2026-03-14 10:00 UTC and later',
  ],
  ['a rule for exceptions', 'EXRULE:FREQ=WEEKLY;BYDAY=MO', '- **Except:** every week on Monday'],
  [
    'the address of a call',
    'X-GOOGLE-CONFERENCE:https://meet.example/abc',
    '- **Conference:** https://meet.example/abc',
  ],
  ['several comments', 'COMMENT:One\nCOMMENT:Two', 'One\n\nTwo'],
  [
    'the name of an attached file',
    'ATTACH;ENCODING=BASE64;VALUE=BINARY;X-FILENAME=a.pdf:AAAA',
    '- **Attachments:** a.pdf',
  ],
  [
    'a description in HTML alone',
    'X-ALT-DESC;FMTTYPE=text/html:<p>Bring <b>honey</b></p>',
    'Bring **honey**',
  ],
])('%s is read', (_name, lines, expected) => {
  expect(read(event(lines))).toBe(`## S\n\n${expected}`);
});

test('a quoted-printable value in any number of lines is read in time that grows with its length', () => {
  const read = (lines: number) =>
    parseComponents(`DESCRIPTION;ENCODING=QUOTED-PRINTABLE:=\n${'a=\n'.repeat(lines)}x`).lines[0]?.value;
  expect(read(3)).toBe('aaax');
  const [short, long] = [40_000, 320_000].map((lines) => processorSeconds(() => read(lines)));
  expect(long ?? 0).toBeLessThan(20 * (short ?? 0) + 1);
});

test('a line that is folded within a character is read whole', async () => {
  const text = 'Zażółć gęślą 💪🏼 東京 ไทย';
  const whole = Buffer.from(event(`DESCRIPTION:${text}`));
  const first = whole.indexOf('DESCRIPTION:') + 'DESCRIPTION:'.length;
  for (const fold of ['\r\n ', '\n ', '\r\n\t']) {
    for (let at = first; at < first + Buffer.byteLength(text); at++) {
      const body = Buffer.concat([whole.subarray(0, at), Buffer.from(fold), whole.subarray(at)]);
      const raw = { url: 'https://x.example/a.ics', contentType: 'text/calendar', body };
      expect((await readDocument('calendar', raw)).markdown).toContain(text);
    }
  }
});

test('every name of a contact is given', () => {
  const card = 'BEGIN:VCARD\nVERSION:4.0\nFN;LANGUAGE=ja:山田 太郎\nFN;LANGUAGE=en:Taro Yamada\nEND:VCARD\n';
  expect(readCalendar(card, 'https://x.example/a.vcf').markdown).toBe(
    '## 山田 太郎\n\n- **Also named:** Taro Yamada',
  );
});
