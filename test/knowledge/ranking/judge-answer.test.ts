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
});

afterAll(async () => {
  await knowledge.close();
  db.close();
  folder.remove();
});

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
