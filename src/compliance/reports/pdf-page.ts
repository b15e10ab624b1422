import {
  type About,
  FONT_SIZE,
  HEIGHT,
  INK,
  INNER,
  MARGIN,
  openSheet,
  type Sheet,
  SOFT,
} from './pdf-sheet.ts';
import { type Cell, type Columns, drawTable } from './pdf-table.ts';

/** Width of the names before bars, in points. */
const BAR_NAME_WIDTH = 130;
/** Font sizes of headings, by level. */
const HEADING_SIZES = [22, 15, 12] as const;

/** A bar: parts with a colour and a share of the width; `words` say what it shows. */
interface Bar {
  readonly name: string;
  readonly words: string;
  readonly parts: readonly (readonly [colour: string, share: number])[];
}

/** Text, bars and tables, one below the other, over as many pages as it takes; tagged, so that it can be read aloud. */
export interface Page {
  /** Level 1 to 3; it is in the outline too. */
  heading(text: string, level: 1 | 2 | 3): void;
  /** A heading of level 2 at the top of a page. */
  chapter(text: string): void;
  text(text: string, style?: { readonly soft?: boolean }): void;
  list(items: readonly string[]): void;
  bars(rows: readonly Bar[]): void;
  legend(entries: readonly (readonly [colour: string, words: string])[]): void;
  /** The head is repeated on each page. A row of one cell is the name of a group. */
  table(columns: Columns, rows: readonly (readonly Cell[])[]): void;
  /** The document. */
  end(): Promise<Uint8Array>;
}

export async function openPage(about: About): Promise<Page> {
  const sheet = await openSheet(about);
  return {
    heading: (text, level) => drawHeading(sheet, text, level),
    chapter(text) {
      sheet.doc.addPage();
      drawHeading(sheet, text, 2);
    },
    text: (text, style) => drawText(sheet, text, style),
    list: (items) => drawList(sheet, items),
    bars: (rows) => drawBars(sheet, rows),
    legend: (entries) => drawLegend(sheet, entries),
    table: (columns, rows) => drawTable(sheet, columns, rows),
    end() {
      const lost = sheet.lost();
      if (lost > 0) {
        drawText(
          sheet,
          `${lost} characters that the fonts of this form lack are written by their numbers in Unicode, such as \\u65e5; the other forms have them.`,
        );
      }
      numberPages(sheet);
      return sheet.finish();
    },
  };
}

function drawHeading({ doc, write, reserve, tagged }: Sheet, text: string, level: 1 | 2 | 3): void {
  const size = HEADING_SIZES[level - 1] ?? 12;
  const written = write(text);
  reserve(size * 4);
  doc.moveDown(0.6).font('Helvetica-Bold').fontSize(size).fillColor(INK);
  tagged(`H${level}`, () => doc.text(written, MARGIN, doc.y, { width: INNER }));
  doc.moveDown(0.3);
  doc.outline.addItem(written);
}

function drawText(
  { doc, write, reserve, tagged }: Sheet,
  text: string,
  { soft = false }: { readonly soft?: boolean } = {},
): void {
  reserve(FONT_SIZE * 2);
  doc
    .font('Helvetica')
    .fontSize(FONT_SIZE + 1)
    .fillColor(soft ? SOFT : INK);
  tagged('P', () => doc.text(write(text), MARGIN, doc.y, { width: INNER }));
  doc.moveDown(0.3);
}

function drawList({ doc, write, reserve }: Sheet, items: readonly string[]): void {
  const list = doc.struct('L');
  doc.addStructure(list);
  for (const item of items) {
    reserve(FONT_SIZE * 2);
    doc.font('Helvetica').fontSize(FONT_SIZE).fillColor(INK);
    list.add(doc.struct('LI', {}, () => doc.text(`• ${write(item)}`, MARGIN, doc.y, { width: INNER })));
    doc.moveDown(0.2);
  }
  list.end();
}

function drawBars({ doc, write, reserve }: Sheet, rows: readonly Bar[]): void {
  for (const { name, words, parts } of rows) {
    reserve(16);
    const { y } = doc;
    const figure = doc.struct('Figure', { alt: write(words) }, () => {
      doc.font('Helvetica').fontSize(FONT_SIZE).fillColor(INK);
      doc.text(write(name), MARGIN, y + 2, { width: BAR_NAME_WIDTH - 5, height: 12, ellipsis: true });
      let x = MARGIN + BAR_NAME_WIDTH;
      for (const [colour, share] of parts) {
        const width = (INNER - BAR_NAME_WIDTH) * share;
        if (width > 0) doc.rect(x, y, width, 11).fill(colour);
        x += width;
      }
    });
    doc.addStructure(figure);
    doc.x = MARGIN;
    doc.y = y + 15;
  }
  doc.moveDown(0.4);
}

function drawLegend(
  { doc, reserve, tagged }: Sheet,
  entries: readonly (readonly [colour: string, words: string])[],
): void {
  reserve(16);
  const y = doc.y + 2;
  let x = MARGIN;
  doc.font('Helvetica').fontSize(FONT_SIZE);
  tagged('P', () => {
    for (const [colour, words] of entries) {
      doc.rect(x, y, 8, 8).fill(colour).fillColor(INK);
      doc.text(words, x + 11, y, { lineBreak: false });
      x += 24 + doc.widthOfString(words);
    }
  });
  doc.x = MARGIN;
  doc.y = y + 16;
}

function numberPages({ doc, artifact }: Sheet): void {
  const { start, count } = doc.bufferedPageRange();
  for (let at = start; at < start + count; at++) {
    doc.switchToPage(at);
    // Text below the margin would otherwise begin a page.
    doc.page.margins.bottom = 0;
    doc.font('Helvetica').fontSize(8).fillColor(SOFT);
    artifact(() =>
      doc.text(`${at + 1} / ${count}`, MARGIN, HEIGHT - 36, {
        width: INNER,
        align: 'right',
        lineBreak: false,
      }),
    );
  }
}
