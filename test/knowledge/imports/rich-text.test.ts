import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readNote } from '../../../src/knowledge/importing/note.ts';
import { readRichText } from '../../../src/knowledge/importing/rich-text/rich-text.ts';
import { IMPORT_KINDS } from '../../../src/knowledge/imports/kinds.ts';
import { itemsOf, recognised } from '../../contracts/import-kind.ts';
import { wordsMissing } from '../../helpers/note-samples.ts';

/** Notes whose body is the JSON document of an editor, with all their words and without JSON. */

type Next = () => string;
const LINK = 'https://t.example/';
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });

/** The same note in the form of each editor: a heading, a link, a list with one inside, a check list, and code. */
const EDITORS: Readonly<Record<string, (next: Next) => unknown>> = {
  lexical: (next) => {
    const item = (...children: object[]) => ({ type: 'listitem', value: 1, children });
    const list = (listType: string, ...children: object[]) => ({ type: 'list', listType, children });
    return {
      root: {
        type: 'root',
        children: [
          { type: 'heading', tag: 'h2', children: [text(next(), { format: 0 })] },
          {
            type: 'paragraph',
            children: [
              text(`${next()} `),
              { type: 'link', url: LINK, children: [text(next(), { format: 1 })] },
            ],
          },
          list('bullet', item(text(next())), item(list('number', item(text(next()))))),
          list('check', { ...item(text(next())), checked: true }),
          {
            type: 'code',
            language: 'py',
            children: [{ type: 'code-highlight', text: next() }, { type: 'linebreak' }, text(next())],
          },
        ],
      },
    };
  },
  prosemirror: (next) => {
    const p = (...content: object[]) => ({ type: 'paragraph', content });
    return {
      type: 'doc',
      content: [
        { type: 'heading', attrs: { level: 2 }, content: [text(next())] },
        p(
          text(`${next()} `),
          text(next(), { marks: [{ type: 'bold' }, { type: 'link', attrs: { href: LINK } }] }),
        ),
        {
          type: 'bulletList',
          content: [
            {
              type: 'listItem',
              content: [
                p(text(next())),
                { type: 'orderedList', content: [{ type: 'list_item', content: [p(text(next()))] }] },
              ],
            },
          ],
        },
        {
          type: 'taskList',
          content: [{ type: 'taskItem', attrs: { checked: true }, content: [p(text(next()))] }],
        },
        { type: 'codeBlock', attrs: { language: 'py' }, content: [text(`${next()}\n${next()}`)] },
      ],
    };
  },
  slate: (next) => [
    { type: 'h2', children: [{ text: next() }] },
    {
      type: 'paragraph',
      children: [
        { text: `${next()} ` },
        { type: 'link', url: LINK, children: [{ text: next(), bold: true }] },
      ],
    },
    {
      type: 'bulleted-list',
      children: [
        {
          type: 'list-item',
          children: [
            { text: next() },
            { type: 'numbered-list', children: [{ type: 'list-item', children: [{ text: next() }] }] },
          ],
        },
      ],
    },
    { type: 'check-list-item', checked: true, children: [{ text: next() }] },
    {
      type: 'code-block',
      language: 'py',
      children: [next(), next()].map((line) => ({ type: 'code-line', children: [{ text: line }] })),
    },
  ],
  quill: (next) => ({
    ops: [
      { insert: next() },
      { insert: '\n', attributes: { header: 2 } },
      { insert: `${next()} ` },
      { insert: next(), attributes: { bold: true, link: LINK } },
      { insert: `\n${next()}` },
      { insert: '\n', attributes: { list: 'bullet' } },
      { insert: next() },
      { insert: '\n', attributes: { list: 'ordered', indent: 1 } },
      { insert: next() },
      { insert: '\n', attributes: { list: 'checked' } },
      { insert: next() },
      { insert: '\n', attributes: { 'code-block': 'py' } },
      { insert: next() },
      { insert: '\n', attributes: { 'code-block': 'py' } },
    ],
  }),
  editorjs: (next) => {
    const html = () => next().replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const block = (type: string, data: object) => ({ id: 'x', type, data });
    return {
      time: 1,
      blocks: [
        block('header', { text: html(), level: 2 }),
        block('paragraph', { text: `${html()} <a href="${LINK}"><b>${html()}</b></a>` }),
        block('list', { style: 'unordered', items: [html()] }),
        block('list', { style: 'ordered', items: [{ content: html(), items: [] }] }),
        block('checklist', { items: [{ text: html(), checked: true }] }),
        block('code', { language: 'py', code: `${next()}\n${next()}` }),
      ],
    };
  },
  blocknote: (next) => {
    const block = (type: string, props: object, words: string, children: object[] = []) => ({
      id: 'x',
      type,
      props,
      content: [text(words, { styles: {} })],
      children,
    });
    return [
      block('heading', { level: 2 }, next()),
      {
        ...block('paragraph', {}, ''),
        content: [
          text(`${next()} `, { styles: {} }),
          { type: 'link', href: LINK, content: [text(next(), { styles: { bold: true } })] },
        ],
      },
      block('bulletListItem', {}, next(), [block('numberedListItem', {}, next())]),
      block('checkListItem', { checked: true }, next()),
      block('codeBlock', { language: 'py' }, `${next()}\n${next()}`),
    ];
  },
};

const LIST = /\n\n- c\n(?:\n? {2,3}|\n)1\. d\n\n?- \[x\] e\n\n/;

test.each(Object.entries(EDITORS))('%s: headings, links, lists and code are read', (_name, write) => {
  const words = 'habcdefg'.split('');
  const markdown = readRichText(JSON.stringify(write(() => words.shift() ?? ''))) ?? '';
  expect(markdown.replace(LIST, '\n\n')).toMatch(
    /^## h\n\na (?:\*\*)?\[(?:\*\*)?b(?:\*\*)?\]\(https:\/\/t\.example\/\)(?:\*\*)?\n\n```py\nf\ng\n```$/,
  );
});

const word = fc.constantFrom(
  'quay',
  'Möwe',
  '小舟',
  '3 < 4',
  'R&D',
  '1.10',
  '**x**',
  '"q"',
  '<b>',
  '{"a": 1}',
  '`c`',
);
test('every word of a document of an editor is in its entry, in notes and in records', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.entries(EDITORS)),
      fc.array(word, { minLength: 8, maxLength: 8 }),
      async ([name, write], samples) => {
        const given = samples.map((one, at) => `${one} w${at}`);
        const words = [...given];
        const document = write(() => words.shift() ?? '');
        const json = JSON.stringify(document);
        const exports: Readonly<Record<string, string>>[] = [
          { 'a.json': json },
          { 'a.json': JSON.stringify({ cardList: [{ title: 'T', content: json }], notes: [{ text: 'x' }] }) },
          { 'a.json': JSON.stringify({ notes: [{ subject: 'T', document_json: json }] }) },
          { 'a.json': JSON.stringify([{ title: 'T', body: document }]) },
          { 'note.md': `---\ntags: [a]\n---\n${json}` },
          { 'a.jsonl': JSON.stringify({ title: 'T', content: json }) },
        ];
        for (const files of exports) {
          const known = await recognised(files);
          const reader = IMPORT_KINDS.find((one) => one.name === known);
          const items = reader ? await itemsOf(reader, files) : [];
          const found = items.flatMap((item) => ('entry' in item ? [item.entry.text] : []));
          const whole = { text: found.join('\n') };
          expect([name, files, wordsMissing(given.join('\n'), whole)]).toEqual([name, files, []]);
          expect(whole.text).not.toMatch(/"(?:type|insert|children|text)"/);
        }
      },
    ),
    { seed: 7, numRuns: 60 },
  );
});

test('a note of Standard Notes in the form of its editor is read, and its preview is not', async () => {
  const note = {
    content_type: 'Note',
    uuid: 'n',
    content: {
      title: 'T',
      noteType: 'super',
      text: JSON.stringify(EDITORS.lexical?.(() => 'quay')),
      preview_plain: 'x',
    },
  };
  const files = { 'a.json': JSON.stringify({ version: '004', items: [note] }) };
  const records = IMPORT_KINDS.find(({ name }) => name === 'records');
  const [item] = records ? await itemsOf(records, files) : [];
  expect(item).toMatchObject({ entry: { title: 'T', text: expect.stringMatching(/^## quay\n\nquay \[/) } });
});

test('what an editor adds to its document is kept as words', () => {
  const document = {
    type: 'doc',
    content: [
      { type: 'paragraph', content: [{ type: 'mention', attrs: { id: 'u1', label: 'Ann' } }, text(' said')] },
      { type: 'embedCard', attrs: { title: 'The quay', link: { to: 'https://q.example/' } } },
      { type: 'image', attrs: { src: 'https://i.example/p.png', alt: 'Map', caption: 'Of 1910' } },
    ],
  };
  expect(readRichText(document)).toBe(
    'Ann said\n\nThe quay https://q.example/\n\n![Map Of 1910](https://i.example/p.png)',
  );
  const delta = {
    ops: [{ insert: { formula: 'a^2' } }, { insert: ' and ' }, { insert: { mention: { value: 'Ann' } } }],
  };
  expect(readRichText(delta)).toBe('a^2 and Ann');
});

test('Anytype: blocks that name each other by their ids are a note with its title and time', async () => {
  const link = (from: number, to: number, param: string) => ({ range: { from, to }, type: 'Link', param });
  const marks = {
    marks: [
      link(4, 9, LINK),
      { range: { from: 0, to: 3 }, type: 'Bold' },
      link(14, 18, 'https://m.example/'),
    ],
  };
  const blocks = [
    { id: 'r', childrenIds: ['title', 'h', 'b', 'f'] },
    { id: 'title', text: { text: '', style: 'Title' } },
    { id: 'h', text: { text: 'Tides', style: 'Header1', marks: {} } },
    { id: 'b', childrenIds: ['c'], text: { text: 'See table and more', style: 'Marked', marks } },
    { id: 'c', text: { text: 'done', style: 'Checkbox', checked: true } },
    { id: 'f', file: { name: 'map.png', hash: 'x' } },
    { id: 'lost', text: { text: 'Beside', style: 'Paragraph' } },
  ];
  const details = { id: 'p', name: 'My page', createdDate: 1709633472, description: 'About' };
  const files = { 'x.json': JSON.stringify({ sbType: 'Page', snapshot: { data: { blocks, details } } }) };
  const records = IMPORT_KINDS.find(({ name }) => name === 'records');
  expect(await recognised(files)).toBe('records');
  expect(records && (await itemsOf(records, files))).toMatchObject([
    {
      entry: {
        title: 'My page',
        createdAt: 1709633472000000,
        text: expect.stringMatching(
          /^# Tides\n\n- See \[table\]\(https:\/\/t.example\/\) and \[more\]\(https:\/\/m.example\/\)\n\n? {2}- \[x\] done\n\nmap.png\n\nBeside\n\n.*About/s,
        ),
      },
    },
  ]);
});

test.each([
  '{"notes": []}',
  '[{"a": 1}]',
  '[{"type": "message", "content": [{"type": "text", "text": "x"}]}]',
  '{"title": "a", "blocks": [{"type": "b"}]}',
  '{"type": "doc"}',
  '{ "root":',
  'text',
  `{"root": ${'{"children": ['.repeat(90_000)}`,
])('%.60s is no document of an editor', (given) => {
  expect(readRichText(given)).toBeUndefined();
  expect(readNote(given, 'a.md').text).toBe(given);
});

test('a document that is nested very deep ends', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { text: 'quay' } : { type: 'blockquote', children: [nested(depth - 1)] };
  expect(readRichText({ root: nested(2000) })).toContain('quay');
});

const page = (blocks: readonly object[], details: object, more: object = {}) => ({
  sbType: 'Page',
  snapshot: { logHeads: {}, data: { blocks, details }, fileKeys: [] },
  ...more,
});

test('Anytype: tables, files and bookmarks are what is shown, and the details of the program are counted', async () => {
  const cell = (id: string, words: string) => ({ id, text: { text: words, style: 'Paragraph' } });
  const blocks = [
    { id: 'p', childrenIds: ['tab', 'f', 'b', 'o', 'code'], smartblock: {} },
    { id: 'tab', childrenIds: ['cols', 'rows'], table: {} },
    { id: 'cols', childrenIds: ['c1', 'c2'], layout: { style: 'TableColumns' } },
    { id: 'rows', childrenIds: ['r1', 'r2'], layout: { style: 'TableRows' } },
    { id: 'r1', childrenIds: ['r1-c2', 'r1-c1'], tableRow: { isHeader: true } },
    { id: 'r2', childrenIds: ['r2-c2'], tableRow: {} },
    cell('r1-c1', 'A'),
    cell('r1-c2', 'B'),
    cell('r2-c2', 'C'),
    { id: 'f', file: { name: 'map.pdf', mime: 'application/pdf', size: '48213', type: 'PDF' } },
    { id: 'b', bookmark: { url: LINK, title: 'The tide', description: 'Of 1910', state: 'Done' } },
    { id: 'o', link: { targetBlockId: 'x', iconSize: 'SizeSmall', cardStyle: 'Text' } },
    { id: 'code', fields: { lang: 'py' }, text: { text: 'x = 1', style: 'Code' } },
  ];
  const details = {
    ...{ id: 'p', name: 'Plan', layout: 0, spaceId: 's', type: 't', iconEmoji: '🍅', isFavorite: false },
    ...{ description: 'About', snippet: 'A B' },
  };
  const records = IMPORT_KINDS.find(({ name }) => name === 'records');
  const files = {
    'objects/p.pb.json': page(blocks, details),
    'objects/old.pb.json': page(blocks, { ...details, isArchived: true }),
    'objects/t.pb.json': page(blocks, details, { sbType: 'Template' }),
    'types/t.pb.json': page(blocks, details),
    'relations/r.pb.json': { sbType: 'STRelation', snapshot: { data: { details } } },
  };
  const texts = Object.fromEntries(
    Object.entries(files).map(([name, file]) => [name, JSON.stringify(file, null, 1)]),
  );
  expect(await recognised(texts)).toBe('records');
  const items = records ? await itemsOf(records, texts) : [];
  expect(items.flatMap((item) => ('entry' in item ? [[item.entry.title, item.entry.text]] : []))).toEqual([
    [
      'Plan',
      '| A | B |\n| --- | --- |\n|  | C |\n\nmap.pdf\n\n[The tide](https://t.example/) Of 1910\n\n```py\nx = 1\n```\n\ndescription: About',
    ],
  ]);
  const skipped = items.flatMap((item) => ('skipped' in item ? [[item.skipped, item.count]] : []));
  expect(skipped).toEqual(
    expect.arrayContaining([
      ['an id, a color or another detail of the program', 5],
      ['a note in the trash', 1],
      ['a type or another object that is not a page', 1],
    ]),
  );
});

test.each(['templates', 'types', 'notes'])(
  'a document of an editor in a folder %s is read',
  async (folder) => {
    const content = [{ type: 'paragraph', content: [{ type: 'text', text: 'Hi' }] }];
    const file = { type: 'doc', sbType: 'Letter', content };
    const kind = IMPORT_KINDS.find(({ name }) => name === 'records');
    const items = kind ? await itemsOf(kind, { [`${folder}/a.json`]: JSON.stringify(file) }) : [];
    expect(items).toMatchObject([{ entry: { text: 'Hi' } }]);
  },
);

test('Anytype: a table whose lists name many rows and columns has no more cells than a document may have', () => {
  const ids = (sign: string, many: number) => Array.from({ length: 900 }, (_, at) => `${sign}${at % many}`);
  const documentOf = (many: number) => {
    const rows = ids('r', many);
    const words = { id: `r${many - 1}-c0`, text: { text: 'Last', style: 'Paragraph' } };
    const blocks = [
      { id: 'tab', childrenIds: ['cols', 'rows'], table: {} },
      { id: 'cols', childrenIds: ids('c', many) },
      { id: 'rows', childrenIds: rows },
      ...rows.map((id) => ({ id })),
      words,
    ];
    return readRichText(page(blocks, {})) ?? '';
  };
  expect(documentOf(2)).toMatch(/^\| +\| +\|\n\| --- \| --- \|\n\| Last \| +\|$/);
  const large = documentOf(900);
  expect(large.split('|').length).toBeLessThan(25_000);
  expect(large).toContain('Last');
});
