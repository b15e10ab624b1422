import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePythonJson } from '../../../src/knowledge/importing/format-other-fields.ts';
import type { ImportedEntry } from '../../../src/knowledge/importing/import-kind.ts';
import type { ImportFields } from '../../../src/knowledge/importing/import-values.ts';
import { readHtmlFragment } from '../../../src/knowledge/importing/note-html.ts';
import { bookmarks } from '../../../src/knowledge/imports/bookmarks.ts';
import { csv } from '../../../src/knowledge/imports/csv.ts';
import { readEnexNotes } from '../../../src/knowledge/imports/enex.ts';
import { mem0 } from '../../../src/knowledge/imports/mem0.ts';
import { records } from '../../../src/knowledge/imports/records.ts';
import { itemsOf, recognised } from '../../contracts/import-kind.ts';
import { FIREFOX_JSON, RECORD_EXPORTS } from '../../helpers/import-samples.ts';

/** What the exports of note programs become, each as its program writes it. */

const microOf = (iso: string) => Date.parse(iso) * 1000;

async function read(files: Readonly<Record<string, string>>) {
  const items = await itemsOf(records, files);
  const skipped = new Map<string, number>();
  for (const item of items)
    if ('skipped' in item) skipped.set(item.skipped, (skipped.get(item.skipped) ?? 0) + (item.count ?? 1));
  const entries = items.flatMap((item): ImportedEntry[] => ('entry' in item ? [item.entry] : []));
  return {
    entries,
    skipped: Object.fromEntries(skipped),
    problems: items.filter((item) => 'problem' in item),
  };
}

const DETAIL = 'an id, a color or another detail of the program';

test('Google Keep: check boxes, links, labels and times are kept, and the trash and the copy as HTML are counted', async () => {
  expect(await read(RECORD_EXPORTS.keep)).toEqual({
    entries: [
      {
        title: 'Shopping',
        source: 'Google Keep',
        key: 'keep:1690372692755000',
        tags: ['pinned', 'home, kitchen', 'food'],
        createdAt: 1690372692755000,
        updatedAt: 1690866308447000,
        text: [
          '- [x] Eggs\n- [ ] Flour, 1.50 kg',
          'annotations:\n- Soup\n  description: With leeks\n  url: https://soup.example/',
          'Attachment: soup.jpg',
        ].join('\n\n'),
      },
    ],
    skipped: {
      'an attachment': 1,
      [DETAIL]: 2,
      'a note in the trash': 1,
      'the same note as HTML': 1,
      'not a file of records (.jpg)': 1,
    },
    problems: [],
  });
});

test('Evernote: ENML becomes Markdown with check boxes, nested lists, code and tasks', async () => {
  const { entries, skipped, problems } = await read(RECORD_EXPORTS.evernote);
  expect(problems).toEqual([]);
  expect(entries).toMatchObject([
    {
      title: 'Trip & plans',
      source: 'https://trip.example/',
      tags: ['travel, far'],
      createdAt: microOf('2023-01-21T09:37:33Z'),
      updatedAt: microOf('2023-01-21T10:10:27Z'),
      text: [
        '## Packing',
        '[x] Passport',
        '- [ ] Charger\n  - Cable',
        '```\none\ntwo\n```',
        '- [x] Book',
        'Attachment: map.png',
        'author: ann',
      ].join('\n\n'),
    },
    { title: 'Only a title', text: 'Only a title' },
  ]);
  expect(skipped).toMatchObject({ 'an attachment': 1, 'an encrypted part': 1 });
});

test('an ENEX file that is cut off gives the notes before the cut, and is named', async () => {
  const cut = RECORD_EXPORTS.evernote['Trips.enex'].slice(0, -60);
  const { entries, problems } = await read({ 'Trips.enex': cut });
  expect(entries.map(({ title }) => title)).toEqual(['Trip & plans']);
  expect(problems).toEqual([{ at: 'Trips.enex', problem: 'is cut off, or is not an ENEX file' }]);
});

test('Day One, Simplenote and Standard Notes: ids are keys, and states and linked tags are tags', async () => {
  expect((await read(RECORD_EXPORTS.dayOne)).entries).toMatchObject([
    {
      key: 'day-one:A1',
      tags: ['starred', 'two words'],
      text: 'Snacks for 9.50\n\nlocation.placeName: Logan Airport',
      createdAt: microOf('2018-05-18T23:59:54Z'),
      updatedAt: microOf('2018-05-19T00:10:00Z'),
    },
  ]);
  expect(await read(RECORD_EXPORTS.simplenote)).toMatchObject({
    entries: [{ key: 'simplenote:a1', tags: ['x'], text: 'Kort\r\n\r\nEn rad.' }],
    skipped: { 'a note in the trash': 1 },
  });
  expect(await read(RECORD_EXPORTS.standardNotes)).toMatchObject({
    entries: [{ key: 'standard-notes:n1', title: 'Quay', text: 'Rope', tags: ['harbour', 'sea'] }],
    skipped: { 'a note in the trash': 1, 'an item that is not a note, such as a setting': 1 },
  });
});

test('Day One: words are as they were written, code stays, and links to pictures are left out', async () => {
  const words = 'Rent 1.200 (old) - [done]!\n\n`a\\.b`\n\n```\n\\-c\n```';
  const escaped =
    'Rent 1\\.200 \\(old\\) \\- \\[done\\]\\!\n\n![](dayone-moment://6C88)\n\n`a\\.b`\n\n```\n\\-c\n```';
  const entries = [
    { uuid: 'A1', creationDate: '2026-03-04T10:11:12Z', photos: [{ type: 'png' }], text: escaped },
  ];
  const found = await read({ 'Journal.json': JSON.stringify({ metadata: { version: '1.0' }, entries }) });
  expect(found).toMatchObject({ entries: [{ text: words }], skipped: { 'an attachment': 1 } });
});

test('Roam: blocks become a list in the order and depth of the page', async () => {
  expect((await read(RECORD_EXPORTS.roam)).entries).toMatchObject([
    {
      key: 'roam:p1',
      title: 'Harbour',
      createdAt: 1709251200000000,
      text: '- Call [[Ada]]\n  - at 10\n- two\n  lines',
    },
  ]);
});

test('Roam: a heading stays a heading, with its references, and text blocks stay as they are', async () => {
  const blocks = [
    {
      uid: 'h1',
      string: 'To return to ((block-ada))',
      heading: 2,
      children: [{ uid: 'c1', string: 'a drill' }],
    },
    { uid: 'block-ada', string: 'Ada', heading: 0 },
    { uid: 'x1', string: 'plain', heading: null },
  ];
  const pages = [{ title: 'Tools', 'create-time': 1709251200000, children: blocks }];
  const { entries } = await read({ 'graph.json': JSON.stringify(pages) });
  expect(entries[0]?.text).toBe('- ## To return to Ada\n  - a drill\n- Ada\n- plain');
});

test('Day One: an entry with a time zone alone is counted, and one with a place is kept', async () => {
  const empty = { uuid: 'A1', creationDate: '2026-03-04T10:11:12Z', timeZone: 'Europe/London' };
  const entries = [empty, { ...empty, uuid: 'A2', location: { placeName: 'Rydal Water' } }];
  const found = await read({ 'Journal.json': JSON.stringify({ metadata: { version: '1.0' }, entries }) });
  expect(found).toMatchObject({
    entries: [{ key: 'day-one:A2' }],
    skipped: { 'a record without text': 1 },
  });
  expect(found.entries).toHaveLength(1);
});

test('Gemini: a question and its answer are turns, in JSON and in HTML', async () => {
  const [asked, used] = (await read(RECORD_EXPORTS.gemini)).entries;
  expect(asked).toMatchObject({
    title: 'how deep is',
    text: '[2026-07-26 06:07] Me: how deep is\nthe quay?\n\n[2026-07-26 06:07] Gemini: About **4.20** m.\n\n- one',
  });
  expect(used).toMatchObject({ text: 'Used Gemini' });
  expect((await read(RECORD_EXPORTS.geminiPage)).entries).toMatchObject([
    {
      title: 'how deep & wide?',
      text: '[2025-07-01 08:00] Me: how deep & wide?\n\n[2025-07-01 08:00] Gemini: About **4.20** m.',
      createdAt: microOf('2025-07-01T08:00:00Z'),
    },
  ]);
});

test('Joplin: notebooks and tags are tags of the notes, and lines of the text stay text', async () => {
  expect(await read(RECORD_EXPORTS.joplin)).toMatchObject({
    entries: [
      {
        key: `joplin:${'a'.repeat(32)}`,
        title: 'Knots',
        tags: ['Boats', 'rope'],
        text: 'A reef knot.\n\nlength: 1.10\n\nis_todo: 1',
        updatedAt: microOf('2022-05-05T02:36:59.084Z'),
      },
    ],
    skipped: { 'an attachment': 1 },
    problems: [],
  });
});

test('a list of another program keeps every field, and encrypted and empty notes are counted', async () => {
  expect((await read(RECORD_EXPORTS.others)).entries).toMatchObject([
    {
      key: 'record:export.json/5',
      title: 'Oars',
      text: 'Two oars\n\nauthors:\n- Ada\n  role: cox\n\nid: 5\ndone: false',
    },
  ]);
  const note = { content_type: 'Note', content: {}, encryption_applied: 1 };
  const items = JSON.stringify({
    items: [note, { content_type: 'Note', content: {} }, { content_type: 'Tag' }],
  });
  expect((await read({ 'a.json': items })).skipped).toEqual({
    'an encrypted note': 1,
    'a record without text': 1,
    [DETAIL]: 1,
  });
});

test('records of one time and title have keys of their own, and a changed title keeps the key of a time', async () => {
  const note = (title: string, createdTimestampUsec: number) =>
    JSON.stringify({ title, textContent: 'x', createdTimestampUsec });
  const keysOf = async (...notes: string[]) =>
    (await read(Object.fromEntries(notes.map((one, at) => [`${at}.json`, one])))).entries.map(
      ({ key }) => key,
    );
  const [first, second] = await keysOf(note('A', 1.69e15), note('A', 1.69e15));
  expect(new Set([first, second]).size).toBe(2);
  expect(await keysOf(note('A', 1690372692755001))).toEqual(await keysOf(note('B', 1690372692755001)));
});

test('Firefox: the JSON of its backup gives the bookmarks of its HTML', async () => {
  expect(
    (await itemsOf(bookmarks, { 'b.json': FIREFOX_JSON, 'c.json': '[{"text": "x"}]' })).flatMap(
      (item): object[] => {
        if ('entry' in item) return [item.entry];
        return item.at === 'c.json' ? [item] : [];
      },
    ),
  ).toEqual([
    {
      title: 'A & <b>',
      text: 'A & <b>\n\nhttps://a.example/?x=1&y="2"\n\nkeyword: kk\n\nA note',
      source: 'https://a.example/?x=1&y="2"',
      tags: ['one', 'two', 'Sea'],
      createdAt: 1529484963727000,
      key: 'bookmark:https://a.example/?x=1&y="2"',
    },
    { at: 'c.json', skipped: 'not a list of bookmarks (.json)' },
  ]);
});

test('tables of Readwise, Instapaper and Raindrop: folders, document tags and lists of tags are tags', async () => {
  const rowsOf = async (table: string) =>
    (await itemsOf(csv, { 'x.csv': table })).flatMap((item) => ('entry' in item ? [item.entry] : []));
  const readwise =
    'Highlight,Book Title,Tags,Highlighted at,Document tags\nFirst.,Ships,sea,2024-07-17 14:00:25+00:00,history\nSecond.,Ships,,2024-07-17 15:00:25+00:00,\n';
  expect(await rowsOf(readwise)).toMatchObject([
    {
      title: 'Ships',
      tags: ['sea', 'history'],
      key: 'csv:x.csv/First.',
      createdAt: microOf('2024-07-17T14:00:25Z'),
    },
    { title: 'Ships', tags: [], key: 'csv:x.csv/Second.' },
  ]);
  const instapaper =
    'URL,Title,Selection,Folder,Timestamp,Tags\nhttps://a.example/,A,,Archive,1683091650,"[""one"",""two words""]"\n';
  expect(await rowsOf(instapaper)).toMatchObject([
    { source: 'https://a.example/', tags: ['one', 'two words', 'Archive'], createdAt: 1683091650000000 },
  ]);
});

test('a list that stands in a list, and pictures in the text of a page, are read as they are shown', () => {
  expect(readHtmlFragment('<ol><li>a</li><ol><li>b</li></ol><li>c</li></ol>')).toBe('1. a\n  1. b\n2. c');
  expect(readHtmlFragment('<p><img src="data:image/png;base64,AAAA" alt="quay"></p>')).toBe('quay');
  expect(readHtmlFragment('<pre><div>a</div><div>b</div></pre>')).toBe('```\na\nb\n```');
});

test('lines of JSON and own backups are no records', async () => {
  const line = JSON.stringify({ content: 'x', string: 'y' });
  expect(await recognised({ 'a.json': `${line}\n${line}\n` })).toBe('jsonl');
  expect(
    await recognised({ 'a.json': JSON.stringify({ text: '"string": "textContent": []', tags: [] }) }),
  ).toBe('jsonl');
});

const ID = '0123456789abcdef'.repeat(2);
const BACKUP = RECORD_EXPORTS.standardNotes['backup.txt.json'];
const KEEP_FILE = RECORD_EXPORTS.keep['Takeout/Keep/Shopping.json'];
test.each<[string, string | undefined, Readonly<Record<string, string>>]>([
  ['notes beside a log', 'obsidian', { 'a.txt': 'x', 'log.json': '{"log":{"entries":[{"time":1}]}}' }],
  ['notes beside a schema', 'obsidian', { 'a.txt': 'x', 'a.json': '{"types":{"string":1,"create-time":2}}' }],
  ['a note in Markdown beside the JSON of a program', 'obsidian', { 'a.md': 'x', 'keep.json': KEEP_FILE }],
  ['a note in Markdown beside a page', 'obsidian', { 'a.md': 'x', ...RECORD_EXPORTS.geminiPage }],
  ['a page of Notion beside an attachment', 'notion', { [`A ${ID}.html`]: 'x', 'keep.json': KEEP_FILE }],
  ['a note in standard input', undefined, { '-': '# Formats\n\n"entries": [\n"string": 1\n<en-export>\n' }],
  [
    'an archive with a backup',
    'records',
    { 'Standard Notes Backup and Import File.txt': BACKUP, 'b.txt': 'x' },
  ],
])('%s: the kind is %s', async (_name, kind, files) => {
  expect(await recognised(files)).toBe(kind);
});

test('the backup in an archive of Standard Notes is read, and its copies as text are counted', async () => {
  const files = { 'Standard Notes Backup and Import File.txt': BACKUP, 'Items/Note/Quay.txt': 'Rope' };
  expect(await read(files)).toMatchObject({
    entries: [{ title: 'Quay', text: 'Rope', tags: ['harbour', 'sea'] }],
    skipped: { 'not a file of records (.txt)': 1 },
  });
});

test('a note of Joplin that is longer than a head is read, and its attachments are not', async () => {
  const long = `Long\n\n${'word '.repeat(20_000)}\n\nid: ${ID}\ntype_: 1`;
  const files = { ...RECORD_EXPORTS.joplin, [`${ID}.md`]: long, [`resources/${ID}.md`]: 'Attached.' };
  const { entries, skipped, problems } = await read(files);
  expect(entries.map(({ title }) => title)).toEqual(['Knots', 'Long']);
  expect([skipped['not a file of records (.md)'], problems]).toEqual([1, []]);
});

test('a note of Joplin in HTML is converted, and code in a note in Markdown is not', async () => {
  const noteOf = (language: number) =>
    `Code\n\n<p>One <b>two</b></p>\n\nmarkup_language: ${language}\ntype_: 1`;
  const { entries } = await read({ [`${ID}.md`]: noteOf(1), [`${ID.replace('0', 'f')}.md`]: noteOf(2) });
  expect(entries.map(({ text }) => text)).toEqual(['<p>One <b>two</b></p>', 'One **two**']);
});

const HTML_CODE = '<div>\n<script>run()</script><!-- why -->\n</div>';
test.each<[string, unknown, object[]]>([
  [
    'a field of the content that is called like an outer one',
    [{ text: 'Outer words', content: { text: 'inner words', mood: 'calm' } }],
    [{ text: 'Outer words\n\ncontent.text: inner words\nmood: calm' }],
  ],
  [
    'a note in plain text that is code in HTML',
    { activeNotes: [{ id: 'a', content: HTML_CODE }] },
    [{ text: HTML_CODE }],
  ],
  [
    'a note in HTML alone',
    { textContentHtml: '<p>One <b>two</b></p>', userEditedTimestampUsec: 1690866308447000 },
    [{ text: 'One **two**' }],
  ],
  [
    'values that are false, and a trash that is not set',
    { activeNotes: [{ id: 'a', content: 'x', deleted: 'false', pinned: false, own: false }] },
    [{ text: 'x\n\ndeleted: false\nown: false' }],
  ],
  [
    'attachments that are names',
    { textContent: 'x', attachments: ['map.png', { filePath: 'quay.png' }] },
    [{ text: 'x\n\nAttachment: map.png\nAttachment: quay.png' }],
  ],
  [
    'posts with a type of their own beside texts',
    { posts: [{ content_type: 'post', body: 'One' }, 'my words'] },
    [{ text: 'One\n\ncontent_type: post' }, { text: 'my words' }],
  ],
  [
    'two lists with the same ids',
    { notes: [{ id: 1, body: 'One' }], posts: [{ id: 1, body: 'Two' }] },
    [{ key: 'record:a.json/notes/1' }, { key: 'record:a.json/posts/1' }],
  ],
  ['a list beside a time', { updatedAt: '2024-05-08', notes: [{ body: 'One' }] }, [{ text: 'One' }]],
  ['a list beside a message', { message: 'ok', notes: [{ body: 'One' }] }, [{ text: 'One' }]],
])('%s: nothing is lost or changed', async (_name, value, entries) => {
  expect((await read({ 'a.json': JSON.stringify(value) })).entries).toMatchObject(entries);
});

test('metadata of a memory is text, whatever its names say of notes', async () => {
  const metadata = { deleted: true, photos: ['a.png'], pinned: false };
  const [item] = await itemsOf(mem0, {
    'm.json': JSON.stringify([{ memory: 'x', verified: false, metadata }]),
  });
  expect(item).toMatchObject({
    entry: {
      text: 'x\n\nverified: false\nmetadata.deleted: true\nmetadata.photos: a.png\nmetadata.pinned: false',
    },
  });
});

test('a note of Evernote with very many tags is read, and one that is too large in all is refused', async () => {
  const notesOf = async (...pieces: string[]) => {
    const notes: ImportFields[] = [];
    const head = async () => new Uint8Array();
    async function* chunks() {
      for (const piece of ['<en-export><note>', ...pieces, '</note></en-export>']) yield Buffer.from(piece);
    }
    for await (const note of readEnexNotes({ name: 'a.enex', head, chunks })) notes.push(note);
    return notes;
  };
  const [note] = await notesOf('<tag>x</tag>'.repeat(200_000));
  expect(note?.tags).toHaveLength(200_000);
  const half = ['<content>', ...Array<string>(33).fill('x'.repeat(1_000_000)), '</content>'];
  await expect(notesOf(...half, ...half)).rejects.toThrow('a.enex has a note of over 64 MB');
});

test('JSON of Python with a text of millions of characters is parsed', () => {
  const text = 'NaN '.repeat(2_000_000);
  expect(parsePythonJson(`{"a": NaN, "b": ${JSON.stringify(`${text}"\\`)}}`)).toEqual({
    a: 'NaN',
    b: `${text}"\\`,
  });
});

test('ids of records of other lists become their names, whatever the lists are called, and names are counted', async () => {
  const part = fc.record({ tags: fc.subarray([1, 2, 3], { minLength: 1 }), folder: fc.constantFrom(1, 2) });
  const form = fc.constantFrom('ids', 'objects', 'long', 'by id', 'inner');
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), form, async (parts, how) => {
      const id = (kind: string, number: number) => (how === 'long' ? `${kind}0-0000-${number}` : number);
      const named = (kind: string, numbers: number[]) =>
        numbers.map((number) => ({
          id: id(kind, number),
          name: `${kind}${number}`,
          icon: 'x',
          description: null,
        }));
      const tags = named('t', [1, 2, 3]);
      const folders = [...named('f', [1]), { ...named('f', [2])[0], parent_id: id('f', 1) }];
      const notes = parts.map((one, at) => {
        const ids = one.tags.map((number) => (how === 'objects' ? { id: id('t', number) } : id('t', number)));
        const where = { [how === 'long' ? 'folder' : 'folder_id']: id('f', one.folder) };
        return {
          id: id('n', at + 7),
          content: { text: `words ${at}` },
          ...where,
          tagIds: ids,
        };
      });
      const byId = (list: readonly { id?: unknown }[]) =>
        Object.fromEntries(list.map(({ id, ...others }) => [String(id), others]));
      const lists =
        how === 'by id'
          ? { tags: byId(tags), folders: byId(folders), notes: byId(notes) }
          : { tags, folders, notes };
      const file = { version: 3, meta: { app: 'x' }, ...lists };
      const text = JSON.stringify(how === 'inner' ? { data: file } : file);
      expect(await recognised({ 'a.json': text })).toBe('records');
      const { entries, skipped } = await read({ 'a.json': text });
      expect(entries.map((entry) => [entry.text.split('\n')[0], [...(entry.tags ?? [])].sort()])).toEqual(
        parts.map((one, at) => [`words ${at}`, one.tags.map((tag) => `t${tag}`)]),
      );
      for (const [at, { folder }] of parts.entries())
        expect(entries[at]?.text).toMatch(folder === 1 ? /: f1$/m : /: f2$/m);
      expect(skipped['a record that is only the name of a folder or tag']).toBe(5);
    }),
    { seed: 5, numRuns: 100 },
  );
});

test.each<[string, object, object[]]>([
  [
    'a list with a name of its own',
    {
      bookmarks: [
        { title: 'Quay', content: { type: 'link', url: 'https://a.example/' }, createdAt: 1772619072 },
      ],
    },
    [{ title: 'Quay', source: 'https://a.example/', createdAt: 1772619072000000 }],
  ],
  [
    'numbers that are equal to an id by chance',
    { lists: [{ id: 1, name: 'Home' }], notes: [{ id: 2, text: 'One', count: 1 }] },
    [{ title: 'Home' }, { text: 'One\n\nid: 2\ncount: 1' }],
  ],
  [
    'a list whose records have more than a name',
    { people: [{ id: 1, name: 'Ann', phone: '12' }], notes: [{ id: 2, text: 'One', peopleId: 1 }] },
    [{ text: 'id: 1\nphone: 12' }, { text: 'One\n\nid: 2\npeople: Ann' }],
  ],
  [
    'a list to which no other refers',
    { todos: [{ id: 'a', title: 'Call', done: false }], notes: [{ id: 'b', text: 'One' }] },
    [{ title: 'Call' }, { text: 'One\n\nid: b' }],
  ],
  [
    'undone tasks and other facts of records to which others refer',
    {
      todos: [{ id: 'a', title: 'Call', done: false }],
      books: [{ id: 'b', name: 'Mill', isbn: '1' }],
      notes: [{ text: 'One', todoId: 'a', book_id: 'b' }],
    },
    [{ title: 'Call' }, { text: 'id: b\nisbn: 1' }, { text: 'One\n\ntodo: Call\nbook: Mill' }],
  ],
  [
    'dates and numbers that are ids of the list with their name',
    {
      days: [{ id: '2024-01-05', title: 'Friday' }],
      orders: [{ id: 3, title: 'Tea' }],
      notes: [{ text: 'One', day: '2024-01-05', order: 3, borderId: 3 }],
    },
    [
      { title: 'Friday' },
      { title: 'Tea' },
      { createdAt: microOf('2024-01-05'), text: 'One\n\norder: 3\nborderId: 3' },
    ],
  ],
  [
    'two fields that name the same list',
    { tags: [{ id: 1, name: 'Red', size: 2 }], notes: [{ text: 'One', tagId: 1, tagIds: [1] }] },
    [{ text: 'id: 1\nsize: 2' }, { tags: ['Red'], text: 'One\n\ntagIds: Red' }],
  ],
  [
    'lists of one name in several objects',
    {
      home: { folders: [{ id: 1, name: 'Cellar', text: 'a' }], notes: [{ id: 1, text: 'One', folderId: 1 }] },
      office: { folders: [{ id: 1, name: 'Desk', text: 'b' }], notes: [{ id: 1, text: 'Two', folderId: 1 }] },
    },
    [
      { key: 'record:a.json/home.folders/1' },
      { key: 'record:a.json/home.notes/1', text: 'One\n\nid: 1\nfolder: Cellar' },
      { key: 'record:a.json/office.folders/1' },
      { key: 'record:a.json/office.notes/1', text: 'Two\n\nid: 1\nfolder: Desk' },
    ],
  ],
  [
    'a list beside an object with one',
    { notes: [{ id: 1, text: 'One' }], data: { notes: [{ id: 1, text: 'Two' }], keys: [{ key: 'x' }] } },
    [{ key: 'record:a.json/1' }, { key: 'record:a.json/data.notes/1' }],
  ],
  [
    'times as databases wrap them',
    {
      docs: [
        { body: 'One', created_at: { $date: '2026-03-04T10:11:12Z' } },
        { body: 'Two', created: { _seconds: 1772619072, _nanoseconds: 0 } },
      ],
    },
    [{ createdAt: 1772619072000000 }, { createdAt: 1772619072000000 }],
  ],
])('%s: records are read', async (_name, value, entries) => {
  const text = JSON.stringify(value);
  expect(await recognised({ 'a.json': text })).toBe('records');
  const found = (await read({ 'a.json': text })).entries;
  expect(found).toMatchObject(entries);
  expect(found).toHaveLength(entries.length);
});

test('each record of lists to which no other refers is an entry with a key of its own, wherever the lists are', async () => {
  const given = fc.record(
    {
      id: fc.nat(3),
      title: fc.constantFrom('Call', '1', '3'),
      isbn: fc.constant('x'),
      account: fc.nat(3),
      done: fc.constant(false),
      order: fc.nat(3),
      date: fc.constant('2024-01-05'),
    },
    { requiredKeys: ['id', 'title'] },
  );
  const list = fc.uniqueArray(given, { selector: ({ id }) => id, minLength: 1, maxLength: 4 });
  const name = fc.constantFrom('orders', 'dates', 'items', 'accounts', 'todos');
  const group = fc.dictionary(name, list, { minKeys: 1, maxKeys: 3 });
  const groups = fc.dictionary(fc.constantFrom('home', 'office', 'data'), group, { minKeys: 1 });
  await fc.assert(
    fc.asyncProperty(groups, async (file) => {
      const all = Object.values(file).flatMap((lists) => Object.values(lists).flat());
      const { entries, problems } = await read({ 'x.json': JSON.stringify(file) });
      expect(problems).toEqual([]);
      expect(entries.map(({ title }) => title)).toEqual(all.map(({ title }) => title));
      expect(new Set(entries.map(({ key }) => key)).size).toBe(all.length);
    }),
    { numRuns: 60 },
  );
});
