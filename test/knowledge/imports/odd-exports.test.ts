import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ImportedEntry } from '../../../src/knowledge/importing/import-kind.ts';
import { IMPORT_KINDS } from '../../../src/knowledge/imports/kinds.ts';
import { itemsOf } from '../../contracts/import-kind.ts';
import { EXPORTS } from '../../helpers/import-samples.ts';

/** Exports in the less common shapes that their programs write. */

type Files = Readonly<Record<string, string>>;

async function readExport(name: string, files: Files) {
  const kind = IMPORT_KINDS.find((one) => one.name === name);
  if (!kind) throw new Error(name);
  const items = await itemsOf(kind, files);
  return {
    entries: items.flatMap((item): ImportedEntry[] => ('entry' in item ? [item.entry] : [])),
    problems: items.filter((item) => 'problem' in item),
    skipped: Object.fromEntries(
      items.flatMap((item) => ('skipped' in item ? [[item.skipped, item.count ?? 1]] : [])),
    ),
  };
}
const entriesOf = async (name: string, files: Files) => (await readExport(name, files)).entries;

async function answerOf(text: string, metadata: object, more: object = {}) {
  const message = { author: { role: 'assistant' }, content: { parts: [text] }, metadata, ...more };
  const conversation = { id: 'x', current_node: 'a', mapping: { a: { message } } };
  const files = { 'conversations.json': JSON.stringify([conversation]) };
  const { entries, skipped } = await readExport('chatgpt', files);
  return { text: entries[0]?.text.replace(/^ChatGPT: (?:Document:\n)?/, ''), skipped };
}

const CITE = (...places: string[]) => `\uE200cite\uE202${places.join('\uE202')}\uE201`;

test('ChatGPT: an answer has the links to its sources at their marks, and those without a mark below it', async () => {
  const page = (name: string) => ({ title: `Page ${name}`, url: `https://${name}.example/?a=1` });
  const text = `Ferries leave at 15:00. ${CITE('turn0search3', 'turn0search7')}\n\n\uE203Tickets are sold on board.\uE204 【12†source】 Or ${CITE('turn9search9')}not.`;
  const references = [
    {
      matched_text: CITE('turn0search3', 'turn0search7'),
      items: [page('a'), { ...page('b'), supporting_websites: [] }],
    },
    { matched_text: '【12†source】', type: 'webpage', ...page('c') },
    { matched_text: ' ', type: 'sources_footnote', sources: [page('a'), page('d')] },
    { matched_text: CITE('turn0search3'), items: null, fallback_items: [page('e')] },
  ];
  const citations = [{ start_ix: 1, end_ix: 2, metadata: { type: 'webpage', url: 'https://f.example/' } }];
  expect(await answerOf(text, { content_references: references, citations })).toEqual({
    text: [
      'Ferries leave at 15:00. ([Page a](https://a.example/?a=1), [Page b](https://b.example/?a=1))',
      'Tickets are sold on board. ([Page c](https://c.example/?a=1)) Or not.',
      'Sources:\n- [Page d](https://d.example/?a=1)\n- [Page e](https://e.example/?a=1)\n- https://f.example/',
    ].join('\n\n'),
    skipped: { 'a mark of a citation': 1 },
  });
});

test('ChatGPT: no mark stays in an answer or a document, no address is lost, and all words stay', async () => {
  const word = fc.constantFrom('quay', 'Möwe', '🚢', 'turn', 'cite', '12');
  const mark = fc.oneof(
    fc.nat(9).map((number) => CITE(`turn0search${number}`)),
    fc.nat(9).map((number) => `【${number}†source】`),
    fc.constantFrom('\uE203', '\uE204', '\uE206', '\uE200cite\uE202turn0search1', '\uE200cite', '\uE201'),
  );
  const piece = fc.oneof(word, mark);
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { minLength: 1, maxLength: 9 }),
      fc.boolean(),
      async (pieces, inDocument) => {
        const text = ['begin', ...pieces].join(' ');
        const found = pieces.filter((one) => /[\uE201】]$/.test(one));
        const content_references = found.map((matched_text, at) => ({
          matched_text,
          items: [{ url: `https://s${at}.example/`, title: `S${at}` }],
        }));
        const said = inDocument
          ? await answerOf(
              JSON.stringify({ content: text }),
              { content_references },
              { recipient: 'canmore.create_textdoc' },
            )
          : await answerOf(text, { content_references });
        expect(said.text).not.toMatch(/[\uE200-\uE206【†]|turn0/);
        for (const at of found.keys()) expect(said.text).toContain(`https://s${at}.example/`);
        const words = ['begin', ...pieces.filter((one) => !/[\uE200-\uE206【]/.test(one))];
        expect(said.text?.replace(/\(\[.*?\)\)|\n\nSources:[\s\S]*/g, '').match(/[\p{L}\p{N}🚢]+/gu)).toEqual(
          words,
        );
      },
    ),
    { seed: 3, numRuns: 150 },
  );
});

test('Claude: an answer has the addresses of its sources below it', async () => {
  const citations = [
    { uuid: 'x', details: { type: 'web_search_citation', url: 'https://a.example/' } },
    { url: 'https://b.example/', title: 'B' },
    { url: 'https://a.example/' },
    null,
  ];
  const content = [{ type: 'text', text: 'It leaves at 15:00.', citations }];
  const conversations = [{ uuid: 'c', chat_messages: [{ sender: 'assistant', content }] }];
  const [entry] = await entriesOf('claude', { 'conversations.json': JSON.stringify(conversations) });
  expect(entry?.text).toBe(
    'Claude: It leaves at 15:00.\n\nSources:\n- https://a.example/\n- [B](https://b.example/)',
  );
});

const ROOT = '00000000-0000-4000-8000-000000000000';
const NOT_SHOWN = 'a message of a branch that Claude does not show';

async function turnsOf(messages: readonly object[], more: object = {}) {
  const files = { 'conversations.json': JSON.stringify([{ uuid: 'c', chat_messages: messages, ...more }]) };
  const { entries, skipped } = await readExport('claude', files);
  return {
    said: entries[0]?.text.split('\n\n').map((turn) => turn.replace(/^.*: /, '')),
    skipped: skipped[NOT_SHOWN] ?? 0,
  };
}
const message = (uuid: string, parent: string | null | undefined, minute = 0) => ({
  uuid,
  ...(parent !== undefined && { parent_message_uuid: parent }),
  sender: 'human',
  text: uuid,
  created_at: `2026-02-01T10:${String(minute).padStart(2, '0')}:00Z`,
});

test('Claude: the branch of the last message is imported from its first message on, and others are counted', async () => {
  const parents = fc.array(fc.nat(), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(parents, async (choices) => {
      const parentOf = choices.map((choice, at) => (choice % (at + 1)) - 1);
      const branch: string[] = [];
      for (let at = parentOf.length - 1; at >= 0; at = parentOf[at] ?? -1) branch.unshift(`m${at}`);
      const messages = parentOf.map((parent, at) => message(`m${at}`, parent < 0 ? ROOT : `m${parent}`, at));
      // An export without any parent in it has no branches.
      const isTree = parentOf.some((parent) => parent >= 0);
      const expected = isTree ? branch : parentOf.map((_, at) => `m${at}`);
      expect(await turnsOf(messages)).toEqual({ said: expected, skipped: messages.length - expected.length });
    }),
    { seed: 3, numRuns: 100 },
  );
});

test.each<[string, object[], object, string[]]>([
  [
    'no parents, in any order of time',
    [message('b', undefined, 2), message('a', undefined, 1)],
    {},
    ['b', 'a'],
  ],
  [
    'a leaf that is named',
    [message('a', ROOT), message('b', 'a'), message('c', 'a')],
    { current_leaf_message_uuid: 'b' },
    ['a', 'b'],
  ],
  [
    'a parent that is missing',
    [message('a', ROOT), message('b', 'a'), message('c', 'gone')],
    {},
    ['a', 'b', 'c'],
  ],
  [
    'first messages without a parent',
    [message('a', null), message('b', 'a'), message('c', null), message('d', 'c')],
    {},
    ['c', 'd'],
  ],
  ['a circle', [message('a', 'b'), message('b', 'a')], {}, ['a', 'b']],
  [
    'a later message above',
    [message('a', ROOT, 1), message('c', 'a', 3), message('b', 'a', 2)],
    {},
    ['a', 'c'],
  ],
])('Claude: the shown branch of a conversation with %s', async (_name, messages, more, said) => {
  expect(await turnsOf(messages, more)).toEqual({ said, skipped: messages.length - said.length });
});

test('Logseq: a tag of several words is a tag, and the line stays', async () => {
  const text =
    '- Agreed on the mooring #[[Harbour Master]], #[[a/b c]] and #one\n- x#[[glued]] `#[[code]]` #[[]]';
  expect(await entriesOf('obsidian', { 'pages/a.md': text })).toMatchObject([
    { tags: ['Harbour Master', 'a/b c', 'one'], text },
  ]);
});

const CELLS = fc.constantFrom(
  '-1250,50',
  '40000',
  'KENYÉR; TEJ',
  '2018.03.29.',
  'a, b',
  '1,0',
  'Größe',
  '"x"',
);
const quoteCell = (value: string) => `"${value.replaceAll('"', '""')}"`;

test('csv: lines of words above a table are kept in its rows, and the values stay under their columns', async () => {
  const line = fc.constantFrom(
    ['Account statement'],
    ['Period: 2018.02.28-2018.03.31'],
    ['IBAN', 'DE12 3456'],
    ['Made at 09:57', ''],
    ['From:', '01.03.2026', ''],
    ['Balance on 31.03.2026:', '1.234,56 EUR', ''],
  );
  const table = fc
    .integer({ min: 4, max: 8 })
    .chain((width) =>
      fc.array(fc.array(CELLS, { minLength: width, maxLength: width }), { minLength: 2, maxLength: 6 }),
    );
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      table,
      fc.constantFrom(';', '\t', '|'),
      async (above, isPadded, rows, delimiter) => {
        const names = rows[0]?.map((_, at) => `Column ${'ABCDEFGH'[at]}`) ?? [];
        const pad = (row: readonly string[]) =>
          isPadded ? [...row, ...names.slice(row.length).map(() => '')] : row;
        const plain = [...above.map(pad), names].map((row) => row.join(delimiter));
        const body = rows.map((row) =>
          row.map((cell) => (/["]|[;|\t]/.test(cell) ? quoteCell(cell) : cell)).join(delimiter),
        );
        const found = await entriesOf('csv', { 'a.csv': [...plain, ...body, ''].join('\r\n') });
        const words = above.map((row) => row.join(' ').trim());
        expect(found.map(({ text }) => text)).toEqual(
          rows.map((row) => [...row.map((cell, at) => `${names[at]}: ${cell}`), ...words].join('\n')),
        );
      },
    ),
    { seed: 3, numRuns: 150 },
  );
});

test('csv: values that are formulas or HTML are read as a spreadsheet and a browser show them', async () => {
  const rows = [
    'Title,ISBN,My Review',
    'Dune,"=""0441013597""","Slow.<br/><br/>Then: ""storm"" &amp; sand."',
    'Bread,"=""""","Write <br> to break a line, =""a"" & b"',
  ];
  const found = await entriesOf('csv', { 'books.csv': rows.join('\n') });
  expect(found.map(({ text }) => text)).toEqual([
    'Title: Dune\nISBN: 0441013597\nMy Review:\nSlow.\n\nThen: "storm" & sand.',
    'Title: Bread\nMy Review: Write <br> to break a line, ="a" & b',
  ]);
});

test.each<[string, string, string[]]>([
  [
    'with fewer names than values',
    'a,b\nr1,1,2\nr2,3,4\n',
    ['a: r1\nb: 1\nColumn 3: 2', 'a: r2\nb: 3\nColumn 3: 4'],
  ],
  ['of texts in one column', 'Note\nhello; there\nbye; now\n', ['Note: hello; there', 'Note: bye; now']],
  [
    'with one name above numbers',
    'id\n1,2,3\n4,5,6\n',
    ['id: 1\nColumn 2: 2\nColumn 3: 3', 'id: 4\nColumn 2: 5\nColumn 3: 6'],
  ],
  [
    'of texts in one column with commas in some',
    'Quote\nKnow thyself\nBe bold\nI came, I saw, I won\nVeni, vidi, vici\nStay hungry\n',
    [
      'Quote: Know thyself',
      'Quote: Be bold',
      'Quote: I came\nColumn 2: I saw\nColumn 3: I won',
      'Quote: Veni\nColumn 2: vidi\nColumn 3: vici',
      'Quote: Stay hungry',
    ],
  ],
  [
    'with commas in the last values',
    'person,likes\nAnn,apples, pears, plums\nBob,figs, dates, limes\n',
    [
      'person: Ann\nlikes: apples\nColumn 3: pears\nColumn 4: plums',
      'person: Bob\nlikes: figs\nColumn 3: dates\nColumn 4: limes',
    ],
  ],
  ['under the name of an encoding', 'UTF-8\nname;size\nsaw;1,10\n', ['name: saw\nsize: 1,10\nUTF-8']],
])('csv: a table %s', async (_name, table, texts) => {
  expect((await entriesOf('csv', { 'a.csv': table })).map(({ text }) => text)).toEqual(texts);
});

test('a single file is read as the format that is named, whatever its name', async () => {
  for (const name of ['chatgpt', 'claude', 'mem0', 'jsonl', 'csv', 'pocket', 'bookmarks']) {
    for (const files of EXPORTS[name] ?? []) {
      const [content = '', ...more] = Object.values(files).map(String);
      if (more.length > 0 || 'x.tsv' in files) continue;
      const [text, ...others] = (await entriesOf(name, files)).map((entry) => entry.text);
      expect([name, (await entriesOf(name, { 'Export 3.txt': content })).map((entry) => entry.text)]).toEqual(
        [name, [text, ...others]],
      );
      expect([name, text]).not.toEqual([name, undefined]);
    }
  }
});

test('JSON of Python: numbers that are none are words, and texts stay as they are', async () => {
  const text = fc
    .array(fc.constantFrom('NaN', '-Infinity', '"', '\\', ', ', 'x', '\ud83d', '🚢'), { maxLength: 9 })
    .map((parts) => `T${parts.join('')}`);
  const number = fc.constantFrom('NaN', 'Infinity', '-Infinity', '1.10');
  await fc.assert(
    fc.asyncProperty(text, text, number, async (said, title, score) => {
      const json = (words: string) => JSON.stringify(words);
      const fields = `"title": ${json(title)}, "score": ${score}, "more": [${score}, {"x": ${score}}]`;
      const files = {
        'x.jsonl': `{"content": ${json(said)}, ${fields}}\n{"text": ${json(said)}, ${fields}}`,
      };
      const memories = { 'm.json': `[{"memory": ${json(said)}, ${fields}}]` };
      for (const { entries, problems } of [
        await readExport('jsonl', files),
        await readExport('mem0', memories),
      ]) {
        expect(problems).toEqual([]);
        for (const entry of entries) {
          expect(entry.text.startsWith(`${said.trim()}`)).toBe(true);
          expect(entry.text).toContain(`more.0: ${score}`);
        }
      }
    }),
    { seed: 3, numRuns: 100 },
  );
  const conversation = {
    id: 'x',
    current_node: 'a',
    mapping: { a: { message: { author: { role: 'user' }, content: { parts: ['Hi'] }, weight: 7 } } },
  };
  const files = { 'conversations.json': JSON.stringify([conversation]).replace('7', 'NaN') };
  expect(await entriesOf('chatgpt', files)).toMatchObject([{ text: 'Me: Hi' }]);
});

test.each(['csv', 'notion'])(
  '%s: a further row leaves no key of earlier rows without a row',
  async (kind) => {
    const row = fc.tuple(fc.constantFrom('Tea', 'Rope'), fc.nat(99));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(row, { minLength: 2, maxLength: 9, selector: String }),
        fc.nat(),
        async (rows, choice) => {
          const at = choice % rows.length;
          const [added = ['Tea', 0]] = rows.slice(at, at + 1);
          const before = rows.filter((one) => one !== added);
          const keysOf = async (list: typeof rows, above: string) => {
            const name = kind === 'csv' ? 'a.csv' : `Costs ${'0123456789abcdef'.repeat(2)}.csv`;
            const found = await entriesOf(kind, {
              [name]: `${above}Name,Price\n${list.map((one) => one.join(',')).join('\n')}\n`,
            });
            return new Map(found.map(({ text, key }) => [text.split('\n', 2).join('\n'), key]));
          };
          const [old, now] = [
            await keysOf(before, '# Made by a program\n'),
            await keysOf(rows, '# Made by another\n'),
          ];
          expect(new Set(now.values()).size).toBe(rows.length);
          expect([...now.values()]).toEqual(expect.arrayContaining([...old.values()]));
          if (at === before.length) for (const [text, key] of old) expect(now.get(text)).toBe(key);
        },
      ),
      { seed: 3, numRuns: 100 },
    );
  },
);

test('Notion: a heading that opens and closes stays a heading, and a list that does stays a list', async () => {
  const summary = (size: string, words: string) =>
    `<details open=""><summary style="font-weight:600;font-size:${size};line-height:1.3;margin:0">${words}</summary><div class="indented"><p>Under ${words}.</p></div></details>`;
  const page = `<html><body><article><div class="page-body">${summary('1.875em', 'One')}${summary('1.5em', 'Two')}${summary('1.25em', 'Three')}<ul class="toggle"><li><details><summary>Spare parts</summary><p>Belts.</p></details></li></ul></div></article></body></html>`;
  const [entry] = await entriesOf('notion', { [`Page ${'0123456789abcdef'.repeat(2)}.html`]: page });
  expect(entry?.text).toBe(
    '# One\n\nUnder One.\n\n## Two\n\nUnder Two.\n\n### Three\n\nUnder Three.\n\n- Spare parts\n\n  Belts.',
  );
});
