import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../src/browse/readers/document.ts';
import type { PageKind } from '../../../src/browse/reading/page.ts';
import { docx, epub, openDocument, pptx, xlsx, zip } from '../../helpers/archives.ts';

/** Cases after public reports on other readers. Each is named by the repository and number of its report. */

const read = async (kind: PageKind, body: Uint8Array | string, url = 'https://q.example/a') => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return (await readDocument(kind, { url, contentType: '', body: bytes })).markdown;
};

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = (...all: readonly (readonly [id: string, type: string, target: string, more?: string])[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
    .map(
      ([id, type, target, more = '']) =>
        `<Relationship Id="${id}" Type="${R}/${type}" Target="${target}" ${more}/>`,
    )
    .join('')}</Relationships>`;
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const around = (inside: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${inside}</w:p>`;
const p = (text: string, properties = '') => around(text && run(text), properties);
const item = (text: string, level = 0, list = 1) =>
  p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`);
const level = (at: number, format: string, text: string) =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
const numbering = (levels: string, more = '') => ({
  'word/numbering.xml': `<w:numbering ${W}><w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>${more}</w:numbering>`,
});
const DECIMAL = level(0, 'decimal', '%1.');
const cell = (inside: string, properties = '') =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${inside.startsWith('<') ? inside : p(inside)}</w:tc>`;
const row = (cells: readonly string[], properties = '') =>
  `<w:tr>${properties}${cells.map((one) => (one.startsWith('<w:tc>') ? one : cell(one))).join('')}</w:tr>`;
const table = (...rows: readonly (readonly string[])[]) =>
  `<w:tbl>${rows.map((cells) => row(cells)).join('')}</w:tbl>`;
const deleted = (text: string) =>
  `<w:del w:id="9"><w:r><w:delText xml:space="preserve">${text}</w:delText></w:r></w:del>`;
const inserted = (inside: string) => `<w:ins w:id="8">${inside}</w:ins>`;
const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;

describe('Word', () => {
  const link = `<w:hyperlink r:id="rId9">${run('DRS-PLL')}</w:hyperlink>`;
  const citation = `<w:sdt><w:sdtContent>${field('begin')}<w:r><w:instrText>ADDIN CitaviPlaceholder{eyJ9}</w:instrText></w:r>${field('separate')}${run('(Miller 2019)')}${field('end')}</w:sdtContent></w:sdt>`;
  const again =
    '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>';
  const picture = `<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="P" descr="A red mill"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="rId5"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
  const quote = `<w:styles ${W}><w:style w:type="paragraph" w:styleId="Q"><w:name w:val="Quote"/></w:style></w:styles>`;
  const document = (body: string) => `<w:document ${W}><w:body>${body}</w:body></w:document>`;
  const online = zip({
    '[Content_Types].xml': '<Types/>',
    '_rels\\.rels': relations(['r1', 'officeDocument', 'word/document2.xml']),
    'word\\document2.xml': document(item('one')),
    'word\\_rels\\document2.xml.rels': relations(['n', 'numbering', 'numbering2.xml']),
    'word\\numbering2.xml': numbering(level(0, 'lowerLetter', '%1)'))['word/numbering.xml'],
  });

  test.each<[string, Uint8Array, string]>([
    [
      'docling 4304: a list that goes on after a table',
      docx(
        item('First') +
          item('Second') +
          p('') +
          table(['Key', 'Value'], ['alpha', '1']) +
          item('Third') +
          p('End.'),
        numbering(DECIMAL),
      ),
      '1. First\n2. Second\n\n| Key | Value |\n| --- | --- |\n| alpha | 1 |\n\n3. Third\n\nEnd.',
    ],
    [
      'docxtractr 33: numbers in a cell',
      docx(table(['Item', 'Steps'], ['A', item('First') + item('Second')]), numbering(DECIMAL)),
      '| Item | Steps |\n| --- | --- |\n| A | 1. First<br>2. Second |',
    ],
    [
      'numbers in a table of layout, which is written without cells',
      docx(table(['Steps'], [item('First') + item('Second')]), numbering(level(0, 'decimal', '%1)'))),
      'Steps\n\n1) First\n2) Second',
    ],
    [
      'python-docx 856: a link in a cell',
      docx(table(['Part', 'Link'], ['PLL', around(link)])),
      '| Part | Link |\n| --- | --- |\n| PLL | [DRS-PLL](https://x.example/more) |',
    ],
    [
      'pandoc 5302: a citation in a content control',
      docx(around(`${run('As shown ')}${citation}${run('.')}`)),
      'As shown (Miller 2019).',
    ],
    [
      'pandoc 5814: letters below numbers',
      docx(
        item('Qui') + item('Lorem', 1) + item('Ves') + item('Arcu', 1) + item('Mae'),
        numbering(DECIMAL + level(1, 'lowerLetter', '%2.')),
      ),
      '1. Qui\n   - a. Lorem\n2. Ves\n   - a. Arcu\n3. Mae',
    ],
    [
      'pandoc 10258: a list that begins again',
      docx(item('x') + item('y') + p('B') + item('z', 0, 2), numbering(DECIMAL, again)),
      '1. x\n2. y\n\nB\n\n1. z',
    ],
    [
      'docling 3297: cells over rows and columns',
      docx(
        `<w:tbl>${row([cell('A', '<w:vMerge w:val="restart"/>'), cell('Group', '<w:gridSpan w:val="2"/>')])}${row([cell('', '<w:vMerge/>'), 'x', 'y'])}${row(['1', '2', '3'])}</w:tbl>`,
      ),
      '| A | Group |  |\n| --- | --- | --- |\n| A | x | y |\n| 1 | 2 | 3 |',
    ],
    [
      'a row that begins in the second column',
      docx(
        `<w:tbl>${row(['h', 'i', 'j'])}${row(['a', 'b'], '<w:trPr><w:gridBefore w:val="1"/></w:trPr>')}</w:tbl>`,
      ),
      '| h | i | j |\n| --- | --- | --- |\n|  | a | b |',
    ],
    [
      'office2pdf 583 and 596: tracked changes, in a cell',
      docx(
        table(
          ['Version', 'Change'],
          ['1', around(run('Kept') + deleted('old') + inserted(run(' new') + deleted(' gone')))],
        ),
      ),
      '| Version | Change |\n| --- | --- |\n| 1 | Kept new |',
    ],
    [
      'all2md 480: tracked paragraphs',
      docx(
        around(run('The ') + deleted('brown') + inserted(run('red')) + run(' fox')) +
          around(deleted('Gone.'), '<w:rPr><w:del w:id="1"/></w:rPr>') +
          around(inserted(run('All new.')), '<w:rPr><w:ins w:id="2"/></w:rPr>'),
      ),
      'The red fox\n\nAll new.',
    ],
    [
      'pandoc 9833: a comment on inserted text',
      docx(around(inserted(`${run('Added')}<w:r><w:commentReference w:id="4"/></w:r>`)), {
        'word/comments.xml': `<w:comments ${W}><w:comment w:id="4" w:author="Daniel" w:initials="D">${p('Is it so?')}</w:comment></w:comments>`,
        'word/_rels/document.xml.rels': relations(['c', 'comments', 'comments.xml']),
      }),
      'Added[^D1]\n\n[^D1]: Comment by Daniel: Is it so?',
    ],
    ['mammoth 145: numbered parts, and paths of Windows', online, '- a) one'],
    [
      'an inserted document',
      docx(`${p('before')}<w:altChunk r:id="c"/>${p('after')}`, {
        'word/_rels/document.xml.rels': relations(['c', 'aFChunk', 'chunk.html']),
        'word/chunk.html': '<p>Chunk <b>text</b><span hidden>SECRET</span></p>',
      }),
      'before\n\nChunk **text**\n\nafter',
    ],
    [
      'an inserted web archive',
      docx('<w:altChunk r:id="c"/>', {
        'word/_rels/document.xml.rels': relations(['c', 'aFChunk', 'chunk.mht']),
        'word/chunk.mht':
          'MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n<p>caf=C3=A9</p>',
      }),
      'café',
    ],
    [
      'the description of a picture',
      docx(around(run('See ') + picture), {
        'word/_rels/document.xml.rels': relations(['rId5', 'image', 'media/i.png']),
        'word/media/i.png': 'x',
      }),
      'See ![A red mill]',
    ],
    [
      'a quotation, lines through text, and the end of a page',
      docx(
        p('q', '<w:pStyle w:val="Q"/>') +
          around(
            '<w:r><w:rPr><w:dstrike/></w:rPr><w:t>old</w:t><w:br w:type="page"/></w:r><w:r><w:t>new</w:t></w:r>',
          ),
        { 'word/styles.xml': quote },
      ),
      '> q\n\n~~old~~  \nnew',
    ],
  ])('%s', async (_name, file, expected) => {
    expect((await read('docx', file)).replace(/(?:\\| {2})\n/g, '\n')).toBe(
      expected.replace(/ {2}\n/g, '\n'),
    );
  });
});

describe('charts', () => {
  const numbers = (values: readonly (number | string)[], format = 'General') =>
    `<c:numRef><c:numCache><c:formatCode>${format}</c:formatCode>${values.map((one, at) => `<c:pt idx="${at}"><c:v>${one}</c:v></c:pt>`).join('')}</c:numCache></c:numRef>`;
  const texts = (...values: readonly string[]) =>
    `<c:strRef><c:strCache>${values.map((one, at) => `<c:pt idx="${at}"><c:v>${one}</c:v></c:pt>`).join('')}</c:strCache></c:strRef>`;
  const series = (name: string, ...parts: readonly string[]) =>
    `<c:ser><c:tx>${texts(name)}</c:tx>${parts.join('')}</c:ser>`;
  const space = (plot: string, before = '') =>
    `<c:chartSpace xmlns:c="c" xmlns:a="a">${before}<c:chart><c:plotArea>${plot}</c:plotArea></c:chart></c:chartSpace>`;
  const shown = (chart: string) =>
    read(
      'docx',
      docx('<w:p><w:r><w:drawing><c:chart r:id="c"/></w:drawing></w:r></w:p>', {
        'word/_rels/document.xml.rels': relations(['c', 'chart', 'c.xml']),
        'word/c.xml': chart,
      }),
    );
  const named = (name: string, inside: string) => `<c:${name}>${inside}</c:${name}>`;
  const days = (format: string) =>
    series('A', named('cat', numbers([45000, 45001], format)), named('val', numbers([0.5, 0.25], '0%')));
  const points = (name: string, x: readonly number[], y: readonly number[]) =>
    series(name, named('xVal', numbers(x)), named('yVal', numbers(y)));
  const levels =
    '<c:cat><c:multiLvlStrRef><c:multiLvlStrCache><c:lvl><c:pt idx="0"><c:v>Q1</c:v></c:pt><c:pt idx="1"><c:v>Q2</c:v></c:pt><c:pt idx="2"><c:v>Q1</c:v></c:pt></c:lvl><c:lvl><c:pt idx="0"><c:v>2024</c:v></c:pt><c:pt idx="2"><c:v>2025</c:v></c:pt></c:lvl></c:multiLvlStrCache></c:multiLvlStrRef></c:cat>';
  const newer =
    '<cx:chartSpace xmlns:cx="cx"><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl><cx:pt idx="0">North</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl formatCode="0.0"><cx:pt idx="0">5</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:txData><cx:v>Flow</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series><cx:tx><cx:txData><cx:v>Sales</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>';

  test.each([
    [
      'days in the usual format',
      space(days('m/d/yyyy')),
      '|  | A |\n| --- | --- |\n| 2023-03-15 | 50% |\n| 2023-03-16 | 25% |',
    ],
    [
      'days in the format of the axis',
      space(
        `${days('General')}<c:dateAx><c:numFmt formatCode="d mmm" sourceLinked="0"/></c:dateAx>`,
        '<c:date1904 val="1"/>',
      ),
      '|  | A |\n| --- | --- |\n| 16 Mar | 50% |\n| 17 Mar | 25% |',
    ],
    [
      'pairs with the same positions',
      space(points('A', [1, 2], [10, 20]) + points('B', [1, 2], [5, 6])),
      '|  | A | B |\n| --- | --- | --- |\n| 1 | 10 | 5 |\n| 2 | 20 | 6 |',
    ],
    [
      'pairs with positions of their own',
      space(points('A', [1, 2], [10, 20]) + points('B', [5, 6], [50, 60])),
      '|  | A |  | B |\n| --- | --- | --- | --- |\n| 1 | 10 | 5 | 50 |\n| 2 | 20 | 6 | 60 |',
    ],
    [
      'sizes of bubbles',
      space(
        series(
          'A',
          named('xVal', numbers([1])),
          named('yVal', numbers([10])),
          named('bubbleSize', numbers([3])),
        ),
      ),
      '|  | A | A (size) |\n| --- | --- | --- |\n| 1 | 10 | 3 |',
    ],
    [
      'categories of several levels',
      space(series('A', levels, named('val', numbers([1, 2, 3])))),
      '|  | A |\n| --- | --- |\n| 2024 Q1 | 1 |\n| 2024 Q2 | 2 |\n| 2025 Q1 | 3 |',
    ],
    ['a newer kind of chart', newer, 'Flow\n\n|  | Sales |\n| --- | --- |\n| North | 5.0 |'],
  ])('%s', async (_name, chart, expected) => {
    expect(await shown(chart)).toBe(expected);
  });

  test('any number in a chart is shown as a cell of a sheet shows it', async () => {
    const format = fc.constantFrom('General', '0.0', '0%', '#,##0', 'yyyy-mm-dd', '[h]:mm', 'd mmm yy');
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 60_000, noNaN: true }), format, async (value, code) => {
        const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`;
        const sheet = await read(
          'xlsx',
          xlsx(
            {
              A: `<row><c t="str"><v>h</v></c><c t="str"><v>A</v></c></row><row><c t="str"><v>x</v></c><c s="1"><v>${value}</v></c></row>`,
            },
            { 'xl/styles.xml': styles },
          ),
        );
        const chart = await shown(
          space(series('A', named('cat', texts('x')), named('val', numbers([value], code)))),
        );
        expect(chart.split('\n')[2]).toBe(sheet.split('\n')[2]);
      }),
      { seed: 38, numRuns: 40 },
    );
  });
});

describe('Excel', () => {
  const SHEET = 'xl/worksheets/_rels/sheet1.xml.rels';
  const styles = (...codes: readonly string[]) => ({
    'xl/styles.xml': `<styleSheet><numFmts>${codes.map((one, at) => `<numFmt numFmtId="${164 + at}" formatCode="${one}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/>${codes.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('')}</cellXfs></styleSheet>`,
  });
  const HEAD = '<row r="1"><c r="A1" t="str"><v>h</v></c><c r="B1" t="str"><v>i</v></c></row>';

  test.each<[string, string, Readonly<Record<string, string>>, string]>([
    ['xlwings 2105: a time', '<c s="1"><v>0.7863310185185185</v></c>', styles('hh:mm:ss'), '| 18:52:19 |  |'],
    [
      'xlsx2csv 190: a telephone number',
      '<c s="1"><v>13108207129</v></c>',
      styles('\\+0\\ \\(000\\)\\ 000\\-0000'),
      '| +1 (310) 820-7129 |  |',
    ],
    ['csvtk 262: zeros', '<c s="1"><v>0</v></c>', styles('000'), '| 000 |  |'],
    ['xlsx2csv 85: a text like a number', '<c t="inlineStr"><is><t>0001E5</t></is></c>', {}, '| 0001E5 |  |'],
    [
      'rows 290: a text in a percent format',
      '<c s="1"><v>1</v></c><c s="1" t="str"><v>n/a</v></c>',
      styles('0%'),
      '| 100% | n/a |',
    ],
    [
      'codex 38118: an empty shared text',
      '<c t="s"><v>1</v></c><c t="s"><v>0</v></c>',
      { 'xl/sharedStrings.xml': '<sst><si><t>seen</t></si><si><t/></si></sst>' },
      '|  | seen |',
    ],
    [
      'read-excel-file 92: a shared text without a number',
      '<c t="s"/><c t="s"><v>0</v></c>',
      {},
      '|  | Name |',
    ],
    [
      'a link by formula',
      '<c t="str"><f>HYPERLINK("https://x.example/a","Go")</f><v>Go</v></c>',
      {},
      '| [Go](https://x.example/a) |  |',
    ],
    ['numbers with exponents', '<c><v>1E+21</v></c><c><v>1.234E-7</v></c>', {}, '| 1E+21 | 1.234E-07 |'],
  ])('%s', async (_name, cells, parts, expected) => {
    const markdown = await read('xlsx', xlsx({ A: `${HEAD}<row>${cells}</row>` }, parts));
    expect(markdown.split('\n')[2]).toBe(expected);
  });

  test('pictures with descriptions and diagrams of a sheet stand below it', async () => {
    const drawing =
      '<wsDr xmlns:r="r" xmlns:dgm="d"><pic><nvPicPr><cNvPr id="2" descr="Plan of the mill"/></nvPicPr></pic><graphicFrame><dgm:relIds r:dm="q"/></graphicFrame></wsDr>';
    const file = xlsx(
      { A: HEAD },
      {
        [SHEET]: relations(['d', 'drawing', '../drawings/d.xml']),
        'xl/drawings/d.xml': drawing,
        'xl/drawings/_rels/d.xml.rels': relations(['q', 'diagramData', '../d.xml']),
        'xl/d.xml':
          '<dataModel><ptLst><pt modelId="1"><t><p><r><t>Sow</t></r></p></t></pt></ptLst></dataModel>',
      },
    );
    expect(await read('xlsx', file)).toBe('| h | i |\n| --- | --- |\n\n![Plan of the mill]\n\n- Sow');
  });

  test('a comment is shown if its cell is', async () => {
    const place = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }));
    const some = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(place, { selector: String }),
        some,
        some,
        async (places, rows, columns) => {
          const name = ([at, column]: readonly [number, number]) => `${'ABCD'[column - 1]}${at}`;
          const sheet = `<worksheet><cols>${columns.map((one) => `<col min="${one}" max="${one}" hidden="1"/>`).join('')}</cols><sheetData>${[1, 2, 3, 4].map((at) => `<row r="${at}"${rows.includes(at) ? ' hidden="1"' : ''}><c r="A${at}"><v>1</v></c></row>`).join('')}</sheetData></worksheet>`;
          const comments = `<comments><commentList>${places.map((one) => `<comment ref="${name(one)}"><text><t>on ${name(one)}</t></text></comment>`).join('')}</commentList></comments>`;
          const markdown = await read(
            'xlsx',
            xlsx(
              { A: '' },
              {
                'xl/worksheets/sheet1.xml': sheet,
                [SHEET]: relations(['c', 'comments', '../comments1.xml']),
                'xl/comments1.xml': comments,
              },
            ),
          );
          const seen = places.filter(([at, column]) => !rows.includes(at) && !columns.includes(column));
          expect(markdown.match(/(?<=^Comment on )\w+/gm) ?? []).toEqual(seen.map(name));
        },
      ),
      { seed: 38, numRuns: 60 },
    );
  });
});

describe('PowerPoint', () => {
  const place = (y: number) => `<a:xfrm><a:off x="0" y="${y}"/><a:ext cx="100" cy="50"/></a:xfrm>`;
  const line = (text: string, properties = '') =>
    `<a:p><a:pPr ${properties.startsWith('<') ? '' : properties}>${properties.startsWith('<') ? properties : ''}</a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
  const shape = (body: string, y: number, placeholder = '') =>
    `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr>${place(y)}</p:spPr><p:txBody>${body}</p:txBody></p:sp>`;
  const BULLET = '<a:buChar char="•"/>';
  const NUMBER = '<a:buAutoNum type="arabicPeriod"/>';
  const tableCell = (body: string) => `<a:tc><a:txBody>${body}</a:txBody></a:tc>`;
  const tableOf = (...rows: readonly string[]) =>
    `<p:graphicFrame><p:xfrm><a:off x="0" y="100"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic><a:graphicData><a:tbl>${rows.map((one) => `<a:tr>${one}</a:tr>`).join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
  test.each([
    [
      'unstructured 3877: a line break in a cell',
      tableOf(
        tableCell(line('Plan')) +
          tableCell('<a:p><a:r><a:t>Price</a:t></a:r><a:br/><a:r><a:t>per seat</a:t></a:r></a:p>'),
      ),
      '| Plan | Price<br>per seat |\n| --- | --- |',
    ],
    [
      'docling 1324: points below their headings',
      shape(line('Costs'), 100) +
        shape(line('rent', BULLET) + line('power', BULLET), 200) +
        shape(line('sales', BULLET) + line('fees', BULLET), 500) +
        shape(line('Gains'), 400),
      'Costs\n\n- rent\n- power\n\nGains\n\n- sales\n- fees',
    ],
    [
      'office_oxide 150: points and numbers',
      shape(
        line('TOP') + line('SUB', 'lvl="1"') + line('ONE', NUMBER) + line('TWO', NUMBER),
        0,
        '<p:ph idx="1"/>',
      ),
      '- TOP\n  - SUB\n1. ONE\n2. TWO',
    ],
    [
      'paragraphs without bullets',
      shape(line('First.') + line('Second.'), 0) +
        shape(line('one') + line('Third.', '<a:buNone/>'), 100, '<p:ph idx="1"/>'),
      'First.\n\nSecond.\n\n- one\n\nThird.',
    ],
    [
      'a raised number',
      shape('<a:p><a:r><a:t>E=mc</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>2</a:t></a:r></a:p>', 0),
      'E=mc^2',
    ],
    [
      'the description of a picture',
      '<p:pic><p:nvPicPr><p:cNvPr id="3" name="Picture 2" descr="A red mill"/></p:nvPicPr></p:pic>',
      '![A red mill]',
    ],
  ])('%s', async (_name, shapes, expected) => {
    expect(await read('pptx', pptx([shapes]))).toBe(`## Slide 1\n\n${expected}`);
  });
});

describe('OpenDocument', () => {
  const P = (text: string) => `<text:p>${text}</text:p>`;
  const td = (inside: string, more = '') =>
    `<table:table-cell ${more}>${inside.startsWith('<') ? inside : P(inside)}</table:table-cell>`;
  const tr = (cells: readonly string[], more = '') =>
    `<table:table-row ${more}>${cells.map((one) => (one.startsWith('<table') ? one : td(one))).join('')}</table:table-row>`;
  const tableOf = (...rows: readonly (readonly string[])[]) =>
    `<table:table>${rows.map((one) => tr(one)).join('')}</table:table>`;
  const comment = (text: string) => `<office:annotation>${P(text)}</office:annotation>${P('x')}`;
  test.each<['odt' | 'ods' | 'odp', string, string, string, string?]>([
    [
      'odt',
      'pandoc 8409: a section',
      `${tableOf(['To', 'All'])}<text:section><text:h text:outline-level="2">Aid</text:h>${P('Main.')}</text:section>`,
      '| To | All |\n| --- | --- |\n\n## Aid\n\nMain.',
    ],
    [
      'odt',
      'pandoc 5425: merged cells',
      tableOf(
        ['Type', 'Text'],
        [td('Req', 'table:number-rows-spanned="2"'), 'a'],
        ['<table:covered-table-cell/>', 'b'],
      ),
      '| Type | Text |\n| --- | --- |\n| Req | a |\n| Req | b |',
    ],
    [
      'odt',
      'pandoc 8892: a heading in a list, also in a cell',
      `<text:list><text:list-item><text:h text:outline-level="1">Skills</text:h></text:list-item></text:list>${tableOf([td('<text:list><text:list-item><text:h>INSA</text:h></text:list-item></text:list>'), 'b'])}`,
      '# Skills\n\n| INSA | b |\n| --- | --- |',
    ],
    [
      'odt',
      'pandoc 8886: a picture in a text',
      P('<text:span> <draw:frame><draw:image/><svg:desc>Plan</svg:desc></draw:frame></text:span>'),
      '![Plan]',
    ],
    ['odt', 'a table in a cell', tableOf(['a', td(tableOf(['n1', 'n2']))]), '| a | n1 n2 |\n| --- | --- |'],
    [
      'odt',
      'a title, a raised number and a link',
      `<text:p text:style-name="P1">Big</text:p>${P('mc<text:span text:style-name="S">2</text:span> <text:a xlink:href="mailto:a@x.example">me</text:a>')}`,
      '# Big\n\nmc^2 [me](mailto:a@x.example)',
      '<style:style style:name="P1" style:parent-style-name="Title"/><style:style style:name="S"><style:text-properties style:text-position="super 58%"/></style:style>',
    ],
    [
      'ods',
      'rows 290: percentages',
      `<table:table table:name="A">${tr([td('', 'office:value-type="percentage" office:value="1"').replace(/<text.*text:p>/, ''), 'n/a'])}</table:table>`,
      '## A\n\n| 100% | n/a |\n| --- | --- |',
    ],
    [
      'ods',
      'comments on hidden cells, and a text box',
      `<table:table table:name="A"><table:table-column/><table:table-column table:visibility="collapse"/><table:shapes><draw:frame><draw:text-box>${P('Box')}</draw:text-box></draw:frame></table:shapes>${tr([td(comment('seen')), td(comment('SECRET'))])}${tr([td(comment('SECRET'))], 'table:visibility="collapse"')}</table:table>`,
      '## A\n\n| x[^1] |\n| --- |\n\nHidden rows, columns and cells are not shown.\n\nBox\n\n[^1]: Comment: seen',
    ],
    [
      'odt',
      'cells that span rows and columns',
      tableOf(
        ['Port', 'Month', 'Boats'],
        [td('Saltby', 'table:number-rows-spanned="3"'), td('May'), '1'],
        [
          '<table:covered-table-cell/>',
          td('all', 'table:number-columns-spanned="2"'),
          '<table:covered-table-cell/>',
        ],
        ['<table:covered-table-cell/>', td('June'), '2'],
        [td('x'.repeat(81), 'table:number-rows-spanned="2"'), 'July', '3'],
        ['<table:covered-table-cell/>', 'August', '4'],
      ),
      `| Port | Month | Boats |\n| --- | --- | --- |\n| Saltby | May | 1 |\n| Saltby | all |  |\n| Saltby | June | 2 |\n| ${'x'.repeat(81)} | July | 3 |\n|  | August | 4 |`,
    ],
    [
      'odt',
      'a cell of very many columns over rows',
      tableOf(
        [td('Port', 'table:number-columns-spanned="1000000000" table:number-rows-spanned="2"')],
        ['<table:covered-table-cell/>', 'a'],
      ),
      '| Port |  |\n| --- | --- |\n| Port | a |',
    ],
    [
      'odp',
      'notes without the fields at their edges',
      `<draw:page><draw:frame presentation:class="title"><draw:text-box>${P('Yard')}</draw:text-box></draw:frame><presentation:notes>${['notes', 'page-number', 'date-time', 'header', 'footer'].map((name) => `<draw:frame presentation:class="${name}"><draw:text-box>${P(`in ${name}`)}</draw:text-box></draw:frame>`).join('')}</presentation:notes></draw:page>`,
      '## Yard\n\n### Notes\n\nin notes',
    ],
    [
      'odp',
      'ONLYOFFICE 3201: a picture beside text, without the date',
      `<draw:page><draw:frame presentation:class="date-time"><draw:text-box>${P('14.03.26')}</draw:text-box></draw:frame><draw:frame><draw:image/><svg:desc>Red mill</svg:desc></draw:frame><draw:frame><draw:text-box>${P('t')}</draw:text-box></draw:frame></draw:page>`,
      '## Slide 1\n\n![Red mill]\n\nt',
    ],
  ])('%s: %s', async (kind, _name, body, expected, styles) => {
    const kinds = { odt: 'text', ods: 'spreadsheet', odp: 'presentation' } as const;
    expect(await read(kind, openDocument(kinds[kind], body, styles))).toBe(expected);
  });

  test('a chart is a table below its title, and one that contains itself is read once', async () => {
    const own = '<draw:object xlink:href="./Object 1"/>';
    const inner = `<table:table>${tr(['', 'East'])}${tr(['2024', `<text:p>${own}12.5</text:p>`])}</table:table>`;
    const parts = {
      'content.xml': `<office:document-content><office:body><office:text><text:p><draw:frame>${own}</draw:frame></text:p></office:text></office:body></office:document-content>`,
      'Object 1/content.xml': `<office:document-content><office:body><office:chart><chart:chart><chart:title>${P('Honey')}</chart:title>${inner}</chart:chart></office:chart></office:body></office:document-content>`,
    };
    expect(await read('odt', zip(parts))).toBe('Honey\n\n|  | East |\n| --- | --- |\n| 2024 | 12.5 |');
  });
});

describe('RTF', () => {
  const rtf = (text: string, page = 1252, fonts = '') =>
    `{\\rtf1\\ansi\\ansicpg${page}\\deff0{\\fonttbl{\\f0 Arial;}${fonts}} ${text}}`;
  test.each([
    [
      'striprtf 11: Chinese in Unicode and bytes',
      rtf("\\uc2 \\u20013\\'d6\\'d0\\u25991\\'ce\\'c4\\'b2\\'e2", 936),
      '中文测',
    ],
    ['officeParser 89: Polish', rtf("W\\'b3odarczyk \\'9ccie\\'bfka", 1250), 'Włodarczyk ścieżka'],
    [
      'character sets of fonts',
      rtf(
        "\\f1 \\'cf\\'f0\\'e8 \\f0 caf\\'e9 \\f2 \\'93\\'fa",
        1252,
        '{\\f1\\fcharset204 A;}{\\f2\\fcharset128 B;}',
      ),
      'При café 日',
    ],
    ['rtf.js 1: the signs of a Macintosh', "{\\rtf1\\mac \\'d4caf\\'8e\\'d5}", '‘café’'],
    [
      'striprtf 38: a row',
      rtf('\\trowd\\cellx1\\cellx2\n\\intbl cell 1\\cell\n\\intbl cell 2\\cell\n\\row'),
      '| cell 1 | cell 2 |\n| --- | --- |',
    ],
    [
      'striprtf 7: rows without their beginning',
      rtf('Text\\par AAA\\cell BBB\\cell\\row C\\cell D\\cell\\row\\pard after'),
      'Text\n\n| AAA | BBB |\n| --- | --- |\n| C | D |\n\nafter',
    ],
    [
      'rtf.js 60: a link',
      rtf(
        'To {\\field{\\*\\fldinst {\\rtlch\\af0 HYPERLINK "mailto:a@x.example" }}{\\fldrslt {\\rtlch\\ul a@x.example}}}.',
      ),
      'To [a@x.example](mailto:a@x.example).',
    ],
    [
      'notes and comments',
      rtf(
        'A{\\super\\chftn}{\\footnote {\\super\\chftn} Note} b{\\*\\atnauthor Ida}\\chatn{\\*\\annotation {\\*\\atnref 1}why?} c',
      ),
      'A[^1] b[^2] c\n\n[^1]: Note\n\n[^2]: Comment by Ida: why?',
    ],
    [
      'a paragraph of a table that has no row',
      rtf('\\pard\\intbl One\\par\\pard Two\\par\\trowd\\pard\\intbl a\\cell b\\cell\\row'),
      'One\n\nTwo\n\n| a | b |\n| --- | --- |',
    ],
    [
      'text between the last cell and the end of its row',
      rtf('\\trowd\\intbl A\\cell B\\cell tail text\\row'),
      '| A | B | tail text |\n| --- | --- | --- |',
    ],
    [
      'a row without its end before a paragraph',
      rtf('\\trowd\\intbl A\\cell B\\cell\\pard After\\par Last'),
      '| A | B |\n| --- | --- |\n\nAfter\n\nLast',
    ],
    [
      'a row without its end before the end of the file',
      rtf('\\trowd\\intbl A\\cell B\\cell').slice(0, -1),
      '| A | B |\n| --- | --- |',
    ],
    ['deleted and hidden text', rtf('a{\\deleted SECRET} b {\\v SECRET\\plain  c}'), 'a b c'],
    [
      'a text box',
      rtf('Body{\\shp{\\*\\shpinst{\\sp{\\sn a}{\\sv 1}}{\\shptxt Boxed}}{\\shprslt old}}'),
      'Body\n\nBoxed',
    ],
    [
      'a text box that may be hidden',
      rtf('Body{\\shp{\\*\\shpinst{\\sp{\\sn fHidden}{\\sv 1}}{\\shptxt SECRET}}}'),
      'Body',
    ],
    [
      'a raised number and a column',
      rtf("mc{\\super 2}\\column {\\listtext\\f0 \\'b7\\tab}One"),
      'mc^2\n\n- One',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await read('rtf', text)).toBe(expected);
  });

  test('no order of cells, rows and paragraphs loses a word', async () => {
    const piece = fc.oneof(
      fc.constantFrom('\\cell ', '\\row ', '\\pard ', '\\par ', '\\trowd ', '\\intbl ', '{', '}'),
      fc.constantFrom('a', '{\\footnote a\\cell a}', '{\\footnote \\trowd a\\cell a\\row a}'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        let words = 0;
        const text = `${pieces.join('')} a`.replace(/(?<!\w)a/g, () => `w${words++}`);
        const found = new Set((await read('rtf', rtf(text))).match(/w\d+/g));
        expect(found.size, text).toBe(words);
      }),
      { seed: 50, numRuns: 500 },
    );
  });

  test('any cells of a table come back', async () => {
    const word = fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom(...'ab1.,|') });
    const rows = fc.array(fc.array(word, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const text = all.map(
          (cells) => `\\trowd\\intbl ${cells.map((one) => `${one}\\cell `).join('')}\\row`,
        );
        const lines = all.map((cells) => `| ${cells.map((one) => one.replaceAll('|', '\\|')).join(' | ')} |`);
        expect((await read('rtf', rtf(text.join('\n')))).split('\n')).toEqual(
          lines.toSpliced(1, 0, '| --- | --- |'),
        );
      }),
      { seed: 38, numRuns: 100 },
    );
  });
});

test.each([
  [
    'gitbook 1144',
    '<p>Example<sup><a href="#fn_1" id="r">1</a></sup></p><blockquote id="fn_1"><sup>1</sup>. The note<a href="#r" title="Jump back to footnote [1] in the text."> &#8617;</a></blockquote>',
    'Example[^1]\n\n[^1]: The note',
  ],
  [
    'pandoc 11777',
    '<p>那夜<a href="#fn1" id="r" epub:type="noteref">1</a>，他</p><section epub:type="footnotes"><aside epub:type="footnote" id="fn1"><p><a href="#r">1</a>. 即下冰雹。</p></aside></section>',
    '那夜[^1]，他\n\n[^1]: 即下冰雹。',
  ],
  [
    'obsidian-epub-importer 151: headings that lead to the contents',
    '<h1><a id="b"></a><a href="c.xhtml#r">Seven</a></h1><table></table><p>Text.</p>',
    '# Seven\n\nText.',
  ],
])('a chapter as in %s', async (_name, body, expected) => {
  expect(await read('epub', epub({ '1.xhtml': `<html><body>${body}</body></html>` }))).toBe(expected);
});

test('an inserted document that is shown often is not written without end', async () => {
  const file = docx('<w:altChunk r:id="c"/>'.repeat(500), {
    'word/_rels/document.xml.rels': relations(['c', 'aFChunk', 'chunk.html']),
    'word/chunk.html': `<p>${'word '.repeat(20_000)}</p>`,
  });
  expect((await read('docx', file)).length).toBeLessThan(1_300_000);
});

test('xberg 1489: no chapter of a book is dropped, and a picture says what it shows', async () => {
  const page = (body: string) => `<html><body>${body}</body></html>`;
  const book = epub({
    'c.xhtml': page('<img src="c.jpg" alt="Cover of Moby Dick"/>'),
    '1.xhtml': page('<h1>Further Reading</h1><ul><li><a href="a.xhtml">A</a></li></ul>'),
  });
  expect(await read('epub', book)).toBe('![Cover of Moby Dick]\n\n# Further Reading\n\n- A');
});

test('python-docx#1417: a drop-down list of an older form shows what is chosen', async () => {
  const choice = (chosen: string) =>
    around(
      `${run('Kind: ')}<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList>${chosen}<w:listEntry w:val="Barge"/><w:listEntry w:val="Ketch &amp; yawl"/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMDROPDOWN </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>${run(' it is.')}`,
    );
  const body = choice('<w:result w:val="1"/>') + choice('') + choice('<w:result w:val="7"/>');
  expect(await read('docx', docx(body))).toBe(
    'Kind: Ketch & yawl it is.\n\nKind: Barge it is.\n\nKind: it is.',
  );
});

const SLIDE = (text: string) => `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;

test.each<[PageKind, (text: string) => Uint8Array | string]>([
  ['pptx', (text) => pptx([SLIDE(text)])],
  ['odt', (text) => openDocument('text', `<text:p>${text}</text:p>`)],
  ['docx', (text) => docx(p(text))],
  ['rtf', (text) => `{\\rtf1\\ansi ${text.replaceAll('&gt;', '>')}\\par Last}`],
])('signs at the beginning of a paragraph of %s stay signs (marker#77)', async (kind, write) => {
  for (const sign of [
    '# one',
    '###### two',
    '&gt; three',
    '```four',
    '~~~',
    '| a | b |',
    '---',
    '* * *',
    '====',
  ]) {
    const markdown = await read(kind, write(sign));
    expect([sign, markdown]).toEqual([sign, expect.stringContaining(`\\${sign.replace('&gt;', '>')[0]}`)]);
  }
  for (const words of ['#tag', '-5 degrees', '2024', 'a # b', '*note'])
    expect(await read(kind, write(words))).toMatch(
      new RegExp(`^(?:## Slide 1\\n\\n)?\\\\?${words.replace('*', '\\*')}`),
    );
});
