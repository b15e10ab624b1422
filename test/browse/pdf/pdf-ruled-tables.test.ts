import { expect, test } from 'vitest';
import { readPdf } from '../../../src/browse/readers/pdf/pdf.ts';
import { withRuledRows } from '../../../src/browse/readers/pdf/pdf-ruled-tables.ts';
import type { RuledGrid } from '../../../src/browse/readers/pdf/pdf-rules.ts';
import type { PdfRun } from '../../../src/browse/readers/pdf/runs/pdf-run.ts';
import { drawnPdf, fullLines, lines, table, text, widthOf } from '../../helpers/drawn-pdf.ts';
import { seeded } from '../../helpers/vectors.ts';

/** Tables whose cells are told by their rules: how the rules are drawn, and the order of the texts, makes no difference. */

const HEIGHT = 20;
type Cell = readonly [row: number, column: number, words: string, down?: number];

const rule = (x1: number, y1: number, x2: number, y2: number) => `${x1} ${y1} m ${x2} ${y2} l S\n`;

/** Draws the rules around cells. `left` names rules that are left out: `h` or `v`, the number of the rule, and the cell along it. */
function grid(xs: readonly number[], ys: readonly number[], left: readonly string[] = []): string {
  const x = (at: number) => xs[at] ?? 0;
  const y = (at: number) => ys[at] ?? 0;
  const level = ys.flatMap((_, row) =>
    xs
      .slice(1)
      .map((__, at) => (left.includes(`h${row},${at}`) ? '' : rule(x(at), y(row), x(at + 1), y(row)))),
  );
  const upright = xs.flatMap((_, column) =>
    ys
      .slice(1)
      .map((__, at) =>
        left.includes(`v${column},${at}`) ? '' : rule(x(column), y(at), x(column), y(at + 1)),
      ),
  );
  return `0.5 w ${[...level, ...upright].join('')}`;
}

function cells(xs: readonly number[], ys: readonly number[], all: readonly Cell[], size = 10): string {
  return all
    .map(([row, column, words, down = 0]) =>
      text((xs[column] ?? 0) + 4, (ys[row] ?? 0) - 14 - down, words, size),
    )
    .join('');
}

async function read(drawing: string, more = {}): Promise<string> {
  return (await readPdf(drawnPdf(drawing, more), 'a.pdf')).markdown;
}

const TABLES = [
  [
    ['Plant', 'Gas'],
    ['North', 'NOx'],
  ],
  [
    ['Rule', 'Meaning'],
    ['Quiet hours', 'No hammering after nine'],
    ['Open gate', 'The last one closes it'],
  ],
  [
    ['Name', 'Duty', 'Room'],
    ['Ann Oak', 'Keeps the key', 'North loft'],
    ['Bob Elm', 'Opens the gate', 'South loft'],
  ],
];

test.each(['lines', 'frames', 'bars', 'inner lines'])(
  'a table is read whose rules are drawn as %s',
  async (how) => {
    for (const all of TABLES) {
      for (const size of [8, 12]) {
        const xs = [60];
        for (const column of (all[0] ?? []).keys())
          xs.push((xs.at(-1) ?? 0) + Math.max(...all.map((row) => widthOf(row[column] ?? '', size))) + 12);
        const ys = [...all.keys(), all.length].map((row) => 640 - row * HEIGHT);
        const [right, bottom] = [xs.at(-1) ?? 0, ys.at(-1) ?? 0];
        const outer = how === 'inner lines' ? 1 : 0;
        const inner = (values: readonly number[]) => values.slice(outer, values.length - outer);
        const rules = {
          frames: xs
            .slice(1)
            .flatMap((x, at) =>
              ys.slice(1).map((y) => `${xs[at]} ${y} ${x - (xs[at] ?? 0)} ${HEIGHT} re S\n`),
            ),
          bars: [
            ...ys.map((y) => `60 ${y} ${right - 60} 0.5 re f\n`),
            ...xs.map((x) => `${x} ${bottom} 0.5 ${640 - bottom} re f\n`),
          ],
        }[how] ?? [
          ...inner(ys).map((y) => rule(60, y, right, y)),
          ...inner(xs).map((x) => rule(x, 640, x, bottom)),
        ];
        const drawn = all.flatMap((row, at) => row.map((words, column): Cell => [at, column, words]));
        const byColumn = drawn.toSorted((one, other) => one[1] - other[1]);
        for (const order of how === 'inner lines' && all.length < 3 ? [] : [drawn, byColumn]) {
          const page = rules.join('') + cells(xs, ys, order, size) + lines(60, 760, fullLines('yard'));
          expect(await read(page)).toContain(`\n\n${table(all)}`);
        }
      }
    }
  },
);

const [XS, YS] = [
  [60, 180, 300, 420],
  [700, 680, 660, 640, 620],
] as const;
const HEAD: Cell[] = [
  [0, 0, 'Place'],
  [0, 1, 'Item'],
  [0, 2, 'Cost'],
];

test.each<[string, readonly string[], readonly Cell[], readonly (readonly string[])[]]>([
  [
    'a cell over two rows',
    ['h2,0'],
    [...HEAD, [1, 0, 'North'], [1, 1, 'Rope'], [1, 2, '12'], [2, 1, 'Tar'], [2, 2, '5'], [3, 0, 'South']],
    [
      ['Place', 'Item', 'Cost'],
      ['North', 'Rope', '12'],
      ['', 'Tar', '5'],
      ['South', '', ''],
    ],
  ],
  [
    'a name over two columns',
    ['v2,0'],
    [
      [0, 0, 'Place'],
      [0, 1, 'Costs of the goods'],
      [1, 1, 'Rope'],
      [1, 2, 'Tar'],
      [2, 0, 'North'],
      [2, 1, '12'],
      [2, 2, '5'],
    ],
    [
      ['Place', 'Costs of the goods', ''],
      ['', 'Rope', 'Tar'],
      ['North', '12', '5'],
    ],
  ],
  [
    'empty cells',
    [],
    [...HEAD, [1, 0, 'North'], [2, 2, '5'], [3, 1, 'Lamp']],
    [
      ['Place', 'Item', 'Cost'],
      ['North', '', ''],
      ['', '', '5'],
      ['', 'Lamp', ''],
    ],
  ],
  [
    'a title over the whole table',
    ['v1,0', 'v2,0'],
    [
      [0, 0, 'Costs of the year'],
      [1, 0, 'Place'],
      [1, 1, 'Item'],
      [1, 2, 'Cost'],
      [2, 0, 'North'],
      [2, 1, 'Rope'],
      [2, 2, '12'],
    ],
    [
      ['Place', 'Item', 'Cost'],
      ['North', 'Rope', '12'],
    ],
  ],
])('a ruled table keeps %s', async (_, left, all, expected) => {
  expect(await read(grid(XS, YS, left) + cells(XS, YS, all))).toContain(table(expected));
});

test('lines of a cell are joined, also where a word is divided or the cell is higher than its neighbours', async () => {
  const ys = [700, 680, 646, 612];
  const all: Cell[] = [
    ...HEAD,
    [1, 0, 'The compen-'],
    [1, 0, 'sation', 12],
    [1, 1, 'Rope', 6],
    [2, 0, 'South', 6],
    [2, 1, 'Lamp'],
    [2, 1, 'and hook', 12],
    [2, 2, '3', 6],
  ];
  expect(await read(grid(XS, ys) + cells(XS, ys, all))).toBe(
    table([
      ['Place', 'Item', 'Cost'],
      ['The compensation', 'Rope', ''],
      ['South', 'Lamp and hook', '3'],
    ]),
  );
});

test('texts that touch or overlap the next cell stay in their own cells', async () => {
  const [xs, ys] = [
    [60, 125, 165, 220],
    [700, 680, 660, 640],
  ];
  const all: Cell[] = [
    [0, 0, 'Regione'],
    [0, 1, 'Sigla'],
    [0, 2, 'Numero'],
    [1, 0, 'Emilia Romagna'],
    [1, 1, 'Items of'],
    [1, 2, '12'],
    [2, 0, 'Toscana'],
    [2, 1, 'Pisa'],
    [2, 2, '7'],
  ];
  expect(await read(grid(xs, ys) + cells(xs, ys, all, 9.2))).toBe(
    table([
      ['Regione', 'Sigla', 'Numero'],
      ['Emilia Romagna', 'Items of', '12'],
      ['Toscana', 'Pisa', '7'],
    ]),
  );
});

test('two ruled tables side by side are two tables, and a link in a cell is kept', async () => {
  const ys = [680, 660, 640];
  const [left, right] = [
    [50, 130, 210],
    [300, 380, 460],
  ];
  const drawing =
    grid(left, ys) +
    cells(left, ys, [
      [0, 0, 'Item'],
      [0, 1, 'Cost'],
      [1, 0, 'Rope'],
      [1, 1, '12'],
    ]) +
    grid(right, ys) +
    cells(right, ys, [
      [0, 0, 'Day'],
      [0, 1, 'Tide'],
      [1, 0, 'Monday'],
      [1, 1, 'plan'],
    ]);
  const page =
    '/Annots [<< /Type /Annot /Subtype /Link /Rect [380 640 459 658] /A << /S /URI /URI (https://q.example/plan) >> >>]';
  const tables = [
    [
      ['Item', 'Cost'],
      ['Rope', '12'],
    ],
    [
      ['Day', 'Tide'],
      ['Monday', '[plan](https://q.example/plan)'],
    ],
  ];
  expect(await read(drawing, { page })).toBe(tables.map(table).join('\n\n'));
});

test('the table of a turned page is read by its turned rules', async () => {
  const words = [
    ['Item', 'Cost'],
    ['Rope', '12'],
  ];
  const drawn = words.flatMap((row, at) =>
    row.map(
      (one, column) => `BT /F1 10 Tf 0 1 -1 0 ${114 + 20 * at} ${104 + 80 * column} Tm (${one}) Tj ET\n`,
    ),
  );
  const rules =
    [100, 120, 140].map((x) => rule(x, 100, x, 260)) +
    [100, 180, 260].map((y) => rule(100, y, 140, y)).join('');
  expect(await read(drawn.join('') + rules.replaceAll(',', ''))).toBe(table(words));
});

test('the lines of a plot, of frames and of a diagram make no table', async () => {
  const plot =
    grid([100, 150, 200, 250, 300], [700, 670, 640, 610]) +
    [0, 10, 20].map((value, at) => text(80, 607 + 30 * at, String(value), 8)).join('') +
    text(110, 680, 'Sum of all', 8);
  const frame = `40 400 520 380 re S ${rule(40, 740, 560, 740)}${rule(300, 740, 300, 400)}`;
  const prose = ['north', 'south'].map((subject, at) =>
    lines(
      50 + 260 * at,
      720,
      fullLines(subject, 20).map((line) => line.slice(0, 48)),
    ),
  );
  const diagram = `50 700 100 30 re S 250 700 100 30 re S ${rule(150, 715, 250, 715)}${rule(100, 700, 100, 650)}50 620 100 30 re S `;
  const words = text(60, 712, 'Start') + text(260, 712, 'Read file') + text(60, 632, 'Stop here');
  for (const drawing of [plot, frame + text(60, 750, 'Quay', 18) + prose.join(''), diagram + words]) {
    expect(await read(drawing)).not.toContain('| --- |');
  }
});

interface RandomTable {
  readonly rules: string;
  readonly grid: RuledGrid;
  readonly runs: PdfRun[];
  readonly words: string[];
}

/** Makes a random table whose rules may lack parts, and whose texts may go over them on any side. Each word occurs once. */
function randomTable(next: () => number): RandomTable {
  const below = (most: number) => Math.floor(next() * most);
  const places = (first: number, count: number, step: () => number) =>
    Array.from({ length: count }).reduce<number[]>((all) => [...all, (all.at(-1) ?? 0) + step()], [first]);
  const [xs, ys] = [
    places(60, 2 + below(4), () => 30 + below(60)),
    places(750, 2 + below(6), () => -16 - below(50)),
  ];
  const words: string[] = [];
  const word = () => {
    const letter = () => 'abcdefghijklmnop'[below(16)] ?? '';
    const number = String(words.length).replace(/\d/g, (digit) => 'rstuvwxykl'[Number(digit)] ?? '');
    words.push(`${letter()}${letter()}q${number}z`);
    return words.at(-1) ?? '';
  };
  const [left, regions] = [[] as string[], [] as number[][]];
  for (const row of ys.slice(1).keys()) {
    const cellsOfRow: number[] = [];
    regions.push(cellsOfRow);
    for (const column of xs.slice(1).keys()) {
      const isMerged = column > 0 && next() < 0.1;
      if (isMerged) left.push(`v${column},${row}`);
      cellsOfRow.push(isMerged ? (cellsOfRow.at(-1) ?? 0) : row * xs.length + column);
    }
  }
  const runs: PdfRun[] = [];
  for (const [row, y] of ys.entries()) {
    const lines = 1 + ((y - (ys[row + 1] ?? y - 20)) >> 4);
    for (const x of xs) {
      for (let line = next() < 0.2 ? lines : below(lines); line < lines; line++) {
        const written = Array.from({ length: 1 + below(next() < 0.2 ? 5 : 2) }, word).join(' ');
        const from = next() < 0.8 ? 4 : below(80) - 50;
        runs.push({ text: written, x: x + from, y: y - 12 - 13 * line, width: widthOf(written), size: 10 });
      }
    }
  }
  return { rules: grid(xs, ys, left), grid: { xs, ys, regions }, runs, words };
}

const wordsOf = (written: string) => (written.match(/[a-p]{2}q[k-y]+z/g) ?? []).toSorted();

test('each word of a page is in exactly one cell of a ruled table, or stays where it was', () => {
  const next = seeded(7);
  let ruled = 0;
  for (let at = 0; at < 500; at++) {
    const { grid: made, runs, words } = randomTable(next);
    const read = withRuledRows(runs, [made], 842);
    const texts = read.map(({ text: written, row }) => row?.cells.join(' ') ?? written);
    expect(wordsOf(texts.join(' ')), `table ${at}`).toEqual(words.toSorted());
    if (read !== runs) ruled++;
  }
  expect(ruled).toBeGreaterThan(150);
});

test('each word of a page is read, with rules as without', async () => {
  const next = seeded(11);
  let ruled = 0;
  for (let at = 0; at < 60; at++) {
    const { rules, runs, words } = randomTable(next);
    const texts = runs.map(({ text: written, x, y }) => text(x, y, written)).join('');
    for (const drawing of [texts, rules + texts]) {
      const markdown = await read(drawing);
      // A name over several columns is repeated in a table without rules.
      expect([...new Set(wordsOf(markdown))], `table ${at}`).toEqual(words.toSorted());
      if (drawing !== texts && markdown.includes('| --- |')) ruled++;
    }
  }
  expect(ruled).toBeGreaterThan(20);
});

test('a text that goes beyond an edge of a table is whole', async () => {
  const long = 'A long value that goes far beyond the right edge of the table';
  const [xs, ys] = [
    [50, 250, 450],
    [700, 680, 660],
  ];
  const right: Cell[] = [
    [0, 0, 'Name'],
    [0, 1, 'Value'],
    [1, 0, 'Row'],
    [1, 1, long],
  ];
  expect(await read(grid(xs, ys) + cells(xs, ys, right))).toBe(
    table([
      ['Name', 'Value'],
      ['Row', long],
    ]),
  );
  expect(
    await read(
      grid([250, 350, 450], ys) +
        text(170, 666, 'Words before the first rule') +
        text(360, 686, 'Value') +
        text(260, 686, 'Name') +
        text(360, 666, '12'),
    ),
  ).toContain('Words before the first rule');
});

const LISTS = [
  ['dates and amounts', (at: number) => [`2026-01-0${at + 1}`, `${at}.50`]],
  ['names and amounts', (at: number) => [`Product ${at}`, `EUR ${at}.50`]],
  ['names and units', (at: number) => [['Ann', 'Bob', 'Cid', 'Dan'][at] ?? '', `${at + 1}0 EUR`]],
  [
    'words',
    (at: number) => [['Ann', 'Bob', 'Cid', 'Dan'][at] ?? '', ['Rome', 'Oslo', 'Bern', 'Kiel'][at] ?? ''],
  ],
  [
    'small words',
    (at: number) => [['rope', 'tar', 'lamp', 'hook'][at] ?? '', ['loft', 'quay', 'shed', 'barn'][at] ?? ''],
  ],
] as const;

test.each(LISTS)('rows of %s without rules between them stay rows', async (_, rowOf) => {
  for (const right of [400, 250]) {
    const [xs, ys] = [
      [60, (60 + right) / 2, right],
      [700, 680, 600],
    ];
    const body = [0, 1, 2, 3].map(rowOf);
    const all = body.flatMap((row, at) => row.map((words, column): Cell => [1, column, words, 14 * at]));
    const drawing = grid(xs, ys) + cells(xs, ys, [[0, 0, 'Name'], [0, 1, 'Worth'], ...all]);
    expect(await read(drawing)).toBe(table([['Name', 'Worth'], ...body]));
  }
});

test('a text below a row without rules belongs to the row above it', async () => {
  const [xs, ys] = [
    [60, 240, 420],
    [700, 680, 580],
  ];
  const body = Array.from({ length: 6 }, (_, at) => [`Product ${at}`, `EUR ${at}.50`]);
  const all = body.flatMap((row, at) =>
    row.map((words, column): Cell => [1, column, words, 13 * (at + (at > 2 ? 1 : 0))]),
  );
  const drawing =
    grid(xs, ys) + cells(xs, ys, [[0, 0, 'Name'], [0, 1, 'Price'], ...all, [1, 0, 'with a lid', 39]]);
  const expected = body.with(2, ['Product 2 with a lid', 'EUR 2.50']);
  expect(await read(drawing)).toBe(table([['Name', 'Price'], ...expected]));
});

test('texts that fill their cells stay in one row, also if the cells have the same number of lines', async () => {
  const [xs, ys] = [
    [60, 130, 215],
    [700, 660, 620, 580],
  ];
  const all: Cell[] = [
    [0, 0, 'Length'],
    [0, 0, '(metres)', 12],
    [0, 1, 'Duty'],
    [0, 1, '(in the yard)', 12],
    [1, 0, 'Twelve and a'],
    [1, 0, 'half in spring', 12],
    [1, 1, 'Keeps the keys'],
    [1, 1, 'of all the gates', 12],
    [2, 0, 'Four'],
    [2, 1, 'Opens the gate'],
    [2, 1, 'each morning', 12],
  ];
  expect(await read(grid(xs, ys) + cells(xs, ys, all))).toBe(
    table([
      ['Length (metres)', 'Duty (in the yard)'],
      ['Twelve and a half in spring', 'Keeps the keys of all the gates'],
      ['Four', 'Opens the gate each morning'],
    ]),
  );
});

test('frames around a page or around columns of running text are no tables', async () => {
  for (const [bottom, count, letters] of [
    [60, 20, 20],
    [600, 9, 46],
  ] as const) {
    const columns = [46, 306].map((x, at) =>
      lines(
        x,
        700,
        fullLines(['north', 'south'][at] ?? '', count).map((line) => line.slice(0, letters)),
        letters < 40 ? 14 : 10,
      ),
    );
    const heads =
      text(60, 730, 'Left part') + text(320, 730, 'Right part') + text(60, 40, 'Sum') + text(320, 40, '12');
    const drawing = heads + columns.join('');
    expect(await read(grid([40, 300, 570], [750, 720, bottom]) + drawing)).toBe(await read(drawing));
  }
});

/** Makes a grid without merged cells, and runs of one letter in each of its cells. */
function letters(rows: number, columns: number, height: number, count: number) {
  const xs = Array.from({ length: columns + 1 }, (_, at) => 110 * at);
  const ys = Array.from({ length: rows + 1 }, (_, at) => height * (rows - at));
  const regions = Array.from({ length: rows }, (_, row) => xs.slice(1).map((__, at) => row * columns + at));
  const runs = regions.flat().flatMap((region) =>
    Array.from({ length: count }, (_, at) => ({
      text: 'a',
      x: 110 * (region % columns) + 2 + 2 * (at % 50),
      y: height * (rows - Math.floor(region / columns)) - 4 - 4 * Math.floor(at / 50),
      width: 1.9,
      size: 3,
    })),
  );
  return { grids: [{ xs, ys, regions }], runs };
}

test('a grid with more text than a page has is not read as a table', () => {
  const [few, many] = [letters(8, 4, 30, 250), letters(8, 6, 30, 250)];
  expect(withRuledRows(few.runs, few.grids, 842)).toHaveLength(8);
  expect(withRuledRows(many.runs, many.grids, 842)).toBe(many.runs);
});

test('the work for a run does not grow with the number of rows', () => {
  let reads = 0;
  const { grids, runs } = letters(1200, 2, 6, 1);
  const counted = runs.map(({ y, ...run }) => ({
    ...run,
    get y() {
      reads++;
      return y;
    },
  }));
  expect(withRuledRows(counted, grids, 9000)).toHaveLength(1200);
  expect(reads).toBeLessThan(100 * runs.length);
});
