import { printable } from './print-text.ts';

/** A4 in points, and its margins. */
const [WIDTH, HEIGHT, MARGIN] = [595.28, 841.89, 48];
const INNER = WIDTH - 2 * MARGIN;
const BOTTOM = HEIGHT - MARGIN - 16;
const SIZE = 8.5;
/** Most characters of a cell, so that a row fits on a page. */
const CELL = 1200;

/** Text, bars and tables, one below the other, over as many pages as it takes. */
export interface Page {
  heading(text: string, size: number): void;
  /** A heading at the top of a page. */
  chapter(text: string): void;
  text(text: string, style?: { readonly colour?: string }): void;
  /** A bar of parts, each a colour and its share of the width. */
  bar(name: string, parts: readonly (readonly [colour: string, share: number])[]): void;
  legend(entries: readonly (readonly [colour: string, words: string])[]): void;
  /** Columns with their share of the width in percent; the head is repeated on each page. */
  table(
    columns: readonly (readonly [name: string, width: number])[],
    rows: readonly (readonly string[])[],
  ): void;
  /** The document. */
  end(): Promise<Uint8Array>;
}

/** `at`: when it was made, in milliseconds. */
export async function openPage(title: string, at: number): Promise<Page> {
  const { default: PDFDocument } = await import('pdfkit');
  let lost = 0;
  const write = (text: string) => {
    const { text: written, lost: some } = printable(text);
    lost += some;
    return written;
  };
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Creator: 'Magpie', CreationDate: new Date(at) },
  });
  const chunks: Uint8Array[] = [];
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  const room = (height: number) => {
    if (doc.y + height > BOTTOM) doc.addPage();
  };

  const page: Page = {
    heading(text, size) {
      room(size * 4);
      doc.moveDown(0.6).font('Helvetica-Bold').fontSize(size).fillColor('#1d2127');
      doc.text(write(text), MARGIN, doc.y, { width: INNER }).moveDown(0.3);
    },
    chapter(text) {
      doc.addPage();
      page.heading(text, 15);
    },
    text(text, { colour = '#1d2127' } = {}) {
      room(SIZE * 2);
      doc
        .font('Helvetica')
        .fontSize(SIZE + 1)
        .fillColor(colour);
      doc.text(write(text), MARGIN, doc.y, { width: INNER }).moveDown(0.3);
    },
    bar(name, parts) {
      room(16);
      const { y } = doc;
      const from = MARGIN + 130;
      doc.font('Helvetica').fontSize(SIZE).fillColor('#1d2127');
      doc.text(write(name), MARGIN, y + 2, { width: 125, height: 12, ellipsis: true });
      let x = from;
      for (const [colour, share] of parts) {
        const width = (INNER - 130) * share;
        if (width > 0) doc.rect(x, y, width, 11).fill(colour);
        x += width;
      }
      doc.x = MARGIN;
      doc.y = y + 15;
    },
    legend(entries) {
      room(16);
      const y = doc.y + 2;
      let x = MARGIN;
      doc.font('Helvetica').fontSize(SIZE);
      for (const [colour, words] of entries) {
        doc.rect(x, y, 8, 8).fill(colour).fillColor('#1d2127');
        doc.text(words, x + 11, y, { lineBreak: false });
        x += 24 + doc.widthOfString(words);
      }
      doc.x = MARGIN;
      doc.y = y + 16;
    },
    table(columns, rows) {
      const widths = columns.map(([, width]) => (INNER * width) / 100);
      const line = (cells: readonly string[], font: string) => {
        const texts = cells.map((cell) => write(cell.slice(0, CELL)));
        doc.font(font).fontSize(SIZE).fillColor('#1d2127');
        const heights = texts.map((text, at) => doc.heightOfString(text, { width: (widths[at] ?? 0) - 6 }));
        const height = Math.max(...heights) + 6;
        if (doc.y + height > BOTTOM) {
          doc.addPage();
          if (font === 'Helvetica')
            line(
              columns.map(([name]) => name),
              'Helvetica-Bold',
            );
          doc.font(font).fontSize(SIZE);
        }
        const { y } = doc;
        let x = MARGIN;
        for (const [at, text] of texts.entries()) {
          const width = widths[at] ?? 0;
          doc.text(text, x, y + 3, { width: width - 6 });
          x += width;
        }
        doc
          .moveTo(MARGIN, y + height)
          .lineTo(MARGIN + INNER, y + height)
          .lineWidth(0.4)
          .stroke('#d5d9df');
        doc.x = MARGIN;
        doc.y = y + height;
      };
      line(
        columns.map(([name]) => name),
        'Helvetica-Bold',
      );
      for (const row of rows) line(row, 'Helvetica');
      doc.moveDown(0.8);
    },
    async end() {
      if (lost > 0) {
        page.text(
          `${lost} characters that the fonts of this form lack are shown as "?"; the other forms have them.`,
        );
      }
      const { start, count } = doc.bufferedPageRange();
      for (let at = start; at < start + count; at++) {
        doc.switchToPage(at);
        // Below the margin, where text would begin a page of its own.
        doc.page.margins.bottom = 0;
        doc.font('Helvetica').fontSize(8).fillColor('#5b6470');
        doc.text(`${at + 1} / ${count}`, MARGIN, HEIGHT - 36, {
          width: INNER,
          align: 'right',
          lineBreak: false,
        });
      }
      doc.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
  return page;
}
