import { expect, test } from 'vitest';
import {
  findMissingWords,
  hasSubject,
  isSubjectless,
  NO_MISSING_WORDS,
} from '../../../src/knowledge/ranking/missing-words.ts';
import { createWordMatcher, extractQueryWords } from '../../../src/knowledge/ranking/search-words.ts';

/** Words of a question that the texts lack, as the index of these texts says. */
function missingIn(question: string, texts: readonly string[]) {
  const findWords = createWordMatcher(question);
  const said = new Set(texts.flatMap((text) => [...findWords(text)]));
  const missing = extractQueryWords(question, []).flatMap(({ word }) => (said.has(word) ? [] : [word]));
  return findMissingWords(question, missing, texts);
}

test.each([
  ['What is the phone number of Mina?', ['The phone number of Ada is 555.'], ['Mina']],
  ['When is the birthday of Till?', ['The birthday of Ada is in May.'], ['Till']],
  ['What is my blood type?', ['The gate code is 4821.'], ['blood']],
  ['How tall is the Eiffel Tower?', ['The cat eats fish.'], ['tall', 'Eiffel Tower']],
  ['Did I fly to Lisbon with T. S. Eliot?', ['I flew to Oslo.'], ['Lisbon', 'Eliot']],
  ['Wo ist der Zahnärztin ihr Büro in Köln?', ['Das Büro der Zahnärztin'], ['Köln']],
  ['회의실 비밀번호', ['주차장은 지하에 있다.'], ['회의실 비밀번호']],
  ['Lisbon or lisbon, and Lisbon?', ['Oslo'], ['Lisbon', 'lisbon']],
])('%s: words that no text has are named as the question writes them', (question, texts, written) => {
  expect(missingIn(question, texts).written).toEqual(written);
});

test.each([
  ['Where is the Wi-Fi router?', 'The wifi router is in the hall.'],
  ['Where is my email?', 'The e-mail went to Ana.'],
  ['Is 12500 the budget?', 'Budget of the kitchen is 12,500 euros.'],
  ['Is 12,500 the budget?', 'Budget: 12500'],
  ['Is 12 500 the budget?', 'Budget: 12500'],
  ['Is 12500 the budget?', 'Budget: 12 500'],
  ['Wroblewsky', 'Dr Wroblewski is the orthodontist.'],
  ['Was kostet der Zahnarzt?', 'Der Zahnarzttermin kostet 80 Euro.'],
  ['Francois Lefevre', 'Dinner with François Lefèvre on Thursday.'],
  ['What did I do on 14 February 2026?', '2026-02-14: concert'],
  ['Which bill did I pay last month?', 'Paid the power bill.'],
  ['What did the heron make?', 'A heron.'],
  ['Ile kosztuje wizyta u dentysty?', 'Dentysta bierze 200 zł, ile kosztują wizyty.'],
  ['Wann ist der Termin beim Zahnarzt?', 'Der Zahnarzttermin ist am Montag.'],
  ['Wie lautet der Türcode?', 'Der Code der Tür ist 4821.'],
])('%s: nothing is missing where a text writes it in another way', (question, text) => {
  expect(missingIn(question, [text])).toMatchObject(NO_MISSING_WORDS);
});

test.each([
  ['Is invoice 2293 paid?', 'Invoice 2291 is paid.', true],
  ['Ist die Rechnung 2293 bezahlt?', 'Rechnung Nr. 7. Rechnung 2291 ist bezahlt.', true],
  ['Is invoice 2293 paid?', 'Invoice 22931 is paid.', false],
  ['Is invoice 2293 paid?', 'Room 2291 is locked.', false],
  ['What was the budget 2031?', 'The budget 2030 is open.', false],
  ['Is invoice 2293 paid?', 'Paid by card.', false],
  ['Which dinner can I make for 150 people?', 'Dinner for 120 people.', false],
  ['Which hotel costs 250 euros?', 'This hotel costs 240 euros.', false],
  ['Is invoice 2293 paid?', 'Invoice 2 293 is paid.', false],
  ['Is invoice 2293 paid?', 'Invoice 02293 is paid.', false],
])('%s, of "%s": another number stands in its place: %s', (question, text, isOther) => {
  expect(missingIn(question, [text]).isOtherNumber ?? false).toBe(isOther);
});

test.each([
  ['what', true],
  ['hvilken', true],
  ['noté', true],
  ['octobre', true],
  ['montag', true],
  ['heron', false],
  ['projector', false],
  ['schlüssel', false],
])('%s names no subject: %s', (word, isOne) => {
  expect(isSubjectless(extractQueryWords(word, [])[0]?.word ?? '')).toBe(isOne);
});

test.each([
  ['9f3c2ab', 'Bisect ended at 9f3c2ab71e5d4408b6a0c9d7715e2f1a3b4c5d6e.', '9f3c2ab'],
  ['9F3C2AB71E', 'Bisect ended at 9f3c2ab71e5d4408b6a0c9d7715e2f1a3b4c5d6e.', '9f3c2ab'],
  ["м'ята", 'мʼята на балконі', 'ята'],
  ['м’ята', 'мʼята на балконі', 'ята'],
  ['мʼята', "м'ята на балконі", 'ята'],
])('%s is found in "%s"', (question, text, word) => {
  expect(createWordMatcher(question)(text)).toContain(word);
});

test.each([
  ['鍵はどこですか', '鍵は'],
  ['いつもの店', 'いつ つも もの の店'],
  ['どこでもドア', 'どこ こで でも もド ドア'],
  ['こいつの家', 'こい いつ つの の家'],
  ['什么值得买', '什么 么值 值得 得买'],
  ['いつ引っ越した', '引っ っ越 越し した'],
  ['项目用什么数据库？', '项目 目用 数据 据库'],
  ['这是多少', '这是'],
  ['什么？', '什么'],
])('question words of %s are not searched', (question, words) => {
  expect(extractQueryWords(question, []).map(({ word }) => word)).toEqual(words.split(' '));
});

test('parts of an identifier are no hashes', () => {
  const words = extractQueryWords('6f1c2d34-9a7b-4e21-8c55-0b7a9d3e1f20', []).map(({ word }) => word);
  expect(words).toEqual(['6f1c2d34', '9a7b', '4e21', '8c55', '0b7a9d3e1f20']);
});

test.each([
  ['Did I fly to Lisbon?', true],
  ['Where is bolt M8x30?', true],
  ['Is invoice 2292117 paid?', true],
  ['Lisbon', false],
  ['who was the mayor in the 15th century', false],
  ['which games of the 1980s do I play', false],
  ['What is the U.S. record?', false],
  ['Wann kam der Handwerker wegen der Heizung?', false],
])('%s: a name or a code is missing: %s', (question, isNamed) => {
  expect(missingIn(question, ['A heron.']).isNamed).toBe(isNamed);
});

test('a time is no missing word, since an entry has its own', () => {
  for (const when of ['last Tuesday', 'in March', 'in 2023', 'yesterday', 'im Februar'])
    expect(missingIn(`the heron ${when}`, ['A heron.']).written.filter((one) => one !== 'last')).toEqual([]);
});

test('a note names few and short words', () => {
  const words = Array.from({ length: 30 }, (_, at) => `word${'x'.repeat(at * 4)}`);
  const { written } = missingIn(words.join(', and then '), ['A heron.']);
  expect(written.length).toBeLessThanOrEqual(5);
  expect(Math.max(...written.map(({ length }) => length))).toBeLessThanOrEqual(60);
});

test('words that only say what a question is are not missing', () => {
  expect(hasSubject('What is this document about?')).toBe(false);
  expect(hasSubject('What does it say of herons?')).toBe(true);
  expect(missingIn('Tell me what kind of thing the heron is', ['A heron.']).written).toEqual([]);
  expect(missingIn('what is it about?', ['A heron.']).written).toEqual([]);
});

test('a question of very many words and compounds names its first missing word', () => {
  const words = Array.from({ length: 1000 }, (_, at) => `qa${at.toString(36)}-bcde`);
  const near = Array.from({ length: 20 }, (_, at) => words.map((word) => `${word}${at}`).join(' '));
  const { written } = findMissingWords(`zzyzx ${words.join(' ')}`, ['zzyzx', 'bcde'], near);
  expect(written.join(' ')).toContain('zzyzx');
});

test.each([
  ['harbor', 'harbour', true],
  ['recieve', 'receive', true],
  ['lantem', 'lantern', false],
])('for %s, %s is one typo away: %s', (asked, said, isTypo) => {
  expect(findMissingWords(asked, [asked], [said]).written).toEqual(isTypo ? [] : [asked]);
});
