import { afterAll, expect, test } from 'vitest';
import { listLinks } from '../../src/browse/links.ts';
import { outlineOf } from '../../src/browse/outline.ts';
import { cutParts } from '../../src/browse/parts.ts';
import { keptOf, reduce } from '../../src/browse/reduce.ts';
import { findSection } from '../../src/browse/sections.ts';
import { summarize } from '../../src/browse/summarize.ts';
import { createTextDesk } from '../../src/browse/text-desk.ts';

const desk = createTextDesk();
afterAll(() => desk.close());
const { signal } = new AbortController();

const chapter = (number: number) =>
  `## Chapter ${number}\n\n${`The tide mill number ${number} was built of oak by its keeper. `.repeat(100)}\n\n`;
const book = (chapters: number) => Array.from({ length: chapters }, (_, i) => chapter(i + 1)).join('');

test.each([5, 100])('%i chapters: what comes is what the functions themselves give', async (chapters) => {
  const text = book(chapters);
  const focus = { query: 'tide mill 3', title: 'Mills' };
  const ranking = await desk.runTask('rankText', [text, focus], signal);
  for (const percentile of [1, 60, 100]) {
    expect(keptOf(text, ranking, percentile)).toBe(reduce(text, { ...focus, percentile }));
  }
  const section = await desk.runTask('findSection', [text, 'chapter 2'], signal);
  expect(section).toEqual(findSection(text, 'chapter 2'));
  expect(await desk.runTask('findSectionTitle', [text, 'chapter-4'], signal)).toBe('Chapter 4');

  const whole = { title: '', markdown: text, first: 1 };
  const wanted = { section: whole, title: 'Mills', first: 1, count: 2, summaries: 1 };
  const portion = await desk.runTask('cutPortion', [text, wanted], signal);
  const parts = cutParts(text);
  expect(portion).toEqual({
    parts: [
      { text: parts[0], summary: summarize(parts[0] ?? '', 'Mills') },
      ...parts.slice(1, 2).map((text) => ({ text })),
    ],
    total: parts.length,
    outline: parts.length > 1 ? outlineOf(parts, whole) : [],
  });
});

test('other calls are served while the links of a long text are collected', async () => {
  const text = Array.from({ length: 10_000 }, (_, i) => `[mill ${i}](https://x.example/${i})`).join('\n');
  let served = false;
  setImmediate(() => {
    served = true;
  });
  const more = [{ url: 'https://x.example/more', text: 'More' }];
  const links = await desk.runTask('listLinks', [text, more, 100], signal);
  expect(served).toBe(true);
  // All of them would be handed over by the main thread, object by object.
  expect(links.links).toHaveLength(100);
  expect(links.count).toBe(10_001);
  expect(links).toEqual(listLinks(text, more, 100));
});

test('an error is the same from a worker', async () => {
  for (const chapters of [1, 100]) {
    await expect(desk.runTask('findSection', [book(chapters), 'windmills'], signal)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('"Chapter 1"'),
    });
  }
});

test('others are served while a text of megabytes is worked on', async () => {
  const text = `${'The mill was built of oak, and burnt down. '.repeat(120_000)}`;
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  await Promise.all([
    desk.runTask('rankText', [text, { query: 'mill', title: '' }], signal),
    desk.runTask('summarize', [text, 'mill'], signal),
  ]);
  clearInterval(timer);
  // On the event loop itself there would be two at most.
  expect(turns).toBeGreaterThan(10);
});

test('who gives up is not kept waiting', async () => {
  const stop = new AbortController();
  const long = desk.runTask('rankText', [book(1500), { query: 'mill', title: '' }], stop.signal);
  stop.abort(new Error('enough'));
  await expect(long).rejects.toThrow('enough');
});
