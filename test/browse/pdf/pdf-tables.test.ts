import PDFDocument from 'pdfkit';
import { expect, test } from 'vitest';
import { createFileReader } from '../../../src/browse/reading/file-reader.ts';
import { sharedReaders } from '../../helpers/shared-readers.ts';

/** Tables of PDF files, as pdfkit sets them: rows stay rows, and cells stay in their columns. */

const desk = sharedReaders();
const reader = createFileReader(desk);

async function read(draw: (document: PDFKit.PDFDocument) => void): Promise<string> {
  const document = new PDFDocument({ margin: 50 });
  document.fontSize(10);
  draw(document);
  document.end();
  const file = new Uint8Array(Buffer.concat(await document.toArray()));
  const signal = new AbortController().signal;
  return (await reader.read({ file, name: 'a.pdf', signal })).pages.join('\n\n');
}

interface Grid {
  readonly rows: readonly (readonly string[])[];
  readonly widths: readonly number[];
  readonly height: number;
  readonly ruled?: boolean;
}

function grid(
  document: PDFKit.PDFDocument,
  top: number,
  { rows, widths, height, ruled = false }: Grid,
): void {
  for (const [at, row] of rows.entries()) {
    let x = 50;
    for (const [column, text] of row.entries()) {
      const width = widths[column] ?? 0;
      if (ruled) document.rect(x, top + at * height, width, height).stroke();
      document.text(text, x + 4, top + at * height + 4, { width: width - 8 });
      x += width;
    }
  }
}

const MILLS = [
  ['Mill', 'Place', 'Sacks a day', 'Notes'],
  ['Woodbridge', 'Suffolk', '42', ''],
  ['Eling', 'Hampshire', '38', 'rebuilt in 1785 after the storm broke its dam'],
  ['Carew', 'Pembroke', '', 'closed'],
  ['Total', '', '80', ''],
];
const markdown = (rows: readonly (readonly string[])[]) =>
  rows
    .map((row) => `| ${row.join(' | ')} |`)
    .toSpliced(1, 0, `|${' --- |'.repeat(rows[0]?.length ?? 0)}`)
    .join('\n');

test('a ruled table keeps its empty cells and its cells of several lines, and the prose around it stays separate', async () => {
  const text = await read((document) => {
    document.text('Before the table, a paragraph.', 50, 60);
    grid(document, 100, { rows: MILLS, widths: [100, 100, 80, 150], height: 40, ruled: true });
    document.text('After the table.', 50, 320);
  });
  expect(text).toBe(`Before the table, a paragraph.\n\n${markdown(MILLS)}\n\nAfter the table.`);
});

test('a table without rules keeps its empty cells', async () => {
  const rows = MILLS.map((row) => row.map((cell) => cell.slice(0, 12).trim()));
  const text = await read((document) =>
    grid(document, 100, { rows, widths: [110, 110, 90, 110], height: 16 }),
  );
  expect(text).toBe(markdown(rows));
});

test('right-aligned numbers are placed in their columns', async () => {
  const rows = [
    ['Year', 'Grain', 'Flour'],
    ['1785', '7', '12,400'],
    ['1786', '1,200', '8'],
    ['1787', '', '45'],
  ];
  const text = await read((document) => {
    for (const [at, row] of rows.entries()) {
      for (const [column, cell] of row.entries()) {
        document.text(cell, 50 + column * 120, 100 + at * 16, {
          width: 80,
          align: 'right',
          lineBreak: false,
        });
      }
    }
  });
  expect(text).toBe(markdown(rows));
});

test('prose, and a list whose numbers are set apart, are not tables', async () => {
  const text = await read((document) => {
    for (const [at, line] of ['One thing that is said', 'Another one', 'The last of them'].entries()) {
      document.text(
        `${line}, at some length, so that it goes over two lines of this column of text.`,
        50,
        100 + at * 60,
        {
          width: 220,
        },
      );
    }
  });
  expect(text).not.toContain('|');
});

test('a header of several lines, with names that span columns, is the header of the table', async () => {
  const text = await read((document) => {
    document.fontSize(16).text('Table 5', 50, 60);
    document.fontSize(10);
    const at = (y: number, ...cells: readonly (readonly [number, string])[]) => {
      for (const [x, word] of cells) document.text(word, x, y, { lineBreak: false });
    };
    at(100, [60, 'Mill'], [180, 'Sacks a day in the'], [320, 'Days']);
    at(112, [180, 'spring'], [240, 'autumn'], [320, 'closed']);
    at(130, [60, 'Woodbridge'], [180, '4,200,000'], [240, '3,900'], [320, '12']);
    at(144, [60, 'Eling'], [180, '38'], [240, '35'], [320, '7']);
    at(158, [60, 'Carew'], [180, '11'], [240, '9'], [320, '31']);
  });
  expect(text).toContain(
    markdown([
      ['Mill', 'Sacks a day in the spring', 'Sacks a day in the autumn', 'Days closed'],
      ['Woodbridge', '4,200,000', '3,900', '12'],
      ['Eling', '38', '35', '7'],
      ['Carew', '11', '9', '31'],
    ]),
  );
  expect(text).toMatch(/^#* ?Table 5\n\n\|/);
});

test('cells that nearly touch are separated where the rows around them show a column', async () => {
  const text = await read((document) => {
    const rows = [
      ['Goa', '4,055', '330', '12'],
      ['Gujarat', '26,328,400', '12,664', '90'],
      ['Haryana', '15,156', '40', '31'],
    ];
    for (const [row, [name = '', ...numbers]] of rows.entries()) {
      document.text(name, 50, 100 + 14 * row, { lineBreak: false });
      for (const [column, number] of numbers.entries()) {
        const right = [200, 241, 300][column] ?? 0;
        document.text(number, right - document.widthOfString(number), 100 + 14 * row, { lineBreak: false });
      }
    }
  });
  expect(text).toBe(
    markdown([
      ['Goa', '4,055', '330', '12'],
      ['Gujarat', '26,328,400', '12,664', '90'],
      ['Haryana', '15,156', '40', '31'],
    ]),
  );
});

test('two columns stay a table around empty cells and cells of several lines', async () => {
  const all = [
    ['Name', 'What it is'],
    ['Rope', 'A thing to hold a boat with'],
    ['', 'when the wind blows.'],
    ['Tar', ''],
    ['Lamp', 'It gives light'],
  ];
  const draw = (rows: readonly (readonly string[])[]) =>
    read((document) => {
      for (const [row, cells] of rows.entries()) {
        for (const [column, cell] of cells.entries())
          document.text(cell, 50 + 150 * column, 100 + 20 * row, { lineBreak: false });
      }
    });
  expect(await draw(all)).toBe(markdown(all));
  expect(await draw(all.map(([name = '', text = ''], at) => [name && `${at}.`, text]))).not.toContain('|');
});
