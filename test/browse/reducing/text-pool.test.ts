import { afterAll, expect, test } from 'vitest';
import { buildOutline } from '../../../src/browse/reading/outline.ts';
import { keepPercentile } from '../../../src/browse/reducing/reduce.ts';
import { summarize } from '../../../src/browse/reducing/summarize.ts';
import { createTextPool } from '../../../src/browse/reducing/text-pool.ts';
import { listLinks } from '../../../src/browse/sections/links.ts';
import { cutParts } from '../../../src/browse/sections/parts.ts';
import { findSection } from '../../../src/browse/sections/sections.ts';
import { reduceToPercentile } from '../../helpers/reduce-to-percentile.ts';
import { countTurns } from '../../helpers/turns.ts';

const desk = createTextPool();
afterAll(() => desk.close());
const { signal } = new AbortController();

const chapter = (number: number) =>
  `## Chapter ${number}\n\n${`The tide mill number ${number} was built of oak by its keeper. `.repeat(100)}\n\n`;
const book = (chapters: number) => Array.from({ length: chapters }, (_, i) => chapter(i + 1)).join('');

test.each([5, 25])(
  'for %i chapters the pool gives the same results as the functions themselves',
  async (chapters) => {
    const text = book(chapters);
    const focus = { query: 'tide mill 3', title: 'Mills' };
    const ranking = await desk.runTask('rankText', [text, focus], { signal });
    for (const percentile of [1, 60, 100]) {
      expect(keepPercentile(text, ranking, percentile)).toBe(
        reduceToPercentile(text, { ...focus, percentile }),
      );
    }
    const section = await desk.runTask('findSection', [text, 'chapter 2'], { signal });
    expect(section).toEqual(findSection(text, 'chapter 2'));
    expect(await desk.runTask('findSectionTitle', [text, 'chapter-4'], { signal })).toBe('Chapter 4');

    const whole = { title: '', markdown: text, first: 1 };
    const wanted = { section: { title: '', first: 1 }, title: 'Mills', first: 1, count: 2, summaries: 1 };
    const portion = await desk.runTask('cutPortion', [text, ranking, 1, wanted], { signal });
    const parts = cutParts(keepPercentile(text, ranking, 1));
    expect(portion).toEqual({
      parts: [
        { text: parts[0], summary: summarize(parts[0] ?? '', 'Mills') },
        ...parts.slice(1, 2).map((text) => ({ text })),
      ],
      total: parts.length,
      outline: parts.length > 1 ? buildOutline(parts, whole) : [],
    });
  },
);

test('other calls are served while the links of a long text are collected', async () => {
  const text = Array.from({ length: 10_000 }, (_, i) => `[mill ${i}](https://x.example/${i})`).join('\n');
  let served = false;
  setImmediate(() => {
    served = true;
  });
  const more = [{ url: 'https://x.example/more', text: 'More' }];
  const links = await desk.runTask('listLinks', [text, more, 100], { signal });
  expect(served).toBe(true);
  // All of them would be handed over by the main thread, object by object.
  expect(links.links).toHaveLength(100);
  expect(links.count).toBe(10_001);
  expect(links).toEqual(listLinks(text, more, 100));
});

test('each task runs in its own turn of the event loop, however short its text', async () => {
  let turns = 0;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  for (let task = 0; task < 3; task++) await desk.runTask('summarize', ['Short.', ''], { signal });
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(3);
});

test('an error from a worker equals the error from the function itself', async () => {
  for (const chapters of [1, 25]) {
    await expect(
      desk.runTask('findSection', [book(chapters), 'windmills'], { signal }),
    ).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('"Chapter 1"'),
    });
  }
});

test('other calls are served while a text of megabytes is processed', async () => {
  const text = `${'The mill was built of oak, and burnt down. '.repeat(40_000)}`;
  const turns = countTurns();
  await Promise.all([
    desk.runTask('rankText', [text, { query: 'mill', title: '' }], { signal }),
    desk.runTask('summarize', [text, 'mill'], { signal }),
  ]);
  // On the event loop itself there would be a few.
  expect(turns()).toBeGreaterThan(1000);
});

test('a caller that gives up is answered at once', async () => {
  const stop = new AbortController();
  const long = desk.runTask('rankText', [book(300), { query: 'mill', title: '' }], { signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(long).rejects.toThrow('enough');
});

test('parts beyond the size of the answer are cut, and the parts before them are whole', async () => {
  const text = book(30);
  const ranking = await desk.runTask('rankText', [text, { query: '', title: '' }], { signal });
  const wanted = { section: { title: '', first: 1 }, title: 'Mills', first: 1, count: 3, summaries: 0 };
  const cut = async (maxChars?: number) =>
    (await desk.runTask('cutPortion', [text, ranking, 1, { ...wanted, maxChars }], { signal })).parts.map(
      (part) => part.text,
    );
  const [one = '', two = '', three = ''] = await cut();
  expect(await cut(one.length + 10)).toEqual([one, two.slice(0, 11), '']);
  expect(await cut(one.length + two.length + three.length)).toEqual([one, two, three]);
});

test('long texts of one user leave a worker to other users', async () => {
  const ended: string[] = [];
  const work = async (owner: string, chapters: number) => {
    await desk.runTask('rankText', [book(chapters), { query: 'mill', title: '' }], { signal, owner });
    ended.push(owner);
  };
  // All workers have started.
  await Promise.all(['cem', 'dora', 'emil'].map((owner) => work(owner, 20)));
  ended.length = 0;
  const long = Array.from({ length: 30 }, () => work('ada', 100));
  await Promise.all([...long, work('bob', 10)]);
  // Without turns, the text that came last would end among the last. A busy machine may delay its worker for some texts.
  expect(ended.indexOf('bob')).toBeLessThan(20);
});

test('each task on a text runs in its own turn when no task takes a worker', async () => {
  const text = book(3);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const seen: number[] = [];
  for (let at = 0; at < 4; at++) {
    const until = performance.now() + 2;
    while (performance.now() < until);
    await desk.runTask('summarize', [text, 'mill'], { signal });
    seen.push(ticks);
  }
  clearInterval(timer);
  expect(seen).toEqual([...new Set(seen)]);
});
