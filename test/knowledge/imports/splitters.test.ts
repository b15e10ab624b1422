import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ImportItem } from '../../../src/knowledge/importing/import-kind.ts';
import { parseTimeMicros } from '../../../src/knowledge/importing/import-values.ts';
import { IMPORT_KINDS } from '../../../src/knowledge/imports/kinds.ts';
import { itemsOf, recognised } from '../../contracts/import-kind.ts';
import { wordsMissing } from '../../helpers/note-samples.ts';
import { CHROME_JSON, SPLIT_EXPORTS, sampleTexts } from '../../helpers/split-samples.ts';

/** Exports whose records are put together from several places of a file. */

type Files = Readonly<Record<string, string>>;
const DETAIL = 'an id, a color or another detail of the program';

async function read(files: Files) {
  const name = await recognised(files);
  const kind = IMPORT_KINDS.find((one) => one.name === name);
  if (!kind) throw new Error('not recognised');
  const items = await itemsOf(kind, files);
  expect(items.filter((item) => 'problem' in item)).toEqual([]);
  const skipped: Record<string, number> = {};
  for (const item of items)
    if ('skipped' in item) skipped[item.skipped] = (skipped[item.skipped] ?? 0) + (item.count ?? 1);
  return { entries: items.flatMap((item: ImportItem) => ('entry' in item ? [item.entry] : [])), skipped };
}

const sample = (name: string) => read(SPLIT_EXPORTS[name]?.(sampleTexts()) ?? {});

test.each(Object.keys(SPLIT_EXPORTS))('%s: every text of an export is in an entry', async (name) => {
  const word = fc.constantFrom('quay', 'Möwe', 'лодка', '小舟', '1.10', '01234', 'R&D', '3 < 4', 'a_b', '#a');
  const texts = fc.infiniteStream(fc.array(word, { minLength: 1, maxLength: 4 }));
  await fc.assert(
    fc.asyncProperty(texts, async (stream) => {
      const given: string[] = [];
      const next = () => {
        const text = [...(stream.next().value ?? []), `t${given.length}`].join(' ');
        given.push(text);
        return text;
      };
      const { entries } = await read(SPLIT_EXPORTS[name]?.(next) ?? {});
      const all = entries
        .map((entry) => [entry.title, entry.text, entry.tags?.join('\n')].join('\n'))
        .join('\n');
      for (const text of given) expect(wordsMissing(text, { text: all })).toEqual([]);
      expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
    }),
    { seed: 7, numRuns: 60 },
  );
});

test('Trello: a card has its list, members, check lists and comments', async () => {
  const { entries, skipped } = await sample('trello');
  expect(entries[0]).toMatchObject({ title: 'quay 1', text: 'Möwe 1.10 2' });
  expect(entries[1]).toEqual({
    title: '[[x]] R&D 5',
    source: 'https://trello.example/c/1',
    key: 'trello:65e5a1b2c3d4e5f60718293a',
    tags: ['archived', 'urgent'],
    createdAt: 0x65e5a1b2 * 1e6,
    updatedAt: Date.UTC(2026, 10, 12, 9) * 1000,
    text: [
      '#a a_b 6',
      '- quay 8\n  - [x] Möwe 1.10 9\n  - [ ] лодка 10\n    due: 2026-12-01',
      'comments:\n- 小舟 11\n  author: [[x]] R&D 12\n  date: 2026-11-12T09:00:00.000Z',
      'board: quay 1\nlist: лодка 3\ndue: 2026-12-10T11:00:00.000Z\nmembers: 小舟 4\nPrice: 12.50\nState: afloat\nlinks: 3 < 4 7: https://trello.example/plan.pdf',
    ].join('\n\n'),
  });
  expect(skipped).toEqual({
    [DETAIL]: 1,
    'a comment on a card that is not in the file': 1,
    'an event of the board, such as a card that was moved': 1,
  });
});

test('TiddlyWiki: tags with blanks and times of digits are read, and settings are left out', async () => {
  const { entries, skipped } = await sample('tiddlywiki');
  expect(entries).toEqual([
    {
      title: 'quay 1',
      text: 'Möwe 1.10 2\n\ncaption: лодка 3',
      source: 'TiddlyWiki',
      tags: ['for sale', 'port'],
      key: 'tiddlywiki:quay 1',
      createdAt: Date.UTC(2024, 2, 4, 10, 11, 12) * 1000,
      updatedAt: Date.UTC(2024, 2, 5, 8) * 1000,
    },
  ]);
  expect(skipped).toEqual({ 'a setting of the program': 1 });
});

test('a time of 14 or 17 digits is a day with a time', () => {
  const digits = fc.date({ min: new Date('1971-01-01'), max: new Date('2026-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(digits, (date) => {
      const written = date.toISOString().replace(/\D/g, '');
      expect(parseTimeMicros(written)).toBe(date.getTime() * 1000);
      expect(parseTimeMicros(written.slice(0, 14))).toBe(Math.floor(date.getTime() / 1000) * 1e6);
    }),
  );
});

test('Mastodon: a post has its tags, the words for its pictures and its choices', async () => {
  const { entries, skipped } = await sample('mastodon');
  expect(entries).toMatchObject([
    {
      source: 'https://sea.example/@kim/1',
      tags: ['port'],
      createdAt: Date.UTC(2026, 2, 4, 10, 11, 12) * 1000,
      text: 'Möwe 1.10 2\n\nsummary: quay 1\nmedia: лодка 3: /media/1.jpg\nchoices: 小舟 4',
    },
  ]);
  expect(skipped).toMatchObject({
    'a post of someone else, of which the archive has only the address': 1,
    'not a file of records (.json)': 1,
  });
});

test('starred items: text that only contains HTML is read as HTML, and labels are tags', async () => {
  const { entries } = await sample('starred');
  expect(entries).toMatchObject([
    {
      title: 'quay 1',
      source: 'https://news.example/1',
      tags: ['Port & sea'],
      createdAt: 1_527_776_095_000_000,
      text: 'лодка 3 **bold** end\n\nauthor: Möwe 1.10 2\nfeed: 小舟 4\nsite: https://news.example/',
    },
  ]);
});

test('Kindle: each clipping has its book, place and time, without byte order marks', async () => {
  const { entries } = await sample('kindle');
  expect(entries.map(({ title, createdAt }) => [title, createdAt])).toEqual([
    ['[Part 1] The lighthouse (Aldana, Ines)', Date.UTC(2026, 2, 4, 20, 40, 13) * 1000],
    ['[Part 1] The lighthouse (Aldana, Ines)', Date.UTC(2026, 2, 5, 7, 12, 44) * 1000],
  ]);
  expect(entries[1]?.text).toContain('Ihre Notiz auf Seite 14');
  expect(JSON.stringify(entries)).not.toContain('\uFEFF');
});

test('Roam: a reference shows its block, without end, and stays where its block is missing', async () => {
  const { entries } = await sample('roam');
  expect(entries[1]?.text).toBe('- [[x]] R&D 5 Möwe 1.10 2');
  const block = (uid: string, string: string) => ({ uid, string, 'create-time': 1 });
  const many = `${'((block-of-all))'.repeat(2000)} end`;
  const { entries: pages } = await read({
    'graph.json': JSON.stringify([
      {
        title: 'Loop',
        children: [
          block('block-one1', 'one ((block-two2))'),
          block('block-two2', 'two ((block-one1)) ((missing-9)) [name](((block-one1)))'),
          block('block-of-all', many),
        ],
      },
    ]),
  });
  const text = pages[0]?.text ?? '';
  expect(text).toContain('- one two one two ((block-one1)) ((missing-9)) [name](((block-one1)))');
  expect(text.length).toBeLessThan(200_000);
});

test('Chrome: folders are tags, times begin in 1601, and the words of a bookmark stay', async () => {
  const { entries, skipped } = await read({ Bookmarks: CHROME_JSON });
  expect(entries).toMatchObject([
    {
      title: 'Leek <tart>',
      source: 'https://kitchen.example/tart?n=4',
      tags: ['Recipes'],
      createdAt: Date.UTC(2024, 2, 4, 10, 11, 12) * 1000,
      text: 'Leek <tart>\n\nhttps://kitchen.example/tart?n=4\n\nkeyword: tart\n\nWith goat cheese',
    },
    { title: 'Tides', tags: [], createdAt: Date.UTC(2025, 6, 8, 6) * 1000 },
  ]);
  expect(skipped).toEqual({ 'a folder that the browser has named': 2 });
});
