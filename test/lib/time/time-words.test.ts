import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { findNamedTime, readTimeWord, timeAskedFor, timeSpanOf } from '../../../src/lib/time/time-words.ts';
import SPANS from './spans.json' with { type: 'json' };

/** A Sunday. */
const NOW = Date.parse('2026-11-22T11:00:00Z');
const iso = (span: ReturnType<typeof timeSpanOf>) =>
  span && [span.since, span.until].map((at) => new Date(at).toISOString().slice(0, 10));

test.each([
  ['today', '2026-11-22', '2026-11-23'],
  ['Yesterday', '2026-11-21', '2026-11-22'],
  ['the day before yesterday', '2026-11-20', '2026-11-21'],
  ['last week', '2026-11-09', '2026-11-16'],
  ['this week', '2026-11-16', '2026-11-23'],
  ['last month', '2026-10-01', '2026-11-01'],
  ['this year', '2026-01-01', '2027-01-01'],
  ['last 3 days', '2026-11-19', '2026-11-22'],
  ['past two weeks', '2026-11-08', '2026-11-22'],
  ['last 2 months', '2026-09-01', '2026-11-22'],
  ['3 days ago', '2026-11-19', '2026-11-20'],
  ['twelve days ago', '2026-11-10', '2026-11-11'],
  ['vor elf Tagen', '2026-11-11', '2026-11-12'],
  ['a week ago', '2026-11-09', '2026-11-16'],
  ['two years ago', '2024-01-01', '2025-01-01'],
  ['since Monday', '2026-11-16', '2026-11-17'],
  ['on Sunday', '2026-11-15', '2026-11-16'],
  ['last Friday', '2026-11-20', '2026-11-21'],
  ['in March', '2026-03-01', '2026-04-01'],
  ['december', '2025-12-01', '2026-01-01'],
  ['November', '2026-11-01', '2026-12-01'],
  ['last November', '2025-11-01', '2025-12-01'],
  ['March 2025', '2025-03-01', '2025-04-01'],
  ['in 2024', '2024-01-01', '2025-01-01'],
  ['gestern', '2026-11-21', '2026-11-22'],
  ['letzte Woche', '2026-11-09', '2026-11-16'],
  ['seit Montag', '2026-11-16', '2026-11-17'],
  ['im März', '2026-03-01', '2026-04-01'],
  ['vor drei Tagen', '2026-11-19', '2026-11-20'],
  ['vorgestern', '2026-11-20', '2026-11-21'],
  ['week 46', '2026-11-09', '2026-11-16'],
  ['in KW 46 2026', '2026-11-09', '2026-11-16'],
  ['KW 1 2025', '2024-12-30', '2025-01-06'],
  ['week 50', '2025-12-08', '2025-12-15'],
  ['semaine 46', '2026-11-09', '2026-11-16'],
  ['la semana 46 de 2026', '2026-11-09', '2026-11-16'],
  ['settimana 46', '2026-11-09', '2026-11-16'],
  ['uge 46', '2026-11-09', '2026-11-16'],
  ['vecka 46', '2026-11-09', '2026-11-16'],
])('%s means the period from %s to %s', (text, since, until) => {
  expect(iso(timeSpanOf(text, NOW))).toEqual([since, until]);
});

test.each([
  '',
  'the',
  'soon',
  'week',
  'last',
  'last last week',
  '0 days ago',
  '5000 days ago',
  'last 2024',
  'x y z',
])('%j does not mean a time', (text) => {
  expect(timeSpanOf(text, NOW)).toBeUndefined();
});

test.each([
  ['What did I note last week about the car?', '2026-11-09'],
  ['what have I saved since Monday', '2026-11-16'],
  ['What did I tell you yesterday?', '2026-11-21'],
  ['Was habe ich letzte Woche über den Garten notiert?', '2026-11-09'],
  ['What did I note yesterday about last week?', '2026-11-21'],
  ['notes I wrote in March 2025 on roofs', '2025-03-01'],
  // What a person did then was also noted then.
  ['Which bill did I pay last month?', '2026-10-01'],
  ['What did I eat yesterday?', '2026-11-21'],
  ['Welche Rechnung habe ich letzten Monat bezahlt?', '2026-10-01'],
  ['Quelle facture ai-je payée le mois dernier ?', '2026-10-01'],
  ['¿Qué factura pagué el mes pasado?', '2026-10-01'],
  ['Quale bolletta ho pagato il mese scorso?', '2026-10-01'],
  ['Que conta eu paguei no mês passado?', '2026-10-01'],
  ['Welke rekening heb ik vorige maand betaald?', '2026-10-01'],
  ['Jaki rachunek zapłaciłem w zeszłym miesiącu?', '2026-10-01'],
  ['Какой счёт я оплатил в прошлом месяце?', '2026-10-01'],
  ['先月どの請求書を払いましたか？', '2026-10-01'],
  ['我上个月付了哪张账单？', '2026-10-01'],
  // The name of a day is its date.
  ["What did I write down on New Year's Eve?", '2025-12-31'],
  ['Was habe ich an Heiligabend notiert?', '2025-12-24'],
])('%s asks for entries saved from %s on', (question, since) => {
  expect(iso(timeAskedFor(question, NOW))?.[0]).toBe(since);
});

test.each([
  // Nothing says that it was noted then.
  'Where was I last week?',
  'When is the meeting on Monday?',
  'What did Ana do last week?',
  'Do I have yoga on Sunday?',
  // A word that means something else.
  'What did she say, may I come?',
  'What did I note about the march on Rome?',
  // A number that may be anything.
  'What did I note about 2024?',
  // Two times.
  'What did I note yesterday and last week?',
  // The time may be the subject's.
  'What did I note about the meeting on Monday?',
  'What did I note about magpies?',
  'note '.repeat(100),
])('%s asks for no time', (question) => {
  expect(timeAskedFor(question, NOW)).toBeUndefined();
});

test('a long text is read in bounded steps', () => {
  expect(timeAskedFor(`note ${'last '.repeat(100_000)}`, NOW)).toBeUndefined();
});

test.each([
  ['last weekend', '2026-11-14', '2026-11-16'],
  ['on 2026-11-20', '2026-11-20', '2026-11-21'],
  ['between 1 and 5 November', '2026-11-01', '2026-11-06'],
  ['vom 1. bis 5. November', '2026-11-01', '2026-11-06'],
  ['from 28 to 30 December', '2025-12-28', '2025-12-31'],
  ['November 20', '2026-11-20', '2026-11-21'],
  ['le 3 mars', '2026-03-03', '2026-03-04'],
  ['5 March 2025', '2025-03-05', '2025-03-06'],
  ['letztes Wochenende', '2026-11-14', '2026-11-16'],
  ['le week-end dernier', '2026-11-14', '2026-11-16'],
  ['avant-hier', '2026-11-20', '2026-11-21'],
  ['la semaine dernière', '2026-11-09', '2026-11-16'],
  ['il y a 3 jours', '2026-11-19', '2026-11-20'],
  ['el fin de semana pasado', '2026-11-14', '2026-11-16'],
  ['hace dos semanas', '2026-11-02', '2026-11-09'],
  ['octubre de 2025', '2025-10-01', '2025-11-01'],
  ["l'altro ieri", '2026-11-20', '2026-11-21'],
  ['la settimana scorsa', '2026-11-09', '2026-11-16'],
  ['no mês passado', '2026-10-01', '2026-11-01'],
  ['anteontem', '2026-11-20', '2026-11-21'],
  ['eergisteren', '2026-11-20', '2026-11-21'],
  ['afgelopen vrijdag', '2026-11-20', '2026-11-21'],
  ['w zeszłym tygodniu', '2026-11-09', '2026-11-16'],
  ['5 dni temu', '2026-11-17', '2026-11-18'],
  ['в октябре', '2026-10-01', '2026-11-01'],
  ['2 недели назад', '2026-11-02', '2026-11-09'],
  ['一昨日', '2026-11-20', '2026-11-21'],
  ['先週', '2026-11-09', '2026-11-16'],
  ['上个月', '2026-10-01', '2026-11-01'],
  ['3天前', '2026-11-19', '2026-11-20'],
])('%s means the period from %s to %s in its language', (text, since, until) => {
  expect(iso(timeSpanOf(text, NOW))).toEqual([since, until]);
});

const SPAN_CASES = Object.entries(SPANS).flatMap(([language, spans]) =>
  Object.entries(spans).map(([span, texts]) => [language, span, texts] as const),
);
test.each(SPAN_CASES)('%s: times with demonstratives and prepositions mean %s', (_, span, texts) => {
  const meant = iso(timeSpanOf(span, NOW));
  expect(Object.fromEntries(texts.map((text) => [text, iso(timeSpanOf(text, NOW))]))).toEqual(
    Object.fromEntries(texts.map((text) => [text, meant])),
  );
});

test.each([
  ['What did I note in the third quarter of 2025?', '2025-07-01', '2025-10-01'],
  ['Was habe ich im dritten Quartal 2025 notiert?', '2025-07-01', '2025-10-01'],
  ['Was habe ich in Q3 2025 notiert?', '2025-07-01', '2025-10-01'],
  ["Qu'ai-je noté au deuxième trimestre ?", '2026-04-01', '2026-07-01'],
  ['Co zapisałem w trzecim kwartale 2025?', '2025-07-01', '2025-10-01'],
  ['Что я записал в первом квартале?', '2026-01-01', '2026-04-01'],
  ['¿Qué anoté en el cuarto trimestre de 2024?', '2024-10-01', '2025-01-01'],
  ['我在2025年第三季度记了什么', '2025-07-01', '2025-10-01'],
  ['What did I save last quarter?', '2026-07-01', '2026-10-01'],
  ['Vad antecknade jag förra kvartalet?', '2026-07-01', '2026-10-01'],
])('%s asks for a quarter of a year', (question, since, until) => {
  expect(iso(timeAskedFor(question, NOW))).toEqual([since, until]);
});

test.each([
  ['What did I note over the past three days?', 'last three days', true],
  ['Was habe ich in den letzten drei Tagen über den Garten notiert?', 'last three days', false],
  ['Was habe ich im Laufe dieser Woche gespeichert?', 'this week', true],
  ["Qu'ai-je noté au cours des trois derniers jours ?", 'last three days', true],
  ['¿Qué anoté esta semana?', 'this week', true],
  ['Cosa ho scritto negli ultimi tre giorni?', 'last three days', true],
  ['O que eu anotei nesta semana?', 'this week', true],
  ['Wat heb ik in de afgelopen drie dagen genoteerd over de tuin?', 'last three days', false],
  ['Vad har jag antecknat denna vecka?', 'this week', true],
  ['Vad skrev jag de senaste tre dagarna om båten?', 'last three days', false],
  ['Hvad har jeg noteret denne uge?', 'this week', true],
  ['Hva har jeg notert de siste tre dagene?', 'last three days', true],
  ['Co zapisałam w ciągu ostatnich trzech dni o rowerze?', 'last three days', false],
  ['Что я записал на этой неделе?', 'this week', true],
  ['今週何をメモしましたか', 'this week', true],
  ['过去三天我记了什么', 'last three days', true],
  ['過去三天我記了什麼', 'last three days', true],
])('%s asks for entries of the %s', (question, span, isWholeQuestion) => {
  expect(timeAskedFor(question, NOW)).toEqual({ ...timeSpanOf(span, NOW), isWholeQuestion });
});

test.each([
  'What did I note that lasts for three days?',
  'What did I note about this week?',
  'What did I note in two weeks?',
  'What did I save over there?',
  "Qu'ai-je noté pour dans trois jours ?",
  'Vad skrev jag om denna vecka?',
  'Vad har jag antecknat inför nästa vecka?',
  'Co zapisałem na przyszły tydzień?',
  'Wat heb ik voor deze drie klanten genoteerd?',
])('%s asks for no earlier time', (question) => {
  expect(timeAskedFor(question, NOW)).toBeUndefined();
});

test.each(['fire', 'sex', 'to'])('the word %s of a language of the north is no number elsewhere', (word) => {
  expect(readTimeWord(word)).toBeUndefined();
});

test.each([
  '¿Qué apunté entre el 3 y el 7 de noviembre de 2026?',
  'What did I note from November 3 to November 7, 2026?',
  'What did I note between 3 and 7 November 2026?',
  'What did I note between 2026-11-03 and 2026-11-07?',
  'Was habe ich vom 3. bis zum 7. November notiert?',
  'Was habe ich zwischen dem 3. November und dem 7. November 2026 notiert?',
  'Qu’ai-je noté entre le 3 et le 7 novembre 2026 ?',
  'Cosa ho scritto dal 3 al 7 novembre 2026?',
  'O que anotei de 3 a 7 de novembro de 2026?',
  'Wat heb ik genoteerd tussen 3 en 7 november?',
  'Что я записал с 3 по 7 ноября?',
  'Co zapisałem między 3 a 7 listopada 2026?',
])('%s asks for all of five days', (question) => {
  const asked = timeAskedFor(question, Date.parse('2026-11-30T12:00:00Z'));
  expect([iso(asked), asked?.isWholeQuestion]).toEqual([['2026-11-03', '2026-11-08'], true]);
});

test('days of two months are a range, whose year may follow the last day alone', () => {
  const ask = (question: string) => iso(timeAskedFor(question, Date.parse('2026-11-30T12:00:00Z')));
  expect(ask('What did I note between 28 October and 3 November 2025?')).toEqual([
    '2025-10-28',
    '2025-11-04',
  ]);
  expect(ask('What did I note from 30 December to 2 January 2026?')).toEqual(['2025-12-30', '2026-01-03']);
});

test.each(['between 5 and 1 November', 'between 0 and 40 May', '1 2 3 November', 'last 5 November weekend'])(
  '%j is no period',
  (text) => {
    expect(timeSpanOf(text, NOW)).toBeUndefined();
  },
);

test.each([
  ['What did I write down yesterday?', true],
  ['Show me everything I noted last week', true],
  ['Was habe ich vorgestern notiert?', true],
  ["Qu'ai-je noté hier ?", true],
  ['¿Qué anoté la semana pasada?', true],
  ['Cosa ho scritto ieri?', true],
  ['O que eu anotei ontem?', true],
  ['Wat heb ik gisteren genoteerd?', true],
  ['Co zapisałem wczoraj?', true],
  ['Что я записал вчера?', true],
  ['昨日何を書きましたか', true],
  ['我昨天记了什么', true],
  ['Which wine did I note yesterday?', false],
  ['What did I note yesterday about the car?', false],
])('%s asks for all entries of a time: %s', (question, isWhole) => {
  expect(timeAskedFor(question, NOW)?.isWholeQuestion).toBe(isWhole);
});

test('days begin at midnight of the time zone of the machine', () => {
  const code =
    "import { localDay, timeSpanOf } from './src/lib/time/time-words.ts';" +
    "const { since, until } = timeSpanOf('yesterday', Date.parse('2026-11-22T20:00:00Z'));" +
    'console.log(new Date(since).toISOString(), new Date(until).toISOString(), localDay(since));';
  const args = ['--input-type=module', '--eval', code];
  const printed = execFileSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'Asia/Tokyo' },
  });
  expect(printed.trim()).toBe('2026-11-21T15:00:00.000Z 2026-11-22T15:00:00.000Z 2026-11-22');
});

test.each([
  ['what have I saved since Monday', '2026-11-16', '2026-11-22'],
  ['Was habe ich seit Januar notiert?', '2026-01-01', '2026-11-22'],
  ["Qu'ai-je noté depuis lundi ?", '2026-11-16', '2026-11-22'],
  ['What did I note before October?', '1970-01-01', '2026-10-01'],
  ['What did I note after Wednesday?', '2026-11-19', '2026-11-22'],
  ['What did I save over the last week?', '2026-11-09', '2026-11-16'],
  ['What did I save in the last ten days?', '2026-11-12', '2026-11-22'],
  ['What did I write on Monday last week?', '2026-11-09', '2026-11-10'],
  ['What did I note on the 2nd of March?', '2026-03-02', '2026-03-03'],
  ['What did I note in May?', '2026-05-01', '2026-06-01'],
])('%s asks for entries from %s to %s', (question, since, until) => {
  expect(iso(timeAskedFor(question, NOW))).toEqual([since, until]);
});

test.each([
  // A word that is a time in another language.
  'Was habe ich hier notiert?',
  'Wat heb ik hier genoteerd?',
  'What have I written on Mars?',
  'What did Julio tell me?',
  'What did Domingo say?',
  'Wat kost dit jaar de verzekering?',
  // Verbs and names that are months too.
  'What did I note that I may need for the trip?',
  'What did you say we may eat?',
  'What did June tell me?',
  'What did I save for the 2025 budget?',
  'What did I note in the first week of March?',
  'What did I note on 31 February?',
  'When did I buy the Audi Q3?',
  'What did I note in the first quarter of the game?',
  'What did I write on quarter 2 of the book?',
  // A time to come.
  'What did I note for tomorrow and Friday?',
  'What did I write that is due next Friday?',
  // A word for storing that is a noun.
  'What was the record last year?',
])('%s asks for no time that is certain', (question) => {
  expect(timeAskedFor(question, NOW)).toBeUndefined();
});

test.each([
  'What did Al tell yesterday?',
  'What did I put in the list and note on Monday?',
  'What was said last week?',
])('%s does not ask for all entries of a time', (question) => {
  expect(timeAskedFor(question, NOW)?.isWholeQuestion).toBe(false);
});

test.each([
  ['What did I pay for the car in October?', 'October'],
  ['Qu’est-ce que j’ai payé en octobre ?', 'October'],
  ['What did I save last month?', 'last month'],
])('%s is about a time, whether or not the notes were written then', (question, span) => {
  expect(findNamedTime(question, NOW)?.span).toEqual(timeSpanOf(span, NOW));
});

test.each([
  'Qu’est-ce que j’ai noté avant-hier ?',
  'Was habe ich vorgestern notiert?',
  '¿Qué anoté antes de ayer?',
  '¿Qué anoté anteayer?',
  'Cosa ho scritto l’altro ieri?',
  'Cosa ho annotato l’altroieri?',
  'O que anotei anteontem?',
  'Wat heb ik eergisteren genoteerd?',
  'Co zapisałem przedwczoraj?',
  'Что я записал позавчера?',
])('%s asks for the day before yesterday and not for all before it', (question) => {
  expect(iso(timeAskedFor(question, NOW))).toEqual(iso(timeAskedFor('What did I note two days ago?', NOW)));
});
test.each([
  ['Qu’est-ce que j’ai noté avant lundi ?', 'What did I note before Monday?'],
  ['¿Qué anoté antes de ayer por la tarde?', 'What did I note the day before yesterday?'],
])('%s asks for the same as %s', (question, english) => {
  expect(iso(timeAskedFor(question, NOW))).toEqual(iso(timeAskedFor(english, NOW)));
});

test.each([
  'Qu’est-ce que j’ai noté depuis avant-hier ?',
  '¿Qué anoté desde antes de ayer?',
  '¿Qué anoté desde anteayer?',
  'Cosa ho annotato dall’altroieri?',
  'What did I note since the day before yesterday?',
])('%s asks for all since then', (question) => {
  const { since = 0, until = 0 } = timeAskedFor(question, NOW) ?? {};
  expect(since).toBe(timeAskedFor('What did I note two days ago?', NOW)?.since);
  expect(until).toBeGreaterThan(NOW);
});
