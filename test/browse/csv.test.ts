import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertCsvToMarkdown } from '../../src/browse/readers/csv.ts';

const rowsOf = (text: string) =>
  convertCsvToMarkdown(text)
    .split('\n')
    .filter((_, at) => at !== 1)
    .map((line) =>
      line
        .replace(/^\| | \|$/g, '')
        .split(' | ')
        .map((cell) => cell.replace(/\\([!-/:-@[-`{-~])/g, '$1')),
    );

test.each<[string, string, string[][]]>([
  [
    'a semicolon that is declared',
    'sep=;\nName;Preis\nRuder;12,50',
    [
      ['Name', 'Preis'],
      ['Ruder', '12,50'],
    ],
  ],
  [
    'a quoted declaration with a byte order mark',
    '\ufeff"sep=,"\r\na,b\r\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a declared tab',
    'SEP=\t\r\na\tb\r\n1\t2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a column that is called so',
    'sep=x,b\n1,2',
    [
      ['sep=x', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'commas in numbers',
    'Name;Preis\nRuder;12,50\nSeil;3,20',
    [
      ['Name', 'Preis'],
      ['Ruder', '12,50'],
      ['Seil', '3,20'],
    ],
  ],
  [
    'a comma in the first row alone',
    'Preis, EUR;Menge\n1,50;2\n3;4',
    [
      ['Preis, EUR', 'Menge'],
      ['1,50', '2'],
      ['3', '4'],
    ],
  ],
  [
    'semicolons in some values',
    'name,note\nAda,x;y;z\nBob,a',
    [
      ['name', 'note'],
      ['Ada', 'x;y;z'],
      ['Bob', 'a'],
    ],
  ],
  [
    'commas in the last values',
    'person,likes\nAnn,apples, pears, plums\nBob,figs, dates, limes',
    [
      ['person', 'likes', '', ''],
      ['Ann', 'apples', 'pears', 'plums'],
      ['Bob', 'figs', 'dates', 'limes'],
    ],
  ],
  [
    'line breaks in quotes',
    '"a\nb",c\n1,2',
    [
      ['a<br>b', 'c'],
      ['1', '2'],
    ],
  ],
  [
    'blanks before quotes',
    'a, "b, c", d\n1, "2, 3", 4',
    [
      ['a', 'b, c', 'd'],
      ['1', '2, 3', '4'],
    ],
  ],
  [
    'a blank after a quotation mark, as in cpython 97611',
    'Surname;Name;Year\n"\tDoe;Jane"\t;1971\nRoe;X;1980',
    [
      ['Surname', 'Name', 'Year'],
      ['Doe;Jane', '1971', ''],
      ['Roe', 'X', '1980'],
    ],
  ],
  [
    'quotation marks after backslashes, as MySQL writes them',
    'a,b\n"x \\"y\\" z",2',
    [
      ['a', 'b'],
      ['x "y" z', '2'],
    ],
  ],
  [
    'backslashes at the end of values',
    'a,b\n"C:\\dir\\",2',
    [
      ['a', 'b'],
      ['C:\\dir\\', '2'],
    ],
  ],
  [
    'a path that ends in a backslash, without a last line break',
    'name,path\na,"Smith, John"\nb,"Line 1\nLine 2"\nc,"D:\\x\\"',
    [
      ['name', 'path'],
      ['a', 'Smith, John'],
      ['b', 'Line 1<br>Line 2'],
      ['c', 'D:\\x\\'],
    ],
  ],
  [
    'a path that ends in a backslash beside an escaped quotation mark',
    'name,path\nb,"D:\\x\\"\nc,say \\"hi\nd,"a, b"',
    [
      ['name', 'path'],
      ['b', 'D:\\x\\'],
      ['c', 'say \\"hi'],
      ['d', 'a, b'],
    ],
  ],
  [
    'a backslash before another letter beside an escaped quotation mark',
    'id,re\n1,"a\\n"\n2,say \\"hi\n3,"\\d \\"x\\""',
    [
      ['id', 're'],
      ['1', 'a\\n'],
      ['2', 'say \\"hi'],
      ['3', '\\d "x"'],
    ],
  ],
  [
    'empty cells between tabs',
    'a\t\tc\n\t1\t2',
    [
      ['a', '', 'c'],
      ['', '1', '2'],
    ],
  ],
  [
    'an opening quotation mark in one row and an inch mark in the next',
    'no\tname\tprice\n1\t"3/8 hose\t129\n2\tScreen 27" with foot\t2495',
    [
      ['no', 'name', 'price'],
      ['1', '"3/8 hose', '129'],
      ['2', 'Screen 27" with foot', '2495'],
    ],
  ],
])('a table with %s', (_name, text, rows) => {
  expect(rowsOf(text).map((row) => row.map((cell) => cell.trim()))).toEqual(rows);
});

test('lines of words above a table stand above it, and nothing is cut at decimal commas', () => {
  const table =
    '| Day | Amount | Text | Sum |\n| --- | --- | --- | --- |\n| 30.03. | -1250,50 | Bread; milk | 2,00 |';
  const rows = 'Day;Amount;Text;Sum\r\n30.03.;-1250,50;"Bread; milk";2,00\r\n';
  const heads = ['Report', '# Statement, 1 page\r\nPeriod: 1.3.-31.3.', 'IBAN;DE12\r\nBank;Quay & Co'];
  const words = ['Report', '\\# Statement, 1 page\n\nPeriod: 1.3.-31.3.', 'IBAN DE12\n\nBank Quay & Co'];
  for (const [at, head] of heads.entries())
    expect(convertCsvToMarkdown(`${head}\r\n${rows}31.03.;1,00;;3,00`)).toBe(
      `${words[at]}\n\n${table}\n| 31.03. | 1,00 |  | 3,00 |`,
    );
});

test('a comma in each row, as dates have, is no delimiter beside a more frequent one', () => {
  const row = fc.tuple(fc.nat(30), fc.nat(9999));
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 4, maxLength: 9 }),
      fc.constantFrom(';', '|'),
      (rows, delimiter) => {
        const cells = rows.map(([day, number]) => [`April ${day}, 2023`, `${number}`, '4.00', 'x']);
        // The last row lacks its end, as where a program leaves out empty cells.
        const text = cells.map((one, at) => one.slice(0, at === cells.length - 1 ? 3 : 4).join(delimiter));
        expect(rowsOf(text.join('\n')).map((one) => one.slice(0, 3))).toEqual(
          cells.map((one) => one.slice(0, 3)),
        );
      },
    ),
    { seed: 38, numRuns: 200 },
  );
});

test('quotation marks that enclose no cell leave each row as it is', () => {
  const cell = fc.tuple(
    fc.constantFrom('', '"'),
    fc.constantFrom('hose', 'foot 2', 'wide'),
    fc.constantFrom('', '" x', '"x'),
  );
  const row = fc.array(
    cell.map((parts) => parts.join('')),
    { minLength: 3, maxLength: 3 },
  );
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 2, maxLength: 6 }),
      fc.constantFrom(',', ';', '\t'),
      (rows, delimiter) => {
        const lines = [['a', 'b', 'c'], ...rows].map((cells) => cells.join(delimiter));
        expect(rowsOf(lines.join('\n'))).toEqual([['a', 'b', 'c'], ...rows]);
      },
    ),
    { seed: 40, numRuns: 300 },
  );
});

test('any cells come back from any delimiter', () => {
  const cell = fc
    .string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'ab1.,;\t"') })
    .map((text) => `x${text}x`);
  const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(table, fc.constantFrom(',', ';', '\t'), (rows, delimiter) => {
      const text = rows
        .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(delimiter))
        .join('\n');
      expect(rowsOf(text)).toEqual(rows.map((row) => row.map((one) => one.replace(/\s+/g, ' '))));
    }),
    { seed: 38, numRuns: 200 },
  );
});
