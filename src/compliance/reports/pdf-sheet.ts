import { printable } from './print-text.ts';

/** A4 in points, and its margins. */
export const [WIDTH, HEIGHT, MARGIN] = [595.28, 841.89, 48];
/** Width between the margins, and the lowest place for text. */
export const INNER = WIDTH - 2 * MARGIN;
export const BOTTOM = HEIGHT - MARGIN - 16;
export const FONT_SIZE = 8.5;
export const [INK, SOFT, LINE] = ['#1d2127', '#535b66', '#d5d9df'];

/** A PDF document under way, and what every part of a page needs of it. */
export interface Sheet {
  readonly doc: PDFKit.PDFDocument;
  /** The text as the fonts can write it; characters that they lack are counted. */
  write(text: string): string;
  /** Characters that the fonts lack, so far. */
  lost(): number;
  /** Begins a page where less than this height is left. */
  reserve(height: number): void;
  /** Draws something that screen readers read as an element of this type. */
  tagged(type: string, draw: () => void): void;
  /** Draws something that screen readers leave out. */
  artifact(draw: () => void): void;
  /** Ends the document and returns it. */
  finish(): Promise<Uint8Array>;
}

/** What a document says of itself. */
export interface About {
  readonly title: string;
  /** Stands at the top of each page but the first. */
  readonly head: string;
  /** Stands in the bytes of the file as it is. */
  readonly keywords: string;
  /** When it was made, in milliseconds. */
  readonly at: number;
}

/** An empty document. */
export async function openSheet({ title, keywords, at }: About): Promise<Sheet> {
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
  const chunks: Uint8Array[] = [];
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  let lost = 0;
  return {
    doc,
    lost: () => lost,
    write(text) {
      const { text: written, lost: some } = printable(text);
      lost += some;
      return written;
    },
    reserve(height) {
      if (doc.y + height > BOTTOM) doc.addPage();
    },
    tagged: (type, draw) => void doc.addStructure(doc.struct(type, {}, draw)),
    artifact(draw) {
      doc.markContent('Artifact', { type: 'Layout' });
      draw();
      doc.endMarkedContent();
    },
    async finish() {
      doc.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
}
