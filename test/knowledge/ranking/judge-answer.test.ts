import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEnglishEmbedder } from '../../../src/knowledge/embedders/english.ts';
import { openGrowingIndex } from '../../../src/knowledge/indexes/growing.ts';
import { createKnowledge, type KnowledgeOptions } from '../../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import type { Knowledge } from '../../../src/knowledge/types.ts';
import type { Database } from '../../../src/storage/sqlite.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

/** Whether a question is answered, as the English model judges short notes on people and things. */

const NOTES = [
  'Anna is allergic to walnuts and carries an EpiPen.',
  'Anna works as a nurse at St Mary hospital, night shifts on Thursdays.',
  "Anna's birthday is 14 March; she likes dark chocolate.",
  'The roof was repaired by Piotr Malik, he charged 640 pounds.',
  'Tom lives at 12 Larch Close, Stroud.',
  "Tom's spare key is with Mrs Osborne next door.",
  'Sofia, our babysitter, charges 11 pounds an hour and can do Fridays.',
  'Helen is moving to Bristol in spring, she gave us her bread maker.',
  'Bins: recycling goes out every other Tuesday, garden waste on Fridays.',
  'Freezer: two lasagnes, a bag of peas, six fish fingers, blackberries from August.',
  "Gran's phone number is 01453 555 771.",
  'Electric meter reading on 1 November: 48211.',
  'Box with the baubles and fairy lights is in the attic, left of the chimney.',
  'I love mushrooms on pizza.',
];
const { signal } = new AbortController();
const folder = temporaryFolder();
let db: Database;
let knowledge: Knowledge;

beforeAll(async () => {
  db = await openTestDatabase({ folder: folder.path });
  const embedder = createEnglishEmbedder();
  const log = { warn() {}, info() {} } as unknown as KnowledgeOptions['log'];
  knowledge = createKnowledge({ store: createEntryStore(db), embedder, openIndex: openGrowingIndex, log });
  for (const text of NOTES) await knowledge.insertEntry('ada', { text }, signal);
  await embedded('ada');
});

afterAll(async () => {
  await knowledge.close();
  db.close();
  folder.remove();
});

/** A text is found by its words at once, and by its meaning when it has its vector. */
async function embedded(owner: string) {
  while ((await knowledge.readStats(owner)).pending > 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

const ask = (question: string) => knowledge.findPassages('ada', question, {}, signal);

test.each([
  ["What is Helen's shoe size?", ['shoe', 'size'], 'Helen'],
  ["What is Sofia's phone number?", ['phone', 'number'], 'Sofia'],
])('%s: no text about the subject says it, and the words are named', async (question, missing, missingOf) => {
  const matches = await ask(question);
  expect(matches.every(({ weak }) => weak)).toBe(true);
  expect(matches[0]).toMatchObject({ missing, missingOf });
});

test.each([
  ['What is Anna allergic to?', 'walnuts'],
  ["When is Anna's birthday?", '14 March'],
  ["What is Tom's address?", 'Larch Close'],
  ["What is Anna's profession?", 'nurse'],
  ["What is Tom's address and who has his key?", 'Tom'],
  ['Who is our roofer?', 'Piotr'],
  ['When is rubbish collected?', 'recycling'],
  ['what vegetables are frozen', 'peas'],
  ['Where are the Christmas tree decorations?', 'baubles'],
  ['Do I like mushrooms?', 'mushrooms'],
  ['Do we have frozen vegetables?', 'peas'],
  ['who called me from 01453555771?', 'Gran'],
  ['who called me from +44 1453 555 771?', 'Gran'],
])('%s: a text answers, in the words of the question or in others', async (question, answer) => {
  const [first] = await ask(question);
  expect(first?.passage.text).toContain(answer);
  expect(first?.weak).toBeUndefined();
});

test('a question about no named subject is unanswered if no text stands out', async () => {
  for (const question of ['When is the wedding anniversary?', 'Do we have a tent?']) {
    expect((await ask(question)).every(({ weak }) => weak)).toBe(true);
  }
});

test('a text about another thing does not answer whether one likes a thing', async () => {
  for (const question of ['Do I like olives?', 'Do I like anchovies?', 'Do I like tomatoes?']) {
    expect((await ask(question)).every(({ weak }) => weak)).toBe(true);
  }
});

test('a text with another number does not answer', async () => {
  expect((await ask('who called me from 01453555772?')).every(({ weak }) => weak)).toBe(true);
});

test('what was written on a day answers a question that asks only for the day', async () => {
  const at = (day: string) => Date.parse(`${day}T12:00:00Z`) * 1000;
  await knowledge.insertEntry('bo', { text: 'Painted the balcony green.' }, signal, at('2025-08-30'));
  await knowledge.insertEntry('bo', { text: 'Lunch with Teresa at the market.' }, signal, at('2025-10-18'));
  await knowledge.insertEntry('bo', { text: 'Lunch with Rui in the canteen.' }, signal, at('2025-10-08'));
  await embedded('bo');
  const options = { asOf: at('2025-12-01') };
  for (const question of [
    'What did I do on 18 October?',
    'what happened on October 18th',
    'O que fiz no dia 18 de outubro?',
  ]) {
    const [first] = await knowledge.findPassages('bo', question, options, signal);
    expect(first?.passage.text).toContain('Teresa');
    expect(first?.weak).toBeUndefined();
  }
});

test.each([
  ['What did I pay for the car in October?', 'New for the car', 'tyres', 'wipers', 'oil'],
  ['Was habe ich im Oktober für das Auto bezahlt?', 'Neu für das Auto', 'Reifen', 'Wischer', 'Öl'],
])('%s: of texts that fit alike, the one of that month comes first', async (question, thing, ...parts) => {
  const at = (month: number) => Date.UTC(2025, month - 1, 14, 12) * 1000;
  for (const [index, part] of parts.entries()) {
    await knowledge.insertEntry(thing, { text: `${thing}: ${part}, 95 euro.` }, signal, at(10 - index));
  }
  await embedded(thing);
  const [first] = await knowledge.findPassages(thing, question, { asOf: at(12) }, signal);
  expect(first?.passage.text).toContain(parts[0]);
});
