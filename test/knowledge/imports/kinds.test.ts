import fc from 'fast-check';
import { expect, test } from 'vitest';
import { importEntries } from '../../../src/commands/knowledge/kb.ts';
import { isConversationTurn } from '../../../src/knowledge/importing/conversation-turn.ts';
import type { ImportedEntry } from '../../../src/knowledge/importing/import-kind.ts';
import { parseTimeMicros } from '../../../src/knowledge/importing/import-values.ts';
import { IMPORT_KINDS } from '../../../src/knowledge/imports/kinds.ts';
import { readTable } from '../../../src/knowledge/imports/table.ts';
import { describeImportKind, itemsOf, recognised } from '../../contracts/import-kind.ts';
import {
  CLAUDE_CONVERSATIONS,
  EXPORTS,
  JSONL_LINES,
  NOTION_FILES,
  VAULT_FILES,
} from '../../helpers/import-samples.ts';

for (const kind of IMPORT_KINDS) describeImportKind(kind, EXPORTS[kind.name] ?? []);

async function entriesOf(name: string, files: Readonly<Record<string, string>>): Promise<ImportedEntry[]> {
  const kind = IMPORT_KINDS.find((one) => one.name === name);
  if (!kind) throw new Error(name);
  const items = await itemsOf(kind, files);
  return items.flatMap((item) => ('entry' in item ? [item.entry] : []));
}
const sample = (name: string, at = 0) => EXPORTS[name]?.[at] ?? {};

test('--from accepts every kind', () => {
  expect(importEntries.input.shape.from.unwrap().options).toEqual(IMPORT_KINDS.map(({ name }) => name));
});

test('ChatGPT: the shown branch is imported in turns with time and speaker, without tool output', async () => {
  const [one, ...more] = await entriesOf('chatgpt', sample('chatgpt'));
  expect(more).toEqual([]);
  expect(one).toEqual({
    title: 'Sourdough for beginners',
    source: 'https://chatgpt.com/c/0f3f-aa',
    key: 'chatgpt:0f3f-aa',
    createdAt: 1715176560123000,
    updatedAt: 1715176700500000,
    text: [
      '[2024-05-08 13:56] Me: How much starter for 500 g of flour?',
      '[2024-05-08 13:56] ChatGPT: About 100 g of active starter.',
      '[2024-05-08 13:57] Me: And this one?',
      '[2024-05-08 13:58] ChatGPT: That loaf is underproofed.',
    ].join('\n\n'),
  });
  for (const turn of one?.text.split('\n\n') ?? []) expect(isConversationTurn(turn)).toBe(true);
});

test('ChatGPT: a circular tree ends, and a tree without a shown branch gives its newest branch', async () => {
  const message = (text: string, at: number) => ({
    author: { role: 'user' },
    create_time: at,
    content: { parts: [text] },
  });
  const conversations = [
    {
      id: 'circle',
      current_node: 'a',
      mapping: {
        a: { parent: 'b', message: message('one', 1.7e9) },
        b: { parent: 'a', message: message('two', 1.7e9) },
      },
    },
    {
      id: 'none',
      mapping: {
        a: { parent: null, children: ['b', 'c'], message: message('root', 1.7e9) },
        b: { parent: 'a', children: [], message: message('newer', 1.7e9 + 5) },
        c: { parent: 'a', children: [], message: message('older', 1.7e9 + 1) },
      },
    },
    { id: 'named like a member', current_node: '__proto__', mapping: { a: {} } },
  ];
  const found = await entriesOf('chatgpt', { 'conversations.json': JSON.stringify(conversations) });
  expect(found.map(({ text }) => text.replaceAll(/\[.*?\] Me: /g, ''))).toEqual([
    'two\n\none',
    'root\n\nnewer',
  ]);
});

test('a conversation longer than an entry is imported in parts, cut between turns', async () => {
  const [conversation] = CLAUDE_CONVERSATIONS;
  const turn = (n: number) => ({
    sender: n % 2 ? 'human' : 'assistant',
    text: `${n} ${'word '.repeat(20_000)}`,
    created_at: '2025-02-03T10:11:12Z',
  });
  const long = [{ ...conversation, chat_messages: Array.from({ length: 30 }, (_, n) => turn(n)) }];
  const [entry, ...others] = await entriesOf('claude', { 'conversations.json': JSON.stringify(long) });
  expect([entry?.key, others]).toEqual(['claude:c1a0', []]);
  const parts = [entry?.text ?? '', ...(entry?.furtherTexts ?? [])];
  expect(parts).toHaveLength(4);
  for (const text of parts) {
    expect(Buffer.byteLength(text)).toBeLessThan(1_000_000);
    expect(isConversationTurn(text)).toBe(true);
  }
  expect(parts.flatMap((text) => [...text.matchAll(/: (\d+) word/g)].map(([, n]) => Number(n)))).toEqual(
    Array.from({ length: 30 }, (_, n) => n),
  );
});

test('Claude: conversations are imported with attachments, and projects with their documents', async () => {
  const found = await entriesOf('claude', sample('claude', 1));
  expect(found).toEqual([
    {
      title: 'Moving to Ghent',
      source: 'https://claude.ai/chat/c1a0',
      key: 'claude:c1a0',
      createdAt: 1738577472000000,
      updatedAt: 1738577700000000,
      text:
        '[2025-02-03 10:11] Me: Which forms do I need?\n\nlease.txt:\nThe lease begins on 1 March.\n\n' +
        '[2025-02-03 10:12] Claude: Register at the town hall within eight days.',
    },
    expect.objectContaining({ title: 'House: instructions', text: 'Answer in Dutch.' }),
    expect.objectContaining({ title: 'House: plan.md', text: 'Three rooms.', createdAt: 1735776000000000 }),
  ]);
});

test('Notion: pages are imported with their properties, and so are rows without a page', async () => {
  const found = await entriesOf('notion', NOTION_FILES);
  expect(found.map(({ title }) => title)).toEqual(['Home', 'Plans', 'Tasks: Paint the fence', 'Call Ada']);
  const [home, , fence, ada] = found;
  expect(home?.source).toBe(`https://www.notion.so/${'1'.padStart(32, '0')}`);
  expect(fence).toMatchObject({ tags: ['home', 'garden'], text: expect.stringContaining('Status: Open') });
  expect(new Date((fence?.createdAt ?? 0) / 1000).toISOString()).toBe('2023-04-01T10:00:00.000Z');
  expect(ada).toMatchObject({ tags: ['people', 'phone'], source: 'https://ada.example/' });
  expect(ada?.text).toContain('She will bring the ladder.');
});

test('a bookmark in two folders is one entry with the tags of both', async () => {
  const found = await entriesOf('bookmarks', {
    'bookmarks.html': `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><H3>Garden</H3><DL><p>
      <DT><A HREF="https://leek.example/" ADD_DATE="1700000000">Leeks</A></DL><p><DT><H3>Soup</H3><DL><p>
      <DT><A HREF="https://leek.example/" ADD_DATE="1600000000">Leeks</A></DL><p></DL>`,
  });
  expect(found).toMatchObject([
    { title: 'Leeks', tags: ['Garden', 'Soup'], createdAt: 1_600_000_000_000_000 },
  ]);
});

test('each of many bookmarks of one address adds its title, its note and its tags once', async () => {
  const names = Array.from({ length: 1000 }, (_, at) => ['a', 'b', 'a', 'c', 'b'][at] ?? `n${at}`);
  const links = names.map((name) => `<DT><A HREF="https://leek.example/" TAGS="${name}">${name}</A>`);
  const found = await entriesOf('bookmarks', {
    'bookmarks.html': `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${links.join('\n')}</DL>`,
  });
  const [first, ...others] = new Set(names);
  expect(found).toMatchObject([{ title: first, tags: [first, ...others] }]);
  expect(found[0]?.text).toBe([first, 'https://leek.example/', ...others].join('\n\n'));
  const quotes = names.slice(0, 5);
  const marked = quotes.map((quote) => ({ url: 'https://leek.example/', highlights: [{ quote }] }));
  expect(
    await entriesOf('pocket', { ...sample('pocket'), 'annotations/a.json': JSON.stringify(marked) }),
  ).toContainEqual(expect.objectContaining({ text: `https://leek.example/\n\n> ${quotes.join('\n\n> ')}` }));
});

test('Notion: rows of the same title are separate entries', async () => {
  const found = await entriesOf('notion', {
    [`Costs ${'0123456789abcdef'.repeat(2)}.csv`]: 'Name,Price\nCoffee,3\nCoffee,4\nTea,1\n',
  });
  expect(found.map(({ text }) => text)).toEqual([
    'Name: Coffee\nPrice: 3',
    'Name: Coffee\nPrice: 4',
    'Name: Tea\nPrice: 1',
  ]);
  expect(new Set(found.map(({ key }) => key)).size).toBe(3);
});

test.each<[string, string, string]>([
  [
    'commas in names of columns',
    'Name (to 9, unique);Price, net\nSaw;1\n',
    'Name (to 9, unique): Saw\nPrice, net: 1',
  ],
  ['commas in numbers', 'Name;Price;Size\nSaw;12,50;1,0\n', 'Name: Saw\nPrice: 12,50\nSize: 1,0'],
  ['quoted names', '"Na\nme";"Price"\nSaw;1\n', 'Na me: Saw\nPrice: 1'],
  ['a single column', 'Note\nhello; there\n', 'Note: hello; there'],
])('csv: the delimiter of a table with %s', async (_name, table, text) => {
  const [row] = await entriesOf('csv', { 'a.csv': table });
  expect(row?.text.replace('Na\nme', 'Na me')).toBe(text);
});

test.each(['csv', 'notion'])('%s: rows named like a counted row have keys of their own', async (kind) => {
  const file = `Tasks ${'0123456789abcdef'.repeat(2)}.csv`;
  for (const names of fc.sample(
    fc.array(fc.constantFrom('Issue', 'Issue#2', 'Issue#3', 'Issue#2#2'), { minLength: 3, maxLength: 9 }),
    { seed: 5, numRuns: 50 },
  )) {
    const found = await entriesOf(kind, { [file]: `Name\n${names.join('\n')}\n` });
    expect(found.map(({ text }) => text)).toEqual(names.map((name) => `Name: ${name}`));
    expect(new Set(found.map(({ key }) => key)).size).toBe(names.length);
  }
});

test('columns and properties named like a counted one keep their values', async () => {
  const names = fc.array(fc.constantFrom('A', 'A (2)', 'A (3)', 'Column 2', ''), {
    minLength: 2,
    maxLength: 9,
  });
  for (const head of fc.sample(names, { seed: 6, numRuns: 50 })) {
    const [row] = readTable(`first,${head}\n0,${[...head.keys()].map((at) => `v${at}`)}\n`, 'x.csv', ',');
    expect(Object.values(row ?? {}).slice(1)).toEqual([...head.keys()].map((at) => `v${at}`));
  }
  expect(readTable('A (3),A,A\none,two,three\n', 'x.csv', ',')).toEqual([
    { 'A (3)': 'one', A: 'two', 'A (4)': 'three' },
  ]);
  const cells = ['A (2)', 'A', 'A'].map((name, at) => `<tr><th>${name}</th><td>v${at}</td></tr>`);
  const [page] = await entriesOf('notion', {
    [`Page ${'0123456789abcdef'.repeat(2)}.html`]: `<table class="properties">${cells.join('')}</table>`,
  });
  expect(page?.text).toBe('A (2): v0\nA: v1\nA (3): v2');
});

test('Obsidian: front matter and hash tags become tags, and links stay', async () => {
  const found = await entriesOf('obsidian', VAULT_FILES);
  expect(found).toEqual([
    {
      title: '2024-05-08',
      tags: ['journal', 'family', 'walks/long'],
      source: 'Daily/2024-05-08.md',
      key: 'note:Daily/2024-05-08.md',
      createdAt: 1715153400000000,
      updatedAt: undefined,
      text: 'created: 2024-05-08T07:30:00\nmood: calm\n\nWalked with [[Anna Berg]] to the mill. #walks/long',
    },
    expect.objectContaining({
      title: 'Anna Berg',
      tags: ['people'],
      text: 'aliases: Anna\n\n# Anna\n\nHer birthday is on 3 June. See [the photo](../img/anna.jpg).',
    }),
    expect.objectContaining({ title: 'plain', text: 'No front matter here.', tags: [] }),
  ]);
});

test.each([
  ['that is no YAML', '---\n: : :\n\t- x\n---\nBody', '---\n: : :\n\t- x\n---\nBody'],
  [
    'that grows by aliases',
    `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c]\n---\nBody`,
    undefined,
  ],
  ['that nothing closes', '---\ntags: a\nBody', '---\ntags: a\nBody'],
  ['nested to break a reader', `---\na: ${'['.repeat(9000)}\n---\nBody`, undefined],
])('front matter %s does no harm', async (_, text, whole) => {
  const [note] = await entriesOf('obsidian', { 'n.md': text });
  expect(note?.text).toContain('Body');
  if (whole !== undefined) expect(note?.text).toBe(whole);
});

test('Pocket and bookmarks: address, title, time and tags are imported, and scripts are not', async () => {
  const [bridge, bare, ...none] = await entriesOf('pocket', {
    ...sample('pocket'),
    'annotations/part_000000.json': JSON.stringify([
      {
        url: 'https://bridges.example/stand',
        highlights: [{ quote: 'Arches push outwards.', created_at: 1700000000 }],
      },
    ]),
  });
  expect(none).toEqual([]);
  expect(bridge).toEqual({
    title: 'How bridges stand',
    text: 'How bridges stand\n\nhttps://bridges.example/stand\n\n> Arches push outwards.',
    source: 'https://bridges.example/stand',
    tags: ['engineering', 'long read', 'unread'],
    createdAt: 1700000000000000,
    key: 'pocket:https://bridges.example/stand',
  });
  expect(bare).toMatchObject({ title: 'https://x.example/', text: 'https://x.example/' });
  expect(await entriesOf('pocket', sample('pocket', 1))).toMatchObject([
    { title: 'Soup & bread', source: 'https://old.example/a?b=1&c=2', tags: ['cooking', 'soup', 'unread'] },
    { title: 'B', tags: ['archive'] },
  ]);
  expect(await entriesOf('bookmarks', sample('bookmarks'))).toMatchObject([
    { title: 'News', tags: [], createdAt: 1600000001000000 },
    {
      title: 'Leek soup',
      tags: ['soup', 'winter', 'Recipes'],
      text: 'Leek soup\n\nhttps://soup.example/leek\n\nThe one with potatoes',
    },
    { title: 'After the folder', tags: [] },
  ]);
});

test('mem0 exports and JSON lines of other programs are imported', async () => {
  expect(await entriesOf('mem0', sample('mem0'))).toEqual([
    {
      text: 'Prefers tea to coffee',
      source: 'mem0',
      tags: ['preferences', 'food'],
      key: 'mem0:5b8a',
      createdAt: 1728579600000000,
      updatedAt: undefined,
    },
  ]);
  expect(await entriesOf('jsonl', { 'x.jsonl': JSONL_LINES })).toMatchObject([
    { text: 'Our own line', title: 'Own', createdAt: 1700000000000000 },
    { text: 'A line of a document store', source: 'https://store.example/', createdAt: 1704164645000000 },
    { text: 'Ada (person):\n- Plays chess\n- Lives in Ghent', tags: ['person'] },
    { text: 'Ada is a sister of Bea.' },
  ]);
});

test.each<[string, string, string[]]>([
  [
    'a comment',
    '# Made by a program; at noon\nname,size\nsaw,1.10\n',
    ['name: saw\nsize: 1.10\n# Made by a program; at noon'],
  ],
  ['an encoding', 'UTF-8\nname,size\nsaw,1.10\n', ['name: saw\nsize: 1.10\nUTF-8']],
  [
    'lines as wide as the table',
    '"Notes of:",\nBook,\n---,\n,\nname,size\nsaw,1.10\n',
    ['name: saw\nsize: 1.10\nNotes of:\nBook\n---'],
  ],
  ['no line, but a first column without a name', ',price\n0,1.10\n', ['Column 1: 0\nprice: 1.10']],
  ['no line, but one name for many values', 'note\n"a, b"\nc,d\n', ['note: a, b', 'note: c\nColumn 2: d']],
  ['no line, but a number sign as a name', '#,name\n7,saw\n', ['#: 7\nname: saw']],
])('csv: the rows of a table with %s above it', async (_name, table, texts) => {
  const found = await entriesOf('csv', { 'a.csv': table });
  expect(found.map(({ text }) => text)).toEqual(texts);
});

test('csv: a title is as it is written, and the time at which a program kept a row is its time', async () => {
  const columns = [
    'created',
    'Date Added',
    'time_added',
    'Highlighted at',
    'saved',
    'Created Date',
    'createdAt',
  ];
  for (const column of columns) {
    const table = `title,${column}\n"First, one",2024-03-05 10:20:30+00:00\n`;
    const [row] = await entriesOf('csv', { 'raindrops.csv': table });
    expect(row).toMatchObject({ title: 'First, one', createdAt: Date.UTC(2024, 2, 5, 10, 20, 30) * 1000 });
  }
  const [row] = await entriesOf('csv', { 'prices.csv': 'what,Due date\nsaw,2024-03-05\n' });
  expect(row).toMatchObject({ title: 'prices: saw', createdAt: undefined });
});

test('a day of eight digits is a day, and 0 is no time', () => {
  expect(parseTimeMicros('20240305')).toBe(Date.UTC(2024, 2, 5) * 1000);
  expect(parseTimeMicros(20240230)).toBeUndefined();
  for (const none of [0, '0', '1970-01-01T00:00:00Z']) expect(parseTimeMicros(none)).toBeUndefined();
});

test('JSON lines: seconds beside the id of another program are seconds', async () => {
  const line = JSON.stringify({ id: '1', text: 'a', createdAt: 1_709_632_800 });
  expect(await entriesOf('jsonl', { 'x.jsonl': line })).toMatchObject([{ createdAt: 1_709_632_800_000_000 }]);
});

test.each([
  { children: [{ title: 'A', uri: 'https://a.example/' }] },
  { name: 'package', contributors: [{ name: 'Ada' }] },
  { agents: [] },
])('the object of another program is no export that is known: %j', async (value) => {
  expect(await recognised({ 'export.json': JSON.stringify(value) })).toBeUndefined();
});
