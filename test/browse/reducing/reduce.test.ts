import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reduceToPercentile } from '../../helpers/reduce-to-percentile.ts';

const page = (...blocks: string[]) => blocks.join('\n\n');
const best = (markdown: string, query: string, title = '') =>
  reduceToPercentile(markdown, { query, title, percentile: 100 });

describe('the kept blocks', () => {
  test('are the best block under its headings at percentile 100, and all but noise at percentile 1', () => {
    const mills = page(
      '# Mills',
      'Introduction to mills.',
      '* * *',
      '## Tide',
      'The tide mill grinds with the sea.',
      '## Wind',
      'The windmill turns.',
    );
    expect(reduceToPercentile(mills, { query: 'sea', title: '', percentile: 1 })).toBe(
      mills.replace('* * *\n\n', ''),
    );
    expect(best(mills, 'sea')).toBe('# Mills\n\n## Tide\n\nThe tide mill grinds with the sea.');
  });

  test('keep paragraphs of one quote in one quote, without a quote mark where the quote ends', () => {
    const thread = page(
      '> **ada**\n>\n> The tide mill grinds.\n>\n> > **bo**\n> >\n> > By the sea.\n>\n> Right.',
      'Prose about wheels of wood.',
      '> The end.',
    );
    expect(reduceToPercentile(thread, { query: 'wheels', title: '', percentile: 1 })).toBe(thread);
    expect(best(thread, 'tide')).toBe('> The tide mill grinds.');
    expect(best('> The tide mill.\n>\n> > By day.\n>\n> > The tide mill.', 'tide')).not.toContain('\n>\n');
  });

  test('include the header of kept table rows', () => {
    const rows = Array.from({ length: 35 }, (_, i) => `| ${i} | ${i === 27 ? 'Kepler' : 'nobody'} |`);
    const kept = best(
      page('# People', `| year | who |\n| --- | --- |\n${rows.join('\n')}`, 'The end.'),
      'Kepler',
    );
    expect(kept.split('\n').slice(0, 5)).toEqual([
      '# People',
      '',
      '| year | who |',
      '| --- | --- |',
      '| 20 | nobody |',
    ]);
    expect(kept).toContain('| 27 | Kepler |');
    expect(kept).not.toContain('| 30 |');
  });

  test('keep tables separate when the rows between them are dropped', () => {
    const table = (name: string, row: string) =>
      `| ${name} |\n| --- |\n${'| filler |\n'.repeat(10)}| ${row} |`;
    const kept = reduceToPercentile(page(table('one', 'Kepler saw'), table('two', 'Kepler wrote')), {
      query: 'Kepler',
      title: '',
      percentile: 60,
    });
    expect(kept).toBe('| one |\n| --- |\n| Kepler saw |\n\n| two |\n| --- |\n| Kepler wrote |');
  });

  test('include the items above a nested item and the line that introduces the list', () => {
    const list = page('# Tools', 'You need:', '- a bench\n  - of oak\n  - of beech\n- a plane', 'More text.');
    expect(best(list, 'beech')).toBe('# Tools\n\nYou need:\n\n- a bench\n  - of beech');
  });

  test('include the term of a definition', () => {
    expect(best(page('Sluice', ': a gate that lets water in', 'Other words.'), 'gate water')).toBe(
      'Sluice\n\n: a gate that lets water in',
    );
  });

  test('score by the words of the heading above', () => {
    const guide = page(
      '# Guide',
      '## Windows',
      'Open the menu and choose it.',
      '## Linux',
      'Open the menu and choose it now.',
    );
    expect(best(guide, 'linux')).toContain('## Linux');
    expect(best(guide, 'windows')).toContain('## Windows');
  });

  test.each([
    [
      'other forms of the words',
      'Who is farming there?',
      'Farmers came from Kent.',
      'It rained a lot that summer.',
    ],
    ['the beginning of a word', 'electrification', 'Electric light came late.', 'Fishing boats came early.'],
    ['Russian endings', 'мельницы', 'Здесь стояла мельница.', 'Здесь стояла церковь.'],
    ['Chinese', '東京の人口', '東京には多くの人がいる。', '大阪は商業の町だ。'],
    ['Arabic with its article', 'طاحونة', 'بنيت الطاحونة قديما.', 'نزل المطر أمس.'],
    [
      'a date for when',
      'When was the mill built?',
      'The mill was built in March 1871 of oak.',
      'The mill was built by hand of oak.',
    ],
    [
      'a sum for how much',
      'How much did the mill cost?',
      'The mill came to $4,000 all told.',
      'The mill was dear to all of them.',
    ],
    [
      'a name for who',
      'Who built the mill?',
      'It was the work of Ada Coe and of friends; the mill ran.',
      'It was the work of years, and the mill then ran.',
    ],
    [
      'a span for how long',
      'How long did the mill run?',
      'The mill ran for forty years there.',
      'The mill ran for the whole coast there.',
    ],
    [
      'a reason for why',
      'Why did the mill close?',
      'The mill closed because the pond silted.',
      'The mill closed and the pond was drained.',
    ],
  ])('%s', (_name, query, answer, other) => {
    expect(best(page(other, answer), query)).toBe(answer);
    expect(best(page(answer, other), query)).toBe(answer);
  });

  test('do not score by addresses of links', () => {
    const [link, text] = ['See [here](https://tide.example/tide-mill-tide-mill).', 'A mill by the sea.'];
    expect(best(page(link, text), 'tide mill')).toBe(text);
  });

  test('include a block beside a match before a block elsewhere', () => {
    const far = Array.from({ length: 6 }, (_, i) => `Something else entirely is said here, number ${i}.`);
    const kept = reduceToPercentile(page('The tide mill:', 'it burnt down that night.', ...far, ...far), {
      query: 'tide mill',
      title: '',
      percentile: 90,
    });
    expect(kept).toBe('The tide mill:\n\nit burnt down that night.');
  });

  test('include, without a query, a block with names and numbers before a block without them', () => {
    const vague = ['no good', 'some good', 'great harm'].map(
      (end) =>
        `It was long thought that things of this sort could come to ${end}, whatever was done about them.`,
    );
    const telling = 'In 1871 the mill of Ada Coe at Selby ground 40 sacks, as Tom Hill wrote.';
    for (const text of [page(...vague, telling), page(telling, ...vague)])
      expect(best(text, '')).toBe(telling);
  });

  test('depend, without a query, on the title, the centre of the page and its facts', () => {
    const mills = Array.from(
      { length: 8 },
      (_, i) => `The tide mill number ${i} works with the tide and the sea, as mills on this coast do.`,
    );
    const kept = reduceToPercentile(page('Subscribe to our newsletter now.', ...mills), {
      query: '',
      title: 'Tide mills',
      percentile: 50,
    });
    expect(kept).not.toContain('newsletter');
    expect(kept).toContain('tide mill');
  });
});

test('at percentile 1 code and table rows stay, whatever signs they consist of', () => {
  const sign = fc.constantFrom('+--+', '| ~ |', '***', '=>', '[]', '');
  const form = fc.constantFrom(
    (lines: string) => `\`\`\`\n${lines}\n\`\`\``,
    (lines: string) => `> \`\`\`\n> ${lines.replaceAll('\n', '\n> ')}\n> \`\`\``,
    (lines: string) => `- \`\`\`\n  ${lines.replaceAll('\n', '\n  ')}\n  \`\`\``,
    () => '| ✓ | ✗ |\n| --- | --- |\n| ✓ | – |',
    () => '👍',
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(form, fc.array(sign, { minLength: 1, maxLength: 4 })), { minLength: 1 }),
      (all) => {
        const blocks = all.flatMap(([write, lines], at) => [
          `Words ${at}.`,
          write(['+', ...lines, '+'].join('\n')),
        ]);
        const markdown = page('# Boxes', ...blocks, 'The end.');
        expect(reduceToPercentile(markdown, { query: '', title: '', percentile: 1 })).toBe(markdown);
      },
    ),
    { seed: 41, numRuns: 200 },
  );
});
