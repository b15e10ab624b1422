import { describe, expect, test } from 'vitest';
import { chunk } from '../../../src/knowledge/entries/chunk.ts';
import { estimateTokens } from '../../../src/knowledge/entries/token-estimate.ts';

const rows = <Row = string>(count: number, row: (at: number) => Row) =>
  Array.from({ length: count }, (_, at) => row(at));

/** Titles of all passages but the first. */
const later = async (text: string, title = '') =>
  (await chunk(text, { title })).slice(1).map((passage) => passage.title);

const WORDS = 'The nest in the old tree was repaired with thorns again and the crows stayed away from it. ';

describe('passages of a table', () => {
  const table = [
    '| Town | Seats |',
    '| --- | --: |',
    ...rows(80, (at) => `| Town ${at} | ${at * 17} |`),
  ].join('\n');

  test('have its head row in their titles, and whole rows', async () => {
    const passages = await chunk(table, { title: 'Cinemas' });
    expect(passages.length).toBeGreaterThan(2);
    expect(passages[0]?.title).toBe('Cinemas');
    for (const { title, text } of passages.slice(1)) {
      expect(title).toBe('Cinemas › Town | Seats');
      for (const line of text.trim().split('\n')) expect(line).toMatch(/^\| Town \d+ \| \d+ \|$/);
    }
  });

  test.each(['Table 3: seats of all houses', 'The seats of all houses:'])(
    'have the caption %j too',
    async (caption) => {
      const text = `# Houses\n\n${caption}\n\n${table}`;
      for (const title of await later(text))
        expect(title).toBe(`Houses › ${caption.replace(/:$/, '')} › Town | Seats`);
    },
  );

  test('have the head row even if titles and headings are long', async () => {
    const text = `# ${'Long heading '.repeat(20)}\n\n${table}`;
    const titles = await later(text, 'A long title of the note '.repeat(10));
    for (const title of titles) expect(title).toMatch(/ › Town \| Seats$/);
  });

  test('have no head row if the table has none', async () => {
    const bare = rows(80, (at) => `| Town ${at} | ${at * 17} |`).join('\n');
    for (const title of await later(bare, 'Cinemas')) expect(title).toBe('Cinemas');
  });
});

test.each([',', ';', '\t'])(
  'passages of lines with %j between cells have the first line in their titles',
  async (mark) => {
    const lines = [
      ['Town', 'Seats', 'Since'],
      ...rows<string[]>(150, (at) => [`Town ${at}`, `${at * 17}`, `${1900 + at}`]),
    ];
    const titles = await later(lines.map((cells) => cells.join(mark)).join('\n'), 'Cinemas');
    expect(titles.length).toBeGreaterThan(1);
    for (const title of titles) expect(title).toBe('Cinemas › Town | Seats | Since');
  },
);

test.each<(at: number) => string>([
  (at: number) => `Milk ${at}, ${at} litres`,
  (at: number) => `On day ${at} the magpie came, which lives in high trees and steals`,
])('lists and prose with one comma a line have no such line in their titles', async (line) => {
  for (const title of await later(rows(150, line).join('\n'), 'Birds')) expect(title).toBe('Birds');
});

test('two lines that only look like headers of a mail are not put into titles', async () => {
  for (const title of await later(`De: la mer\nDate: palm\n\n${WORDS.repeat(40)}`, 'Poems'))
    expect(title).toBe('Poems');
});

test('prose with a comma in each line has no such line in its titles', async () => {
  const text = rows(60, (at) => `On day ${at} we saw magpies, crows and jays in the high trees.`).join('\n');
  for (const title of await later(text, 'Birds')) expect(title).toBe('Birds');
});

test.each([
  ['function countNests(tree) {', '  count(tree);', '}', 'function countNests(tree)'],
  ['def count_nests(tree):', '    count(tree)', '', 'def count_nests(tree)'],
  ['  public int countNests(Tree tree) {', '    count(tree);', '  }', 'public int countNests(Tree tree)'],
  ['const countNests = (tree) => {', '  count(tree);', '};', 'const countNests = (tree) =>'],
])(
  'passages within a function that begins with %j have its head in their titles',
  async (head, line, end, told) => {
    const body = rows(120, (at) => line.replace('tree', `tree${at}`));
    const titles = await later(['```', head, ...body, end, 'other(tree)', '```'].join('\n'), 'Nests');
    expect(titles.length).toBeGreaterThan(1);
    for (const title of titles) expect(title).toBe(`Nests › ${told}`);
  },
);

test('a passage that begins after the end of a function does not have its head', async () => {
  const one = (name: string) => [`function ${name}() {`, ...rows(60, (at) => `  call(${at});`), '}', ''];
  const passages = await chunk(['```', ...one('first'), ...one('second'), '```'].join('\n'), {
    title: 'Calls',
  });
  for (const { title, text } of passages) {
    if (text.includes('function ')) continue;
    const isSecond =
      passages.findIndex((one) => one.text === text) >
      passages.findIndex((one) => one.text.includes('second'));
    expect(title).toContain(isSecond ? 'second' : 'first');
  }
});

test('passages of a long mail say who wrote it, when and about what', async () => {
  const text = `From: Ana Ruiz <ana@mail.example>\nTo: Ben\nDate: 3 May 2026\nSubject: The nest\n\n${WORDS.repeat(40)}`;
  const titles = await later(text, 'Mail');
  expect(titles.length).toBeGreaterThan(2);
  for (const title of titles) expect(title).toBe('Mail › Ana Ruiz <ana@mail.example>, 3 May 2026, The nest');
});

test('passages of a long turn of a conversation say who speaks', async () => {
  const titles = await later(`[9:01 am on 3 May, 2026] Ana: ${WORDS.repeat(40)}`, 'Chat');
  expect(titles.length).toBeGreaterThan(2);
  for (const title of titles) expect(title).toBe('Chat › [9:01 am on 3 May, 2026] Ana');
});

test('the few words that are left of a paragraph are no passage of their own', async () => {
  for (let words = 120; words < 200; words += 4) {
    const text = `## One\n\n${'magpie '.repeat(words).trim()}.\n\n## Two\n\n${'crow '.repeat(words).trim()}.`;
    for (const passage of await chunk(text)) expect(estimateTokens(passage.text)).toBeGreaterThan(20);
  }
});
