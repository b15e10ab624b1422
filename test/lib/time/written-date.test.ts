import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDates, parseInstant, toIsoDate } from '../../../src/lib/time/written-date.ts';

const DAY_MS = 24 * 3_600_000;

const DATES: readonly (readonly [text: string, language: string | undefined, iso: string | undefined])[] = [
  ['2026-11-02T10:00:00.123Z', undefined, '2026-11-02T10:00:00Z'],
  ['20261102', undefined, '2026-11-02'],
  ['November 2nd, 2026', undefined, '2026-11-02'],
  ['Mon, 02 Nov 2026 10:00:00 GMT', undefined, '2026-11-02'],
  ['2026/1/2 10:00', undefined, '2026-01-02'],
  ['2026-11-02 10:00:00 +0100', undefined, '2026-11-02T10:00:00+01:00'],
  ['2026-11-02T10:00+01', undefined, '2026-11-02T10:00+01:00'],
  ['2026-11-02T10:00:00z', undefined, '2026-11-02T10:00:00Z'],
  ['2026-11-02T25:00:00Z', undefined, '2026-11-02'],
  ['2.11.2026', undefined, '2026-11-02'],
  ['2026-11', undefined, '2026-11'],
  ['2026', undefined, '2026'],
  ['Mon, 02 Nov 2026 23:30:00 -0800', undefined, '2026-11-02'],
  ['2 November 2026 01:00 PST', undefined, '2026-11-02'],
  ['2026-02-30', undefined, undefined],
  ['2026-13-01', undefined, undefined],
  ['2026-00-10', undefined, undefined],
  ['31.13.2026', undefined, undefined],
  ['0001-01-01T00:00:00Z', undefined, undefined],
  ['yesterday', undefined, undefined],
  ['November 2, 2026 10:00 pm', undefined, '2026-11-02'],
  ['Mon, 07/10/2023 - 17:57', 'en', '2023-07-10'],
  ['Saturday 07/10/2023', 'en', '2023-10-07'],
  ['Sat, 07/10/2023', 'en-US', '2023-10-07'],
  ['Tue 07/10/2023', 'en', undefined],
  ['Sat 03/14/26 9:30 AM', 'en-US', '2026-03-14'],
  ['Le 14/3/26', 'fr', '2026-03-14'],
  ['The ratio is 14/3/26', 'fr', undefined],
  ['In the fourteenth round it was 14/3/26', 'fr', undefined],
  ['২০২৬-০৩-১৪', 'bn', '2026-03-14'],
  ['१४ मार्च २०२६', 'hi', '2026-03-14'],
  ['14.3.2026.', 'hr', '2026-03-14'],
  ['1.2.2026.5', undefined, undefined],
  ['1773480600', undefined, '2026-03-14T09:30:00Z'],
  ['1773480600000', undefined, '2026-03-14T09:30:00Z'],
  ['17734806001', undefined, undefined],
  ['Published 03/04/2026', 'en-GB', '2026-04-03'],
  ['03/04/2026', 'en-US', '2026-03-04'],
  ['03/04/2026', 'en', undefined],
  ['13/04/2026', 'en', '2026-04-13'],
  ['04/13/2026', 'en-GB', '2026-04-13'],
  ['03/04/2026', 'fr', '2026-04-03'],
  ['3-4-2026', 'nl', '2026-04-03'],
  ['14. März 2026, 09:30 Uhr', 'de', '2026-03-14'],
  ['14. März 2026', 'en', '2026-03-14'],
  ['14. Mrz. 2026', 'de', '2026-03-14'],
  ['14.03.26', 'de', '2026-03-14'],
  ['Samstag, 14.03.2026, 9.30 Uhr', 'de', '2026-03-14'],
  ['1er mars 2026', 'fr', '2026-03-01'],
  ['le 14 févr. 2026 à 9h30', 'fr', '2026-02-14'],
  ['14 août 2026', 'fr', '2026-08-14'],
  ['14 de marzo de 2026', 'es', '2026-03-14'],
  ['marzo 14, 2026', 'es', '2026-03-14'],
  ['14 de marzo del 2026', 'es', '2026-03-14'],
  ['za 14 mrt. 2026', 'nl', '2026-03-14'],
  ['14 maart 2026 om 09.30', 'nl', '2026-03-14'],
  ['14 марта 2026 г. в 09:30', 'ru', '2026-03-14'],
  ['14 мар 2026', 'ru', '2026-03-14'],
  ['14 мая 2026', 'ru', '2026-05-14'],
  ['2026年3月14日（土）9時30分', 'ja', '2026-03-14'],
  ['令和8年3月14日', 'ja', '2026-03-14'],
  ['二〇二六年三月十四日', 'zh', '2026-03-14'],
  ['2026年03月14日 09:30', 'zh', '2026-03-14'],
  ['2026. 3. 14.', 'ko', '2026-03-14'],
  ['2026년 3월 14일 오전 9:30', 'ko', '2026-03-14'],
  ['14 มีนาคม 2569', 'th', '2026-03-14'],
  ['2026. március 14.', 'hu', '2026-03-14'],
  ['14 Mart 2026', 'tr', '2026-03-14'],
  ['14 d’abril de 2026', 'ca', '2026-04-14'],
  ['١٧ نوفمبر ٢٠٢٥', 'ar', '2025-11-17'],
  ['the 14th of March, 2026', 'en', '2026-03-14'],
  ['Sept. 14, 2026', 'en', '2026-09-14'],
  ['14-Mar-2026', 'en', '2026-03-14'],
  ['March 2026', 'en', '2026-03'],
  ['2026年3月', 'ja', '2026-03'],
  ['Sun Nov  6 08:49:37 1994', undefined, '1994-11-06'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', undefined, '1994-11-06'],
  ['Sat Mar 14 2026 10:00:00 GMT+0100 (CET)', undefined, '2026-03-14'],
  ['version 1.2.2026.4', undefined, undefined],
  ['192.168.10.2026', undefined, undefined],
  ['call 555-12-2026', undefined, undefined],
  ['Chapter 12 of 2026', undefined, undefined],
  ['3 of 14 2026', undefined, undefined],
  ['12 people 2026', undefined, undefined],
  ['2026/27', undefined, undefined],
  ['page 10/12/14', 'en-GB', undefined],
  ['ngày 14 tháng 3 năm 2026', 'vi', '2026-03-14'],
  ['14 सितंबर 2026', 'hi', '2026-09-14'],
  ['14 Σεπτεμβρίου 2026', 'el', '2026-09-14'],
  ['14 września 2026', 'pl', '2026-09-14'],
  ['14.3.2026 klo 9.30', 'fi', '2026-03-14'],
  ['Mar 14, 2026 9:30 AM ET', 'en', '2026-03-14'],
  ['Posted on March 14, 2026 by Aaron', 'en', '2026-03-14'],
  ['14 March, 2026', 'en', '2026-03-14'],
  ['March 14th, 2026', 'en', '2026-03-14'],
  ['2026-3-4', undefined, '2026-03-04'],
  ['20260314T093000Z', undefined, '2026-03-14'],
  ['14/Mar/2026:09:30:00', undefined, '2026-03-14'],
  ['14 Мart 2026', 'x', undefined],
  ['24/03/05', 'ja', '2024-03-05'],
  ['24-03-05 09:30', 'zh-CN', '2024-03-05'],
  ['24.03.05', 'ko', '2024-03-05'],
  ['5/3/24', 'hu', undefined],
  ['24/03/05', 'fr', '2005-03-24'],
  ['29 กุมภาพันธ์ 2567', 'th', '2024-02-29'],
  ['30 กุมภาพันธ์ 2567', 'th', undefined],
  ['มีนาคม 2567', 'th', '2024-03'],
  ['2567', 'th', '2024'],
];

test.each(DATES)('%j in %s is read as %j', (text, language, iso) => {
  expect(toIsoDate(text, language)).toBe(iso);
});

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ['Tue, 05 Mar 24 10:00:00 GMT', '2024-03-05T10:00:00.000Z'],
  ['5 Mar 24 9:00 EST', '2024-03-05T14:00:00.000Z'],
  ['Tue Mar 05 10:00:00 +0000 2024', '2024-03-05T10:00:00.000Z'],
  ['Tue Mar 05 10:00:00 -0830 2024', '2024-03-05T18:30:00.000Z'],
  ['Tue Mar 05 10:00:00 EST 2024', '2024-03-05T15:00:00.000Z'],
  ['2024-03-05 10:00 GMT+2', '2024-03-05T08:00:00.000Z'],
  ['March 5, 2024 10:00 UTC+1', '2024-03-05T09:00:00.000Z'],
  ['March 5, 2024 10:00 GMT+5:30', '2024-03-05T04:30:00.000Z'],
  ['March 5, 2024 10:00 GMT-0330', '2024-03-05T13:30:00.000Z'],
  ['March 5, 2024 10:00 GMT + 11', '2024-03-05T10:00:00.000Z'],
  ['March 5, 2024 10:00 - 5 comments', '2024-03-05T10:00:00.000Z'],
  ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
  ['2026-03-14T09:30:00.250+01:00', '2026-03-14T08:30:00.250Z'],
  ['March 5, 2026, 3:20 PM', '2026-03-05T15:20:00.000Z'],
  ['Wed, 9 Nov 2026 23:12 EST', '2026-11-10T04:12:00.000Z'],
  ['2026年3月14日 下午3时20分', '2026-03-14T15:20:00.000Z'],
  ['0', undefined],
  ['-1', undefined],
  ['Chapter 7', undefined],
])('the time %j is %j', (text, iso) => {
  const time = parseInstant(text);
  expect(time === undefined ? undefined : new Date(time).toISOString()).toBe(iso);
});

test('a day that a browser writes in a language is the day that is read in it', () => {
  const languages = 'en-US en-GB de fr es it pt nl ru sv da pl cs tr uk ja zh ko hu el fi ca'.split(' ');
  const day = fc.date({ min: new Date('1995-01-01'), max: new Date('2030-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(
      day,
      fc.constantFrom(...languages),
      fc.constantFrom('long', 'medium', 'full'),
      (date, language, dateStyle) => {
        const text = new Intl.DateTimeFormat(language, {
          dateStyle: dateStyle as 'long',
          timeZone: 'UTC',
        }).format(date);
        expect(toIsoDate(`X: ${text}`, language), text).toBe(date.toISOString().slice(0, 10));
      },
    ),
    { seed: 38, numRuns: 1500 },
  );
});

test('a time that a program writes in a language is read to the second', () => {
  const languages =
    'en-US en-GB de fr es pt-BR it nl sv da nb fi pl cs sk ru uk tr ro el hu ko ja zh-TW lt he ar hi id';
  const second = fc.integer({ min: Date.UTC(2000, 0, 1) / 1000, max: Date.UTC(2038, 0, 1) / 1000 });
  fc.assert(
    fc.property(fc.constantFrom(...languages.split(' ')), second, (language, seconds) => {
      const options = { dateStyle: 'full', timeStyle: 'long', timeZone: 'UTC' } as const;
      const text = new Intl.DateTimeFormat(language, options).format(seconds * 1000);
      expect(parseInstant(text, language), `${language}: ${text}`).toBe(seconds * 1000);
    }),
    { seed: 38, numRuns: 600 },
  );
});

test('any text is read without failure, and only as days that exist', () => {
  const piece = fc.constantFrom(
    '14',
    '3',
    '2026',
    '.',
    '/',
    '-',
    ' ',
    ':',
    'März',
    'May',
    '年',
    '月',
    '日',
    'T',
    'Z',
    '+01',
    '十',
    '令和',
    '99',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.constantFrom('de', 'en', 'en-US', undefined),
      (pieces, language) => {
        for (const { year, month = 1, day = 1 } of findDates(pieces.join(''), language)) {
          const date = new Date(Date.UTC(year, month - 1, day));
          expect([date.getUTCMonth() + 1, date.getUTCDate()]).toEqual([month, day]);
        }
      },
    ),
    { seed: 38, numRuns: 2000 },
  );
});

test.each([
  ['persian', 'fa', 1304, 1479],
  ['islamic-umalqura', 'ar', 1356, 1498],
])('a day of the calendar %s is the day that it names', (calendar, language, first, last) => {
  const format = (month: 'long' | 'numeric', locale: string) =>
    new Intl.DateTimeFormat(locale, { calendar, year: 'numeric', month, day: 'numeric', timeZone: 'UTC' });
  const [names, numbers] = [format('long', language), format('numeric', 'en')];
  const day = fc.integer({ min: Date.UTC(1940, 0, 1) / DAY_MS, max: Date.UTC(2070, 0, 1) / DAY_MS });
  fc.assert(
    fc.property(day, (days) => {
      const date = new Date(days * DAY_MS);
      const parts = (one: Intl.DateTimeFormat) =>
        new Map(one.formatToParts(date).map(({ type, value }) => [type as string, value]));
      const [named, counted] = [parts(names), parts(numbers)];
      const year = Number(counted.get('year'));
      expect(year >= first && year <= last).toBe(true);
      const words = ['day', 'month', 'year'].map((one) => named.get(one)).join(' ');
      const plain = ['year', 'month', 'day'].map((one) => counted.get(one)).join('/');
      for (const text of [words, plain])
        expect(toIsoDate(text, language)).toBe(date.toISOString().slice(0, 10));
    }),
    { seed: 38, numRuns: 300 },
  );
});
