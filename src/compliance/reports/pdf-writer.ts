import {
  HEIGHT,
  INK,
  MARGIN,
  openPdfSheet,
  PDF_FONT_SIZE,
  PDF_TEXT_BOTTOM_PT,
  PDF_TEXT_WIDTH_PT,
  type PdfMetadata,
  type PdfSheet,
  SOFT,
} from './pdf-sheet.ts';
import { drawTable, type TableCell, type TableColumns } from './pdf-table.ts';

const BAR_NAME_WIDTH = 130;
const HEAD_Y = 28;
/** Position in points from the top. A chapter below this position begins on a new page. */
const CHAPTER_BOTTOM = MARGIN + 0.6 * (PDF_TEXT_BOTTOM_PT - MARGIN);
/** Minimum free points below a heading of level 1, 2 and 3. */
const BELOW_HEADINGS = [66, 45, 190] as const;
const HEADING_SIZES = [22, 15, 12] as const;

interface Bar {
  readonly name: string;
  readonly words: string;
  readonly parts: readonly (readonly [colour: string, share: number])[];
}

export type PdfWriter = Awaited<ReturnType<typeof openPdfWriter>>;

export async function openPdfWriter(about: PdfMetadata) {
  const sheet = await openPdfSheet(about);
  const marks: Mark[] = [];
  let contents: ReturnType<typeof reserveContents> | undefined;
  const mark = (text: string, level: 2 | 3, isTop = false) => {
    const { start, count } = sheet.doc.bufferedPageRange();
    const name = `place-${marks.length}`;
    sheet.doc.addNamedDestination(name);
    marks.push({ text, level, page: start + count - 1, name, isTop });
  };
  return {
    heading(text: string, level: 1 | 2 | 3) {
      drawHeading(sheet, text, level);
      if (level === 3 && marks.length > 0) mark(text, level);
    },
    chapter(text: string) {
      const isTop = marks.length === 0 || sheet.doc.y > CHAPTER_BOTTOM;
      if (isTop) sheet.doc.addPage();
      drawHeading(sheet, text, 2);
      mark(text, 2, isTop);
    },
    runIn: (name: string, text: string) => drawRunIn(sheet, name, text),
    /** Reserves space for the table of contents. `end` fills it. */
    contents() {
      contents = reserveContents(sheet);
    },
    text: (text: string, style?: { readonly soft?: boolean }) => drawText(sheet, text, style),
    list: (items: readonly string[]) => drawList(sheet, items),
    bars: (rows: readonly Bar[]) => drawBars(sheet, rows),
    legend: (entries: readonly (readonly [colour: string, words: string])[]) => drawLegend(sheet, entries),
    /** Draws a table whose head is repeated on each page. A row with a single cell names a group. */
    table: (columns: TableColumns, rows: readonly (readonly TableCell[])[]) =>
      drawTable(sheet, columns, rows),
    end() {
      const lost = sheet.lost();
      if (lost > 0) {
        drawText(
          sheet,
          `${lost} characters that the fonts of this form lack are written by their numbers in Unicode, such as \\u65e5; the other forms have them.`,
        );
      }
      if (contents) drawContents(sheet, contents, marks);
      finishPages(sheet, about.head, marks);
      return sheet.finish();
    },
  };
}

function drawHeading({ doc, write, reserve, tagged }: PdfSheet, text: string, level: 1 | 2 | 3): void {
  const size = HEADING_SIZES[level - 1] ?? 12;
  const written = write(text);
  reserve(size + (BELOW_HEADINGS[level - 1] ?? 0));
  doc.moveDown(0.6).font('Helvetica-Bold').fontSize(size).fillColor(INK);
  tagged(`H${level}`, () => doc.text(written, MARGIN, doc.y, { width: PDF_TEXT_WIDTH_PT }));
  doc.moveDown(0.3);
  doc.outline.addItem(written);
}

function drawText(
  { doc, write, reserve, tagged }: PdfSheet,
  text: string,
  { soft = false }: { readonly soft?: boolean } = {},
): void {
  reserve(PDF_FONT_SIZE * 2);
  doc
    .font('Helvetica')
    .fontSize(PDF_FONT_SIZE + 1)
    .fillColor(soft ? SOFT : INK);
  tagged('P', () => doc.text(write(text), MARGIN, doc.y, { width: PDF_TEXT_WIDTH_PT }));
  doc.moveDown(0.3);
}

function drawRunIn({ doc, write, reserve, tagged }: PdfSheet, name: string, text: string): void {
  reserve(PDF_FONT_SIZE * 3);
  doc.fontSize(PDF_FONT_SIZE).fillColor(INK);
  tagged('P', () => {
    doc
      .font('Helvetica-Bold')
      .text(`${write(name)}: `, MARGIN, doc.y, { width: PDF_TEXT_WIDTH_PT, continued: true });
    doc.font('Helvetica').text(write(text));
  });
  doc.moveDown(0.3);
}

interface Mark {
  readonly text: string;
  readonly isTop: boolean;
  readonly level: 2 | 3;
  readonly page: number;
  readonly name: string;
}

const CONTENTS_LINE = 15;

function reserveContents({ doc }: PdfSheet) {
  const element = doc.struct('TOC');
  doc.addStructure(element);
  const { start, count } = doc.bufferedPageRange();
  return { element, page: start + count - 1, y: doc.y + 14 };
}

function drawContents(
  { doc, write }: PdfSheet,
  { element, page, y: top }: ReturnType<typeof reserveContents>,
  marks: readonly Mark[],
) {
  const room = Math.floor((PDF_TEXT_BOTTOM_PT - top) / CONTENTS_LINE);
  const lines = marks.length <= room ? marks : marks.filter(({ level }) => level === 2);
  doc.switchToPage(page);
  doc.fontSize(PDF_FONT_SIZE + 1).fillColor(INK);
  for (const [at, mark] of lines.slice(0, room).entries()) {
    const y = top + at * CONTENTS_LINE;
    const indent = mark.level === 3 ? 14 : 0;
    doc.font(mark.level === 3 ? 'Helvetica' : 'Helvetica-Bold');
    const draw = () => {
      const place = { lineBreak: false, goTo: mark.name, ellipsis: true, height: CONTENTS_LINE };
      doc.text(write(mark.text), MARGIN + indent, y, { ...place, width: PDF_TEXT_WIDTH_PT - indent - 40 });
      doc.text(String(mark.page + 1), MARGIN + PDF_TEXT_WIDTH_PT - 40, y, {
        ...place,
        width: 40,
        align: 'right',
      });
    };
    element.add(doc.struct('TOCI', {}, draw));
  }
  element.end();
}

function drawList({ doc, write, reserve }: PdfSheet, items: readonly string[]): void {
  const list = doc.struct('L');
  doc.addStructure(list);
  for (const item of items) {
    reserve(PDF_FONT_SIZE * 2);
    doc.font('Helvetica').fontSize(PDF_FONT_SIZE).fillColor(INK);
    list.add(
      doc.struct('LI', {}, () => doc.text(`• ${write(item)}`, MARGIN, doc.y, { width: PDF_TEXT_WIDTH_PT })),
    );
    doc.moveDown(0.2);
  }
  list.end();
}

function drawBars({ doc, write, reserve }: PdfSheet, rows: readonly Bar[]): void {
  for (const { name, words, parts } of rows) {
    reserve(16);
    const { y } = doc;
    const figure = doc.struct('Figure', { alt: write(words) }, () => {
      doc.font('Helvetica').fontSize(PDF_FONT_SIZE).fillColor(INK);
      doc.text(write(name), MARGIN, y + 2, { width: BAR_NAME_WIDTH - 5, height: 12, ellipsis: true });
      let x = MARGIN + BAR_NAME_WIDTH;
      for (const [colour, share] of parts) {
        const width = (PDF_TEXT_WIDTH_PT - BAR_NAME_WIDTH) * share;
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
  { doc, reserve, tagged }: PdfSheet,
  entries: readonly (readonly [colour: string, words: string])[],
): void {
  reserve(16 * 2);
  let y = doc.y + 2;
  let x = MARGIN;
  doc.font('Helvetica').fontSize(PDF_FONT_SIZE);
  tagged('P', () => {
    for (const [colour, words] of entries) {
      if (x + 11 + doc.widthOfString(words) > MARGIN + PDF_TEXT_WIDTH_PT) [x, y] = [MARGIN, y + 14];
      doc.rect(x, y, 8, 8).fill(colour).fillColor(INK);
      doc.text(words, x + 11, y, { lineBreak: false });
      x += 24 + doc.widthOfString(words);
    }
  });
  doc.x = MARGIN;
  doc.y = y + 16;
}

function finishPages({ doc, write, artifact }: PdfSheet, head: string, marks: readonly Mark[]): void {
  const { start, count } = doc.bufferedPageRange();
  for (let at = start; at < start + count; at++) {
    doc.switchToPage(at);
    // Removes the bottom margin, because PDFKit begins a new page for text in the margin.
    doc.page.margins.bottom = 0;
    const chapter = marks.findLast(
      ({ level, page, isTop }) => level === 2 && (page < at || (page === at && isTop)),
    );
    const top = { lineBreak: false, ellipsis: true, height: 10 };
    doc.font('Helvetica').fontSize(8).fillColor(SOFT);
    if (at > start) {
      artifact(() => doc.text(write(head), MARGIN, HEAD_Y, { ...top, width: PDF_TEXT_WIDTH_PT * 0.6 }));
      const right = { ...top, width: PDF_TEXT_WIDTH_PT * 0.4, align: 'right' as const };
      artifact(() => doc.text(chapter?.text ?? '', MARGIN + PDF_TEXT_WIDTH_PT * 0.6, HEAD_Y, right));
    }
    artifact(() =>
      doc.text(`${at + 1} / ${count}`, MARGIN, HEIGHT - 36, {
        width: PDF_TEXT_WIDTH_PT,
        align: 'right',
        lineBreak: false,
      }),
    );
  }
}
