import { expect, test } from 'vitest';
import { createPageReader } from '../../src/browse/reading/page-reader.ts';
import { sharedReaders } from '../helpers/shared-readers.ts';
import { countTurns } from '../helpers/turns.ts';

const desk = sharedReaders();
const reader = createPageReader(desk);

const read = (
  body: string | Uint8Array,
  contentType = 'text/html; charset=utf-8',
  { url = 'https://site.example/dir/page', signal = new AbortController().signal } = {},
) =>
  reader
    .readPage({ url, contentType, body: typeof body === 'string' ? Buffer.from(body) : body }, signal)
    .then(({ page }) => page);

const filler = (subject: string) =>
  Array.from(
    { length: 6 },
    (_, i) => `<p>Sentence ${i} about ${subject} that is long enough to count as a paragraph of its own.</p>`,
  ).join('');

test('an article keeps its structure, loses its page frame, and gets absolute links', async () => {
  const { title, markdown, kind } =
    await read(`<!doctype html><html><head><title>Mills | Site</title></head><body>
    <nav><ul><li><a href="/a">Home</a></li><li><a href="/b">About</a></li></ul></nav>
    <article><h1>Mills</h1>${filler('mills')}<h2>Kinds</h2><ul><li>Tide <b>mills</b></li><li>Windmills</li></ul>
    <table><thead><tr><th>Kind</th><th>Power</th></tr></thead><tbody><tr><td>Tide</td><td>Sea</td></tr></tbody></table>
    <pre><code class="language-py">def turn():
    return "wheel"
</code></pre><blockquote><p>It turns.</p></blockquote>
    <p>See <a href="../more?x=1#part">more</a> and <a href="javascript:alert(1)">this</a>.</p>
    <img src="/wheel.png" alt="The wheel"></article><footer>Cookie settings</footer></body></html>`);
  expect(kind).toBe('html');
  expect(title).toBe('Mills');
  expect(markdown).toContain('## Kinds');
  expect(markdown).toMatch(/^- +Tide \*\*mills\*\*$/m);
  expect(markdown).toMatch(/\| Kind +\| Power +\|\n\| -+ \| -+ \|\n\| Tide +\| Sea +\|/);
  expect(markdown).toContain('```py\ndef turn():\n    return "wheel"\n```');
  expect(markdown).toContain('> It turns.');
  expect(markdown).toContain('[more](https://site.example/more?x=1#part)');
  expect(markdown).toContain('![The wheel](https://site.example/wheel.png)');
  expect(markdown).not.toMatch(/javascript|Cookie|About/);
});

const HIDDEN = [
  '<p style="display:none">SECRET</p>',
  '<p style="color:red; visibility: hidden">SECRET</p>',
  '<p style="opacity:0">SECRET</p>',
  '<p style="font-size:0px">SECRET</p>',
  '<p style="position:absolute;left:-9999px">SECRET</p>',
  '<p style="text-indent:-9999px">SECRET</p>',
  '<div style="width:0;height:0;overflow:hidden">SECRET</div>',
  '<p style="clip-path: inset(50%)">SECRET</p>',
  '<p hidden>SECRET</p>',
  '<div aria-hidden="true">SECRET</div>',
  '<template>SECRET</template>',
  '<script>SECRET</script>',
  '<!-- SECRET -->',
  '<p>S\u200bE\u200bC</p>',
  '<p>\u{e0053}\u{e0045}\u{e0043}\u{e0052}\u{e0045}\u{e0054}</p>',
];

test.each(HIDDEN)('%s is left out [browse.hidden]', async (trap) => {
  const { markdown } = await read(
    `<html><body><article><h1>Mills</h1>${filler('mills')}${trap}${filler('wheels')}</article></body></html>`,
  );
  expect(markdown).toContain('about wheels');
  expect(markdown).not.toContain('SECRET');
  expect(markdown).not.toMatch(/[\u200b\u{e0000}-\u{e007f}]/u);
});

test('metadata of a page contains no invisible characters, is one line, and has a maximum length', async () => {
  const tags = '\u{e0053}\u{e0045}\u{e0043}';
  const hidden = await read(
    `<html><head><title>The${tags} mills\u202e</title><meta name="author" content="Ada${tags} Coe"></head>
<body><article>${filler('mills')}<a href="/x">the${tags} wheel</a></article></body></html>`,
  );
  expect(hidden).toMatchObject({ title: 'The mills', author: 'Ada Coe' });
  expect(hidden.links).toContainEqual({ url: 'https://site.example/x', text: 'the wheel' });
  const endless = await read(`<title>${'Mill '.repeat(100_000)}</title>${filler('mills')}`);
  expect(endless.title).toMatch(/^Mill Mill /);
  expect(endless.title.length).toBeLessThan(1000);
});

test.each([
  '<!doctype html><html><title>Mills</title><h1>Top</h1>',
  '<html><head><title>Mills</title></head><h1>Top</h1>',
  '<!doctype html><title>Mills</title><h1>Top</h1>',
  '<html><title>Mills</title><article><h1>Top</h1>\u001b[31m',
])('a page with omitted tags is read like a complete page: %j', async (start) => {
  const { title, markdown } = await read(
    `${start}${filler('mills')}<table><tr><th>a<th>b<tr><td>1<td>2</table>`,
  );
  expect(title).toBe('Mills');
  expect(markdown).toMatch(/^#+ Top$/m);
  expect(markdown).toContain('| 1 | 2 |');
});

test('text with visible styles is kept', async () => {
  const { markdown } = await read(
    `<article>${filler('mills')}<p style="opacity:0.9;left:-1px;font-size:0.9em">Visible words stand here.</p></article>`,
  );
  expect(markdown).toContain('Visible words stand here.');
});

test('a list of links is read in full', async () => {
  const items = Array.from(
    { length: 40 },
    (_, i) => `<li><a href="/item/${i}">Item number ${i}</a></li>`,
  ).join('');
  const { markdown } = await read(
    `<html><head><title>Index</title></head><body><h1>Index</h1><ul>${items}</ul></body></html>`,
  );
  for (const i of [0, 20, 39])
    expect(markdown).toContain(`[Item number ${i}](https://site.example/item/${i})`);
});

test.each([
  ['zh', '潮汐磨坊利用海水的涨落来磨面粉。涨潮时水流进池塘，退潮时水流出来推动水轮。'],
  ['ja', '潮汐水車は海の満ち引きを使って粉を挽く。満潮のときに水が池に入り、引き潮に車輪を回す。'],
  ['ar', 'تعمل طاحونة المد بقوة البحر، إذ يدخل الماء إلى البركة عند المد ويدير العجلة عند الجزر.'],
  ['ru', 'Приливная мельница мелет зерно силой моря: вода входит в пруд во время прилива.'],
])('a page in %s is read in full', async (language, sentence) => {
  const body = `<html lang="${language}"><body><article>${`<p>${sentence}</p>`.repeat(5)}</article></body></html>`;
  expect((await read(body)).markdown.split(sentence)).toHaveLength(6);
});

test('markup that breaks parsers is read as text and takes little time', async () => {
  const turns = countTurns();
  for (const hostile of [
    '<div>'.repeat(100_000),
    '<ul><li>'.repeat(150),
    '<'.repeat(300_000),
    '<!--'.repeat(100_000),
    '<a href="'.repeat(50_000),
  ]) {
    await read(`<p>Before it.</p>${hostile}text here`);
  }
  expect((await read(`${'<div>'.repeat(100_000)}<p>deep text</p>`)).markdown).toBe('deep text');
  // On the event loop itself there would be a few turns for each page.
  expect(turns()).toBeGreaterThan(1000);
});

test('pages wait for a worker, and a cancelled page leaves the queue', async () => {
  const stop = new AbortController();
  const pages = Array.from({ length: 6 }, (_, i) =>
    read(`<article>${filler(`subject ${i}`)}</article>`, 'text/html', i === 4 ? { signal: stop.signal } : {}),
  );
  stop.abort(new Error('enough'));
  const settled = await Promise.allSettled(pages);
  expect(settled.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(settled[5]).toMatchObject({ value: { markdown: expect.stringContaining('subject 5') } });
});
