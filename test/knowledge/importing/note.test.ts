import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitToEntryLimits } from '../../../src/knowledge/importing/fit-to-entry-limits.ts';
import { formatExportedNote, readNote } from '../../../src/knowledge/importing/note.ts';
import { sampleNotes, wordsMissing } from '../../helpers/note-samples.ts';

test.each(['? '.repeat(25_000), '{'.repeat(50_000), '? [a, b]\n: c\n'.repeat(3000)])(
  'front matter whose keys are lists and maps is treated as text: %#',
  (hostile) => {
    const { text } = readNote(
      `---\ntitle: Nests\n${hostile}\n---\nMagpies nest in high trees.\n`,
      'nests.md',
    );
    expect(text).toContain('Magpies nest in high trees.');
  },
);

test('front matter with numbers and dates as keys is read', () => {
  expect(readNote('---\ntitle: Nests\n2026: mud\n---\nTwigs.\n', 'nests.md')).toMatchObject({
    title: 'Nests',
    text: expect.stringContaining('2026: mud'),
  });
});

test('every word and number of 500 notes is in their entries [knowledge.given]', () => {
  for (const given of sampleNotes(500)) {
    const entry = fitToEntryLimits(readNote(given, 'note.md'));
    expect({ given, missing: wordsMissing(given, entry) }).toEqual({ given, missing: [] });
  }
});

test.each([
  [
    'a colon too many',
    'title: L2 Quay (Split: North)\ntags: [alpha]',
    'L2 Quay (Split: North)',
    ['alpha'],
    '',
    2,
  ],
  [
    'an unknown alias',
    'title: Board\nwho:\n  - *ref Lin\ntags:\n  - beta',
    'Board',
    ['beta'],
    'who:\n  - *ref Lin',
    4,
  ],
  ['tabs', 'title: Board\ntags:\n\t- one\n\t- two', 'Board', ['one', 'two'], '', 4],
  ['a key that is there twice', 'Person: Kim\nPerson: Lin', 'note', [], 'Person: Kim\nPerson: Lin', 3],
  ['a reserved sign', 'title: @home\nrate: 1.10', '@home', [], 'rate: 1.10', 2],
])(
  'front matter with %s gives title and tags by line, and a warning',
  (_, front, title, tags, kept, line) => {
    expect(readNote(`---\n${front}\n---\nBody`, 'note.md')).toMatchObject({
      title,
      tags,
      text: [kept, 'Body'].filter(Boolean).join('\n\n'),
      warning: { line, why: expect.stringContaining('is not valid YAML') },
    });
  },
);

test.each([
  'This is a thought.\nIt has no keys.',
  '\n# Slide one\n\nText of it.\n',
  '- a list\n- of two',
  'Dear Ada: I hope\nthis finds you well',
])('text between two rules is no front matter: %j', (between) => {
  const given = `---\n${between}\n---\nSecond part.`;
  const { text, warning } = readNote(given, 'note.txt');
  expect([text, warning]).toEqual([given, undefined]);
});

test('lines of front matter stay as they are written, but for title, tags and aliases', () => {
  const lines = [
    'version: 1.10',
    'zip: 01234',
    'big: 12345678901234567890',
    'hex: 0x1F',
    'answer: no',
    'book:\n  name: The Quay\n  pages: [1, 2.50, 03]',
    'empty:',
    'link: "[[Crane]]"',
    'multi: |\n  line a\n\n  line b',
    '# a comment',
    'date: 2026-03-14',
  ];
  const note = readNote(`---\ntitle: 1.10\n${lines.join('\n')}\ntags: [007, x]\n---\n\nBody\n`, 'n.md');
  expect(note).toMatchObject({
    text: `${lines.join('\n')}\n\nBody`,
    title: '1.10',
    tags: ['007', 'x'],
    createdAt: Date.UTC(2026, 2, 14) * 1000,
  });
});

test('a title, tags and a source beyond the limits of an entry stand whole above its text', () => {
  const title = `${'word '.repeat(120)}end`;
  const tags = Array.from({ length: 60 }, (_, n) => `tag${n}`);
  const entry = fitToEntryLimits(readNote(`---\ntitle: ${title}\ntags: [${tags}]\n---\nBody`, 'n.md'));
  expect(entry.title).toHaveLength(500);
  expect(entry.tags).toHaveLength(50);
  expect(entry.text).toBe(`${title}\n\ntags: ${tags.slice(50).join(', ')}\n\nBody`);
});

test('properties at the beginning of a page of Logseq give title and tags, and stay in the text', () => {
  const page = 'title:: The harbour\ntags:: [[Tall Ships]], quay, #crane\nalias:: port\n\n- a block';
  expect(readNote(page, 'harbour.md')).toMatchObject({
    title: 'The harbour',
    tags: ['Tall Ships', 'quay', 'crane'],
    text: page,
  });
});

test.each([
  ['graph/pages/projects___crane.md', 'projects/crane'],
  ['pages/a%2Fb%3A c.md', 'a/b: c'],
  ['journals/2026_03_14.md', '2026-03-14'],
  ['journals/crane___lift.md', 'crane___lift'],
  ['notes/crane___lift.md', 'crane___lift'],
  ['pages/100%.md', '100%'],
])('the name of a file of Logseq is the name of its page: %s (obsidian-importer#661)', (name, title) => {
  expect(readNote('- The crane turns.', name).title).toBe(title);
});

test('fields that another program adds to an exported note stay in its text', () => {
  const times = { createdAt: 1_700_000_000_000_000, updatedAt: 1_700_000_000_000_001 };
  const entry = {
    id: 'a-1700000000000000',
    text: 'A note.\n',
    title: '1.10',
    tags: ['007'],
    source: '',
    key: 'k',
    collection: 'c',
    ...times,
  };
  const exported = formatExportedNote(entry);
  expect(readNote(exported, 'x.md')).toEqual({ validUntil: 0, ...entry });
  expect(readNote(exported.replace('\n---\n', '\nrating: 4.50\n---\n'), 'x.md').text).toBe(
    'rating: 4.50\n\nA note.\n',
  );
});

test('each word that is edited into an exported note is in its entry', () => {
  const entry = {
    id: 'a-1700000000000000',
    text: 'A note.',
    title: 'Caf\u00e9 "x"\u2028\\n',
    tags: ['a "b"', '\u0085'],
    source: 'C:\\new\ttab',
    key: 'k',
    collection: 'c',
    createdAt: 1_700_000_000_000_000,
    updatedAt: 1_700_000_000_000_001,
  };
  const exported = formatExportedNote(entry);
  expect(readNote(exported, 'x.md')).toEqual({ validUntil: 0, ...entry });
  expect(readNote(exported.replaceAll('\n', '\r\n'), 'x.md').text).toBe(entry.text);
  for (const [name, line, isKept] of [
    ['tags', 'tags:\n  - harbour\n  - quay', false],
    ['tags', 'tags:\n  - name: harbour', true],
    ['tags', 'tags: [harbour] # a comment', true],
    ['title', "title: 'The harbour'", false],
    ['title', 'title: [harbour, quay]', true],
    ['source', 'source: "x" # from Ann', true],
    ['source', 'source: [x, y]', true],
    ['key', 'key: {own: quay}', true],
    ['created', 'created: 2024-05-08', false],
    ['created', 'created: "last spring"', true],
    ['created', 'created: 2024-05-08 by Ann', true],
    ['created', 'created: [2024-05-08, 2025-05-08]', true],
    ['collection', 'collection: c\n# a note of Ann', true],
  ] as const) {
    const edited = exported.replace(new RegExp(`^${name}: .*`, 'm'), () => line);
    expect([line, readNote(edited, 'x.md').text]).toEqual([line, isKept ? `${line}\n\nA note.` : 'A note.']);
  }
});

test('the end of an exported note may be in the future, unlike its other times', () => {
  const note = (lines: string) => readNote(`---\nmagpie: 1\nid: "a-17"\n${lines}\n---\n\nRent`, 'x.md');
  const end = Date.UTC(2090, 0, 1) * 1000;
  for (const written of ['2090-01-01', '2090-01-01T00:00:00Z', '"2090-01-01"', '2090-01-01T00:00:00.000000Z'])
    expect(note(`until: ${written}`)).toMatchObject({ text: 'Rent', validUntil: end });
  expect(note('title: x')).toMatchObject({ text: 'Rent', validUntil: 0 });
  expect(note('until: some day')).toMatchObject({ text: 'until: some day\n\nRent', validUntil: undefined });
  for (const written of ['2090-01-01T00:00:00Z', '2090-01-01T00:00:00.000000Z'])
    expect(note(`created: ${written}\nupdated: ${written}`)).toMatchObject({
      createdAt: undefined,
      updatedAt: undefined,
    });
});

test.each([
  ['one, two words', ['one', 'two words']],
  ['one two', ['one', 'two']],
  ['#one, #two words', ['one', 'two words']],
  ['[one, two words]', ['one', 'two words']],
])('tags written as %s are parted by commas, and by blanks where there is no comma', (written, tags) => {
  expect(readNote(`---\ntags: "${written}"\n---\nBody`, 'n.md').tags).toEqual(tags);
});

test('every word of a canvas is in its note, without places and ids, and a broken one is kept as it is [knowledge.given]', () => {
  const text = fc.constantFrom(
    'Möwe',
    '1.10',
    'two\nlines',
    '"quoted"',
    '---\nno front matter',
    '小舟',
    '#moor',
  );
  const nodes = fc.array(
    fc.oneof(...['text', 'label', 'url', 'file'].map((name) => fc.record({ [name]: text }))),
  );
  const edges = fc.array(fc.record({ label: text, fromNode: fc.constant('idzz') }));
  for (const canvas of fc.sample(fc.record({ nodes, edges }), { seed: 3, numRuns: 200 })) {
    const placed = { ...canvas, nodes: canvas.nodes.map((node) => ({ ...node, id: 'idzz', x: 98765 })) };
    const note = readNote(JSON.stringify(placed), 'boards/Quay.canvas');
    const given = [
      ...canvas.nodes.flatMap((node) => Object.values(node)),
      ...canvas.edges.map(({ label }) => label),
    ];
    expect(given.filter((word) => !note.text.includes(word ?? ''))).toEqual([]);
    expect(note.title).toBe('Quay');
    expect(note.text).not.toMatch(/idzz|98765/);
  }
  expect(readNote('{"nodes":[{"text":"Cut', 'a.canvas')).toMatchObject({
    text: '{"nodes":[{"text":"Cut',
    warning: { line: 1 },
  });
  expect(readNote('', 'a.canvas').text).toBe('');
  expect(readNote('{"nodes":[{"text":"On the #moor"}]}', 'a.canvas').tags).toEqual(['moor']);
});

test("the title of a bundle's note is the name of the bundle", () => {
  expect(readNote('Words.\n', 'notes/Plan 1.2.textbundle/text.md').title).toBe('Plan 1.2');
  expect(readNote('Words.\n', 'notes/text.md').title).toBe('text');
});

// jackyzha0/hugo-obsidian#40
test.each([
  [
    'TOML',
    '+++\ntitle = "Eyes: a page"\ndate = 2026-01-01T10:00:00+01:00\ntags = ["sail",\n  "rope"]\nweight = 7\nx = 1.10\n+++\n',
  ],
  [
    'TOML of Zola',
    '+++\ntitle = "Eyes: a page"\ndate = 2026-01-01\n[taxonomies]\ntags = ["sail", "rope"]\n+++\n',
  ],
  ['TOML after ---', '---toml\ntitle = "Eyes: a page"\ntags = ["sail", "rope"]\ndate = 2026-01-01\n---\n'],
  [
    'JSON',
    '{\n  "title": "Eyes: a page",\n  "date": "2026-01-01",\n  "tags": ["sail", "rope"],\n  "n": {"x": 1.10}\n}\n',
  ],
  [
    'JSON between ;;;',
    ';;;\n{"title": "Eyes: a page", "date": "2026-01-01", "tags": ["sail", "rope"]}\n;;;\n',
  ],
  [
    'JSON after ---',
    '---json\n{"title": "Eyes: a page", "date": "2026-01-01", "tags": ["sail", "rope"]}\n---\n',
  ],
])('front matter in %s gives title, tags and day, and no word is lost', (_, front) => {
  const given = `${front}\nFive tucks.\n`;
  const note = readNote(given, 'post.md');
  expect(note).toMatchObject({ title: 'Eyes: a page', tags: ['sail', 'rope'] });
  expect(new Date((note.createdAt ?? 0) / 1000).toISOString()).toMatch(/^2026-01-01/);
  expect(wordsMissing(given.replace(/^---\w+/, ''), note)).toEqual([]);
});

test('broken TOML is read line by line with a warning, and what is no front matter stays text', () => {
  const broken = readNote('+++\ntitle = "Eyes"\ntags = [\nx = = 1\n+++\nBody', 'post.md');
  expect(broken).toMatchObject({
    title: 'Eyes',
    text: 'title = "Eyes"\ntags = [\nx = = 1\n\nBody',
    warning: { why: expect.stringContaining('is not valid TOML') },
  });
  for (const text of [
    '+++\nWaves\n+++\nBody',
    ';;;\nlisp\n;;;\nBody',
    '{\nbrace\n}\nBody',
    '{\n"a": 1\n}\nBody',
  ])
    expect(readNote(text, 'x.md')).toMatchObject({ title: 'x', text });
});

// zuchka/remove-markdown#55
test('a number sign in code is no tag', () => {
  const text = '````md\n```js\n// #not\n```\n````\n\n    #nor\n\n``a #neither` ``\n\n#yes';
  expect(readNote(text, 'x.md').tags).toEqual(['yes']);
});
