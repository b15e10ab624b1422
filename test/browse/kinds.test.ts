import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createPageReader } from '../../src/browse/reading/page-reader.ts';
import { docx, epub, gzipBomb, openDocument, pptx, xlsx, zip } from '../helpers/archives.ts';
import { layPdf } from '../helpers/pdf.ts';
import { sharedReaders } from '../helpers/shared-readers.ts';

const desk = sharedReaders();
const reader = createPageReader(desk);

const read = (body: string | Uint8Array, contentType = '', url = 'https://site.example/dir/page') =>
  reader
    .readPage(
      { url, contentType, body: typeof body === 'string' ? Buffer.from(body) : body },
      new AbortController().signal,
    )
    .then(({ page }) => page);

describe('text', () => {
  test.each([
    [
      'application/json',
      'https://x.example/api',
      '{"a":[1]}',
      'json',
      '```json\n{\n  "a": [\n    1\n  ]\n}\n```',
    ],
    ['', 'https://x.example/a.json', '[1]', 'json', '```json\n[\n  1\n]\n```'],
    ['application/json', 'https://x.example/api', '{"broken":', 'json', '```json\n{"broken":\n```'],
    [
      'text/xml',
      'https://x.example/a',
      '<?xml version="1.0"?><a>1</a>',
      'xml',
      '```xml\n<?xml version="1.0"?><a>1</a>\n```',
    ],
    ['text/plain', 'https://x.example/a.ts', 'const a = "```";', 'code', '````ts\nconst a = "```";\n````'],
    ['text/x-python', 'https://x.example/a', 'print(1)\n', 'code', '```python\nprint(1)\n```'],
    ['application/javascript', 'https://x.example/a', 'let a', 'code', '```js\nlet a\n```'],
    ['text/plain', 'https://x.example/Dockerfile', 'FROM x', 'code', '```dockerfile\nFROM x\n```'],
    ['text/plain', 'https://x.example/constructor', 'words', 'text', 'words'],
    ['text/markdown', 'https://x.example/a', '# Title\n\nText', 'markdown', '# Title\n\nText'],
    ['text/plain', 'https://x.example/README.md', '# Title\n\nText', 'markdown', '# Title\n\nText'],
    ['application/x-strange', 'https://x.example/a', 'plain words', 'text', 'plain words'],
    [
      'text/plain',
      'https://x.example/a',
      'BMW and MZ made motorcycles',
      'text',
      'BMW and MZ made motorcycles',
    ],
    ['text/plain', 'https://x.example/a', 'MZ made motorcycles', 'text', 'MZ made motorcycles'],
  ])('%s at %s', async (type, url, body, kind, markdown) => {
    expect(await read(body, type, url)).toMatchObject({ kind, markdown });
  });

  const [BOM, COMMENT] = ['\xef\xbb\xbf', '%\xe2\xe3\xcf\xd3'];
  test.each(['', 'application/octet-stream', 'text/plain'])(
    'bytes before the first sign of a kind do not hide it, of the type "%s"',
    async (type) => {
      const pdf = layPdf([[{ x: 50, y: 700, size: 10, text: 'Words of the quay.' }]]);
      const marked = pdf.toString('latin1').replace(/^(%PDF-1\.\d)\n/, `$1\n${COMMENT}\n`);
      for (const before of [
        '',
        BOM,
        '\r\n\n',
        'X-Part: 1\r\nX-Of: 2\r\n\r\n',
        '\0\0\0\0',
        '\x1b%-12345X@PJL JOB\r\n',
      ])
        expect(await read(Buffer.from(before + marked, 'latin1'), type)).toMatchObject({
          kind: 'pdf',
          markdown: 'Words of the quay.',
        });
      expect((await read(Buffer.from(BOM + pdf.toString('latin1'), 'latin1'), type)).kind).toBe('pdf');
      for (const before of [BOM, `\n ${BOM}`, `${BOM}\r\n`, BOM + BOM]) {
        const kindOf = async (text: string) => (await read(Buffer.from(before + text, 'latin1'), type)).kind;
        expect(await kindOf('<!doctype html><p>Words.</p>')).toBe('html');
        expect(await kindOf('<?xml version="1.0"?><rss><channel></channel></rss>')).toBe('feed');
        expect(await kindOf('{\\rtf1 Words.}')).toBe('rtf');
        expect(await kindOf('BEGIN:VCALENDAR\nEND:VCALENDAR\n')).toBe('calendar');
      }
      expect((await read('A file begins with\n\n%PDF-1.4\n1 0 obj\n', type)).kind).toBe('text');
      expect((await read('A file begins with\n\n%PDF-1.4\n%âãÏÓ\n1 0 obj\n', type)).kind).toBe('text');
    },
  );

  test('deeply nested JSON is left unchanged', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    expect((await read(deep, 'application/json')).markdown).toBe(`\`\`\`json\n${deep}\n\`\`\``);
  });

  test.each([
    ['commas', 'name,note\n"Ada, L.","said ""yes"""\nBob,a|b\n'],
    ['semicolons', 'name;note\n"Ada, L.";"said ""yes"""\r\n\r\nBob;a|b'],
    ['tabs', 'name\tnote\nAda, L.\tsaid "yes"\nBob\ta|b\n'],
  ])('a table with %s is read', async (_name, csv) => {
    expect(await read(csv, 'text/csv')).toMatchObject({
      kind: 'csv',
      markdown: '| name | note |\n| --- | --- |\n| Ada, L. | said "yes" |\n| Bob | a\\|b |',
    });
  });

  test('tables are read with rows of unequal length, an unpaired quotation mark, and more rows and columns than are shown', async () => {
    expect((await read('a,b\n1\n1,2,3\n', '', 'table.csv')).markdown).toBe(
      '| a | b |  |\n| --- | --- | --- |\n| 1 |  |  |\n| 1 | 2 | 3 |',
    );
    expect((await read('a,b\n"1,2\n3,4\n', 'text/csv')).markdown).toContain('| 3 | 4 |');
    const long = await read(`a,b\n${'1,2\n'.repeat(2500)}`, 'text/csv');
    expect(long.markdown).toMatch(/\n\n500 more rows are not shown\.$/);
    expect((await read(`${'x,'.repeat(299)}x`, 'text/csv')).markdown).toMatch(
      /100 more columns are not shown\.$/,
    );
  });

  test('compressed text is read as the kind of file inside', async () => {
    const page = await read(gzipSync('a,b\n1,2'), 'application/gzip', 'https://x.example/table.csv.gz');
    expect(page).toMatchObject({ kind: 'csv', title: 'table.csv.gz', url: 'https://x.example/table.csv.gz' });
    expect(page.markdown).toContain('| 1 | 2 |');
    await expect(read(gzipBomb())).rejects.toMatchObject({ code: 'too_large' });
    await expect(read(gzipSync('words').subarray(0, 12))).rejects.toMatchObject({
      message: expect.stringContaining('broken gzip'),
    });
  });

  test('a notebook is read with its prose, code and outputs', async () => {
    const cells = [
      { cell_type: 'markdown', source: ['# Mills\n', 'Some text.'] },
      {
        cell_type: 'code',
        source: 'print(1)',
        outputs: [{ text: ['1\n'] }, { data: { 'image/png': 'AAAA', 'text/plain': ['<Figure>'] } }],
      },
      { cell_type: 'code', source: '', outputs: [] },
    ];
    const metadata = { language_info: { name: 'julia' } };
    expect(await read(JSON.stringify({ cells, metadata, nbformat: 4 }), '', 'work.ipynb')).toMatchObject({
      kind: 'notebook',
      title: 'Mills',
      markdown: '# Mills\nSome text.\n\n```julia\nprint(1)\n```\n\n```\n1\n```\n\n```\n<Figure>\n```',
    });
  });

  test('a notebook keeps the words of errors, of outputs in HTML and of cells in worksheets, and says what is cut', async () => {
    const outputs = [
      {
        ename: 'ValueError',
        evalue: 'no tide',
        traceback: ['\u001b[31mLine 1\u001b[0m', 'ValueError: no tide'],
      },
      { ename: 'KeyError', evalue: "'quay'", traceback: [] },
      { data: { 'text/html': ['<p>Only <b>HTML</b></p>'], 'text/plain': ['<core.HTML object>'] } },
      { data: { 'text/html': '<p>No text</p>' } },
      { text: 'x'.repeat(5010) },
    ];
    const sheet = { cells: [{ cell_type: 'code', input: ['f(', ')'], outputs }] };
    const { markdown } = await read(JSON.stringify({ worksheets: [sheet], nbformat: 3 }), '', 'old.ipynb');
    expect(markdown.split('\n\n')).toEqual([
      '```python\nf()\n```',
      '```\nLine 1\nValueError: no tide\n```',
      "```\nKeyError: 'quay'\n```",
      'Only **HTML**',
      'No text',
      `\`\`\`\n${'x'.repeat(5000)}\n[10 more characters of this output are left out]\n\`\`\``,
    ]);
  });

  test('Rich Text is read with letters by code page and by Unicode, without hidden and foreign parts', async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 Arial;}}{\info{\title The note}}{\*\generator X;}\pard \'cf\'f0\'e8 {\b bold} \u8364?\par {\v SECRET}Second \{line\}\line end\par}`;
    expect(await read(rtf, 'application/rtf')).toMatchObject({
      kind: 'rtf',
      title: 'The note',
      markdown: 'При bold €\n\nSecond {line}\nend',
    });
  });
});

const ITEM = { title: 'One & two', link: 'https://n.example/1', author: 'Ada', day: '2026-11-02' };

describe('feeds', () => {
  test.each([
    [
      'RSS',
      `<?xml version="1.0"?><rss version="2.0" xmlns:dc="d" xmlns:content="c"><channel><title>News</title><item><title>One &amp;amp; two</title><link>https://n.example/1</link><dc:creator>Ada</dc:creator><pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate><description>Short</description><content:encoded><![CDATA[<p>First <a href="/x">link</a></p><script>SECRET</script><p style="display:none">SECRET</p><h2>Part</h2><p>More</p>]]></content:encoded></item></channel></rss>`,
    ],
    [
      'Atom',
      '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title>One &amp; two</title><link rel="self" href="https://n.example/self"/><link href="https://n.example/1"/><author><name>Ada</name></author><updated>2026-11-02T10:00:00Z</updated><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>First <a href="/x">link</a></p><h2>Part</h2><p>More</p></div></content></entry></feed>',
    ],
    [
      'RDF',
      '<?xml version="1.0"?><rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/" xmlns:dc="d"><channel><title>News</title></channel><item><title>One &amp;amp; two</title><link>https://n.example/1</link><dc:creator>Ada</dc:creator><dc:date>2026-11-02</dc:date><description>&lt;p&gt;First &lt;a href="/x"&gt;link&lt;/a&gt;&lt;/p&gt;&lt;h2&gt;Part&lt;/h2&gt;&lt;p&gt;More&lt;/p&gt;</description></item></rdf:RDF>',
    ],
    [
      'JSON Feed',
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'News',
        items: [
          {
            title: ITEM.title,
            url: ITEM.link,
            date_published: '2026-11-02T10:00:00Z',
            authors: [{ name: 'Ada' }],
            content_html: '<p>First <a href="/x">link</a></p><h2>Part</h2><p>More</p>',
          },
        ],
      }),
    ],
  ])('%s is read as a list of entries, whatever its header says', async (name, feed) => {
    const type = name === 'JSON Feed' ? 'application/json' : 'text/html';
    expect(await read(feed, type)).toMatchObject({
      kind: 'feed',
      title: 'News',
      markdown: `## ${ITEM.title}\n\n${ITEM.link} · ${ITEM.day} · ${ITEM.author}\n\nFirst [link](https://n.example/x)\n\n#### Part\n\nMore`,
    });
  });

  test('entries beyond the limit are counted, and a broken feed is refused', async () => {
    const many = `<rss><channel><title>T</title>${'<item><title>x</title></item>'.repeat(510)}</channel></rss>`;
    expect((await read(many)).markdown).toMatch(/10 more entries are not shown\.$/);
    await expect(read('<a/>', 'application/rss+xml')).rejects.toMatchObject({ code: 'unsupported' });
  });
});

const LETTER = [
  'Received: from x by y; Mon, 2 Nov 2026 10:00:00 +0000',
  'From: =?utf-8?q?Ad=C3=A9?= <ada@x.example>',
  'To: Bob <bob@x.example>, c@x.example',
  'Date: Mon, 2 Nov 2026 10:00:00 +0000',
  'Subject: =?iso-8859-1?q?Gr=FC=DFe?=',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<p>Sch=F6ne <b>mills</b></p><p style=3D"display:none">SECRET</p>',
  '--b',
  'Content-Type: text/csv; name="table.csv"',
  'Content-Disposition: attachment; filename="table.csv"',
  '',
  'a,b',
  '1,2',
  '--b',
  'Content-Type: image/png; name="p.png"',
  'Content-Disposition: attachment; filename="p.png"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64'),
  '--b--',
  '',
].join('\r\n');

describe('mail', () => {
  test.each(['message/rfc822', 'text/plain', ''])(
    'a message with attachments is read under the type %j',
    async (type) => {
      const page = await read(LETTER, type);
      expect(page).toMatchObject({
        kind: 'email',
        title: 'Grüße',
        author: 'Adé (ada@x.example)',
        published: '2026-11-02T10:00:00Z',
      });
      expect(page.markdown).toBe(
        [
          '- **From:** Adé (ada@x.example)\n- **To:** Bob (bob@x.example), c@x.example\n- **Date:** 2026-11-02T10:00:00Z\n- **Subject:** Grüße',
          'Schöne **mills**',
          '## Attachments',
          '### table.csv\n\ntext/csv, 8 bytes\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
          '### p.png\n\nimage/png, 8 bytes',
          'Not read: p.png is a PNG picture; pages, PDF, Office documents, EPUB, mail, feeds and text are read',
        ].join('\n\n'),
      );
    },
  );

  test('a mailbox is read with each message under its subject, up to the limit', async () => {
    const message = (n: number) =>
      `From ada Mon Nov  2 10:00:00 2026\nFrom: a@x.example\nDate: Mon, 2 Nov 2026 10:00:00 +0000\nMessage-ID: <${n}@x>\nSubject: Letter ${n}\n\nBody ${n}\n>From here on\n\n`;
    const page = await read(Array.from({ length: 103 }, (_, i) => message(i + 1)).join(''), '', 'box.txt');
    expect(page.kind).toBe('mbox');
    expect(page.markdown).toContain('## Letter 2\n\n- **From:** a@x.example');
    expect(page.markdown).toContain('Body 100');
    expect(page.markdown).not.toContain('Body 101');
    expect(page.markdown).toMatch(/3 more messages are not shown\.$/);
  });

  test('a message with endlessly nested parts is refused', async () => {
    const parts = Array.from(
      { length: 200 },
      (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
    );
    const letter = `From: a@x.example\r\nMIME-Version: 1.0\r\nDate: x\r\n${parts.join('')}`;
    await expect(read(letter, 'message/rfc822')).rejects.toMatchObject({ code: 'unsupported' });
  });
});

const P = (text: string, style = '') =>
  `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;
const SP = (type: string, ...paragraphs: string[]) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody>${paragraphs
    .map(
      (text) =>
        `<a:p><a:pPr lvl="${text.startsWith('>') ? 1 : 0}"/><a:r><a:t>${text.replace('>', '')}</a:t></a:r></a:p>`,
    )
    .join('')}</p:txBody></p:sp>`;

describe('documents', () => {
  test('Word files are read with headings, tables, links and facts', async () => {
    const body = `${P('Mills', 'H1')}${P('Tide &amp; wind.')}<w:p><w:hyperlink r:id="rId9"><w:r><w:t>more</w:t></w:r></w:hyperlink></w:p><w:tbl><w:tr><w:tc>${P('a')}</w:tc><w:tc>${P('b')}</w:tc></w:tr><w:tr><w:tc>${P('1')}</w:tc><w:tc>${P('2')}</w:tc></w:tr></w:tbl>`;
    expect(await read(docx(body), 'application/octet-stream')).toEqual({
      url: 'https://site.example/dir/page',
      kind: 'docx',
      title: 'The report',
      author: 'Ada L.',
      published: '2026-03-04',
      markdown:
        '# Mills\n\nTide & wind.\n\n[more](https://x.example/more)\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
    });
  });

  test('Excel files are read with each sheet as a table, and with shared strings, dates, numbers and gaps', async () => {
    const page = await read(
      xlsx({
        Mills:
          '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Built</t></is></c><c r="D1" t="str"><v>Share</v></c></row><row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" s="1"><v>45000</v></c><c r="D3"><v>0.30000000000000004</v></c></row><row r="4"><c r="A4" t="e"><v>#REF!</v></c><c r="B4" t="b"><v>1</v></c></row>',
        Empty: '',
      }),
    );
    expect(page).toMatchObject({ kind: 'xlsx', title: 'page' });
    expect(page.markdown).toBe(
      '## Mills\n\n| Name | Built |  | Share |\n| --- | --- | --- | --- |\n| Tide \\| mill | 2023-03-15 |  | 0.3 |\n| #REF! | TRUE |  |  |\n\n## Empty\n\nThis sheet is empty.',
    );
  });

  test('Excel cells at the edge of the sheet, and rows without a number, cost no more than others', async () => {
    const far = await read(
      xlsx({
        A: '<row r="1"><c r="A1"><v>7</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
      }),
    );
    expect(far.markdown).toBe('| 7 |  |\n| --- | --- |\n|  | 1 |');
    const wide = await read(xlsx({ A: '<row r="1"><c r="A1"><v>7</v></c><c r="XFD1"><v>1</v></c></row>' }));
    expect(wide.markdown).toBe('| 7 | 1 |\n| --- | --- |');
    const bare = await read(
      xlsx({
        A: '<row><c t="s"><v>0</v></c><c><v>2</v></c></row><row r="4"><c r="Z4"><v>3</v></c><c><v>4</v></c></row>',
      }),
    );
    expect(bare.markdown).toMatch(/^\| Name \| 2 \|(?: {2}\|){25}\n.*\n\|(?: {2}\|){25} 3 \| 4 \|$/);
    const corner = '<row r="1"><c r="A1"><v>7</v></c></row><row r="10000"><c r="ZZ10000"><v>1</v></c></row>';
    const many = await read(
      xlsx(Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`S${at}`, corner]))),
    );
    expect(many.markdown).toContain('## S9\n\n| 7 |  |\n| --- | --- |\n|  | 1 |');
    const long = await read(
      xlsx({
        A: Array.from({ length: 10_000 }, (_, i) => `<row><c r="A${i + 1}"><v>${i}</v></c></row>`).join(''),
      }),
    );
    expect(long.markdown).toMatch(/\| 2000 \|\n\nMore rows are not shown\.$/);
  });

  test('PowerPoint files are read with slides in order, points, tables and notes', async () => {
    const table =
      '<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>b</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>';
    const slides = [
      SP('title', 'Mills') + SP('body', 'Tide', '>Sea') + SP('sldNum', '1'),
      SP('body', 'One thought') + table,
    ];
    expect(await read(pptx(slides, { 0: 'Say hello.' }))).toMatchObject({
      kind: 'pptx',
      title: 'The report',
      markdown:
        '## Mills\n\n- Tide\n  - Sea\n\n### Notes\n\nSay hello.\n\n## Slide 2\n\nOne thought\n\n| a | b |\n| --- | --- |',
    });
  });

  test('OpenDocument texts are read with headings, lists, notes and links, without deleted text', async () => {
    const body =
      '<text:tracked-changes><text:p>SECRET</text:p></text:tracked-changes><text:h text:outline-level="2">Mills</text:h><text:p>Tide<text:s text:c="2"/><text:a xlink:href="https://x.example/">link</text:a><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note></text:p><text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>two</text:p></text:list-item></text:list></text:list-item></text:list>';
    expect(await read(openDocument('text', body))).toMatchObject({
      kind: 'odt',
      title: 'The paper',
      author: 'Bea M.',
      published: '2026-05-06',
      markdown: '## Mills\n\nTide  [link](https://x.example/)[^1]\n\n- one\n  - two\n\n[^1]: A note.',
    });
  });

  test('OpenDocument sheets and slides are read', async () => {
    const cell = (text: string, repeat = 1) =>
      `<table:table-cell table:number-columns-repeated="${repeat}"><text:p>${text}</text:p></table:table-cell>`;
    const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
    const sheet = `<table:table table:name="Mills">${row(cell('a'), cell('b', 2), cell('', 16_000))}${row(cell('1'), cell('2'))}</table:table>`;
    expect(await read(openDocument('spreadsheet', sheet))).toMatchObject({
      kind: 'ods',
      markdown: '## Mills\n\n| a | b | b |\n| --- | --- | --- |\n| 1 | 2 |  |',
    });
    const frame = (kind: string, text: string) =>
      `<draw:frame presentation:class="${kind}"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
    const page = `<draw:page>${frame('title', 'Mills')}${frame('outline', 'Tide')}<presentation:notes>${frame('notes', 'Say it')}</presentation:notes></draw:page>`;
    expect(await read(openDocument('presentation', page))).toMatchObject({
      kind: 'odp',
      markdown: '## Mills\n\nTide\n\n### Notes\n\nSay it',
    });
  });

  test('a book is read with its facts and its chapters in the order of the spine, without the table of contents', async () => {
    const chapter = (n: number) =>
      `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><h1>Chapter ${n}</h1><p>Text of ${n}.</p><p hidden="hidden">SECRET</p></body></html>`;
    const page = await read(epub({ 'b one.xhtml': chapter(1), 'a.xhtml': chapter(2) }));
    expect(page).toEqual({
      url: 'https://site.example/dir/page',
      kind: 'epub',
      title: 'The book of mills',
      author: 'Ada L., Bea M.',
      language: 'en',
      published: '2025-01-02',
      markdown: '# Chapter 1\n\nText of 1.\n\n# Chapter 2\n\nText of 2.',
    });
  });
});

describe('hidden text is left out', () => {
  const hiddenRun = (property: string) =>
    `<w:p><w:r><w:t>seen</w:t></w:r><w:r><w:rPr>${property}</w:rPr><w:t>SECRET</w:t></w:r><w:r><w:t xml:space="preserve"> too</w:t></w:r></w:p>`;

  test.each<[string, Uint8Array, string]>([
    ['hidden text of Word', docx(hiddenRun('<w:vanish/>')), 'seen too'],
    ['tiny text of Word', docx(hiddenRun('<w:sz w:val="1"/>')), 'seen too'],
    [
      'hidden sheets of Excel',
      xlsx(
        {
          A: '<row><c t="s"><v>0</v></c></row>',
          B: '<row><c t="inlineStr"><is><t>SECRET</t></is></c></row>',
        },
        {},
        ['B'],
      ),
      '| Name |\n| --- |\n\nNot shown: 1 hidden sheet.',
    ],
    [
      'hidden slides of PowerPoint',
      pptx([SP('title', 'seen'), SP('title', 'SECRET')], {}, [1]),
      '## seen\n\nNot shown: 1 hidden slide.',
    ],
    [
      'hidden text of OpenDocument',
      openDocument(
        'text',
        '<text:p>seen<text:span text:style-name="T1">SECRET</text:span> too</text:p><text:p text:style-name="T1">SECRET</text:p>',
        '<style:style style:name="T1"><style:text-properties text:display="none"/></style:style>',
      ),
      'seen too',
    ],
    [
      'letters of a PDF too small to be read, and those beside the page',
      layPdf([
        [
          { x: 50, y: 700, size: 10, text: 'seen' },
          { x: 50, y: 600, size: 1, text: 'SECRET' },
          { x: 700, y: 700, size: 10, text: 'SECRET' },
          { x: 50, y: -100, size: 10, text: 'SECRET' },
        ],
      ]),
      'seen',
    ],
  ])('%s', async (_name, body, markdown) => {
    expect((await read(body)).markdown).toBe(markdown);
  });

  test('text that is marked as not hidden is kept', async () => {
    expect((await read(docx(hiddenRun('<w:vanish w:val="0"/><w:sz w:val="20"/>')))).markdown).toBe(
      'seenSECRET too',
    );
  });
});

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const ole = (stream: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(100), Buffer.from(stream, 'utf16le')]);
const MALICIOUS = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;">]>';

/** An archive whose directory says that a file unpacks to less, or more, than it does. */
function lying(archive: Uint8Array, name: string, size: number): Uint8Array {
  const bytes = Buffer.from(archive);
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) {
    if (bytes.readUInt32LE(Math.max(0, at - 46)) === 0x02014b50) bytes.writeUInt32LE(size, at - 46 + 24);
  }
  return bytes;
}

describe('an unreadable file is named in the error', () => {
  test.each<[string, Uint8Array, string]>([
    ['a picture', PNG, 'a PNG picture'],
    ['an archive of other files', zip({ 'a.txt': 'words' }), 'a ZIP archive of 1 files (a.txt); unpack it'],
    [
      'a broken archive',
      Buffer.from('PK\x03\x04rest', 'latin1'),
      'a broken ZIP archive, as Office documents and EPUB files are: it is damaged or cut short; try another copy',
    ],
    ['a Java archive', zip({ 'META-INF/MANIFEST.MF': '' }), 'a Java archive'],
    [
      'an encrypted archive',
      Buffer.from('PK\x03\x04\x14\0\x01\0rest', 'latin1'),
      'encrypted ZIP archive; unpack it',
    ],
    ['old Word', ole('WordDocument'), 'an old Word document (.doc); save it as .docx or PDF'],
    [
      'old Excel',
      ole('Workbook'),
      'an old Excel workbook (.xls); save it as .xlsx or CSV, which are read, or run `soffice --headless --convert-to xlsx` (LibreOffice) on it',
    ],
    ['older Excel', ole('Book\0'), 'an old Excel workbook (.xls); save it as .xlsx or CSV'],
    ['old PowerPoint', ole('PowerPoint Document'), 'an old PowerPoint file (.ppt); save it as .pptx or PDF'],
    ['a message of Outlook', ole('__substg1.0_0037001F'), 'an Outlook message (.msg)'],
    ['encrypted Office', ole('EncryptedPackage'), 'an encrypted Office document; save it without a password'],
    ['a film', Buffer.from('\0\0\0\x20ftypisom\0\0', 'latin1'), 'an MP4 film'],
    ['a tarball', gzipSync(Buffer.concat([Buffer.alloc(257), Buffer.from('ustar')])), 'a tar archive'],
    ['a database', Buffer.from('SQLite format 3\0\x10\0', 'latin1'), 'an SQLite database'],
    ['bytes of no kind', Buffer.from([1, 2, 3, 0, 255]), 'of the type application/x-thing'],
    [
      'a broken Word document',
      docx('', { 'word/document.xml': '<' }),
      'is a broken Word document: it is damaged or cut short; try another copy',
    ],
    ['a broken workbook', xlsx({ A: '' }, { 'xl/workbook.xml': '<' }), 'is a broken Excel workbook'],
    ['slides without any', pptx([]), 'is a broken PowerPoint file: it names no slides; try another copy'],
    ['an empty book', epub({}), 'is an EPUB without text'],
    [
      'a locked book',
      epub(
        { 'a.xhtml': '<p>x</p>' },
        {
          'META-INF/encryption.xml':
            '<encryption xmlns:e="e"><e:CipherReference URI="OEBPS/a.xhtml"/></encryption>',
        },
      ),
      'copy-protected EPUB',
    ],
    [
      'an encrypted OpenDocument',
      zip({
        mimetype: 'application/vnd.oasis.opendocument.text',
        'META-INF/manifest.xml': '<m><encryption-data/></m>',
        'content.xml': 'x',
      }),
      'encrypted OpenDocument',
    ],
    [
      'Word with entities',
      docx('', { 'word/document.xml': `${MALICIOUS}<a>&c;</a>` }),
      'declares XML entities',
    ],
    [
      'Excel with entities',
      xlsx({ A: '' }, { 'xl/sharedStrings.xml': `${MALICIOUS}<a>&c;</a>` }),
      'declares XML entities',
    ],
    ['impossible sizes', lying(docx('<w:p/>'), 'word/document.xml', 30_000_000), 'its sizes are impossible'],
  ])('%s', async (_name, body, message) => {
    await expect(read(body, 'application/x-thing')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining(message),
    });
  });

  test.each(['application/pdf', 'text/html', 'application/epub+zip', 'application/vnd.ms-excel'])(
    'for bytes of no known kind under the readable type %s, the error does not say that the type is unsupported',
    async (type) => {
      await expect(read(Buffer.from([1, 2, 3, 0, 255]), type)).rejects.toMatchObject({
        code: 'unsupported',
        message: expect.stringMatching(
          / is said to be of the type \S+, and its bytes are not: it is damaged, or something else under that name; try another copy$/,
        ),
      });
    },
  );

  test('a file name is named in the error, whatever characters the name contains', async () => {
    for (const name of ['C:\\pictures\\a.png', '\ud800 100% %zz.png']) {
      await expect(read(PNG, '', name)).rejects.toMatchObject({
        message: expect.stringContaining(`${name} is a PNG`),
      });
    }
    expect(await read('words', '', 'C:\\notes\\a b.txt')).toMatchObject({
      title: 'C:\\notes\\a b.txt',
      url: 'C:\\notes\\a b.txt',
    });
  });
});

describe('decompression bombs', () => {
  const zeros = Buffer.alloc(60_000_000, 32);

  test.each<[string, () => Uint8Array]>([
    ['Word', () => docx('', { 'word/document.xml': zeros })],
    [
      'many files',
      () => docx('', Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`word/${i}.xml`, '']))),
    ],
    [
      'many large files',
      () =>
        docx(
          '',
          Object.fromEntries(
            Array.from({ length: 3 }, (_, i) => [`word/${i}.xml`, zeros.subarray(0, 30_000_000)]),
          ),
        ),
    ],
  ])('%s is refused by its unpacked size', async (_name, make) => {
    await expect(read(make())).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('unpacks to'),
    });
  });

  test('unpacking of an archive stops when the archive holds more than it declares', async () => {
    const body = docx('', { 'word/document.xml': zeros.subarray(0, 1_000_000) });
    await expect(read(lying(body, 'word/document.xml', 1000))).rejects.toMatchObject({
      message: expect.stringContaining('is a broken Word document'),
    });
  });

  test('broken XML in a Word document costs no more than whole XML', async () => {
    const broken = `${P('words ').repeat(200)}<w:p <w:r><w:t>${'<a <b =" &x; '.repeat(20_000)}`;
    const end = await read(docx(broken)).then(
      ({ markdown }) => markdown.slice(0, 5),
      ({ code }) => code,
    );
    expect(end).toMatch(/^(words|unsupported)$/);
  });

  test('endless comments, tags and elements take little time', async () => {
    expect(await read(`${'<!---->'.repeat(140)}<x`, 'text/plain')).toMatchObject({ kind: 'text' });
    const deep = `<?xml version="1.0"?><rss><channel><title>T</title>${'<a>'.repeat(100_000)}`;
    expect(await read(deep)).toMatchObject({ kind: 'feed', title: 'T' });
    const body = `<text:p>words</text:p>${'<text:list><text:list-item>'.repeat(50_000)}`;
    expect((await read(openDocument('text', body))).markdown).toBe('words');
  });
});
