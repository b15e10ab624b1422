import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../src/browse/readers/document.ts';
import type { PageKind } from '../../../src/browse/reading/page.ts';
import { docx, openDocument, pptx, xlsx } from '../../helpers/archives.ts';

const read = async (kind: PageKind, body: Uint8Array | string) =>
  (await readDocument(kind, { url: 'https://q.example/a', contentType: '', body: Buffer.from(body) }))
    .markdown;
const rows = (more: string) => ({
  'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${[1, 2].map((row) => `<row r="${row}">${['A', 'B'].map((column) => `<c r="${column}${row}" t="inlineStr"><is><t>${column}${row}</t></is></c>`).join('')}</row>`).join('')}</sheetData>${more}</worksheet>`,
});
const ods = (cells: string) =>
  openDocument(
    'spreadsheet',
    `<table:table table:name="S"><table:table-row>${cells}</table:table-row></table:table>`,
  );

/** Two lines in the cell of a table, by kind of file. */
const LINES: readonly (readonly [string, PageKind, Uint8Array | string])[] = [
  ['CSV', 'csv', 'a,b\n"one\ntwo",c\n'],
  ['CSV with line ends of Windows', 'csv', 'a,b\r\n"one\r\ntwo",c\r\n'],
  ['Excel', 'xlsx', xlsx({ S: '<row r="1"><c r="A1" t="inlineStr"><is><t>one&#10;two</t></is></c></row>' })],
  [
    'Word',
    'docx',
    docx(
      '<w:tbl><w:tr><w:tc><w:p><w:r><w:t>one</w:t><w:br/><w:t>two</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>c</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>2</w:t></w:r></w:p></w:tc></w:tr></w:tbl>',
    ),
  ],
  [
    'OpenDocument, a break',
    'ods',
    ods('<table:table-cell><text:p>one<text:line-break/>two</text:p></table:table-cell>'),
  ],
  [
    'OpenDocument, paragraphs',
    'ods',
    ods('<table:table-cell><text:p>one</text:p><text:p>two</text:p></table:table-cell>'),
  ],
  [
    'PowerPoint',
    'pptx',
    pptx([
      '<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>one</a:t></a:r></a:p><a:p><a:r><a:t>two</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>',
    ]),
  ],
  ['RTF', 'rtf', '{\\rtf1\\trowd\\cellx100\\intbl one\\line two\\cell\\row\\pard end\\par}'],
];

test.each(LINES)('the lines of a cell stay lines in %s', async (_name, kind, body) => {
  expect(await read(kind, body)).toMatch(/\| one<br>two \|/);
});

test.each<[string, PageKind, Uint8Array, string]>([
  [
    'Excel',
    'xlsx',
    xlsx({ S: '' }, rows('<mergeCells count="1"><mergeCell ref="A1:A2"/></mergeCells>')),
    '| A1 | B1 |\n| --- | --- |\n|  | B2 |',
  ],
  [
    'Excel, in both directions',
    'xlsx',
    xlsx({ S: '' }, rows('<mergeCells><mergeCell ref="A1:B2"/></mergeCells>')),
    '| A1 |\n',
  ],
  [
    'OpenDocument',
    'ods',
    ods(
      '<table:table-cell table:number-columns-spanned="2"><text:p>sum</text:p></table:table-cell><table:covered-table-cell><text:p>covered</text:p></table:covered-table-cell><table:table-cell><text:p>7</text:p></table:table-cell>',
    ),
    '| sum |  | 7 |',
  ],
])('a cell below a merged cell is hidden, and the text says so: %s', async (_name, kind, body, table) => {
  const text = await read(kind, body);
  expect(text).toContain(table);
  expect(text).not.toMatch(/covered\b(?! not)|A2/);
  expect(text).toContain('Hidden rows, columns and cells are not shown.');
});

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const numbered = (levels: readonly number[], format = 'decimal', heading = '') => {
  const style = (at: number) => (heading && at === 0 ? '<w:pStyle w:val="Heading1"/>' : '');
  const body = levels.map(
    (at, index) =>
      `<w:p><w:pPr>${style(at)}<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>t${index}</w:t></w:r></w:p>`,
  );
  const level = (at: number) =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="（%${at + 1}）"/></w:lvl>`;
  return docx(body.join(''), {
    'word/numbering.xml': `<w:numbering ${W}><w:abstractNum w:abstractNumId="1">${[0, 1, 2, 3].map(level).join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
    ...(heading && {
      'word/styles.xml': `<w:styles ${W}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    }),
  });
};

describe('numbered lists', () => {
  test.each([false, true])('no item of a list has two marks, below headings: %s', async (hasHeadings) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }), async (levels) => {
        const lines = (await read('docx', numbered(levels, 'decimal', hasHeadings ? 'h' : '')))
          .split('\n')
          .filter(Boolean);
        expect(lines).toHaveLength(levels.length);
        for (const [at, line] of lines.entries())
          expect(line).toMatch(new RegExp(`^ *(?:- |#{1,6} )（\\d+） t${at}$`));
      }),
      { seed: 38, numRuns: 30 },
    );
  });

  test.each([
    ['chineseCounting', '一 二 三 四 五 六 七 八 九 十 十一'],
    ['japaneseCounting', '一 二 三 四 五 六 七 八 九 十 十一'],
    ['koreanCounting', '일 이 삼 사 오 육 칠 팔 구 십 십일'],
    ['ideographTraditional', '甲 乙 丙 丁 戊 己 庚 辛 壬 癸 11'],
    ['ganada', '가 나 다 라 마 바 사 아 자 차 카'],
    ['russianLower', 'а б в г д е ж з и к л'],
    ['hebrew2', 'א ב ג ד ה ו ז ח ט י כ'],
    ['arabicAlpha', 'أ ب ت ث ج ح خ د ذ ر ز'],
    ['thaiNumbers', '๑ ๒ ๓ ๔ ๕ ๖ ๗ ๘ ๙ ๑๐ ๑๑'],
    ['decimalEnclosedCircle', '① ② ③ ④ ⑤ ⑥ ⑦ ⑧ ⑨ ⑩ ⑪'],
    ['unknownFormat', '1 2 3 4 5 6 7 8 9 10 11'],
  ])('numbers are written in %s', async (format, expected) => {
    const text = await read('docx', numbered(Array<number>(11).fill(0), format));
    expect([...text.matchAll(/（(.{1,3})）/g)].map(([, number]) => number).join(' ')).toBe(expected);
  });

  test.each([
    ['ea1ChsPeriod', '- 二. two'],
    ['circleNumDbPlain', '- ② two'],
    ['thaiAlphaParenR', '- ข) two'],
    ['arabicPeriod', '2. two'],
    ['romanLcParenBoth', '- (ii) two'],
  ])('slides are numbered by %s', async (scheme, line) => {
    const points = ['one', 'two'].map(
      (text) => `<a:p><a:pPr><a:buAutoNum type="${scheme}"/></a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`,
    );
    expect(await read('pptx', pptx([`<p:sp><p:txBody>${points.join('')}</p:txBody></p:sp>`]))).toContain(
      line,
    );
  });
});

test('a field ends where it should, although one of its ends is deleted', async () => {
  const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const link = `${mark('begin')}<w:r><w:instrText xml:space="preserve"> HYPERLINK "https://x.example/" </w:instrText></w:r>${mark('separate')}<w:r><w:t>page</w:t></w:r>`;
  const deleted = `<w:del w:id="1" w:author="A">${mark('end')}</w:del>`;
  const body = `<w:p>${link}${deleted}<w:r><w:t xml:space="preserve"> today</w:t></w:r></w:p><w:p><w:r><w:t>plain</w:t></w:r></w:p>`;
  expect(await read('docx', docx(body))).toBe('[page](https://x.example/) today\n\nplain');
});

/** Codes of links as Word writes them, each with its target. */
const LINKS: readonly (readonly [code: string, target: string])[] = [
  ['HYPERLINK "https://x.example/a?b=1&c=2"', 'https://x.example/a?b=1&c=2'],
  ['HYPERLINK "https://x.example/" \\o "a \\"tip\\" of it"', 'https://x.example/'],
  ['HYPERLINK \\o "tip" "https://x.example/"', 'https://x.example/'],
  ['HYPERLINK "https://x.example/" \\t "_blank" \\o "tip"', 'https://x.example/'],
  ['hyperlink \\n "https://x.example/" \\h', 'https://x.example/'],
  ['HYPERLINK "https://x.example/p" \\l "part 2" \\o "tip"', 'https://x.example/p#part%202'],
  ['HYPERLINK \\l "part" "https://x.example/p"', 'https://x.example/p#part'],
  ['HYPERLINK https://x.example/bare \\* MERGEFORMAT', 'https://x.example/bare'],
];

// jgm/pandoc#3389
test.each(LINKS)('the field %s is a link in DOCX and RTF', async (code, target) => {
  const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const escaped = code.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const text = '<w:r><w:t>page</w:t></w:r>';
  const instruction = (piece: string) =>
    `<w:r><w:instrText xml:space="preserve">${piece.replaceAll('&', '&amp;')}</w:instrText></w:r>`;
  const [before, behind] = [code.slice(0, 14), code.slice(14)];
  const fields = [
    `<w:fldSimple w:instr=" ${escaped} " w:dirty="true">${text}</w:fldSimple>`,
    `${mark('begin')}${instruction(` ${before}`)}${instruction(`${behind} `)}${mark('separate')}${text}${mark('end')}`,
  ];
  const link = new RegExp(
    `^See \\[page\\]\\(<?${target.replace(/[.?+]/g, '\\$&').replace('%20', '(?: |%20)')}>?\\)\\.$`,
  );
  for (const field of fields) {
    const body = `<w:p><w:r><w:t xml:space="preserve">See </w:t></w:r>${field}<w:r><w:t>.</w:t></w:r></w:p>`;
    expect(await read('docx', docx(body))).toMatch(link);
  }
  const rtf = `{\\rtf1 See {\\field{\\*\\fldinst{${code.replaceAll('\\', '\\\\')}}}{\\fldrslt{page}}}.}`;
  expect(await read('rtf', Buffer.from(rtf))).toMatch(link);
});

describe('fields inside the code of a field', () => {
  const r = (inside: string) => `<w:r>${inside}</w:r>`;
  const mark = (type: string) => r(`<w:fldChar w:dirty="true" w:fldCharType="${type}"/>`);
  const code = (text: string) => r(`<w:instrText xml:space="preserve">${text}</w:instrText>`);
  const shown = (text: string) => r(`<w:t xml:space="preserve">${text}</w:t>`);
  const field = (inside: string, result: string) =>
    `${mark('begin')}${inside}${mark('separate')}${shown(result)}${mark('end')}`;
  const [member, page] = [field(code('MERGEFIELD Member'), 'no'), field(code(' PAGE '), '3')];
  const choice = code('= "yes" "Members pay half." "') + field(code('REF x'), 'Guests') + code(' pay."');
  const simple = '<w:fldSimple w:instr="MERGEFIELD Member"><w:r><w:t>no</w:t></w:r></w:fldSimple>';
  const link = (...inside: string[]) => field(inside.join(''), 'the link');
  const withId = link(code('HYPERLINK "https://x.example/'), field(code('DOCPROPERTY Id'), '77'), code('"'));
  const across = `${mark('begin')}${code('IF 1 = 1 "')}${shown('One.')}</w:p><w:p>${shown('Two.')}${code('" ""')}${mark('separate')}${shown('Guests pay.')}${mark('end')}`;

  test.each([
    ['a comparison', field(code('IF ') + member + choice, 'Guests pay.'), 'Guests pay.'],
    ['a simple field', field(code('IF ') + simple + choice, 'Guests pay.'), 'Guests pay.'],
    ['a formula', field(code('= ') + field(code('= ') + page + code('-1'), '2') + code('*2'), '4'), '4'],
    ['a link', withId, '[the link](https://x.example/77)'],
    ['a field in a result', field(code('TOC'), '').replace(shown(''), shown('a ') + member), 'a no'],
    ['text over paragraphs', across, 'Guests pay.'],
    ['a field without an end', `${mark('begin')}${code('IF ')}${shown('stays ')}${member}`, 'stays no'],
  ])('%s', async (_name, body, result) => {
    const whole = `<w:p>${shown('(')}${body}${shown(')')}</w:p>`;
    const text = (await read('docx', docx(whole))).replace(/\s+/g, ' ');
    expect(text).toMatch(/^\([\s\S]*\)$/);
    expect(text.replace(/^\( ?|\)$/g, '')).toBe(result);
  });

  test('in RTF', async () => {
    const inner = (inside: string, result: string) =>
      `{\\field{\\*\\fldinst{${inside}}}{\\fldrslt{${result}}}}`;
    const text = `{\\rtf1 ${inner(`IF ${inner('MERGEFIELD M', 'no')} = "y" "Half." "Whole."`, 'Whole.')} ${inner(`HYPERLINK "https://x.example/${inner('DOCPROPERTY Id', '77')}"`, 'page')}}`;
    expect(await read('rtf', Buffer.from(text))).toBe('Whole. [page](https://x.example/77)');
  });
});

test('a field of another kind in a link, and the text around simple fields, stay', async () => {
  const simple = (code: string, text: string) =>
    `<w:fldSimple w:instr="${code}"><w:r><w:t>${text}</w:t></w:r></w:fldSimple>`;
  const body = `<w:p>${simple('PAGE', '3')}<w:r><w:t xml:space="preserve"> of </w:t></w:r>${simple(' HYPERLINK &quot;https://x.example/&quot;', 'it')}${simple('REF x', ' then')}</w:p>`;
  expect(await read('docx', docx(body))).toBe('3 of [it](https://x.example/) then');
});

test('hidden slides and sheets are counted', async () => {
  const shape = (text: string) =>
    `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
  expect(await read('pptx', pptx([shape('seen'), shape('unseen')], {}, [1]))).toBe(
    '## Slide 1\n\nseen\n\nNot shown: 1 hidden slide.',
  );
  const row = '<row r="1"><c r="A1" t="inlineStr"><is><t>seen</t></is></c></row>';
  const sheets = await read('xlsx', xlsx({ A: row, B: row, C: row }, {}, ['B', 'C']));
  expect(sheets).toBe('| seen |\n| --- |\n\nNot shown: 2 hidden sheets.');
});

test('the lines of a box on a slide stay lines', async () => {
  const point = (properties: string) =>
    `<p:sp><p:txBody><a:p>${properties}<a:r><a:t>Quay 1</a:t></a:r><a:br/><a:r><a:t>Harbour</a:t></a:r></a:p><a:p>${properties}<a:r><a:t>end</a:t></a:r></a:p></p:txBody></p:sp>`;
  expect(await read('pptx', pptx([point('')]))).toContain('Quay 1\nHarbour\n\nend');
  const bullets = await read('pptx', pptx([point('<a:pPr><a:buChar char="•"/></a:pPr>')]));
  expect(bullets).toContain('- Quay 1\n  Harbour\n- end');
});

test.each([
  ['[$-411]ggge"年"m"月"d"日"', 45356, '令和6年3月5日'],
  ['[$-411]ge.m.d', 45356, 'R6.3.5'],
  ['[$-ja-JP]ggee"年"', 32516, '平01年'],
  ['[$-411]"ge "yyyy', 45356, 'ge 2024'],
  ['[$-409]yyyy', 45356, '2024'],
])('a day in the Japanese format %s is shown', async (code, value, expected) => {
  const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code.replaceAll('"', '&quot;')}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`;
  const sheet = { S: `<row r="1"><c r="A1" s="0"><v>${value}</v></c></row>` };
  expect(await read('xlsx', xlsx(sheet, { 'xl/styles.xml': styles }))).toContain(`| ${expected} |`);
});

/** Returns a file of each kind whose only table has this text in its second row. */
const HOLDERS: readonly (readonly [PageKind, (text: string) => Uint8Array | string])[] = [
  ['csv', (text) => `a,b\n"${text.replaceAll('"', '""')}",c\n`],
  [
    'xlsx',
    (text) =>
      xlsx({
        S: `<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>${xml(text)}</t></is></c></row>`,
      }),
  ],
  ['ods', (text) => ods(`<table:table-cell><text:p>${xml(text)}</text:p></table:table-cell>`)],
  [
    'pptx',
    (text) =>
      pptx([
        `<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>${xml(text)}</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>`,
      ]),
  ],
];
const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

test.each(HOLDERS)('signs of Markdown in a cell of %s stay what they are', async (kind, hold) => {
  const sign = fc.constantFrom('*', '`', '<b>', '[x](y)', 'a', ' ', '|', '&amp;', '5');
  await fc.assert(
    fc.asyncProperty(fc.array(sign, { minLength: 1, maxLength: 8 }), async (signs) => {
      const text = ['w', ...signs, 'w'].join('').replace(/ +/g, ' ');
      const markdown = await read(kind, hold(text));
      const bare = markdown.replace(/\\[!-/:-@[-`{-~]/g, '');
      expect(bare).not.toMatch(/[*`<]|\]\(|&\w/);
      expect(markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1')).toContain(text);
    }),
    { numRuns: 40 },
  );
});

test('a cell that a merged cell of a slide covers shows nothing', async () => {
  const cell = (text: string, more = '') =>
    `<a:tc${more}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
  const row = (cells: string) => `<a:tr>${cells}</a:tr>`;
  const rows =
    row(cell('one', ' gridSpan="2"') + cell('under', ' hMerge="1"')) +
    row(cell('below', ' vMerge="true"') + cell('two'));
  const markdown = await read('pptx', pptx([`<p:graphicFrame><a:tbl>${rows}</a:tbl></p:graphicFrame>`]));
  expect(markdown).toMatch(/one.*two/s);
  expect(markdown).not.toMatch(/under|below/);
});

test('a table of Word stays one when a cell holds another table', async () => {
  const cell = (inside: string) => `<w:tc>${inside}</w:tc>`;
  const p = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
  const inner = `<w:tbl><w:tr>${cell(p('in'))}${cell(p('side'))}</w:tr></w:tbl>`;
  const body = `<w:tbl><w:tr>${cell(p('a'))}${cell(p('b'))}</w:tr><w:tr>${cell(p('c'))}${cell(p('d') + inner + p('e'))}</w:tr></w:tbl>`;
  expect(await read('docx', docx(body))).toBe('| a | b |\n| --- | --- |\n| c | d<br>in · side<br>e |');
});

test.each([
  ['1', '<v>1</v>', '[x]'],
  ['1', '<v>0</v>', '[ ]'],
  ['0', '<v>1</v>', 'TRUE'],
])('a cell of Excel with style %s and %s is shown as %s', async (style, value, shown) => {
  const styles =
    '<styleSheet><cellXfs><xf/><xf><extLst><ext><xfpb:xfComplement i="0"/></ext></extLst></xf></cellXfs></styleSheet>';
  const file = xlsx(
    { S: `<row r="1"><c r="A1" s="${style}" t="b">${value}</c></row>` },
    { 'xl/styles.xml': styles },
  );
  expect(await read('xlsx', file)).toContain(`| ${shown} |`);
});

test('check boxes and options that lie on a sheet are shown with their state, without comments', async () => {
  const control = (type: string, text: string, more = '', style = '') =>
    `<v:shape style="${style}"><v:textbox><div>${text}</div></v:textbox><x:ClientData ObjectType="${type}">${more}</x:ClientData></v:shape>`;
  const shapes = [
    control('Checkbox', 'Yes', '<x:Checked>1</x:Checked>'),
    control('Radio', 'No'),
    control('Label', 'Words'),
    control('Note', 'comment'),
    control('Checkbox', 'secret', '', 'visibility:hidden'),
  ];
  const file = xlsx(
    { S: '<row r="1"><c r="A1"><v>1</v></c></row>' },
    {
      'xl/worksheets/_rels/sheet1.xml.rels':
        '<Relationships><Relationship Id="r1" Type="x/vmlDrawing" Target="../drawings/v.vml"/></Relationships>',
      'xl/drawings/v.vml': `<xml>${shapes.join('')}</xml>`,
    },
  );
  expect(await read('xlsx', file)).toBe('| 1 |\n| --- |\n\n[x] Yes\n\n[ ] No\n\nWords');
});

test('the name of a function in a formula is one word, its argument is not', async () => {
  const run = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  const name = `<m:fName><m:limLow><m:e>${run('lim')}</m:e><m:lim>${run('x→0')}</m:lim></m:limLow></m:fName>`;
  const body = `<w:p><m:oMath><m:func>${name}<m:e>${run('xy')}</m:e></m:func></m:oMath></w:p>`;
  expect(await read('docx', docx(body))).toBe('$\\lim_{x \\rightarrow 0} x y$');
});

describe('a title over all columns is written above the table, and the next row names the columns', () => {
  const GRID = [
    ['Kitchen'],
    ['Task', 'Owner', 'Status'],
    ['Design', 'Ana', 'Done'],
    ['Pipes', 'Luis', 'Open'],
  ];
  const each = (row: (cells: string) => string, cell: (text: string, wide: number) => string) =>
    GRID.map((texts) => row(texts.map((text) => cell(text, texts.length === 1 ? 3 : 1)).join(''))).join('');
  const sheet = GRID.map(
    (texts, at) =>
      `<row r="${at + 1}">${texts.map((text, i) => `<c r="${'ABC'[i]}${at + 1}" t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`,
  ).join('');
  const word = each(
    (cells) => `<w:tr>${cells}</w:tr>`,
    (text, wide) =>
      `<w:tc><w:tcPr><w:gridSpan w:val="${wide}"/></w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`,
  );
  const html = each(
    (cells) => `<tr>${cells}</tr>`,
    (text, wide) => `<td colspan="${wide}">${text}</td>`,
  );
  const calc = each(
    (cells) => `<table:table-row>${cells}</table:table-row>`,
    (text, wide) =>
      `<table:table-cell table:number-columns-spanned="${wide}"><text:p>${text}</text:p></table:table-cell>${'<table:covered-table-cell/>'.repeat(wide - 1)}`,
  );
  const slide = each(
    (cells) => `<a:tr>${cells}</a:tr>`,
    (text, wide) =>
      `<a:tc gridSpan="${wide}"><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>${'<a:tc hMerge="1"><a:txBody><a:p/></a:txBody></a:tc>'.repeat(wide - 1)}`,
  );
  test.each<[PageKind, Uint8Array | string]>([
    ['xlsx', xlsx({ S: sheet })],
    ['docx', docx(`<w:tbl>${word}</w:tbl>`)],
    ['html', `<!doctype html><html><body><table>${html}</table></body></html>`],
    ['ods', openDocument('spreadsheet', `<table:table table:name="S">${calc}</table:table>`)],
    [
      'pptx',
      pptx([
        `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${slide}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`,
      ]),
    ],
  ])('%s', async (kind, body) => {
    expect(await read(kind, body)).toContain(
      'Kitchen\n\n| Task | Owner | Status |\n| --- | --- | --- |\n| Design | Ana | Done |\n| Pipes | Luis | Open |',
    );
  });

  test('of two columns only if all values below the names have figures', async () => {
    const table = async (...lines: string[]) =>
      read(
        'xlsx',
        xlsx({
          S: lines
            .map(
              (line, at) =>
                `<row r="${at + 1}">${line
                  .split(',')
                  .map((text, i) =>
                    text ? `<c r="${'AB'[i]}${at + 1}" t="inlineStr"><is><t>${text}</t></is></c>` : '',
                  )
                  .join('')}</row>`,
            )
            .join(''),
        }),
      );
    expect(await table('Prices,', 'Item,Price', 'Tea,2', 'Milk,3')).toMatch(
      /^Prices\n\n\| Item \| Price \|\n/,
    );
    expect(await table('Name,', 'Ada,Oslo', 'Ben,Rome')).toMatch(/^\| Name \| {2}\|\n/);
    expect(await table('Facts,', 'Born,1900', 'Died,1980')).toMatch(/^\| Facts \| {2}\|\n/);
  });
});
