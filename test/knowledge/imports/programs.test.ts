import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IMPORT_KINDS } from '../../../src/knowledge/imports/kinds.ts';
import { itemsOf, recognised } from '../../contracts/import-kind.ts';
import { wordsMissing } from '../../helpers/note-samples.ts';

/** Exports of further programs, with the parts of them that are easily lost. */

type Files = Readonly<Record<string, string>>;

async function read(files: Files) {
  const name = await recognised(files);
  const kind = IMPORT_KINDS.find((one) => one.name === name);
  const items = kind ? await itemsOf(kind, files) : [];
  return {
    entries: items.flatMap((item) => ('entry' in item ? [item.entry] : [])),
    skipped: items.flatMap((item) => ('skipped' in item ? [item.skipped] : [])),
    problems: items.filter((item) => 'problem' in item),
  };
}

const clipping = (title: string, about: string, words: string) =>
  `\uFEFF${title}\r\n- ${about}\r\n\r\n${words}\r\n==========\r\n`;
const ADDED = [
  [
    'Your Highlight on page 12 | Location 170-172 | Added on Tuesday, 5 March 2024 10:11:12',
    '2024-03-05T10:11:12Z',
  ],
  ['Ihre Markierung auf Seite 3 | Hinzugefügt am Samstag, 13. April 2019 10:25:27', '2019-04-13T10:25:27Z'],
  ['Votre surlignement à la page 9 | Ajouté le samedi 13 avril 2019 10:25:27', '2019-04-13T10:25:27Z'],
] as const;

test('Kindle: a clipping is an entry, in the languages of its readers, and all its words stay', async () => {
  const words = fc.array(fc.constantFrom('quay', 'Möwe', '3.50', '- one | two', '====', '潮'), {
    minLength: 1,
    maxLength: 4,
  });
  const part = fc.tuple(words, fc.constantFrom(...ADDED), words);
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), async (parts) => {
      const text = parts.map(([title, [about], said], at) =>
        clipping(`B${at} ${title[0]}`, about, said.join(' ')),
      );
      const { entries, problems } = await read({ 'My Clippings.txt': text.join('') });
      expect(problems).toEqual([]);
      expect(entries.map(({ createdAt }) => createdAt)).toEqual(
        parts.map(([, [, time]]) => Date.parse(time) * 1000),
      );
      for (const [at, entry] of entries.entries())
        expect(wordsMissing((text[at] ?? '').replace(/={10}/, ''), entry)).toEqual([]);
    }),
    { seed: 4, numRuns: 100 },
  );
  const [[about] = ['']] = ADDED;
  const marked = clipping('The Tide', about, 'High') + clipping('The Tide', about, '');
  expect(await read({ 'Mis recortes.txt': marked })).toMatchObject({
    entries: [{ title: 'The Tide', text: `High\n\nclipping: ${about}` }],
    skipped: ['a bookmark without words'],
  });
  expect(await recognised({ 'My Clippings.txt': marked, 'other.txt': 'A note' })).toBe('obsidian');
});

test('Day One: an entry whose text is only in its rich form is read', async () => {
  const contents = [
    { attributes: { line: { header: 1, identifier: 'x' } }, text: 'The quay\n' },
    { text: 'Rowed ' },
    { text: '3 km', attributes: { bold: true } },
    { text: '\n' },
    { text: 'Oars\n', attributes: { line: { listStyle: 'bulleted', indentLevel: 1 } } },
    { text: 'Rope\n', attributes: { line: { listStyle: 'checkbox', checked: true, indentLevel: 1 } } },
  ];
  const richText = JSON.stringify({ contents, meta: { version: 1 } });
  const entries = [
    { uuid: 'A', richText, creationDate: '2024-03-05T10:11:12Z' },
    { uuid: 'B', text: 'Plain', richText },
  ];
  const found = await read({ 'Journal.json': JSON.stringify({ metadata: {}, entries }) });
  expect(found.entries.map(({ text }) => text)).toEqual([
    '# The quay\n\nRowed **3 km**\n\n- Oars\n- [x] Rope',
    'Plain',
  ]);
});

test('Bear: times come from the file beside a note, and notes in the trash are counted', async () => {
  const info = (trashed: number) =>
    JSON.stringify({
      version: 2,
      'net.shinyfrog.bear': {
        trashed,
        creationDate: '2024-03-05T10:11:12Z',
        modificationDate: '2024-03-06T10:11:12Z',
      },
    });
  const files = {
    'Old.textbundle/info.json': info(1),
    'Old.textbundle/text.md': '# Old',
    'Quay.textbundle/info.json': info(0),
    'Quay.textbundle/text.md': '# Quay\n\n#sea/harbour',
  };
  const { entries, skipped } = await read(files);
  expect(entries).toMatchObject([
    {
      title: 'Quay',
      tags: ['sea/harbour'],
      createdAt: Date.UTC(2024, 2, 5, 10, 11, 12) * 1000,
      updatedAt: Date.UTC(2024, 2, 6, 10, 11, 12) * 1000,
    },
  ]);
  expect(skipped.sort()).toEqual([
    'a file with the times of a note',
    'a file with the times of a note',
    'a note in the trash',
  ]);
});

test('Zotero and Goodreads: tags between semicolons and in further columns, and notes in HTML', async () => {
  const zotero =
    '"Title","Notes","Manual Tags","Automatic Tags"\n"The Tide","<p>My <b>note</b></p><p>Two</p>","sea; far, away","auto"\n';
  expect((await read({ 'a.csv': zotero })).entries).toMatchObject([
    {
      tags: ['sea', 'far, away', 'auto'],
      text: 'Title: The Tide\nNotes:\nMy **note**\n\nTwo\nManual Tags: sea; far, away\nAutomatic Tags: auto',
    },
  ]);
  const goodreads = 'Title,Bookshelves,My Review\nThe Tide,"sea, to-read",<b>Good</b>\n';
  expect((await read({ 'a.csv': goodreads })).entries).toMatchObject([
    { tags: ['sea', 'to-read'], text: expect.stringContaining('My Review: **Good**') },
  ]);
});

test('Anki: the lines above the cards name their columns, and cards in HTML and their tags are read', async () => {
  const cards = [
    '#separator:tab',
    '#html:true',
    '#deck column:1',
    '#tags column:4',
    'Sea\tWhat is a <b>quay</b>?\tA landing<br>place &amp; wall\tharbour two_words',
    'Sea\t"two\nlines"\t<img src="q.png">\t',
  ].join('\n');
  expect((await read({ 'Deck.txt': cards })).entries).toMatchObject([
    {
      title: 'Deck: What is a **quay**?',
      tags: ['harbour', 'two_words'],
      text: 'deck: Sea\nColumn 2: What is a **quay**?\nColumn 3: A landing\nplace & wall\ntags: harbour, two_words',
    },
    { text: 'deck: Sea\nColumn 2: two\nlines\nColumn 3: ![](q.png)' },
  ]);
  const named = '#separator:Comma\n#html:false\n#columns:Front,Back\n"What, then?",<b>\n';
  expect((await read({ 'a.csv': named })).entries).toMatchObject([{ text: 'Front: What, then?\nBack: <b>' }]);
  expect(await recognised({ 'a.txt': '#separator of harbours\n' })).toBe('obsidian');
});

test('results of an API that are no memories are records', async () => {
  const link = {
    id: 1,
    url: 'https://l.example/',
    title: 'T',
    notes: 'N',
    tag_names: ['a', 'b'],
    date_added: '2024-03-05',
  };
  expect(await read({ 'x.json': JSON.stringify({ count: 1, results: [link] }) })).toMatchObject({
    entries: [{ title: 'T', source: 'https://l.example/', tags: ['a', 'b'], text: 'N\n\nid: 1' }],
    problems: [],
  });
  const memories = JSON.stringify({ results: [{ id: 'm', memory: 'Has a dog' }] });
  expect(await recognised({ 'x.json': memories })).toBe('mem0');
  const books = {
    results: [{ title: 'The Tide', highlights: [{ text: 'A <em>quote</em> &amp; more', note: '' }] }],
  };
  expect((await read({ 'x.json': JSON.stringify(books) })).entries).toMatchObject([
    { title: 'The Tide', text: 'highlights:\n- A *quote* & more' },
  ]);
});
