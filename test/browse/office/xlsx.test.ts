import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readXlsx } from '../../../src/browse/readers/office/xlsx.ts';
import { CHART, xlsx } from '../../helpers/archives.ts';

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Styles with a cell format for each code, which may also be the number of a built-in format. */
function stylesOf(codes: readonly (string | number)[]): string {
  const own = codes.flatMap((code, at) =>
    typeof code === 'number' ? [] : `<numFmt numFmtId="${164 + at}" formatCode="${escapeXml(code)}"/>`,
  );
  const cells = codes.map((code, at) => `<xf numFmtId="${typeof code === 'number' ? code : 164 + at}"/>`);
  return `<styleSheet><numFmts>${own.join('')}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${cells.join('')}</cellXfs></styleSheet>`;
}

const markdownOf = async (...options: Parameters<typeof xlsx>) =>
  (await readXlsx(xlsx(...options), 'a.xlsx')).markdown;

/** What the sheet shows of a cell with this XML. */
async function shownCell(cell: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const markdown = await markdownOf({ A: `<row><c t="str"><v>head</v></c></row><row>${cell}</row>` }, more);
  return (
    markdown
      .split('\n')[2]
      ?.replace(/^\| | \|$/g, '')
      .trim() ?? ''
  );
}

const WORKBOOK_1904 =
  '<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>';

test.each<[string, string, string]>([
  ['yyyy\\-mm\\-dd', '2026-03-14T00:00:00.000', '46095'],
  ['d mmm yyyy', '2026-03-14', '46095'],
  ['dd.mm.yy hh:mm', '2026-03-14T12:00:00Z', '46095.5'],
  ['h:mm AM/PM', '18:00:00', '0.75'],
  ['0.00', '2026-03-14T12:00:00', '46095.5'],
  ['[h]:mm', '06:30', '0.2708333333333333'],
])('%s shows the ISO date %s as the same number of days', async (code, date, days) => {
  const styles = { 'xl/styles.xml': stylesOf([code]) };
  const shown = await shownCell(`<c s="0" t="d"><v>${date}</v></c>`, styles);
  expect(shown).toBe(await shownCell(`<c s="0"><v>${days}</v></c>`, styles));
  const since1904 = Number(days) < 1 ? days : Number(days) - 1462;
  const more = { ...styles, 'xl/workbook.xml': WORKBOOK_1904 };
  expect(await shownCell(`<c s="0" t="d"><v>${date}</v></c>`, more)).toBe(
    await shownCell(`<c s="0"><v>${since1904}</v></c>`, more),
  );
});

test.each<[string | number, string, string]>([
  [9, '0.85', '85%'],
  [10, '0.8512', '85.12%'],
  ['[h]:mm', '1.5', '36:00'],
  [46, '1.5', '36:00:00'],
  ['[mm]:ss', '0.0625', '90:00'],
  [20, '0.5', '12:00'],
  ['h:mm AM/PM', '0.75', '6:00 PM'],
  ['00000', '1234', '01234'],
  ['"+49" 000000', '301234', '+49 301234'],
  ['\\+00\\ 000000', '49301234', '+49 301234'],
  ['#,##0.00 "EUR"', '1200.5', '1,200.50 EUR'],
  ['#,##0.00\\ [$€-407]', '1200.5', '1,200.50 €'],
  ['[$$-409]#,##0.00', '1200.5', '$1,200.50'],
  ['_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-', '-3', '-3.00 €'],
  [4, '1200.5', '1,200.50'],
  [0, '0.30000000000000004', '0.3'],
  [0, '4006381333931', '4006381333931'],
  [14, '46095', '2026-03-14'],
  [22, '46095.5', '2026-03-14 12:00'],
  ['yyyy\\-mm\\-dd', '46096.5', '2026-03-15'],
  ['d/m/yyyy', '46095', '14/3/2026'],
  ['dd.mm.yy', '46095', '14.03.26'],
  ['[$-407]d. mmmm yyyy', '46095', '14. März 2026'],
  ['mmm yyyy', '46095', 'Mar 2026'],
  ['yyyy"年"m"月"d"日"', '46095', '2026年3月14日'],
  ['# ?/?', '1.5', '1 1/2'],
  ['0.00E+00', '12345', '1.23E+04'],
  ['0 "pcs"', '3', '3 pcs'],
  ['[Red]-0;[Blue]0', '5', '-5'],
  ['[>=1000]0.0,"k";0', '1500', '1.5k'],
  ['"yes";;"no"', '1', 'yes'],
  ['"yes";;"no"', '0', 'no'],
  [';;;', '7', ''],
  ['yyyy-mm-dd', '-3', '-3'],
  ['"never closed', '7', '7'],
])('a number in the format %s is shown as Excel shows it: %s is %s', async (code, value, shown) => {
  const cell = `<c s="1"><v>${value}</v></c>`;
  expect(await shownCell(cell, { 'xl/styles.xml': stylesOf([0, code]) })).toBe(shown);
});

test.each([
  ['an error', '<c t="e"><v>#N/A</v></c>', '#N/A'],
  ['true', '<c t="b"><v>1</v></c>', 'TRUE'],
  ['false', '<c t="b"><v>0</v></c>', 'FALSE'],
  ['the result of a formula', '<c><f>1+1</f><v>2</v></c>', '2'],
  ['the text of a formula', '<c t="str"><f>A1</f><v>two</v></c>', 'two'],
  [
    'rich text',
    '<c t="inlineStr"><is><r><t>bo</t></r><r><rPr><b/></rPr><t xml:space="preserve">ld one</t></r></is></c>',
    'bold one',
  ],
  [
    'a phonetic guide',
    '<c t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is></c>',
    '東京',
  ],
  ['an ISO date', '<c t="d"><v>2026-03-14T12:30:00</v></c>', '2026-03-14 12:30'],
  ['an ISO date of midnight', '<c t="d"><v>2026-03-14T00:00:00.000Z</v></c>', '2026-03-14'],
  ['an ISO date before the first of Excel', '<c t="d"><v>1850-06-01</v></c>', '1850-06-01'],
  ['an ISO time', '<c t="d"><v>12:30:00</v></c>', '12:30:00'],
  ['what is no ISO date', '<c t="d"><v>soon</v></c>', 'soon'],
  ['an escaped sign', '<c t="inlineStr"><is><t>a_x000D_b_x005F_c</t></is></c>', 'a<br>b_c'],
  ['a text in a format for texts', '<c s="1" t="str"><v>ada</v></c>', 'Ms. ada'],
])('%s is shown', async (_name, cell, shown) => {
  expect(await shownCell(cell, { 'xl/styles.xml': stylesOf([0, '0;0;0;"Ms. "@']) })).toBe(shown);
});

test('shared strings are joined from their runs, without phonetic guides', async () => {
  const sst =
    '<x:sst xmlns:x="m"><x:si><x:r><x:t>tide </x:t></x:r><x:r><x:t>mill</x:t></x:r><x:rPh><x:t>NO</x:t></x:rPh></x:si><x:si/><x:si><x:t>third</x:t></x:si></x:sst>';
  const cells = '<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c>';
  expect(await markdownOf({ A: `<row>${cells}</row>` }, { 'xl/sharedStrings.xml': sst })).toBe(
    '| tide mill |  | third |\n| --- | --- | --- |',
  );
});

test('days of the 1904 date system are shifted, and durations are not', async () => {
  const more = { 'xl/workbook.xml': WORKBOOK_1904, 'xl/styles.xml': stylesOf([0, 14, '[h]:mm', 'h:mm']) };
  expect(await shownCell('<c s="1"><v>44633</v></c>', more)).toBe('2026-03-14');
  expect(await shownCell('<c s="2"><v>1.5</v></c>', more)).toBe('36:00');
  expect(await shownCell('<c s="3"><v>0.5</v></c>', more)).toBe('12:00');
});

test('hidden rows and columns are left out, and the answer says so', async () => {
  const cell = (name: string) => `<c r="${name}" t="str"><v>${name}</v></c>`;
  const sheet = `<worksheet><cols><col min="2" max="2" hidden="1"/></cols><sheetData><row r="1">${cell('A1')}${cell('B1')}${cell('C1')}</row><row r="2" hidden="1">${cell('A2')}</row><row r="3" ht="0">${cell('A3')}</row><row r="4">${cell('A4')}</row></sheetData></worksheet>`;
  expect(await markdownOf({ A: '' }, { 'xl/worksheets/sheet1.xml': sheet })).toBe(
    '| A1 |  | C1 |\n| --- | --- | --- |\n| A4 |  |  |\n\nHidden rows, columns and cells are not shown.',
  );
});

test.each(['-1000000000', '-Infinity'])('hidden columns from %s are those of the sheet', async (min) => {
  const sheet = `<worksheet><cols><col min="${min}" max="1" hidden="1"/></cols><sheetData><row r="1"><c r="A1" t="str"><v>gone</v></c><c r="B1" t="str"><v>kept</v></c></row></sheetData></worksheet>`;
  const shown = await markdownOf({ A: '' }, { 'xl/worksheets/sheet1.xml': sheet });
  expect(shown).toContain('kept');
  expect(shown).not.toContain('gone');
});

test('any number in any format gives a text in little time, and a date is never of 1899', async () => {
  const part = fc.constantFrom('0', '#', '?', ',', '.', '%', 'E+00', '/', 'yyyy', 'm', 'd', 'h', ':', '[h]', 'AM/PM', '"a"', '\\', '@', ';', '*-', '_)', '[Red]', '[>1]', '[$€-407]', ' '); // biome-ignore format: one list
  const code = fc.array(part, { minLength: 1, maxLength: 30 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(code, fc.double({ noNaN: true, min: -1e6, max: 1e6 }), async (pattern, value) => {
      const more = { 'xl/styles.xml': stylesOf([0, pattern]) };
      const shown = await shownCell(`<c s="1"><v>${value}</v></c>`, more);
      expect(/yyyy/.test(pattern) && /\b1899\b/.test(shown) && Math.abs(value) < 1).toBe(false);
    }),
    { numRuns: 300, seed: 38 },
  );
});

describe('what lies beside the values of cells is read', () => {
  const SHEET = 'xl/worksheets/sheet1.xml';
  const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relations = (...all: readonly (readonly [id: string, type: string, target: string])[]) => ({
    'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships>${all
      .map(
        ([id, type, target]) =>
          `<Relationship Id="${id}" Type="${R}/${type}" Target="${target}"${type === 'hyperlink' ? ' TargetMode="External"' : ''}/>`,
      )
      .join('')}</Relationships>`,
  });
  const price = '<row r="1"><c r="A1" t="str"><v>Price</v></c><c r="B1"><v>40</v></c></row>';
  const HEAD = '| Price | 40 |\n| --- | --- |';

  test.each([
    ['a formula without its result', '<f>SUM(B1:B9)</f><v></v>', '', '=SUM(B1:B9)'],
    ['the text of a link by formula', '<f>HYPERLINK("#A!B6","Lot ""7""")</f>', '', 'Lot "7"'],
    ['a formula whose result is an empty text', '<f>IF(A1,"",1)</f><v></v>', ' t="str"', ''],
    ['a result', '<f>SUM(B1:B9)</f><v>40</v>', '', '40'],
  ])('%s', async (_name, inside, type, text) => {
    const row = `<row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1"${type}>${inside}</c><c r="C1"><v>1</v></c></row>`;
    expect(await markdownOf({ A: row })).toContain(`| a | ${text} | 1 |`);
  });

  test('links of cells', async () => {
    const links =
      '<hyperlinks><hyperlink ref="A1:A2" r:id="l"/><hyperlink ref="B1" location="S!A1"/></hyperlinks>';
    const sheet = `<worksheet xmlns:r="r"><sheetData>${price}</sheetData>${links}</worksheet>`;
    const more = { [SHEET]: sheet, ...relations(['l', 'hyperlink', 'https://x.example/a_(b)?b=1&amp;c']) };
    expect(await markdownOf({ A: '' }, more)).toBe(
      '| [Price](https://x.example/a_%28b%29?b=1&c) | 40 |\n| --- | --- |',
    );
  });

  test.each([
    [
      'comments, without the name that repeats their author',
      relations(['c', 'comments', '../comments1.xml']),
      {
        'xl/comments1.xml':
          '<comments><authors><author>Ida</author></authors><commentList><comment ref="B1" authorId="0"><text><r><t>Ida:</t></r><r><t> by phone</t></r></text></comment></commentList></comments>',
      },
      'Comment on B1 by Ida: by phone',
    ],
    [
      'comments that were answered, in place of their copies',
      relations(['c', 'comments', '../comments1.xml'], ['t', 'threadedComment', '../threaded1.xml']),
      {
        'xl/comments1.xml':
          '<comments><authors/><commentList><comment ref="B1"><text><t>[Threaded comment] Your version</t></text></comment></commentList></comments>',
        'xl/threaded1.xml':
          '<ThreadedComments><threadedComment ref="B1" personId="{1}"><text>Is it net?</text></threadedComment></ThreadedComments>',
        'xl/persons/person.xml': '<personList><person displayName="Kim" id="{1}"/></personList>',
      },
      'Comment on B1 by Kim: Is it net?',
    ],
    [
      'text boxes that are not hidden, and comments of one part once',
      relations(
        ['d', 'drawing', '../drawings/d.xml'],
        ['c', 'comments', '../c.xml'],
        ['e', 'comments', '../c.xml'],
      ),
      {
        'xl/drawings/d.xml':
          '<wsDr><sp><nvSpPr><cNvPr hidden="1"/></nvSpPr><txBody><p><r><t>SECRET</t></r></p></txBody></sp><sp><txBody><p><r><t>A box</t></r></p></txBody></sp></wsDr>',
        'xl/c.xml':
          '<comments><commentList><comment ref="B1"><text><t>net</t></text></comment></commentList></comments>',
      },
      'A box\n\nComment on B1: net',
    ],
    [
      'text boxes and charts',
      relations(['d', 'drawing', '../drawings/d.xml']),
      {
        'xl/drawings/d.xml':
          '<wsDr xmlns:r="r"><sp><txBody><p><r><t>A box</t></r></p></txBody></sp><graphicFrame><chart r:id="h"/></graphicFrame></wsDr>',
        'xl/drawings/_rels/d.xml.rels': `<Relationships><Relationship Id="h" Type="${R}/chart" Target="../charts/c.xml"/></Relationships>`,
        'xl/charts/c.xml': CHART,
      },
      'A box\n\nHoney\n\n|  | East | West |\n| --- | --- | --- |\n| 2024 | 12.5 |  |\n| 2025 |  | 9 |',
    ],
  ])('%s', async (_name, related, parts, expected) => {
    expect(await markdownOf({ A: price }, { ...related, ...parts })).toBe(`${HEAD}\n\n${expected}`);
  });
});
