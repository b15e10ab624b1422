import { printable } from './print-text.ts';

/** A4 in points, and its margins. */
const [WIDTH, HEIGHT, MARGIN] = [595.28, 841.89, 48];
const INNER = WIDTH - 2 * MARGIN;
const BOTTOM = HEIGHT - MARGIN - 16;
const SIZE = 8.5;
/** Width of the names before bars. */
const NAMES = 130;
/** Most characters of a cell, so that a row fits on a page. */
const CELL = 1200;
const [INK, SOFT, LINE] = ['#1d2127', '#535b66', '#d5d9df'];

/** A cell: its words, and their colour where it is not that of all text. */
export type Cell = string | { readonly words: string; readonly colour: string };

/** Text, bars and tables, one below the other, over as many pages as it takes; tagged, so that it can be read aloud. */
export interface Page {
  /** Level 1 to 3; it is in the outline too. */
  heading(text: string, level: 1 | 2 | 3): void;
  /** A heading of level 2 at the top of a page. */
  chapter(text: string): void;
  text(text: string, style?: { readonly soft?: boolean }): void;
  list(items: readonly string[]): void;
  /** Bars, each of parts with a colour and a share of the width; `words` say what they show. */
  bars(
    rows: readonly {
      readonly name: string;
      readonly words: string;
      readonly parts: readonly (readonly [colour: string, share: number])[];
    }[],
  ): void;
  legend(entries: readonly (readonly [colour: string, words: string])[]): void;
  /** Columns with their share of the width in percent; the head is repeated on each page. A row of one cell is a group. */
  table(
    columns: readonly (readonly [name: string, width: number])[],
    rows: readonly (readonly Cell[])[],
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
    pdfVersion: '1.7',
    tagged: true,
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
  const tagged = (type: string, draw: () => void) => doc.addStructure(doc.struct(type, {}, draw));
  const artifact = (draw: () => void) => {
    doc.markContent('Artifact', { type: 'Layout' });
    draw();
    doc.endMarkedContent();
  };

  const page: Page = {
    heading(text, level) {
      const size = [22, 15, 12][level - 1] ?? 12;
      const written = write(text);
      room(size * 4);
      doc.moveDown(0.6).font('Helvetica-Bold').fontSize(size).fillColor(INK);
      tagged(`H${level}`, () => doc.text(written, MARGIN, doc.y, { width: INNER }));
      doc.moveDown(0.3);
      doc.outline.addItem(written);
    },
    chapter(text) {
      doc.addPage();
      page.heading(text, 2);
    },
    text(text, { soft = false } = {}) {
      room(SIZE * 2);
      doc
        .font('Helvetica')
        .fontSize(SIZE + 1)
        .fillColor(soft ? SOFT : INK);
      tagged('P', () => doc.text(write(text), MARGIN, doc.y, { width: INNER }));
      doc.moveDown(0.3);
    },
    list(items) {
      const list = doc.struct('L');
      doc.addStructure(list);
      for (const item of items) {
        room(SIZE * 2);
        doc.font('Helvetica').fontSize(SIZE).fillColor(INK);
        list.add(doc.struct('LI', {}, () => doc.text(`• ${write(item)}`, MARGIN, doc.y, { width: INNER })));
        doc.moveDown(0.2);
      }
      list.end();
    },
    bars(rows) {
      for (const { name, words, parts } of rows) {
        room(16);
        const { y } = doc;
        const figure = doc.struct('Figure', { alt: write(words) }, () => {
          doc.font('Helvetica').fontSize(SIZE).fillColor(INK);
          doc.text(write(name), MARGIN, y + 2, { width: NAMES - 5, height: 12, ellipsis: true });
          let x = MARGIN + NAMES;
          for (const [colour, share] of parts) {
            const width = (INNER - NAMES) * share;
            if (width > 0) doc.rect(x, y, width, 11).fill(colour);
            x += width;
          }
        });
        doc.addStructure(figure);
        doc.x = MARGIN;
        doc.y = y + 15;
      }
      doc.moveDown(0.4);
    },
    legend(entries) {
      room(16);
      const y = doc.y + 2;
      let x = MARGIN;
      doc.font('Helvetica').fontSize(SIZE);
      tagged('P', () => {
        for (const [colour, words] of entries) {
          doc.rect(x, y, 8, 8).fill(colour).fillColor(INK);
          doc.text(words, x + 11, y, { lineBreak: false });
          x += 24 + doc.widthOfString(words);
        }
      });
      doc.x = MARGIN;
      doc.y = y + 16;
    },
    table(columns, rows) {
      const widths = columns.map(([, width]) => (INNER * width) / 100);
      const heads = columns.map(([name]) => name);
      const table = doc.struct('Table');
      doc.addStructure(table);
      const line = (cells: readonly Cell[], head: boolean) => {
        const group = cells.length === 1 && columns.length > 1;
        const font = head || group ? 'Helvetica-Bold' : 'Helvetica';
        const drawn = cells.map((cell, at) => {
          const { words, colour } = typeof cell === 'string' ? { words: cell, colour: INK } : cell;
          const width = group ? INNER : (widths[at] ?? 0);
          return { text: write(words.slice(0, CELL)), colour: group ? SOFT : colour, width };
        });
        doc.font(font).fontSize(SIZE);
        const heights = drawn.map(({ text, width }) => doc.heightOfString(text, { width: width - 6 }));
        const height = Math.max(...heights) + 6;
        // A group's name stays with its first row.
        if (doc.y + height + (group ? 40 : 0) > BOTTOM) {
          doc.addPage();
          if (!head) line(heads, true);
          doc.font(font).fontSize(SIZE);
        }
        const { y } = doc;
        const row = doc.struct('TR');
        table.add(row);
        let x = MARGIN;
        for (const { text, colour, width } of drawn) {
          const left = x;
          row.add(
            doc.struct(head || group ? 'TH' : 'TD', {}, () =>
              doc.fillColor(colour).text(text, left, y + 3, { width: width - 6 }),
            ),
          );
          x += width;
        }
        row.end();
        artifact(() =>
          doc
            .moveTo(MARGIN, y + height)
            .lineTo(MARGIN + INNER, y + height)
            .lineWidth(0.4)
            .stroke(LINE),
        );
        doc.x = MARGIN;
        doc.y = y + height;
      };
      line(heads, true);
      for (const row of rows) line(row, false);
      table.end();
      doc.moveDown(0.8);
    },
    async end() {
      if (lost > 0) {
        page.text(
          `${lost} characters that the fonts of this form lack are written by their numbers in Unicode, such as \\u65e5; the other forms have them.`,
        );
      }
      const { start, count } = doc.bufferedPageRange();
      for (let at = start; at < start + count; at++) {
        doc.switchToPage(at);
        // Below the margin, where text would begin a page of its own.
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
      doc.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
  return page;
}
