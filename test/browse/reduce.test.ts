import { expect, test } from 'vitest';
import { splitBlocks } from '../../src/browse/blocks.ts';
import { shareWords } from '../../src/browse/budget.ts';
import { cutParts } from '../../src/browse/parts.ts';
import { reduce } from '../../src/browse/reduce.ts';
import { summarize } from '../../src/browse/summarize.ts';
import { countWords } from '../../src/lib/text.ts';

/** Mulberry32: the same random texts on every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const WORDS =
  'tide mill sea gate pond wheel corn moon coast 東京 миля sluice water, stone. (old) *new*'.split(' ');

/** A page of headings, paragraphs, lists, tables, code and noise, in any order. */
function markdown(seed: number, blocks = 40): string {
  const next = random(seed);
  const pick = (most: number) => Math.floor(next() * most);
  const text = (most: number) =>
    Array.from({ length: 1 + pick(most) }, () => WORDS[pick(WORDS.length)]).join(' ');
  return Array.from({ length: blocks }, () => {
    switch (pick(7)) {
      case 0:
        return `${'#'.repeat(1 + pick(4))} ${text(4)}`;
      case 1:
        return Array.from({ length: 1 + pick(6) }, () => `- ${text(12)}`).join('\n');
      case 2:
        return [
          '| a | b |',
          '| --- | --- |',
          ...Array.from({ length: pick(30) }, () => `| ${text(2)} | ${text(3)} |`),
        ].join('\n');
      case 3:
        return `\`\`\`js\n${text(5)}\n\n# not a heading\n\`\`\``;
      case 4:
        return '* * *';
      default:
        return text(60);
    }
  }).join('\n\n');
}

const SEEDS = Array.from({ length: 40 }, (_, i) => i + 1);

test('blocks and their gaps are the text', () => {
  for (const seed of SEEDS) {
    const text = markdown(seed);
    expect(
      splitBlocks(text)
        .map((block) => block.text + block.gap)
        .join(''),
    ).toBe(text);
  }
  expect(
    splitBlocks('\n\n  a\n\n\nb\n')
      .map((block) => block.text + block.gap)
      .join(''),
  ).toBe('\n\n  a\n\n\nb\n');
});

test('a code block is one block, and its lines are no headings', () => {
  const kinds = splitBlocks('# H\n\n```js\na\n\n# b\n```\n\n| x |\n| - |\n| 1 |\n\n- i\n- j\n\ntext').map(
    ({ kind }) => kind,
  );
  expect(kinds).toEqual(['heading', 'code', 'head', 'rows', 'item', 'item', 'text']);
});

test('a higher percentile keeps a subset, in page order', () => {
  for (const seed of SEEDS) {
    const text = markdown(seed);
    let last: string[] | undefined;
    for (const percentile of [1, 10, 25, 50, 75, 90, 99, 100]) {
      const kept = splitBlocks(reduce(text, { query: 'tide mill', title: '', percentile })).map(
        (block) => block.text,
      );
      if (last) expect(isSubsequence(kept, last)).toBe(true);
      last = kept;
    }
  }
});

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const block of whole) if (block === part[at]) at++;
  return at === part.length;
}

test('percentile 1 keeps all but noise, 100 the best block under its headings', () => {
  const page =
    '# Mills\n\nIntroduction to mills.\n\n* * *\n\n## Tide\n\nThe tide mill grinds with the sea.\n\n## Wind\n\nThe windmill turns.';
  expect(reduce(page, { query: 'sea', title: '', percentile: 1 })).toBe(page.replace('* * *\n\n', ''));
  expect(reduce(page, { query: 'sea', title: '', percentile: 100 })).toBe(
    '# Mills\n\n## Tide\n\nThe tide mill grinds with the sea.',
  );
});

test('without a query the title and the centre of the page decide', () => {
  const page = [
    'Subscribe to our newsletter now.',
    ...Array.from(
      { length: 8 },
      (_, i) => `The tide mill number ${i} works with the tide and the sea, as mills on this coast do.`,
    ),
  ].join('\n\n');
  const kept = reduce(page, { query: '', title: 'Tide mills', percentile: 50 });
  expect(kept).not.toContain('newsletter');
  expect(kept).toContain('tide mill');
});

test('parts joined are the text, and none is over its words', () => {
  for (const seed of SEEDS) {
    const text = markdown(seed, 80);
    for (const words of [7, 50, 400]) {
      const parts = cutParts(text, words);
      expect(parts.join('')).toBe(text);
      expect(parts.filter((part) => countWords(part) > words)).toEqual([]);
    }
  }
  expect(cutParts('')).toEqual([]);
  expect(cutParts(`${'long '.repeat(5000)}`, 2000)).toHaveLength(3);
});

test('shared words never exceed the ceiling, short texts stay whole, the rest is used', () => {
  for (const seed of SEEDS) {
    const next = random(seed);
    const shares = Array.from({ length: 1 + Math.floor(next() * 8) }, (_, i) => ({
      text: markdown(seed * 31 + i, Math.floor(next() * 12)),
      weight: 0.1 + next(),
    }));
    const wanted = shares.reduce((sum, { text }) => sum + countWords(text), 0);
    for (const ceiling of [1, 10, 100, 1000, 100_000]) {
      const cut = shareWords(shares, ceiling);
      expect(cut.reduce((sum, text) => sum + countWords(text), 0)).toBeLessThanOrEqual(ceiling);
      cut.forEach((text, i) => {
        expect(shares[i]?.text.startsWith(text)).toBe(true);
      });
      if (wanted <= ceiling) expect(cut).toEqual(shares.map(({ text }) => text));
    }
  }
});

test('a summary is whole sentences of the text that answer the query, in order', () => {
  const page = `# Swifts\n\n${Array.from({ length: 20 }, (_, i) => `Filler sentence number ${i} says nothing of note here.`).join(' ')}\n\nAt dusk swifts climb high and sleep in the air.\n\n\`\`\`\nsleep()\n\`\`\`\n\n[Swifts](https://x.example/) come down to sleep only when they breed.`;
  const summary = summarize(page, 'where do swifts sleep', 25);
  expect(summary).toBe(
    'At dusk swifts climb high and sleep in the air. Swifts come down to sleep only when they breed.',
  );
  expect(countWords(summarize(page, 'swifts', 12))).toBeLessThanOrEqual(12);
  expect(summarize('One short page is here today.', '')).toBe('One short page is here today.');
});

test('a large page is reduced and cut in time that grows with its length', () => {
  const text = Array.from(
    { length: 20_000 },
    (_, i) => `Paragraph ${i} on tides and mills of the coast, told at length.`,
  ).join('\n\n');
  const kept = reduce(text, { query: 'mills', title: '', percentile: 50 });
  expect(splitBlocks(kept)).toHaveLength(Math.ceil((20_000 * 50) / 99));
  expect(cutParts(text).join('')).toBe(text);
});
