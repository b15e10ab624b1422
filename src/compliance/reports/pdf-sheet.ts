import { buffer } from 'node:stream/consumers';
import { toPrintable } from './print-text.ts';

/** A4 paper, in points. */
export const [WIDTH, HEIGHT, MARGIN] = [595.28, 841.89, 48];
export const PDF_TEXT_WIDTH_PT = WIDTH - 2 * MARGIN;
export const PDF_TEXT_BOTTOM_PT = HEIGHT - MARGIN - 16;
export const PDF_FONT_SIZE = 8.5;
export const [INK, SOFT, LINE] = ['#1d2127', '#535b66', '#d5d9df'];

export type PdfSheet = Awaited<ReturnType<typeof openPdfSheet>>;

export interface PdfMetadata {
  readonly title: string;
  readonly head: string;
  readonly keywords: string;
  readonly at: number;
}

export async function openPdfSheet({ title, keywords, at }: PdfMetadata) {
  const { default: PDFDocument } = await import('pdfkit');
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Creator: 'Magpie', Keywords: keywords, CreationDate: new Date(at) },
  });
  let lost = 0;
  return {
    doc,
    lost: () => lost,
    write(text: string) {
      const { text: written, lost: some } = toPrintable(text);
      lost += some;
      return written;
    },
    /** Begins a new page if less than `height` points remain on the current page. */
    reserve(height: number) {
      if (doc.y + height > PDF_TEXT_BOTTOM_PT) doc.addPage();
    },
    /** Draws content with a structure type of tagged PDF, for example `H1`, which screen readers use. */
    tagged: (type: string, draw: () => void) => void doc.addStructure(doc.struct(type, {}, draw)),
    artifact(draw: () => void) {
      doc.markContent('Artifact', { type: 'Layout' });
      draw();
      doc.endMarkedContent();
    },
    finish(): Promise<Buffer> {
      doc.end();
      return buffer(doc);
    },
  };
}
