import { describe, expect, test } from 'vitest';
import { comparePages } from '../../../src/browse/changes/compare-pages.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

const ALL = { most: 1000, chars: 1_000_000 };
const compare = (before: string, after: string) => comparePages(before, after, ALL);

const prose = (subject: string) =>
  `The ${subject} is described at length here, so that each reader learns what the ${subject} does all day.`;

describe('changes between two texts', () => {
  test('are empty when the texts are the same, reordered, or differ only in white space and address queries', () => {
    const page = `# Birds\n\n${prose('magpie')}\n\n${prose('heron')}\n\n[more](https://a.example/x?t=1)`;
    const other = `# Birds\n\n${prose('heron')}\n\n\n${prose('magpie').replace(' ', '\n')}\n\n[more](https://a.example/x?t=2)`;
    expect(compare(page, other)).toEqual({ added: 0, removed: 0, changed: 0, list: [] });
  });

  test('name the heading and list the added, changed and removed blocks', () => {
    const before = `# Birds\n\n${prose('magpie')}\n\n## Food\n\nThe bag of seeds costs 12 euros at the market.\n\n## Nests\n\n${prose('heron')}`;
    const after = `# Birds\n\n${prose('magpie')}\n\nA sentence about owls, quite new.\n\n## Food\n\nThe bag of seeds costs 14 euros at the market.\n\n## Nests`;
    expect(compare(before, after)).toEqual({
      added: 1,
      removed: 1,
      changed: 1,
      list: [
        { kind: 'added', section: 'Birds', text: 'A sentence about owls, quite new.' },
        {
          kind: 'changed',
          section: 'Food',
          before: 'The bag of seeds costs 12 euros at the market.',
          text: 'The bag of seeds costs 14 euros at the market.',
        },
        { kind: 'removed', section: 'Nests', text: prose('heron') },
      ],
    });
  });

  test('rows of a table are compared one by one', () => {
    const table = (...rows: string[]) =>
      `| Name | Price |\n| --- | --- |\n${rows.map((row) => `| ${row} |`).join('\n')}`;
    const { list } = compare(
      table('Nut | 5', 'Seed | 7', 'Corn | 9'),
      table('Oat | 1', 'Nut | 5', 'Seed | 8', 'Corn | 9'),
    );
    expect(list).toEqual([
      { kind: 'added', text: '| Oat | 1 |' },
      { kind: 'changed', before: '| Seed | 7 |', text: '| Seed | 8 |' },
    ]);
  });

  test('of a long block the changed part is shown with the words around it', () => {
    const long = (word: string) =>
      `${'Some words stand before it. '.repeat(60)}${word} ${'And some behind. '.repeat(60)}`;
    const [change] = compare(long('monday'), long('tuesday')).list;
    expect(change?.before).toMatch(/^… .{20,90}monday .{20,90} …$/);
    expect(change?.text).toMatch(/^… .{20,90}tuesday .{20,90} …$/);
  });

  test('a changed link address is shown', () => {
    const link = (file: string) => `Get the newest release of it as [one file](https://a.example/${file}).`;
    expect(compare(link('v1.zip'), link('v2.zip')).list).toEqual([
      { kind: 'changed', before: link('v1.zip'), text: link('v2.zip') },
    ]);
  });

  test('a repeated block is counted as added once and removed once', () => {
    expect(compare('- a\n- b', '- a\n- a\n- b')).toMatchObject({ added: 1, removed: 0, changed: 0 });
    expect(compare('- a\n- a\n- b', '- a\n- b')).toMatchObject({ added: 0, removed: 1, changed: 0 });
    expect(compare('', prose('owl'))).toMatchObject({ added: 1, removed: 0, changed: 0 });
  });

  test('only the requested amount is shown, and all changes are counted', () => {
    const many = Array.from({ length: 50 }, (_, i) => `Number ${i} of them.`).join('\n\n');
    const { added, list } = comparePages('', many, { most: 10, chars: 1000 });
    expect([added, list.length]).toEqual([50, 10]);
    expect(comparePages('', many, { most: 50, chars: 100 }).list).toHaveLength(5);
    expect(comparePages('', many, { most: 50, chars: 1000, words: 12 }).list).toHaveLength(3);
    const long = comparePages('', 'x'.repeat(5000), ALL).list[0];
    expect(long?.text).toHaveLength(602);
  });
});

test('texts designed to slow the comparison are compared in little time', () => {
  const lines = (word: string) =>
    Array.from({ length: 4000 }, (_, i) => `${word} ${i} same words`).join('\n\n');
  const hostile: [string, string][] = [
    [lines('a'), lines('b')],
    ['a '.repeat(60_000), 'a '.repeat(59_999)],
    ['](x?'.repeat(30_000), '](x#'.repeat(30_000)],
    ['| '.repeat(50_000), '|\n'.repeat(50_000)],
    ['# a\n'.repeat(25_000), '# b\n'.repeat(25_000)],
  ];
  for (const [before, after] of hostile) {
    expect(processorSeconds(() => comparePages(before, after, ALL))).toBeLessThan(1);
  }
});
