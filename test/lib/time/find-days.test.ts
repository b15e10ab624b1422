import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDays, findDaysNear } from '../../../src/lib/time/written-date.ts';

const WRITTEN =
  '2026-03-14|on 2026-03-14T10:00Z|2026/3/14|2026.03.14|14.03.2026|14.3.2026.|3/14/2026|14/03/2026|14-03-2026|14 March 2026|' +
  '14th of March, 2026|Saturday, 14 March 2026|March 14, 2026|Mar. 14th, 2026|Mar 14 2026|14. März 2026|14 mars 2026|' +
  '14 de marzo de 2026|14 marzo 2026|14 de março de 2026|14 maart 2026|14 марта 2026 года|14 marca 2026|14 Μαρτίου 2026|2026年3月14日|２０２６年３月１４日';

test.each(WRITTEN.split('|'))('%s is a day', (text) => {
  expect(findDays(`Ben came (${text}) to the pier.`)).toEqual(['2026-03-14']);
});

test.each(['14 March', '31.02.2026', '14 boats 2026', '2026', '12026-03-14', '2026-13-14', ''])(
  '%s is no day',
  (text) => {
    expect(findDays(text)).toEqual([]);
  },
);

test.each(['1º de março de 2026', '1.º de março de 2026', '1ª de março de 2026', '1° marzo 2026'])(
  '%s is the first of March',
  (text) => {
    expect(findDays(`Aberto em ${text}`)).toEqual(['2026-03-01']);
  },
);

const RANGES = [
  '2026-03-14/2026-03-18',
  '2026-03-14-2026-03-18',
  '2026-03-14T10:00Z/2026-03-18T10:00Z',
].concat(
  ['14/03/2026-18/03/2026', '14-03-2026-18-03-2026', '03/14/2026-03/18/2026', '14.03.2026-18.03.2026'],
  ['2026/03/14-2026/03/18', 'notes/2026-03-14/2026-03-18.md', '2026-03-14-2026-03-18-2026-03-14'],
);
test.each(RANGES)('%s names both days', (text) => {
  expect(findDays(`The crane is here ${text}.`)).toEqual(['2026-03-14', '2026-03-18']);
});

test('a date that is read in two ways is two days', () => {
  expect(findDays('3/4/2026').sort()).toEqual(['2026-03-04', '2026-04-03']);
});

test.each([
  ['令和8年3月14日', '2026-03-14'],
  ['١٤ مارس ٢٠٢٦', '2026-03-14'],
  ['2026. március 14.', '2026-03-14'],
  ['14 mai 2026', '2026-05-14'],
  ['2018 m. sausio 18 d.', '2018-01-18'],
])('%s is a day of a page and of a note alike', (text, day) => {
  expect(findDays(`(${text})`)).toEqual([day]);
});

test('days of a long text are read at its end too, up to fifty', () => {
  const days = Array.from({ length: 60 }, (_, at) =>
    new Date(Date.UTC(2026, 0, at + 1)).toISOString().slice(0, 10),
  );
  expect(findDays(`${'The tide is high. '.repeat(1000)}On ${days.join(' and ')}`)).toEqual(days.slice(0, 50));
});

test('every day is found as Intl writes it in several languages', () => {
  const languages = fc.constantFrom(
    'en-US',
    'en-GB',
    'de',
    'fr',
    'es',
    'it',
    'pt',
    'nl',
    'sv',
    'da',
    'pl',
    'ru',
  );
  const days = fc.date({ min: new Date('1600-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
  const styles = fc.constantFrom('long' as const, 'full' as const);
  fc.assert(
    fc.property(days, languages, styles, (date, language, dateStyle) => {
      const written = date.toLocaleDateString(language, { dateStyle, timeZone: 'UTC' });
      expect([written, findDays(written)]).toEqual([written, [date.toISOString().slice(0, 10)]]);
    }),
    { seed: 38 },
  );
});

/** Languages in which a question is asked, with the words around its day. */
const ASKED: readonly (readonly [string, string])[] = [
  ['en-US', 'What did I do on #?'],
  ['en-GB', 'What did I do on #?'],
  ['de', 'Was habe ich am # gemacht?'],
  ['fr', "qu'ai-je fait le # ?"],
  ['es', '¿Qué hice el #?'],
  ['it', 'Cosa ho fatto il #?'],
  ['pt', 'O que fiz no dia #?'],
  ['nl', 'Wat deed ik op #?'],
  ['pl', 'Co robiłem #?'],
  ['ru', 'Что я делал #?'],
  ['ja', '#に何をした'],
  ['zh', '#我做了什么'],
];

test.each(ASKED)('%s: a day without a year is its last and its next one', (language, question) => {
  const format = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 364 }), (after) => {
      const day = new Date(Date.UTC(2026, 0, 1 + after));
      const [iso, beginning] = [day.toISOString().slice(0, 10), '2026-06-30'];
      const other = `${iso <= beginning ? 2027 : 2025}${iso.slice(4)}`;
      expect(findDaysNear(question.replace('#', format.format(day)), beginning)).toEqual([iso, other]);
    }),
    { numRuns: 40 },
  );
});

test.each([
  ['on 18 October 2025', ['2025-10-18']],
  ['order 18 of the 12 chairs', []],
  ['room 18', []],
])('%s: a day with a year is only that day, and other numbers are no days', (question, days) => {
  expect(findDaysNear(question, '2026-12-01')).toEqual(days);
});
