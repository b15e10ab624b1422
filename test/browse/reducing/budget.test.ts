import { describe, expect, test } from 'vitest';
import { shareWordBudget } from '../../../src/browse/reducing/budget.ts';
import { countWords } from '../../../src/lib/text/text.ts';

const focus = { query: 'tide mill', title: '' };
test('the answering block stays with its heading, and the remaining words are used', () => {
  const filler = Array.from(
    { length: 30 },
    (_, i) => `Paragraph ${i} says nothing much of note about anything here.`,
  );
  const text = ['# Report', ...filler, '## Mills', 'The tide mill burnt down in 1871.', ...filler].join(
    '\n\n',
  );
  const [cut = ''] = shareWordBudget([{ text, weight: 1, focus }], 60);
  expect(cut).toContain('# Report\n\n');
  expect(cut).toContain('## Mills\n\nThe tide mill burnt down in 1871.');
  expect(countWords(cut)).toBeGreaterThan(45);
});

test('the best block is cut rather than left out when it is too long', () => {
  const text = `Other words stand here.\n\n${'The tide mill turned. '.repeat(100)}`;
  expect(shareWordBudget([{ text, weight: 1, focus }], 20)[0]).toContain('The tide mill turned.');
  expect(shareWordBudget([{ text: 'tide mill '.repeat(50), weight: 1, focus }], 3)[0]).toBe('tide mill tide');
});

describe('how many words each text gets', () => {
  const given = (ceiling: number, ...shares: readonly [words: number, weight: number][]) =>
    shareWordBudget(
      shares.map(([words, weight]) => ({ text: 'w '.repeat(words), weight })),
      ceiling,
    ).map(countWords);

  test.each([
    [
      'by weight',
      300,
      [
        [1000, 2],
        [1000, 1],
      ],
      [200, 100],
    ],
    [
      'the last gets what rounding leaves over',
      10,
      [
        [100, 1],
        [100, 1],
        [100, 1],
      ],
      [3, 3, 4],
    ],
    [
      'what one leaves over goes to the others, by weight',
      304,
      [
        [1000, 2],
        [4, 9],
        [1000, 1],
      ],
      [200, 4, 100],
    ],
    [
      'again and again',
      100,
      [
        [1000, 1],
        [30, 1],
        [10, 1],
        [0, 1],
      ],
      [60, 30, 10, 0],
    ],
    [
      'whole, where it is as long as its share',
      20,
      [
        [10, 1],
        [11, 1],
      ],
      [10, 10],
    ],
    [
      'one that wants more than another, but less for its weight, in full',
      100,
      [
        [60, 3],
        [50, 1],
      ],
      [60, 40],
    ],
    [
      'all, where all fit to the word, however their shares are rounded',
      9,
      [
        [3, 0.1],
        [6, 0.2],
      ],
      [3, 6],
    ],
    [
      'none, where there are none',
      0,
      [
        [3, 1],
        [6, 1],
      ],
      [0, 0],
    ],
  ] as [string, number, [number, number][], number[]][])('%s', (_name, ceiling, shares, expected) => {
    expect(given(ceiling, ...shares)).toEqual(expected);
    expect(given(ceiling, ...[...shares].reverse()).reduce((a, b) => a + b, 0)).toBe(
      Math.min(
        ceiling,
        expected.reduce((a, b) => a + b, 0),
      ),
    );
  });
});

describe('the kept part of a text that is too long', () => {
  const kept = (blocks: readonly string[], words: number, query = 'tide') =>
    shareWordBudget([{ text: blocks.join('\n\n'), weight: 1, focus: { query, title: '' } }], words)[0]?.split(
      '\n\n',
    );
  const ten = (word: string) => Array.from({ length: 10 }, () => word).join(' ');

  test('is the best blocks that fit, in the order of the text', () => {
    const blocks = [ten('gull'), ten('crow'), ten('tide'), ten('owl'), ten('wren')];
    expect(kept(blocks, 10)).toEqual([blocks[2]]);
    expect(kept(blocks, 30)).toEqual(blocks.slice(1, 4));
    expect(kept(blocks, 50)).toEqual(blocks);
  });

  test('adds the beginning of the best remaining block when ten words or more remain', () => {
    const blocks = [ten('gull'), ten('tide'), `${ten('crow')} ${ten('crow')}`];
    const most = (words: number) => [...Array.from({ length: words }, () => 'crow')].join(' ');
    expect(kept([`${ten('tide')}`, `tide ${most(30)}`], 20)).toEqual([ten('tide'), `tide ${most(9)}`]);
    expect(kept([`${ten('tide')}`, `tide ${most(30)}`], 19)).toEqual([ten('tide')]);
    expect(kept(blocks, 20)).toEqual([blocks[0], blocks[1]]);
  });

  test('counts the headings above, also for a block that is cut', () => {
    const long = Array.from({ length: 40 }, () => 'tide').join(' ');
    const blocks = ['# One two', '## Three', long];
    // The marks of headings are words too.
    expect(kept(blocks, 25)).toEqual([
      '# One two',
      '## Three',
      Array.from({ length: 20 }, () => 'tide').join(' '),
    ]);
    expect(kept(blocks, 15)).toEqual(['# One two', '## Three', ten('tide')]);
    // Less than ten words would be left: the beginning of the text says as much.
    expect(kept(blocks, 14)).toEqual([
      '# One two',
      '## Three',
      'tide tide tide tide tide tide tide tide tide',
    ]);
    expect(kept([...blocks, '# Four', ten('gull')], 26)).toEqual(['# Four', ten('gull')]);
    expect(kept([...blocks, '# Four', ten('gull')], 27)).toEqual([
      '# One two',
      '## Three',
      ten('tide'),
      '# Four',
      ten('gull'),
    ]);
    expect(kept(['# One two', ten('tide'), ten('tide sea')], 13)).toEqual(['# One two', ten('tide')]);
    expect(kept(['# One two', ten('tide'), ten('gull')], 23)).toEqual([
      '# One two',
      ten('tide'),
      ten('gull'),
    ]);
  });

  test('keeps whole blocks whole beside a cut block', () => {
    const list = '- gull\n- crow';
    const blocks = [ten('tide'), `tide ${Array.from({ length: 30 }, () => 'crow').join(' ')}`, 'tide. Gull'];
    expect(kept(blocks, 25)).toEqual([
      blocks[0],
      `tide ${Array.from({ length: 12 }, () => 'crow').join(' ')}`,
      blocks[2],
    ]);
    expect(shareWordBudget([{ text: `${list}\n`, weight: 1, focus }], 6)).toEqual([`${list}\n`]);
    expect(shareWordBudget([{ text: ' tide \n', weight: 1 }], 1)).toEqual([' tide \n']);
  });

  test('is the beginning of the text when no block fits', () => {
    expect(kept([`${ten('gull')} ${ten('tide')}`], 5)).toEqual([
      Array.from({ length: 5 }, () => 'gull').join(' '),
    ]);
    expect(shareWordBudget([{ text: 'One two three. Four five six', weight: 1 }], 4)).toEqual([
      'One two three.',
    ]);
    expect(shareWordBudget([{ text: 'One. Two three four five six', weight: 1 }], 3)).toEqual([
      'One. Two three',
    ]);
    expect(shareWordBudget([{ text: 'One two\nthree. Four five', weight: 1 }], 3)).toEqual([
      'One two\nthree.',
    ]);
  });
});

test('words are shared by weight, and the words that a short text does not use go to the other texts', () => {
  const long = 'w '.repeat(1000);
  const words = shareWordBudget(
    [
      { text: long, weight: 2 },
      { text: long, weight: 1 },
      { text: 'a b', weight: 1 },
    ],
    302,
  ).map(countWords);
  expect(words).toEqual([200, 100, 2]);
});
