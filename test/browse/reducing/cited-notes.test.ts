import { expect, test } from 'vitest';
import { findSection } from '../../../src/browse/sections/sections.ts';
import { reduceToPercentile } from '../../helpers/reduce-to-percentile.ts';

/** Notes come with what cites them, and with nothing else. */

const TEXT = `# Clocks

## Method

The pendulum of the tower clock hung for forty days in an oven at 30 °C.[^oven] Nobody opened it.

## Results

Brass rods made the tower clock lose nine seconds a day.[^1] Steel rods lost five.

Nothing else was seen in the tower that winter, but pigeons.

[^oven]: A baker's oven, lent by Ada Quill.

[^1]: Measured against the bell of the harbour.[^bell]

[^bell]: It was cast in 1840.

[^lost]: Nothing cites this one.`;

test('a section is returned with the notes that it cites, and with notes cited in these, wherever they are', () => {
  const results = findSection(TEXT, 'Results').markdown;
  expect(results).toContain('[^1]: Measured against the bell');
  expect(results).toContain('[^bell]: It was cast in 1840.');
  expect(results).not.toMatch(/\[\^(?:oven|lost)\]/);
  expect(results.startsWith('## Results')).toBe(true);
  const method = findSection(TEXT, 'Method').markdown;
  expect(method.split('\n').at(-1)).toBe("[^oven]: A baker's oven, lent by Ada Quill.");
  expect(method).not.toContain('[^1]');
});

test('a section of notes alone stays unchanged', () => {
  const page = '# A\n\nWords.[^1]\n\n## Notes\n\n[^1]: One.\n\n[^2]: Two.';
  expect(findSection(page, 'Notes').markdown).toBe('## Notes\n\n[^1]: One.\n\n[^2]: Two.');
});

test('the kept text has its notes at every percentile, and a higher percentile keeps a subset', () => {
  const kept = [1, 30, 60, 80, 95, 100].map((percentile) =>
    reduceToPercentile(TEXT, { percentile, query: 'how many seconds do brass rods lose?', title: '' }),
  );
  for (const text of kept) {
    const cited = [...text.matchAll(/\[\^(\w+)\](?!:)/g)].map(([, id]) => id);
    for (const id of cited) expect(text).toContain(`[^${id}]:`);
  }
  expect(kept.at(-1)).toContain('[^1]: Measured');
  kept.slice(1).forEach((text, at) => {
    for (const line of text.split('\n')) expect(kept[at]).toContain(line);
  });
});
