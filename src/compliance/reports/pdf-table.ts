import { BOTTOM, FONT_SIZE, INK, INNER, LINE, MARGIN, type Sheet, SOFT } from './pdf-sheet.ts';

export type Cell = string | { readonly words: string; readonly colour: string };

/** Columns with their share of the width in percent. */
export type Columns = readonly (readonly [name: string, width: number])[];

/** Maximum length of a cell, so that a row fits on a page. */
const MAX_CELL_CHARACTERS = 1200;

type RowKind = 'head' | 'group' | 'body';

interface DrawnCell {
  readonly text: string;
  readonly colour: string;
  readonly width: number;
}

export function drawTable(sheet: Sheet, columns: Columns, rows: readonly (readonly Cell[])[]): void {
  const { doc } = sheet;
  const heads = columns.map(([name]) => name);
  const table = doc.struct('Table');
  doc.addStructure(table);

  const setFontOf = (kind: RowKind) =>
    doc.font(kind === 'body' ? 'Helvetica' : 'Helvetica-Bold').fontSize(FONT_SIZE);
  const heightOfRow = (cells: readonly DrawnCell[]) =>
    Math.max(...cells.map(({ text, width }) => heightOf(sheet, text, width))) + 6;
  const isGroup = (row: readonly Cell[] = []) => row.length === 1 && columns.length > 1;
  const heightBelow = (row: readonly Cell[]) => {
    setFontOf('body');
    return heightOfRow(cellsOf(sheet, columns, row, 'body'));
  };

  const drawRow = (row: readonly Cell[], kind: RowKind, next: readonly (readonly Cell[])[] = []) => {
    const cells = cellsOf(sheet, columns, row, kind);
    const below = next.reduce((sum, one) => sum + heightBelow(one), 0);
    const setFont = () => setFontOf(kind);
    setFont();
    const height = heightOfRow(cells);
    if (doc.y + height + below > BOTTOM) {
      doc.addPage();
      if (kind !== 'head') drawRow(heads, 'head');
      setFont();
    }
    const { y } = doc;
    drawCells(sheet, table, cells, kind);
    endRow(sheet, y + height);
  };

  // The head stays with the first group, and a group's name with its first row.
  drawRow(heads, 'head', rows.slice(0, isGroup(rows[0]) ? 2 : 1));
  rows.forEach((row, at) => {
    drawRow(row, isGroup(row) ? 'group' : 'body', isGroup(row) ? rows.slice(at + 1, at + 2) : []);
  });
  table.end();
  doc.moveDown(0.8);
}

function cellsOf(
  { write }: Sheet,
  columns: Columns,
  row: readonly Cell[],
  kind: RowKind,
): readonly DrawnCell[] {
  return row.map((cell, at) => {
    const { words, colour } = typeof cell === 'string' ? { words: cell, colour: INK } : cell;
    const text = write(words.slice(0, MAX_CELL_CHARACTERS));
    if (kind === 'group') return { text, colour: SOFT, width: INNER };
    return { text, colour, width: (INNER * (columns[at]?.[1] ?? 0)) / 100 };
  });
}

function heightOf({ doc }: Sheet, text: string, width: number): number {
  return doc.heightOfString(text, { width: width - 6 });
}

function drawCells(
  { doc }: Sheet,
  table: PDFKit.PDFStructureElement,
  cells: readonly DrawnCell[],
  kind: RowKind,
): void {
  const { y } = doc;
  const row = doc.struct('TR');
  // Must come first, since cells added to a row are drawn at once only if the row is in the table.
  table.add(row);
  let x = MARGIN;
  for (const { text, colour, width } of cells) {
    const left = x;
    const draw = () => doc.fillColor(colour).text(text, left, y + 3, { width: width - 6 });
    row.add(doc.struct(kind === 'body' ? 'TD' : 'TH', {}, draw));
    x += width;
  }
  row.end();
}

/** Draws a line at `y`, below which the next row begins. */
function endRow({ doc, artifact }: Sheet, y: number): void {
  artifact(() =>
    doc
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + INNER, y)
      .lineWidth(0.4)
      .stroke(LINE),
  );
  doc.x = MARGIN;
  doc.y = y;
}
