import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ImportedEntry } from '../../../src/knowledge/importing/import-kind.ts';
import { IMPORT_KINDS } from '../../../src/knowledge/imports/kinds.ts';
import { records } from '../../../src/knowledge/imports/records.ts';
import { itemsOf, recognised } from '../../contracts/import-kind.ts';

/** Exports of programs that save pages, tables and pages themselves, with all their words. */

type Files = Readonly<Record<string, string>>;

async function entriesOf(files: Files): Promise<ImportedEntry[]> {
  const name = await recognised(files);
  const kind = IMPORT_KINDS.find((one) => one.name === name);
  if (!kind) throw new Error('not recognised');
  const items = await itemsOf(kind, files);
  expect(items.filter((item) => 'problem' in item)).toEqual([]);
  return items.flatMap((item) => ('entry' in item ? [item.entry] : []));
}

const inBookmarks = (title: string, note: string) =>
  `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>\n<DL><p>\n<DT><H3>${title}</H3>\n<DL><p>\n<DT><A HREF="https://a.example/" ADD_DATE="1700000000">${title}</A>\n<DD>${note}\n<DT><A HREF="https://b.example/">After</A>\n</DL><p>\n</DL><p>`;
const inPocket = (title: string) =>
  `<!DOCTYPE html><html><head><title>Pocket Export</title></head><body><h1>Unread</h1><ul><li><a href="https://a.example/" time_added="1700000000" tags="">${title}</a></li>\n<li><a href="https://b.example/" tags="">After</a></li></ul></body></html>`;

test('a title with tags that a program has not escaped keeps all its words', async () => {
  const word = fc.constantFrom('quay', 'Möwe', '3', 'x', '&', 'Option<String>', 'Vec<T>');
  const tag = fc
    .constantFrom('script', 'style', 'title', 'textarea', 'b', 'i', 'p', 'br', 'li')
    .map((name) => `<${name}>`);
  const part = fc.constantFrom('a href', 'dl', 'dt', 'dd', 'h3').map((name) => `the <${name}>`);
  const ends = fc.constantFrom('</script>', '</div>', '<!-- why -->', '<img src="x.png">', '<', '<=');
  const pieces = fc.array(fc.oneof(word, tag, part, ends), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(pieces, pieces, async (first, second) => {
      const [title, note] = [first, second].map((list) => ['The', ...list, 'end'].join(' '));
      if (title === undefined || note === undefined) throw new Error('no pieces');
      const marked = await entriesOf({ 'b.html': inBookmarks(title, note) });
      expect(marked.map((entry) => [entry.title, entry.text, entry.tags])).toEqual([
        [title, `${title}\n\nhttps://a.example/\n\n${note}`, [title]],
        ['After', 'After\n\nhttps://b.example/', [title]],
      ]);
      const saved = await entriesOf({ 'ril_export.html': inPocket(title) });
      expect(saved.map((entry) => entry.title)).toEqual([title, 'After']);
    }),
    { seed: 5, numRuns: 200 },
  );
});

test('letters in bold in a title of a bookmark are the words in them', async () => {
  const [entry] = await entriesOf({ 'b.html': inBookmarks('The <B>tall</B> crane', 'In <i>steel</i>') });
  expect(entry?.text).toBe('The tall crane\n\nhttps://a.example/\n\nIn steel');
});

test('Pinboard: title, note, tags between blanks and time of a bookmark are read', async () => {
  const list = [
    {
      href: 'https://a.example/',
      description: 'Rope splice',
      extended: 'How to splice',
      meta: 'abc',
      hash: 'def',
      time: '2024-03-05T10:11:12Z',
      shared: 'no',
      toread: 'yes',
      tags: 'knots rope_work .own',
    },
    { href: 'https://b.example/', description: 'Two', extended: '', meta: 'abd', hash: 'deg', tags: '' },
  ];
  expect(await entriesOf({ 'pinboard_export.json': JSON.stringify(list) })).toEqual([
    {
      title: 'Rope splice',
      source: 'https://a.example/',
      tags: ['knots', 'rope_work', '.own'],
      key: 'pinboard:def',
      createdAt: Date.UTC(2024, 2, 5, 10, 11, 12) * 1000,
      text: 'How to splice\n\nshared: no\ntoread: yes',
    },
    { title: 'Two', source: 'https://b.example/', tags: [], key: 'pinboard:deg', text: 'Two' },
  ]);
});

test('Omnivore: a page has its text and highlights, and the title, labels and time of its record', async () => {
  const pages = [
    {
      id: 'u1',
      slug: 'tide-u1',
      title: 'Tide tables',
      author: 'Ann',
      url: 'https://w.example/tides',
      labels: ['sea', 'two words'],
      savedAt: '2024-01-02T10:00:00.000Z',
    },
    { id: 'u2', slug: 'gone', title: 'Only a title', url: 'https://w.example/gone', labels: [] },
  ];
  const files = {
    'export/metadata_0_to_20.json': JSON.stringify(pages),
    'export/content/tide-u1.html': '<html><body><h1>Tides</h1><p>High <b>water</b></p></body></html>',
    'export/highlights/tide-u1.md': '> High water\n\nA note',
    'export/content/other.html': '<p>x</p>',
  };
  const items = await itemsOf(records, files);
  expect(items).toMatchObject([
    {
      entry: {
        title: 'Tide tables',
        source: 'https://w.example/tides',
        tags: ['sea', 'two words'],
        key: 'omnivore:u1',
        createdAt: Date.UTC(2024, 0, 2, 10) * 1000,
        text: '# Tides\n\nHigh **water**\n\nauthor: Ann\nhighlights:\n> High water\n\nA note',
      },
    },
    { skipped: 'an id, a color or another detail of the program' },
    { entry: { title: 'Only a title', source: 'https://w.example/gone' } },
    { skipped: 'an id, a color or another detail of the program' },
    { at: 'export/content/other.html', skipped: 'not a file of records (.html)' },
  ]);
  expect(await recognised(files)).toBe('records');
});

const HTML = '<h2>Tides</h2><p>High <b>water</b> at <a href="https://t.example/">ten</a>.</p>';
test('HTML in the records of any program is read, but a record that is only code stays', async () => {
  const page = { title: 'Tide tables', url: 'https://w.example/', tags: ['sea'] };
  const markdown = '## Tides\n\nHigh **water** at [ten](https://t.example/).';
  const media = '<p>One</p><iframe src="https://v.example/1"></iframe>';
  const code = '<div><script>run()</script></div>';
  for (const field of ['content', 'html', 'text', 'body']) {
    const texts = [HTML, media, code].map((text) => ({ ...page, [field]: text }));
    const files = { 'export.json': JSON.stringify(texts) };
    expect((await entriesOf(files)).map(({ text }) => text)).toEqual([
      markdown,
      'One\n\n<https://v.example/1>',
      code,
    ]);
    const [line] = await entriesOf({ 'a.jsonl': JSON.stringify({ ...page, [field]: HTML, own: 1 }) });
    expect(line?.text).toBe(`${markdown}\n\nown: 1`);
  }
});

test.each([
  ['[]', []],
  ['null', []],
  ['None', []],
  ['nan', []],
  ["['a', 'b c']", ['a', 'b c']],
  ['["a", "b, c"]', ['a', 'b, c']],
  ['[a] b', ['[a] b']],
  ['none, of these', ['none', 'of these']],
])('the tags %j of a table are %j, and a title that is missing is not one', async (cell, tags) => {
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const [entry] = await entriesOf({ 'a.csv': `title,name,tags\nnan,Rope,${quote(cell)}\n` });
  expect(entry).toMatchObject({ title: 'Rope', tags, text: `title: nan\nname: Rope\ntags: ${cell}` });
});

test('a page in a folder has its title, its day and the facts of its head', async () => {
  const facts =
    '<meta itemprop="created" content="20200102T101112Z"><meta name="keywords" content="soup, leek"><meta name="author" content="Ann"><meta itemprop="source-url" content="https://s.example/"><meta name="viewport" content="width=1">';
  const files = {
    'Trip/index.html': '<p>Rowed</p>',
    'log/2026-03-04 Board.html': '<title> </title><h1>The board</h1><p>Met</p>',
    'soup.html': `<title>Soup</title>${facts}<p>Leek</p>`,
  };
  expect(await entriesOf(files)).toMatchObject([
    { title: 'Trip', text: 'Rowed' },
    { title: 'The board', createdAt: Date.UTC(2026, 2, 4, 12) * 1000 },
    {
      title: 'Soup',
      tags: ['soup', 'leek'],
      source: 'https://s.example/',
      createdAt: Date.UTC(2020, 0, 2, 10, 11, 12) * 1000,
      text: 'created: 20200102T101112Z\nkeywords: soup, leek\nauthor: Ann\nsource-url: https://s.example/\n\nLeek',
    },
  ]);
});
