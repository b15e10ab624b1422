import {
  INK,
  LINE,
  MARGIN,
  PDF_FONT_SIZE,
  PDF_TEXT_BOTTOM_PT,
  PDF_TEXT_WIDTH_PT,
  type PdfSheet,
  SOFT,
} from './pdf-sheet.ts';

export type TableCell = string | { readonly words: string; readonly colour: string };

/** Columns of a table. The widths are in percent. */
export type TableColumns = readonly (readonly [name: string, width: number])[];

const MAX_CELL_CHARACTERS = 1200;

type RowKind = 'head' | 'group' | 'body';

interface DrawnCell {
  readonly text: string;
  readonly colour: string;
  readonly width: number;
}

export function drawTable(sheet: PdfSheet, columns: TableColumns, rows: readonly (readonly TableCell[])[]) {
  const { doc } = sheet;
  const heads = columns.map(([name]) => name);
  const table = doc.struct('Table');
  doc.addStructure(table);

  const setFontOf = (kind: RowKind) =>
    doc.font(kind === 'body' ? 'Helvetica' : 'Helvetica-Bold').fontSize(PDF_FONT_SIZE);
  const heightOfRow = (cells: readonly DrawnCell[]) =>
    Math.max(...cells.map(({ text, width }) => sheet.doc.heightOfString(text, { width: width - 6 }))) + 6;
  const isGroup = (row: readonly TableCell[] = []) => row.length === 1 && columns.length > 1;
  const heightBelow = (row: readonly TableCell[]) => {
    setFontOf('body');
    return heightOfRow(cellsOf(sheet, columns, row, 'body'));
  };

  const drawRow = (
    row: readonly TableCell[],
    kind: RowKind,
    next: readonly (readonly TableCell[])[] = [],
  ) => {
    const cells = cellsOf(sheet, columns, row, kind);
    const below = next.reduce((sum, one) => sum + heightBelow(one), 0);
    const setFont = () => setFontOf(kind);
    setFont();
    const height = heightOfRow(cells);
    if (doc.y + height + below > PDF_TEXT_BOTTOM_PT) {
      doc.addPage();
      if (kind !== 'head') drawRow(heads, 'head');
      setFont();
    }
    const { y } = doc;
    drawCells(sheet, table, cells, kind);
    endRow(sheet, y + height);
  };

  // Keeps the table's head or a group's name on the same page as the next row.
  drawRow(heads, 'head', rows.slice(0, isGroup(rows[0]) ? 2 : 1));
  rows.forEach((row, at) => {
    drawRow(row, isGroup(row) ? 'group' : 'body', isGroup(row) ? rows.slice(at + 1, at + 2) : []);
  });
  table.end();
  doc.moveDown(0.8);
}

function cellsOf({ write }: PdfSheet, columns: TableColumns, row: readonly TableCell[], kind: RowKind) {
  return row.map((cell, at) => {
    const { words, colour } = typeof cell === 'string' ? { words: cell, colour: INK } : cell;
    const text = write(words.slice(0, MAX_CELL_CHARACTERS));
    if (kind === 'group') return { text, colour: SOFT, width: PDF_TEXT_WIDTH_PT };
    return { text, colour, width: (PDF_TEXT_WIDTH_PT * (columns[at]?.[1] ?? 0)) / 100 };
  });
}

function drawCells(
  { doc }: PdfSheet,
  table: PDFKit.PDFStructureElement,
  cells: readonly DrawnCell[],
  kind: RowKind,
): void {
  const { y } = doc;
  const row = doc.struct('TR');
  // Adds the row before its cells, because PDFKit would otherwise draw the cells at the end.
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

function endRow({ doc, artifact }: PdfSheet, y: number): void {
  artifact(() =>
    doc
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + PDF_TEXT_WIDTH_PT, y)
      .lineWidth(0.4)
      .stroke(LINE),
  );
  doc.x = MARGIN;
  doc.y = y;
}
