import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { buildEmbeddingInput, chunk } from '../../../src/knowledge/entries/chunk.ts';
import { textBlocks } from '../../../src/knowledge/entries/text-blocks.ts';
import { estimateTokens } from '../../../src/knowledge/entries/token-estimate.ts';
import { processorSecondsOf } from '../../helpers/processor-time.ts';

const joined = async (text: string, window?: number) =>
  (await chunk(text, window === undefined ? {} : { window })).map((passage) => passage.text).join('');

const paragraph = (words: number, word = 'magpie') => `${`${word} `.repeat(words).trim()}.`;

describe('any text', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(
      '',
      '```',
      '~~~',
      '# One',
      '## Two',
      '###',
      '- item',
      '1. item',
      '===',
      '---',
      '| a | b |',
      '\t',
      ' ',
    ),
    fc.nat({ max: 400 }).map((count) => 'x'.repeat(count)),
    fc.nat({ max: 300 }).map((count) => '鵲'.repeat(count)),
    fc.nat({ max: 100 }).map((count) => '😀'.repeat(count)),
    fc.nat({ max: 120 }).map((count) => paragraph(count)),
  );
  const texts = fc.oneof(
    fc.array(line, { maxLength: 40 }).map((lines) => lines.join('\n')),
    fc.string({ unit: 'binary', maxLength: 2000 }),
  );

  test('the joined passages equal the text', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom(32, 128, 256, 512), async (text, window) => {
        expect(await joined(text, window)).toBe(text);
      }),
      { numRuns: 400 },
    );
  });

  test('every passage fits the window with its title, and none is empty or begins within a character', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom(32, 128, 256), async (text, window) => {
        for (const passage of await chunk(text, { window })) {
          expect(estimateTokens(buildEmbeddingInput(passage))).toBeLessThanOrEqual(window);
          expect(passage.text).not.toBe('');
          if (text.isWellFormed()) expect(passage.text.isWellFormed()).toBe(true);
          expect(passage.title.isWellFormed() || !text.isWellFormed()).toBe(true);
          expect(passage.title.length).toBeLessThanOrEqual(200);
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['a word of 200,000 letters', 'x'.repeat(200_000)],
    ['50,000 open fences', '```\n'.repeat(50_000)],
    ['headings only', '# a\n'.repeat(20_000)],
    ['white space', `a${' \n'.repeat(80_000)}b`],
    ['Chinese without a stop', '鵲'.repeat(60_000)],
    ['one paragraph', paragraph(28_000)],
    ['one heading', `# ${paragraph(20_000)}`],
    ['list items', '- a\n'.repeat(40_000)],
    ['faces that a step would part', `a${'😀'.repeat(60_000)}`],
    ['a row of faces', `|${'😀'.repeat(60_000)}`],
  ])('%s is cut quickly and completely', async (_, text) => {
    const cut = async () => expect(await joined(text)).toBe(text);
    expect(await processorSecondsOf(cut)).toBeLessThan(3);
  });
});

/** Turns that the event loop has while a text is cut. */
async function turnsOf(text: string): Promise<number> {
  let turns = 0;
  let over = false;
  const turn = () => {
    turns++;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  await chunk(text);
  over = true;
  return turns;
}

test.each([
  ['one paragraph', `${paragraph(40)} `.repeat(3500)],
  ['lines without end', 'a line of text\n'.repeat(64_000)],
  ['a block of code', `\`\`\`\n${'const a = b + c;\n'.repeat(58_000)}\`\`\`\n`],
])('the event loop runs while a megabyte is cut: %s', async (_, text) => {
  expect(await turnsOf(text)).toBeGreaterThan(1);
});

const LONG = 10_000;
test.each([
  ['short paragraphs', 'a\n\n'.repeat(LONG)],
  ['headings', '# a\n'.repeat(LONG)],
  ['headings above a text', `${'# a\n'.repeat(LONG)}text`],
  ['short lines of code', `\`\`\`\n${'a\n'.repeat(LONG)}\`\`\`\n`],
  ['rows', '| a |\n'.repeat(LONG)],
  ['words of a line of code', `\`\`\`\n${'a '.repeat(2 * LONG)}\n\`\`\`\n`],
])('a longer text is cut in more steps, and no step cuts more of it: %s', async (_, text) => {
  // Each step is a turn where every one seems to last.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  try {
    const [few, many] = [await turnsOf(text.slice(0, text.length / 8)), await turnsOf(text)];
    expect(many).toBeGreaterThan(few * 6);
  } finally {
    clock.mockRestore();
  }
});

/** Seconds of processor time of the longest turn while a text is cut. */
async function longestTurnOf(text: string): Promise<number> {
  let [longest, over] = [0, false];
  let before = process.threadCpuUsage();
  const turn = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1e6);
    before = process.threadCpuUsage();
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  await chunk(text);
  over = true;
  return longest;
}

test.each([
  ['one word', 'a', 400_000],
  // Unicode's rules for sentences take most of the time of all.
  ['sentences', 'It is so. ', 100_000],
  ['words of 50,000 letters', `${'a'.repeat(49_999)} `, 400_000],
])('no step takes longer for a longer line: %s', async (_, piece, chars) => {
  const text = piece.repeat(chars / piece.length);
  await longestTurnOf(text);
  const bound = 4 * Math.max(0.02, await longestTurnOf(text));
  // The least of three: a collection of garbage may fall into a turn.
  let longest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && longest >= bound; run++) {
    longest = Math.min(longest, await longestTurnOf(text.repeat(8)));
  }
  expect(longest).toBeLessThan(bound);
});

test.each([
  ['blocks', () => textBlocks('a\n\n'.repeat(100_000))],
  ['blocks of headings', () => textBlocks('# a\n'.repeat(100_000))],
])('%s are found in steps of some lines', (_, begin) => {
  const steps = begin();
  let count = 0;
  for (let step = steps.next(); !step.done; step = steps.next()) count++;
  expect(count).toBeGreaterThanOrEqual(50);
});

test('a fence of code is not used as a title', async () => {
  const text = '```ts\nfunction nest() {}\n```';
  expect((await chunk(text))[0]?.title).toBe('function nest() {}');
});

test('a short text is one passage whose title is the first line', async () => {
  expect(await chunk('Magpies hoard.\nThey do not.')).toEqual([
    { title: 'Magpies hoard.', text: 'Magpies hoard.\nThey do not.' },
  ]);
  expect(await chunk('text', { title: 'Birds' })).toEqual([{ title: 'Birds', text: 'text' }]);
  expect(await chunk('')).toEqual([]);
});

test('passages have the headings above them', async () => {
  const text = [
    '# Birds',
    paragraph(100),
    '## Crows',
    paragraph(100, 'crow'),
    '### Magpies',
    paragraph(100),
    '## Owls',
    paragraph(100, 'owl'),
  ].join('\n\n');
  expect((await chunk(text)).map(({ title }) => title)).toEqual([
    'Birds',
    'Birds › Crows',
    'Birds › Crows › Magpies',
    'Birds › Owls',
  ]);
  expect((await chunk(text, { title: 'Atlas' }))[3]?.title).toBe('Atlas › Birds › Owls');
});

test('a heading stays with the text below it; an underlined line is a heading', async () => {
  const passages = await chunk(`${paragraph(150)}\n\nOwls\n----\n\n${paragraph(60, 'owl')}`);
  expect(passages).toHaveLength(2);
  expect(passages[1]?.text.startsWith('Owls\n----')).toBe(true);
  expect(passages[1]?.title).toBe('Owls');
});

test('small sections share a passage', async () => {
  const text = Array.from({ length: 6 }, (_, i) => `## Term ${i}\n\nIts meaning.\n`).join('\n');
  expect(await chunk(text)).toHaveLength(1);
});

test('fenced code is kept whole where it fits, and is cut at lines where it does not', async () => {
  const code = (lines: number) => `\`\`\`js\n${'const a = 1;\n'.repeat(lines)}\`\`\`\n`;
  const small = `${paragraph(120)}\n\n${code(20)}\n${paragraph(120)}`;
  expect((await chunk(small)).some(({ text }) => text.includes(code(20)))).toBe(true);
  const pieces = (await chunk(code(200))).map(({ text }) => text);
  expect(pieces.length).toBeGreaterThan(5);
  expect(pieces.every((text) => text.endsWith('\n'))).toBe(true);
});

test('long prose is cut between sentences', async () => {
  const text = Array.from({ length: 40 }, (_, i) => `Dr. Crow saw ${i} magpies on the wire in May.`).join(
    ' ',
  );
  const passages = await chunk(text);
  expect(passages.length).toBeGreaterThan(2);
  for (const passage of passages) expect(passage.text).toMatch(/^Dr\. Crow .* in May\.\s*$/);
});

test('a heading within code is not a heading', async () => {
  expect((await chunk(`\`\`\`\n# not a heading\n\`\`\`\n\n${paragraph(200)}`)).at(-1)?.title).not.toContain(
    'not a heading ›',
  );
});

test('the title is embedded before the text, unless the text begins with it', async () => {
  expect(buildEmbeddingInput({ title: 'Birds', text: ' Magpies.\n' })).toBe('Birds\nMagpies.');
  expect(buildEmbeddingInput({ title: 'Birds', text: 'Birds fly.' })).toBe('Birds fly.');
});
