import { describe, expect, it, test } from 'vitest';
import {
  findTurnsOfNamedSpeakers,
  wordsOfSpeaker,
} from '../../../src/knowledge/importing/conversation-turn.ts';
import { openGrowingIndex } from '../../../src/knowledge/indexes/growing.ts';
import { createKnowledge } from '../../../src/knowledge/knowledge.ts';
import { createEntryStore } from '../../../src/knowledge/stores/entry-store.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';
import { createWordEmbedder } from '../../helpers/word-embedder.ts';

const TURNS = [
  '[1:56 pm on 8 May, 2023] Caroline: Hey Melanie!',
  '10:15 Anna Berg: fine',
  '**Bob**: hi',
  '1:56 pm on 8 May Dr Anna Miller: no',
  'PhD D: yes',
  'PhD C: no',
  'Project Manager: well',
  'A text that Caroline wrote, and no turn.',
];

describe('turns of the speakers whom a question names', () => {
  const asked = (question: string) => [...findTurnsOfNamedSpeakers(question, TURNS)];

  it.each([
    ["What is Caroline's job?", [0]],
    ['what did caroline say', [0]],
    ['Did Anna Berg agree?', [1]],
    ['When did Anna come?', [1]],
    ['What did Dr. Anna Miller think?', [3]],
    ['Caroline or Bob?', [0, 2]],
    ['What did PhD C say?', [5]],
    ['What did the Project Manager say?', [6]],
  ])('%s', (question, turns) => expect(asked(question)).toEqual(turns));

  it.each([
    '',
    'What is new?',
    // Who is only spoken to.
    'What did Melanie say?',
    // One small word of a name.
    'when does the project end',
    'at 10:15, or on 8',
  ])('names no speaker: %s', (question) => expect(asked(question)).toEqual([]));

  it('takes time that grows with the text alone', () => {
    const long = `[${'1'.repeat(100_000)} ${'Anna '.repeat(20_000)}: hello`;
    expect([...findTurnsOfNamedSpeakers('Anna '.repeat(1000), [long, 'Anna: hi'])]).toEqual([1]);
  });
});

describe('turns of a speaker within a text', () => {
  const said = (text: string, speaker: string, title = '') =>
    wordsOfSpeaker({ of: 'a', ordinal: 0, title, text }, speaker);
  const TEXT = `${TURNS.join('\n\n')}\n[2024-05-08 13:56] Me: Anna Berg said it: yes`;
  it.each(['Caroline', 'caroline', 'Anna', 'anna miller', 'Bob', 'PhD D', 'Me', 'manager'])(
    'finds a turn of %s',
    (speaker) => expect(said(TEXT, speaker)).not.toBe(''),
  );
  it.each(['Melanie', 'Anna Bob', 'Carol', 'PhD E', 'text', '', ':', '10:15', 'Anna Berg said'])(
    'finds no turn of %s',
    (speaker) => expect(said(TEXT, speaker)).toBe(''),
  );
  it('has the words of the speaker alone, with those of a turn that goes on', () => {
    const title = 'Hall › [10:05] Robin';
    const text = 'The rotor is in locker 12.\n\n[10:10] Dana: Thanks.\nNote: bring oil.\n\n[10:12] Sam: Yes.';
    expect(said(text, 'Dana', title)).toBe('[10:10] Dana: Thanks.\nNote: bring oil.');
    expect(said(text, 'Robin', title)).toBe('The rotor is in locker 12.');
    expect(said(text, 'Robin', '[10:00] Robin: Good morning')).toBe('');
  });
  it('takes time that grows with the text alone', () => {
    expect(said(`[${'1'.repeat(100_000)}\n${'[ '.repeat(100_000)}`, 'Anna '.repeat(40))).toBe('');
  });
});

test('a question that names a speaker finds first the words of that speaker, not words addressed to the speaker', async () => {
  const folder = temporaryFolder();
  const db = await openTestDatabase({ folder: folder.path });
  const log = { warn() {}, info() {} };
  const knowledge = createKnowledge({
    store: createEntryStore(db),
    embedder: createWordEmbedder(),
    openIndex: openGrowingIndex,
    log,
  });
  const { signal } = new AbortController();
  try {
    for (const text of [
      'Bob: Anna, the car needs new tyres.',
      'Carl: Nothing new on my side at all.',
      'Anna: The car needs new tyres, Bob.',
      'Carl: We should go for a walk soon.',
      'Bob: Anna, new tyres for the car soon.',
    ]) {
      await knowledge.insertEntry('owner', { text }, signal);
    }
    const first = async (question: string) =>
      (await knowledge.findPassages('owner', question, {}, signal))[0]?.passage.text.split(':')[0];
    expect(await first('What did Anna say about the tyres of the car?')).toBe('Anna');
    expect(await first('What did Bob say about the tyres of the car?')).toBe('Bob');
  } finally {
    await knowledge.close();
    db.close();
    folder.remove();
  }
});

test('a question about one speaker finds only the words of that speaker, however many others mention the topic', async () => {
  const folder = temporaryFolder();
  const db = await openTestDatabase({ folder: folder.path });
  const log = { warn() {}, info() {} };
  const knowledge = createKnowledge({
    store: createEntryStore(db),
    embedder: createWordEmbedder(),
    openIndex: openGrowingIndex,
    log,
  });
  const { signal } = new AbortController();
  try {
    for (let at = 0; at < 500; at++) {
      await knowledge.insertEntry('owner', { text: `Bob: The tyres of car ${at}, Zoe.` }, signal);
    }
    await knowledge.insertEntry('owner', { text: 'Zoe: I would rather walk through the forest.' }, signal);
    await knowledge.insertEntry('owner', { text: 'Me: New tyres for the car?\n\nZoe: Never.' }, signal);
    await knowledge.insertEntry('owner', { text: 'Notes on the tyres of the car, without Zoe.' }, signal);
    const by = async (speaker: string | undefined, filter = {}) =>
      (await knowledge.findPassages('owner', 'tyres of the car', { speaker, filter, topK: 100 }, signal)).map(
        ({ passage }) => passage.text,
      );
    expect(await by(undefined)).toHaveLength(100);
    expect((await by('zoe')).sort()).toEqual(['Zoe: I would rather walk through the forest.', 'Zoe: Never.']);
    expect(await by('Me')).toEqual(['Me: New tyres for the car?']);
    const bob = await by('Bob');
    expect(bob).toHaveLength(100);
    expect(bob.every((text) => text.startsWith('Bob:'))).toBe(true);
    expect(await by('Carl')).toEqual([]);
    expect(await by('Bob', { tags: ['cars'] })).toEqual([]);
  } finally {
    await knowledge.close();
    db.close();
    folder.remove();
  }
});

test('a list of 200,000 turns by as many speakers is judged', () => {
  const name = (at: number) => [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  const texts = Array.from({ length: 200_000 }, (_, at) => `Ann${name(at)}: yes`);
  expect([...findTurnsOfNamedSpeakers(`What did Ann${name(70)} say?`, texts)]).toEqual([70]);
});
