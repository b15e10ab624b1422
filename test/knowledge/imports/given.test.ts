import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ImportItem } from '../../../src/knowledge/importing/import-kind.ts';
import { fenceCode, formatMarkdownTable, readNoteHtml } from '../../../src/knowledge/importing/note-html.ts';
import { IMPORT_KINDS } from '../../../src/knowledge/imports/kinds.ts';
import { filesOf, IMPORT_OPTIONS, itemsOf, recognised } from '../../contracts/import-kind.ts';
import { wordsMissing } from '../../helpers/note-samples.ts';

/** Every word and number of an export is in an entry, or is counted as left out. */

type Files = Readonly<Record<string, string>>;

const ID = '0123456789abcdef'.repeat(2);
const text = fc
  .array(
    fc.constantFrom(
      'quay',
      'Möwe',
      'лодка',
      '小舟',
      'القارب',
      '1.10',
      '01234',
      '12345678901234567890',
      '[[x]]',
      '2.50',
      '#a',
      'a_b',
      '3 < 4',
      'R&D',
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((words) => words.join(' '));

/** Returns a function whose texts differ from each other, so that none is found in the place of another. */
function createTexts(samples: readonly string[]) {
  let number = 0;
  const given: string[] = [];
  const next = () => {
    const made = `${samples[number % samples.length]} w${number++}`;
    given.push(made);
    return made;
  };
  return { next, given };
}

const escapeHtml = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;

const EXPORTS: Readonly<Record<string, (next: () => string) => Files>> = {
  notion: (next) => {
    const cell = () => escapeHtml(next());
    return {
      [`Page ${ID}.html`]: `<html><head><title>Page</title></head><body><article class="page"><header><h1 class="page-title">${cell()}</h1><p class="page-description">${cell()}</p><table class="properties"><tbody><tr><th>${cell()}</th><td><span class="selected-value">${cell()}</span><span class="selected-value">${cell()}</span></td></tr><tr><th>Done</th><td><div class="checkbox checkbox-on"></div></td></tr></tbody></table></header><div class="page-body"><h2>${cell()}</h2><p>${cell()}<br/>${cell()} <strong>${cell()}</strong><code>${cell()}</code></p><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>${cell()}</span><ul><li>${cell()}</li></ul></li></ul><ul class="toggle"><li><details><summary>${cell()}</summary><p>${cell()}</p></details></li></ul><figure class="callout"><div>${cell()}</div></figure><blockquote>${cell()}</blockquote><table class="simple-table"><tbody><tr><td>${cell()}</td><td>${cell()}</td></tr></tbody></table><pre class="code"><code>${cell()}</code></pre><figure><a class="bookmark source" href="https://x.example/"><div class="bookmark-title">${cell()}</div></a><figcaption>${cell()}</figcaption></figure><div class="column-list"><div class="column"><p>${cell()}</p></div></div></div></article></body></html>`,
      [`Notes ${ID.replace('0', 'f')}.md`]: `# ${next()}\n\nTags: ${next()}\n${next()}: x\n\n${next()}\n`,
      [`Table ${ID.replace('0', 'e')}.csv`]: `Name,${quoted(next())},${quoted(next())}\n${quoted(next())},${quoted(next())},${quoted(next())},${quoted(next())}\n`,
    };
  },
  chatgpt: (next) => {
    const node = (id: string, parent: string | null, message: object) => ({
      [id]: { parent, children: [], message },
    });
    const said = (role: string, parts: unknown[], more: object = {}) => ({
      author: { role },
      create_time: 1.7e9,
      content: { parts },
      ...more,
    });
    const mapping = {
      ...node(
        'a',
        null,
        said('user', [next(), { text: next() }], { metadata: { attachments: [{ name: next() }] } }),
      ),
      ...node(
        'b',
        'a',
        said('assistant', [next(), `\uE200entity\uE202["x",${JSON.stringify(next())}]\uE201`]),
      ),
      ...node(
        'c',
        'b',
        said('assistant', [JSON.stringify({ name: next(), content: next() })], {
          recipient: 'canmore.create_textdoc',
        }),
      ),
    };
    return { 'conversations.json': JSON.stringify([{ id: 'x', title: next(), current_node: 'c', mapping }]) };
  },
  claude: (next) => ({
    'conversations.json': JSON.stringify([
      {
        uuid: 'c',
        name: next(),
        chat_messages: [
          {
            sender: 'human',
            content: [{ type: 'text', text: next() }],
            attachments: [{ file_name: next(), extracted_content: next() }],
            files: [{ file_name: next() }],
          },
          {
            sender: 'assistant',
            content: [
              { type: 'tool_use', name: 'artifacts', input: { title: next(), content: next() } },
              { type: 'tool_use', name: 'artifacts', input: { id: 'a', old_str: next(), new_str: next() } },
              { type: 'text', text: next() },
            ],
          },
        ],
      },
    ]),
    'memories.json': JSON.stringify([{ conversations_memory: next(), project_memories: { p: next() } }]),
    'projects.json': JSON.stringify([
      {
        uuid: 'p',
        name: next(),
        description: next(),
        prompt_template: next(),
        docs: [{ filename: next(), content: next() }],
      },
    ]),
  }),
  records: (next) => {
    const html = () => escapeHtml(next());
    const time = '2024-07-15T12:00:00.123Z';
    const lines = (...fields: string[]) => fields.join('\n');
    return {
      'Keep/a.json': JSON.stringify({
        textContent: next(),
        listContent: [{ text: next(), isChecked: true }],
        labels: [{ name: next() }],
        annotations: [{ description: next(), title: next(), url: next() }],
        attachments: [{ filePath: next() }],
        sharees: [{ email: next() }],
        userEditedTimestampUsec: 1690866308447000,
      }),
      'Journal.json': JSON.stringify({
        entries: [
          {
            uuid: 'a',
            text: next(),
            tags: [next()],
            location: { placeName: next(), inner: [{ x: next() }] },
          },
        ],
      }),
      'roam.json': JSON.stringify([
        {
          title: next(),
          'create-time': 1709251200000,
          children: [
            { string: next(), children: [{ string: '', children: [{ string: next(), more: next() }] }] },
          ],
        },
      ]),
      'notes.json': JSON.stringify({
        activeNotes: [{ id: 'a', content: next(), tags: [next()], own: next() }],
      }),
      'backup.json': JSON.stringify({
        items: [
          {
            uuid: 'n',
            content_type: 'Note',
            content: { title: next(), text: next(), own: { deep: next() } },
          },
          {
            uuid: 't',
            content_type: 'Tag',
            content: { title: next(), references: [{ uuid: 'n', content_type: 'Note' }] },
          },
        ],
      }),
      'MyActivity.json': JSON.stringify([
        {
          header: 'Gemini Apps',
          title: `Prompted ${next()}`,
          time,
          safeHtmlItem: [{ html: `<p>${html()}</p>` }],
        },
        { header: 'Gemini Apps', title: next(), time, subtitles: [{ name: next(), url: next() }] },
      ]),
      'MyActivity.html': `<div class="outer-cell"><div class="content-cell">Prompted ${html()}<br>Jul 1, 2025, 10:00:00 AM UTC<br><p>${html()}</p></div></div>`,
      'x.enex': `<en-export><note><title>${html()}</title><tag>${html()}</tag><content><![CDATA[<en-note><div>${html()}</div><ul><li>${html()}</li><ul><li>${html()}</li></ul></ul><div style="-en-codeblock:true"><div>${html()}</div></div><en-todo/>${html()}</en-note>]]></content><note-attributes><place-name>${html()}</place-name></note-attributes><task><title>${html()}</title><taskNote>${html()}</taskNote></task><resource><resource-attributes><file-name>${html()}</file-name></resource-attributes></resource></note></en-export>`,
      [`${ID}.md`]: lines(
        next(),
        '',
        next(),
        '',
        `id: ${ID}`,
        `parent_id: b`,
        `author: ${next()}`,
        'type_: 1',
      ),
      [`${ID.replace('0', 'f')}.md`]: lines(next(), '', 'id: b', 'type_: 2'),
      'list.json': JSON.stringify([
        { name: next(), body: next(), [next()]: [{ title: next(), x: next() }, 'y'] },
      ]),
    };
  },
  mem0: (next) => ({
    'm.json': JSON.stringify([
      {
        id: '1',
        memory: next(),
        categories: [next()],
        metadata: { category: next(), room: next(), more: { deep: [{ x: next() }] } },
      },
    ]),
  }),
  jsonl: (next) => ({
    'x.jsonl': [
      {
        content: next(),
        title: next(),
        tags: [next()],
        metadata: { author: next(), source: next() },
        extra: { list: [next()] },
      },
      { text: next(), title: next(), author: next() },
      { type: 'entity', name: next(), entityType: next(), observations: [next()], more: next() },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  }),
  pocket: (next) => ({
    'part.csv': `title,url,time_added,tags,status,own\n${quoted(next())},https://a.example/,1700000000,${quoted(next())},unread,${quoted(next())}\n${quoted(next())},https://a.example/,1700000000,,unread,\n`,
    'annotations/x.json': JSON.stringify([
      { url: 'https://a.example/', highlights: [{ quote: next() }] },
      { url: 'https://gone.example/', highlights: [{ quote: next() }] },
    ]),
  }),
  bookmarks: (next) => {
    const words = () => escapeHtml(next());
    return {
      'b.html': `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><H3>${words()}</H3><DD>${words()}<DL><p><DT><A HREF="https://a.example/">${words()}</A><DD>${words()}<DT><A HREF="https://a.example/">${words()}</A></DL><p></DL>`,
      'b.json': JSON.stringify({
        type: 'text/x-moz-place-container',
        children: [
          {
            title: next(),
            children: [{ title: next(), uri: 'https://b.example/', annos: [{ value: next() }] }],
          },
        ],
      }),
    };
  },
  csv: (next) => ({
    'x.csv': `sep=;\n${next()};${next()};Tags\n${next()};${next()};${next()};${next()}\n`,
    'y.tsv': `Title\tTitle\n${next()}\t${next()}\n`,
  }),
  chats: (next) => ({
    'result.json': JSON.stringify({
      contacts: { list: [] },
      chats: {
        list: [
          {
            name: next(),
            topic: next(),
            messages: [
              {
                date: '2024-03-05',
                from: next(),
                text: [next(), ' ', { text: next(), href: 'x' }],
                place: next(),
              },
              { date: '2024-03-06', actor: next(), action: next(), members: [next(), next()], text: '' },
              {
                date: '2024-03-06',
                author: { name: next() },
                content: { body: next() },
                files: [{ name: next() }],
              },
            ],
          },
        ],
      },
    }),
  }),
  obsidian: (next) => ({
    'a.md': `---\n${next()}\n---\n${next()}`,
    'b.md': `---\ntitle: ${next()}\nversion: 1.10\nown: {a: ${JSON.stringify(next())}}\n---\n\n- ${next()}`,
    'c.txt': `tags:: ${next()}\n\n- ${next()}`,
    'd.html': `<h1>${escapeHtml(next())}</h1><p>${escapeHtml(next())}<input type="checkbox" checked>${escapeHtml(next())}`,
  }),
};

const allText = (items: readonly ImportItem[]) => {
  const entries = items.flatMap((item) => ('entry' in item ? [item.entry] : []));
  return {
    text: entries
      .map(({ text: words, title, tags = [], source }) => [words, title, ...tags, source].join('\n'))
      .join('\n'),
  };
};

test.each(IMPORT_KINDS.map((kind) => [kind.name, kind] as const))(
  'no word or number of an export of %s is lost [knowledge.given]',
  async (name, kind) => {
    for (const samples of fc.sample(fc.array(text, { minLength: 5, maxLength: 9 }), {
      seed: 38,
      numRuns: 30,
    })) {
      const { next, given } = createTexts(samples);
      const files = EXPORTS[name]?.(next) ?? {};
      expect(await recognised(files)).toBe(name);
      const items = await itemsOf(kind, files);
      expect(wordsMissing(given.join('\n'), allText(items))).toEqual([]);
      expect(items.filter((item) => 'problem' in item)).toEqual([]);
    }
  },
);

const skippedOf = (items: readonly ImportItem[]) =>
  Object.fromEntries(items.flatMap((item) => ('skipped' in item ? [[item.skipped, item.count ?? 1]] : [])));
const kindOf = (name: string) => {
  const kind = IMPORT_KINDS.find((one) => one.name === name);
  if (!kind) throw new Error(name);
  return kind;
};

test('a folder of plain text alone is imported, without any name of a kind', async () => {
  const files = { 'a.txt': '---\nOne thought.\n---\nAnother.', 'b/c.text': 'More.' };
  expect(await recognised(files)).toBe('obsidian');
  expect(await itemsOf(kindOf('obsidian'), files)).toMatchObject([
    { entry: { text: files['a.txt'] } },
    { entry: { text: 'More.' } },
  ]);
});

test('notes of one path in two archives of an archive are two entries', async () => {
  const texts = ['Work.', 'Home.'];
  const files = texts.flatMap((text) => filesOf({ 'note.md': text }));
  const keys: (string | undefined)[] = [];
  for await (const item of kindOf('obsidian').read(files, IMPORT_OPTIONS))
    if ('entry' in item) keys.push(item.entry.key);
  expect(keys).toEqual(['note:note.md', 'note:note.md#2']);
});

test('what an import leaves out on purpose is counted and named', async () => {
  const thought = { type: 'thinking', thinking: 'x' };
  const call = { type: 'tool_use', name: 'web_search', input: { query: 'x' } };
  const messages = [
    { sender: 'assistant', content: [thought, thought, call, { type: 'text', text: 'said' }] },
  ];
  const conversations = JSON.stringify([{ uuid: 'c', chat_messages: messages }]);
  const items = await itemsOf(kindOf('claude'), { 'conversations.json': conversations, 'users.json': '[]' });
  expect(skippedOf(items)).toEqual({
    'a thought of Claude': 2,
    'a call of a tool': 1,
    'not a file of conversations, projects or memories (.json)': 1,
  });
  const vector = Array.from({ length: 40 }, () => 0.1);
  const lines = JSON.stringify({ content: 'text', embedding: vector });
  expect(skippedOf(await itemsOf(kindOf('jsonl'), { 'x.jsonl': lines }))).toEqual({ 'a vector': 1 });
});

test('what stands beside the memories of mem0 is kept or counted', async () => {
  const relations = [
    { source: 'ada', relationship: 'likes', target: 'tea', since: '007' },
    { source: 'ada', relation: 'knows', destination: 'ben' },
    { strange: 'shape' },
  ];
  const more = { relations, count: 1, next: 'https://x.example/2', previous: null };
  const files = { 'm.json': JSON.stringify({ results: [{ memory: 'likes tea' }], ...more }) };
  const items = await itemsOf(kindOf('mem0'), files);
  expect(items.flatMap((item) => ('entry' in item ? [item.entry.text] : []))).toEqual([
    'likes tea',
    'ada likes tea.\n\nsince: 007',
    'ada knows ben.',
    'strange: shape',
  ]);
  expect(skippedOf(items)).toEqual({ 'a value beside the list of memories, such as its page': 2 });
});

test.each(['text', 'content', 'page_content', 'body', 'memory', 'document', 'note'])(
  'lines with %s of other programs are read, whatever shape other fields have',
  async (field) => {
    const others = fc.record(
      {
        id: fc.constantFrom(5, -7, '12345678901234567890', null),
        tags: fc.constantFrom('red, blue', ['red', 'blue'], 'red,blue'),
        title: fc.constantFrom('A title', 7),
        createdAt: fc.constantFrom('2024-05-08T13:56:00Z', 1715176560, 1715176560000, '1715176560'),
        metadata: fc.constantFrom({ page: 7 }, { list: [{ a: 'deep' }] }),
      },
      { requiredKeys: ['tags', 'createdAt'] },
    );
    for (const more of fc.sample(others, { seed: 11, numRuns: 60 })) {
      const line = JSON.stringify({ [field]: 'Said w1.', ...more }).replace(/"(\d{20})"/, '$1');
      const [item] = await itemsOf(kindOf('jsonl'), { 'x.jsonl': line });
      if (item === undefined || !('entry' in item)) throw new Error(`${line}: ${JSON.stringify(item)}`);
      const { text, title, tags, createdAt } = item.entry;
      expect(tags).toEqual(['red', 'blue']);
      expect(createdAt).toBe(1715176560000000);
      expect(text).toContain('Said w1.');
      const said = [text, title].join(' ');
      const values = [more.id, more.title, more.metadata && (more.metadata.page ?? 'deep')];
      for (const value of values) if (value != null) expect(said).toContain(String(value));
    }
  },
);

test('the feed of a bookmark is in its text, and details of the browser are counted', async () => {
  const html = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://x.example/" FEEDURL="https://x.example/rss" ICON="data:," PRIVATE="1">Quay</A><DD>Note</DL>`;
  const items = await itemsOf(kindOf('bookmarks'), { 'b.html': html });
  expect(items[0]).toMatchObject({ entry: { text: expect.stringContaining('feed: https://x.example/rss') } });
  expect(skippedOf(items)).toEqual({ 'a detail of the browser, such as an icon or a visit': 2 });
});

test('fields of memories and lines that are read in part or not at all stay in the text', async () => {
  const shapes = (at: number): unknown[] => [
    `w${at}a`,
    [`w${at}b`, { name: `w${at}c` }],
    { [`w${at}d`]: `w${at}e` },
    [[`w${at}f`], true],
    `last spring w${at}g`,
    `2024-05-08 by w${at}h`,
    {},
    null,
  ];
  const values = fc.array(fc.nat({ max: 7 }), { minLength: 16, maxLength: 16 });
  for (const choice of fc.sample(values, { seed: 7, numRuns: 100 })) {
    const [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = choice.map((one, at) => shapes(at)[one]);
    const memory = {
      memory: 'likes tea',
      ...{ metadata: a, metadata_: b, categories: c, data: d, created_at: e, state: f, score: g },
    };
    const lines = [
      { content: 'text', tags: h, title: i, source: j, created: k, metadata: l },
      { content: 'text', metadata: { labels: m, name: n } },
      { type: 'entity', name: 'Ann', entityType: o, observations: p },
    ];
    const files = { 'x.jsonl': lines.map((line) => JSON.stringify(line)).join('\n') };
    const items = [
      ...(await itemsOf(kindOf('mem0'), { 'm.json': JSON.stringify([memory]) })),
      ...(await itemsOf(kindOf('jsonl'), files)),
    ];
    const given = JSON.stringify([memory, lines]).match(/w\d+[a-h]/g) ?? [];
    expect(wordsMissing(given.join('\n'), allText(items))).toEqual([]);
  }
});

test('a line of another program is fitted to the limits of an entry, and an own line stays as it is', async () => {
  const facts = {
    title: 'long '.repeat(120).trim(),
    tags: Array.from({ length: 60 }, (_, at) => `tag${at}`),
  };
  const lines = [
    { content: 'text', ...facts },
    { text: 'text', ...facts },
  ];
  const [foreign, own] = await itemsOf(kindOf('jsonl'), {
    'x.jsonl': lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  const above = `${facts.title}\n\ntags: ${facts.tags.slice(50).join(', ')}`;
  expect(foreign).toMatchObject({
    entry: { title: facts.title.slice(0, 500), tags: facts.tags.slice(0, 50), text: `${above}\n\ntext` },
  });
  expect(own).toMatchObject({ entry: { text: 'text', ...facts } });
});

test("Notion's HTML export gives properties, check boxes and blocks as its Markdown export does", async () => {
  const page = `<html><head><title>Pier</title></head><body><article class="page sans"><header><h1 class="page-title">Pier</h1><table class="properties"><tbody><tr><th>Tags</th><td><span class="selected-value">quay</span><span class="selected-value">crane</span></td></tr><tr><th>Done</th><td><div class="checkbox checkbox-on"></div></td></tr><tr><th>Paid</th><td><div class="checkbox checkbox-off"></div></td></tr><tr><th>Price</th><td>1.10</td></tr><tr><th>Created</th><td><time>@April 1, 2023 10:00 AM</time></td></tr></tbody></table></header><div class="page-body"><p>The pier.</p><ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">tar</span></li></ul><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>paint</span></li></ul><ol start="1"><li>one<ul><li>in it</li></ul></li></ol><ol start="2"><li>two</li></ol><pre class="code"><code class="language-Python">print(1)</code></pre><figure class="equation"><style>x</style><span class="katex"><annotation encoding="application/x-tex">a^2</annotation><span>a2</span></span></figure></div></article></body></html>`;
  const [item] = await itemsOf(kindOf('notion'), { [`Pier ${ID}.html`]: page });
  expect(item).toMatchObject({
    entry: {
      title: 'Pier',
      tags: ['quay', 'crane'],
      createdAt: Date.UTC(2023, 3, 1, 10) * 1000,
      text: [
        '# Pier',
        'Tags: quay, crane\nDone: Yes\nPaid: No\nPrice: 1.10\nCreated: @April 1, 2023 10:00 AM',
        'The pier.',
        '- [x] tar\n- [ ] paint',
        '1. one\n\n   - in it\n2. two',
        '```python\nprint(1)\n```',
        '$$a^2$$',
      ].join('\n\n'),
    },
  });
});

test('a page of Notion that is nested too deeply is named, and others are read', async () => {
  const deep = `<ul><li>${'<div>'.repeat(5000)}`;
  const items = await itemsOf(kindOf('notion'), {
    [`Deep ${ID}.html`]: deep,
    [`Flat ${ID.replace('0', 'f')}.html`]: '<p>Text</p>',
  });
  expect(items).toMatchObject([
    { problem: expect.stringContaining('nested over') },
    { entry: { text: 'Text' } },
  ]);
});

test('a page of Notion with more blocks, rows or fences than a call takes arguments is read whole', () => {
  const many = 150_000;
  expect(readNoteHtml(`<div>${'<hr>'.repeat(many)}<p>last</p></div>`).markdown).toMatch(/last$/);
  expect(formatMarkdownTable([...Array<string[]>(many).fill([]), ['last']])).toMatch(/\n\| last \|$/);
  expect(fenceCode(`${'`a'.repeat(many)}\nlast`, '')).toMatch(/\nlast\n```$/);
});

test('a row of a database of Notion is an entry of its own unless a page has all of its values', async () => {
  const items = await itemsOf(kindOf('notion'), {
    [`Tasks ${ID}.csv`]: 'Name,Status\nPaint,Open\nTar,Done\n',
    [`Tasks ${ID}/Paint ${ID.replace('0', '1')}.md`]: '# Paint\n\nStatus: Open\n\nBlue.',
    [`Tasks ${ID}/Tar ${ID.replace('0', '2')}.md`]: '# Tar\n\nBlack.',
  });
  expect(items.flatMap((item) => ('entry' in item ? [item.entry.title] : []))).toEqual([
    'Tasks: Tar',
    'Paint',
    'Tar',
  ]);
  expect(skippedOf(items)).toEqual({ 'a row of a database whose page has all of it': 1 });
});

test('the line with which Excel names the separator is no row, and columns of one name stay apart', async () => {
  const entries = async (files: Files) =>
    (await itemsOf(kindOf('csv'), files)).map((item) => ('entry' in item ? item.entry.text : ''));
  expect(await entries({ 'a.csv': 'sep=;\nName;Preis\nRuder;12,50\n' })).toEqual([
    'Name: Ruder\nPreis: 12,50',
  ]);
  expect(await entries({ 'b.csv': 'Name\tZip\nQuay\t01234\n' })).toEqual(['Name: Quay\nZip: 01234']);
  expect(await entries({ 'c.csv': 'Note,Note,\n1.10,2.50,x,y\n' })).toEqual([
    'Note: 1.10\nNote (2): 2.50\nColumn 3: x\nColumn 4: y',
  ]);
});
