import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createPageReader } from '../../src/browse/reading/page-reader.ts';
import { createReaderPool, type ReaderPool } from '../../src/browse/reading/reader-pool.ts';
import { cutParts } from '../../src/browse/sections/parts.ts';
import { sharedReaders } from '../helpers/shared-readers.ts';

/** One page, one answer: whatever process reads it, and whatever else the machine does. */

const desk = sharedReaders();
const { signal } = new AbortController();

/** A manual with a frame around it: chapters with lists, tables, code and links. */
function manual(chapters: number): string {
  const chapter = (number: number) => `<section><h2>Chapter ${number}</h2>
${Array.from({ length: 8 }, (_, at) => `<p>Paragraph ${at} of chapter ${number} says how <b>mills</b> turn, and <a href="/c/${number}/${at}">where more is</a> about it.</p>`).join('')}
<ul><li>Tide mill ${number}</li><li>Windmill ${number}<ul><li>Post mill</li></ul></li></ul>
<table><tr><th>Kind</th><th>Power</th></tr><tr><td>Mill ${number}</td><td>${number} kW</td></tr></table>
<pre><code>turn(${number})\n  twice</code></pre></section>`;
  return `<!doctype html><html><head><title>The manual of mills</title></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li></ul></nav>
<main><h1>The manual of mills</h1>${Array.from({ length: chapters }, (_, at) => chapter(at + 1)).join('')}</main>
<footer class="site-footer">All cookies are eaten</footer></body></html>`;
}

const raw = (html: string) => ({
  url: 'https://mills.example/manual',
  contentType: 'text/html; charset=utf-8',
  body: Buffer.from(html),
});

/** Readers that fail on every page but for its outline. */
const failing = (failed: 'time' | 'memory' | 'broken'): ReaderPool => ({
  ...desk,
  run: async (task, values, limits) => ('outline' in values ? desk.run(task, values, limits) : { failed }),
});

test('another process beside busy loops gives the same parts, and the parts equal the whole text', async () => {
  const page = raw(manual(45));
  const quiet = (await createPageReader(desk).readPage(page, signal)).page;
  const other = createReaderPool();
  const reader = createPageReader(other);
  // It runs before the machine is busy.
  await reader.readPage(raw(manual(1)), signal);
  const loops = Array.from(
    { length: availableParallelism() },
    () => new Worker('for (;;) {}', { eval: true }),
  );
  try {
    expect((await reader.readPage(page, signal)).page).toEqual(quiet);
  } finally {
    await Promise.all([other.close(), ...loops.map((loop) => loop.terminate())]);
  }
  expect(quiet.reduced).toBeUndefined();
  const parts = cutParts(quiet.markdown);
  expect(parts.length).toBeGreaterThan(3);
  const words = (text: string) => text.split(/\s+/).filter(Boolean);
  expect(parts.flatMap(words)).toEqual(words(quiet.markdown));
});

test('a page that takes too long is returned by its outline, and the answer says so', async () => {
  // Less than no time, so that no machine is quick enough to read it as a whole.
  const reader = createPageReader(desk, -1000);
  const { page } = await reader.readPage(raw(manual(100)), signal);
  expect(page.reduced).toMatch(/takes too long to be judged as a whole/);
  expect(page.title).toBe('The manual of mills');
  const { markdown } = page;
  expect(markdown.startsWith('# The manual of mills\n\n## Chapter 1\n\nParagraph 0 of chapter 1')).toBe(true);
  expect(markdown).toContain(
    '\n\n- Tide mill 7\n- Windmill 7\n  - Post mill\n\nKind | Power\n\nMill 7 | 7 kW\n\n',
  );
  expect(markdown).toContain('```\nturn(100)\n  twice\n```');
  expect(markdown.match(/^## Chapter \d+$/gm)).toHaveLength(100);
  expect(markdown).not.toMatch(/Shop|cookies/);
  // The outline that another process makes is the same.
  const other = createPageReader(failing('time'));
  expect((await other.readPage(raw(manual(100)), signal)).page).toEqual(page);
});

test.each([
  ['time', 'takes too long'],
  ['memory', 'takes too much memory'],
  ['broken', 'is broken in a way'],
] as const)('an outline because of %s is reported, and its text is not Markdown', async (failed, why) => {
  const text = [
    '# not a heading',
    '## nor this',
    '```',
    '~~~js',
    '- no item',
    '1. no item',
    '---',
    '*plain*',
  ];
  const html = `<!doctype html><html><body><h2># sign</h2>${text.map((one) => `<p>${one}</p>`).join('')}<ul><li>- minus</li></ul></body></html>`;
  const { page } = await createPageReader(failing(failed)).readPage(raw(html), signal);
  expect(page.reduced).toContain(`the page ${why}`);
  expect(page.markdown).toBe(
    [
      '## \\# sign',
      '\\# not a heading',
      '\\## nor this',
      '\\`\\`\\`',
      '\\~~~js',
      '\\- no item',
      '1\\. no item',
      '\\---',
      '\\*plain\\*',
      '- \\- minus',
    ].join('\n\n'),
  );
});

test('a compressed page that takes too long is returned by its outline too', async () => {
  const packed = (html: string) => ({ ...raw(html), contentType: 'application/gzip', body: gzipSync(html) });
  const url = 'https://mills.example/manual.html.gz';
  // Its reader is loaded by then.
  await createPageReader(desk).readPage({ ...packed(manual(2)), url }, signal);
  const { page } = await createPageReader(desk, 120).readPage({ ...packed(manual(500)), url }, signal);
  expect(page.reduced).toMatch(/takes too long/);
  expect(page.markdown).toContain('## Chapter 500');
});

test('an archive whose reading fails is not unpacked in the main process', async () => {
  const body = Buffer.from('PK\x03\x04 and nothing that can be unpacked');
  const archive = { url: 'https://mills.example/a.docx', contentType: '', body };
  const error = createPageReader(desk, -1000).readPage(archive, signal);
  await expect(error).rejects.toMatchObject({ code: 'timeout' });
});

test('only short tables are read in the main process', async () => {
  const here: ReaderPool = { ...desk, run: () => Promise.reject(new Error('read by the desk')) };
  const table = (bytes: number) => ({
    url: 'https://mills.example/a.csv',
    contentType: 'text/csv',
    body: Buffer.from('mill,power\n'.repeat(bytes / 11)),
  });
  expect((await createPageReader(here).readPage(table(9000), signal)).page.kind).toBe('csv');
  await expect(createPageReader(here).readPage(table(12_000), signal)).rejects.toThrow('read by the desk');
});

test('a document that takes too much memory is refused with advice, and the next document is read', async () => {
  const small = createReaderPool({ memoryBytes: 150_000_000 });
  const reader = createPageReader(small);
  const json = Buffer.from(`[${'[[1],"x",{"a":2}],'.repeat(500_000)}0]`);
  const large = { url: 'large.json', contentType: 'application/json', body: json };
  await expect(reader.readPage(large, signal)).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(
      /^large\.json needs more memory than a reader has, which is 150 MB: split it/,
    ),
  });
  expect((await reader.readPage(raw(manual(2)), signal)).page.markdown).toContain('## Chapter 2');
  await small.close();
});
