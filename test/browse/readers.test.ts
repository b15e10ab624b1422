import { afterAll, expect, test } from 'vitest';
import { readPage } from '../../src/browse/browse.ts';
import { createHtmlReader } from '../../src/browse/html-reader.ts';
import { makePdf } from '../helpers/pdf.ts';

const html = createHtmlReader();
afterAll(() => html.close());

const read = (
  body: string | Uint8Array,
  contentType = 'text/html; charset=utf-8',
  url = 'https://site.example/dir/page',
) =>
  readPage(
    { url, contentType, body: typeof body === 'string' ? Buffer.from(body) : body },
    html,
    new AbortController().signal,
  );

const filler = (subject: string) =>
  Array.from(
    { length: 6 },
    (_, i) => `<p>Sentence ${i} about ${subject} that is long enough to count as a paragraph of its own.</p>`,
  ).join('');

test('an article: structure kept, frame dropped, links absolute', async () => {
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
  expect(title).toBe('Mills | Site');
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

test.each(HIDDEN)('%s does not come out [browse.hidden]', async (trap) => {
  const { markdown } = await read(
    `<html><body><article><h1>Mills</h1>${filler('mills')}${trap}${filler('wheels')}</article></body></html>`,
  );
  expect(markdown).toContain('about wheels');
  expect(markdown).not.toContain('SECRET');
  expect(markdown).not.toMatch(/[\u200b\u{e0000}-\u{e007f}]/u);
});

test.each([
  '<!doctype html><html><title>Mills</title><h1>Top</h1>',
  '<html><head><title>Mills</title></head><h1>Top</h1>',
  '<!doctype html><title>Mills</title><h1>Top</h1>',
  '<html><title>Mills</title><article><h1>Top</h1>\u001b[31m',
])('a page that leaves tags out is read as one: %j', async (start) => {
  const { title, markdown } = await read(
    `${start}${filler('mills')}<table><tr><th>a<th>b<tr><td>1<td>2</table>`,
  );
  expect(title).toBe('Mills');
  expect(markdown).toMatch(/^#+ Top$/m);
  expect(markdown).toContain('| 1 | 2 |');
});

test('visible styles stay', async () => {
  const { markdown } = await read(
    `<article>${filler('mills')}<p style="opacity:0.9;left:-1px;font-size:0.9em">Visible words stand here.</p></article>`,
  );
  expect(markdown).toContain('Visible words stand here.');
});

test('a list of links comes out whole', async () => {
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
])('a page in %s comes out whole', async (language, sentence) => {
  const body = `<html lang="${language}"><body><article>${`<p>${sentence}</p>`.repeat(5)}</article></body></html>`;
  expect((await read(body)).markdown.split(sentence)).toHaveLength(6);
});

test.each([
  ['shift_jis by header', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 'text/plain; charset=shift_jis', '日本'],
  ['windows-1251 by header', Buffer.from([0xcf, 0xf0, 0xe8]), 'text/plain; charset=windows-1251', 'При'],
  [
    'gb18030 by meta',
    Buffer.concat([Buffer.from('<meta charset="gb18030"><p>'), Buffer.from([0xc4, 0xe3, 0xba, 0xc3])]),
    'text/html',
    '你好',
  ],
  [
    'utf-16 by mark',
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('grüße', 'utf16le')]),
    'text/plain',
    'grüße',
  ],
  ['utf-8 with a header that lies', Buffer.from('<p>grüße</p>'), 'text/html', 'grüße'],
  ['latin-1 without a word', Buffer.from('gr\xfc\xdfe', 'latin1'), 'text/plain', 'grüße'],
])('%s is decoded', async (_name, body, type, text) => {
  expect((await read(body, type)).markdown).toContain(text);
});

test('JSON, CSV, XML, code and Markdown', async () => {
  expect(await read('{"a":[1,2]}', 'application/json')).toMatchObject({
    kind: 'json',
    markdown: '```json\n{\n  "a": [\n    1,\n    2\n  ]\n}\n```',
  });
  const csv = await read('name,note\n"Ada, L.","said ""yes"""\nBob,a|b\n', 'text/csv');
  expect(csv.markdown).toBe('| name | note |\n| --- | --- |\n| Ada, L. | said "yes" |\n| Bob | a\\|b |');
  expect(await read('<?xml version="1.0"?><a><b>1</b></a>', 'text/xml')).toMatchObject({
    kind: 'xml',
    markdown: expect.stringContaining('```xml'),
  });
  expect((await read('const a = "```";', 'text/plain', 'https://x.example/a.ts')).markdown).toBe(
    '````ts\nconst a = "```";\n````',
  );
  expect(await read('# Title\n\nText', 'text/markdown')).toMatchObject({
    kind: 'markdown',
    title: 'Title',
    markdown: '# Title\n\nText',
  });
});

test.each([
  [
    'RSS',
    '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>One &amp; two</title><link>https://n.example/1</link><pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;First&lt;/p&gt;</description></item></channel></rss>',
  ],
  [
    'Atom',
    '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title>One &amp; two</title><link href="https://n.example/1"/><updated>2026-11-02T10:00:00Z</updated><summary>First</summary></entry></feed>',
  ],
])('%s comes as a list of entries, whatever the header says', async (_name, feed) => {
  const { kind, title, markdown } = await read(feed, 'text/html');
  expect({ kind, title }).toEqual({ kind: 'feed', title: 'News' });
  expect(markdown).toBe('## One & two\n\nhttps://n.example/1 · 2026-11-02\n\nFirst');
});

test('a PDF is read by its bytes, in paragraphs, with its title', async () => {
  const pdf = makePdf(
    ['First line of page one\nand its second line.', 'Words of page two.'],
    '<< /Title (A report) >>',
  );
  expect(await read(pdf, 'text/html')).toEqual({
    url: 'https://site.example/dir/page',
    kind: 'pdf',
    title: 'A report',
    markdown: 'First line of page one and its second line.\n\nWords of page two.',
  });
});

test.each([
  ['a PDF without text', makePdf(['']), 'is a PDF without text'],
  ['a broken PDF', Buffer.from('%PDF-1.7\nnothing more'), 'is a broken PDF'],
  ['a picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'a PNG picture'],
  ['an archive', Buffer.from('PK\x03\x04rest', 'latin1'), 'a ZIP archive'],
  ['bytes of no kind', Buffer.from([1, 2, 3, 0, 255]), 'of the type application/x-thing'],
])('%s is refused by name', async (_name, body, message) => {
  await expect(read(body, 'application/x-thing')).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining(message),
  });
});

test('markup that breaks parsers comes as text, and holds nothing up', async () => {
  let longest = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 20);
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
  clearInterval(watch);
  expect(longest).toBeLessThan(2000);
});

test('pages wait for a worker, a cancelled one leaves the queue', async () => {
  const stop = new AbortController();
  const pages = Array.from({ length: 6 }, (_, i) =>
    html.read(
      `<article>${filler(`subject ${i}`)}</article>`,
      'https://x.example/',
      i === 4 ? stop.signal : new AbortController().signal,
    ),
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
