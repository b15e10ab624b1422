import { describe, expect, it } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { layPdf, type Piece } from '../../helpers/pdf.ts';

const read = async (...pages: Piece[][]) =>
  (await readPdf(layPdf(pages), 'https://files.example/notes.pdf')).markdown;
const lines = (x: number, y: number, texts: readonly string[], size = 9): Piece[] =>
  texts.map((text, at) => ({ x, y: y - at * 1.25 * size, size, text }));

const LEFT = [
  'The tower was built by three brothers who',
  'carried its stones over the ice in March.',
  'They slept in a shed that was far too low',
  'and the keeper, by then an old man with',
];
const RIGHT = [
  'few teeth, kept eleven goats on the rock.',
  'The goats ate the rope of the bell there.',
  'A new bell came by boat in the next year.',
  'It had a chain, which no goat would have.',
];
const TEXT = [...LEFT, ...RIGHT].join(' ');
const note = (mark: string, rise: number, y = 640): Piece[] => [
  { x: 50, y: y + rise, size: 5, text: mark },
  ...lines(54, y, ['Some say there were four brothers,', 'of whom one left early on'], 7),
];

describe('footnotes', () => {
  it.each([
    ['3', 3],
    ['3', 3.6],
    ['3', 4.3],
    ['12', 3.5],
    ['*', 3.5],
    ['†', 3],
  ] as const)('below a column do not split its sentence (%s, raised by %d)', async (mark, rise) => {
    const sign = mark === '†' ? '\u0086' : mark;
    const text = await read([...lines(50, 780, LEFT), ...note(sign, rise), ...lines(320, 780, RIGHT)]);
    expect(text).toBe(`${TEXT}\n\n${mark} Some say there were four brothers, of whom one left early on`);
  });

  it('below each other and at the end of a page do not split its sentence', async () => {
    const notes = [...note('1', 3.5), ...note('2', 3.5, 600)];
    const [text, ...others] = (await read([...lines(50, 780, LEFT), ...notes], lines(50, 780, RIGHT))).split(
      '\n\n',
    );
    expect(text).toBe(TEXT);
    expect(others.map((one) => one.slice(0, 6))).toEqual(['1 Some', '2 Some']);
  });

  it('leave a sentence that begins with a number where it is', async () => {
    const first = [...LEFT.slice(0, 3), '12 goats that were kept on the rock and'];
    expect(await read(lines(50, 780, first), lines(50, 780, RIGHT))).toContain('on the rock and few teeth');
  });

  it.each(['brothers', 'then 1847', 'brothers,', 'brothers.', 'brothers”'])(
    'are marked behind %s',
    async (word) => {
      const right = 50 + 5.4 * word.length;
      const text = await read([
        { x: 50, y: 700, size: 9, text: word.replace('”', '\u0094') },
        { x: right, y: 703.5, size: 5, text: '4' },
        { x: right + 9, y: 700, size: 9, text: 'went on to the end of their days' },
      ]);
      expect(text).toBe(`${word}^4 went on to the end of their days`);
    },
  );
});

it('a link over two lines does not split its sentence', async () => {
  const url = 'https://club.example/boats';
  const text = await read([
    { x: 50, y: 700, size: 9, text: 'The trips that we make on Sundays are in the' },
    { x: 298, y: 700, size: 9, text: 'list of', url },
    { x: 50, y: 688, size: 9, text: 'boats', url },
    {
      x: 82.4,
      y: 688,
      size: 9,
      text: 'and rowers, which is made anew in every season and in every year that comes',
    },
  ]);
  expect(text).toBe(
    `The trips that we make on Sundays are in the [list of boats](${url}) and rowers, which is made anew in every season and in every year that comes`,
  );
});
