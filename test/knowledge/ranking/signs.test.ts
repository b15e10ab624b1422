import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openGrowingIndex } from '../../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../../src/knowledge/knowledge.ts';
import { extractSearchWords } from '../../../src/knowledge/ranking/search-words.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';
import { createWordEmbedder } from '../../helpers/word-embedder.ts';

const { signal } = new AbortController();
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(...notes: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-signs-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  const db = await openTestDatabase({ folder });
  const log = { warn() {}, info() {} };
  const store = createEntryStore(db);
  const knowledge = createKnowledge({
    store,
    embedder: createWordEmbedder(),
    openIndex: openGrowingIndex,
    log,
  });
  closers.push(async () => {
    await knowledge.close();
    db.close();
  });
  const insert = (text: string) => knowledge.insertEntry('ann', { text }, signal);
  for (const note of notes) await insert(note);
  const ask = async (question: string) =>
    (await knowledge.findPassages('ann', question, {}, signal)).map(({ passage }) => passage.text);
  return { ask, insert };
}

test.each(['🎉', '🐦', '🇩🇰', '❤️', '👍🏽', '👩‍🚀'])('%s finds its note', async (emoji) => {
  const { ask } = await open(
    'The lamp is broken',
    `Party at the pier ${emoji} bring cake`,
    'A 🚲 for the isle',
  );
  expect((await ask(emoji))[0]).toContain(emoji);
});

test('an emoji is one word, however it is shown', () => {
  expect(extractSearchWords('❤️')).toEqual(['❤']);
  expect(extractSearchWords('☀️ beach')).not.toContain('\ufe0f');
});

test.each(['\u200b', '\u200b\u200d\ufeff', '\u2060 \n\t', '\u00ad\u3164\u2800', '\u{e0061}', '\0'])(
  'text that nobody sees is refused as empty: %j',
  async (text) => {
    const { insert } = await open();
    await expect(insert(text)).rejects.toThrow('text is empty: give the text to remember');
  },
);

test('a note of joiners and a visible character is kept', async () => {
  const { ask } = await open('\u200b🐦');
  expect(await ask('🐦')).toEqual(['\u200b🐦']);
});

const DENIALS = [
  'The key is not with Ben any more.',
  "Ben doesn't have the key",
  'Ben no longer has the key. He never had the spare key.',
];
const ANSWERS = [
  'Anna has the key now.',
  'The key is with Carla since Tuesday',
  'The key is not with Ben, Dana has it',
];
test.each(DENIALS.flatMap((denial) => ANSWERS.map((answer) => [denial, answer])))(
  'who has the key: %s comes after %s',
  async (denial = '', answer = '') => {
    const { ask } = await open(answer, denial, 'The oars are in the shed');
    for (const question of ['who has the key?', 'Where is the key?']) {
      const found = await ask(question);
      expect(found.filter((one) => one === answer || one === denial)).toEqual([answer, denial]);
    }
  },
);

test('a question for what is not so finds it', async () => {
  const { ask } = await open('Anna has the key now.', 'Ben does not have the key');
  expect((await ask('who does not have the key?'))[0]).toBe('Ben does not have the key');
});

test('notes that name the day of a question come first, however it is written', async () => {
  const named = [
    '2026-03-14: the mast was stepped',
    'Meeting on 14.03.2026 about the berth',
    'On March 14th, 2026 Ben painted the hull',
    'Am 14. März 2026 kam der Kran',
  ];
  const beside = [
    'The crane is booked for 15 March 2026',
    '14 boats in March',
    'Budget 2026: 14,000 for March',
  ];
  const { ask } = await open(...named, ...beside);
  for (const day of ['14 March 2026', '2026-03-14', 'What happened on March 14, 2026?', '14. März 2026']) {
    expect([day, (await ask(day)).slice(0, 4).sort()]).toEqual([day, [...named].sort()]);
  }
});
