import PDFDocument from 'pdfkit';
import { withTable } from './pdf.ts';

/** What a drawn PDF has besides its pages. Numbers of `objects` begin at 4. */
export interface DrawnPdfOptions {
  readonly fonts?: string;
  readonly resources?: string;
  readonly objects?: readonly string[];
  readonly catalog?: string;
  readonly page?: string;
  readonly box?: string;
}

const FONTS: Readonly<Record<string, string>> = {
  F1: 'Helvetica',
  F2: 'Helvetica-Bold',
  F3: 'Courier',
  F4: 'Times-Roman',
  F5: 'Times-Italic',
};

/** A PDF of pages with the given drawing operators, in the standard fonts F1 to F5. */
export function drawnPdf(drawings: string | readonly string[], options: DrawnPdfOptions = {}): Uint8Array {
  const { fonts = '', resources = '', objects = [], catalog = '', page = '' } = options;
  const { box = '/MediaBox [0 0 600 842]' } = options;
  const pages = typeof drawings === 'string' ? [drawings] : drawings;
  const first = 4 + objects.length;
  const standard = Object.entries(FONTS).map(
    ([name, font]) =>
      `/${name} << /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`,
  );
  const kids = pages.map((_, at) => `${first + 2 * at} 0 R`).join(' ');
  return new Uint8Array(
    withTable(
      [
        `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
        `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
        `<< /Font << ${standard.join(' ')} ${fonts} >> ${resources} >>`,
        ...objects,
        ...pages.flatMap((drawing, at) => [
          `<< /Type /Page /Parent 2 0 R ${box} /Resources 3 0 R /Contents ${first + 2 * at + 1} 0 R ${page} >>`,
          pdfStream(drawing),
        ]),
      ],
      '',
    ),
  );
}

export function pdfStream(body: string, dictionary = ''): string {
  return `<< ${dictionary} /Length ${Buffer.byteLength(body, 'latin1')} >>\nstream\n${body}\nendstream`;
}

/** Draws a text; `more` are operators before it, such as a colour. */
export function text(x: number, y: number, words: string, size = 10, font = 'F1', more = ''): string {
  const place = `${+x.toFixed(2)} ${+y.toFixed(2)}`;
  return `BT ${more} /${font} ${size} Tf 1 0 0 1 ${place} Tm (${words.replace(/[()\\]/g, '\\$&')}) Tj ET\n`;
}

/** Draws lines one under the other. */
export function lines(
  x: number,
  y: number,
  all: readonly string[],
  size = 10,
  font = 'F1',
  step = 1.2 * size,
): string {
  return all.map((line, at) => text(x, y - at * step, line, size, font)).join('');
}

const ruler = new PDFDocument();

/** The width of a text in points. */
export function widthOf(words: string, size = 10, font = 'F1'): number {
  ruler.font(FONTS[font] ?? '').fontSize(size);
  return [...words].reduce((sum, letter) => sum + ruler.widthOfString(letter), 0);
}

/** Draws texts side by side: words, size, font and rise over the line. */
export function runs(
  x: number,
  y: number,
  all: readonly (readonly [string, number?, string?, number?])[],
): string {
  let left = x;
  return all
    .map(([words, size = 10, font = 'F1', rise = 0]) => {
      const drawn = text(left, y + rise, words, size, font);
      left += widthOf(words, size, font);
      return drawn;
    })
    .join('');
}

/** Draws the cells of a table at the given places; an empty cell is not drawn. */
export function rows(
  table: readonly (readonly string[])[],
  places: readonly number[],
  y: number,
  step = 14,
  size = 10,
  font = 'F1',
): string {
  return table
    .flatMap((row, at) =>
      row.map((cell, column) => cell && text(places[column] ?? 0, y - at * step, cell, size, font)),
    )
    .join('');
}

/** A font `/U` with letters 6 points wide at size 10, which only its own map names, and what draws a text in it. */
export function ownFont(letters: Iterable<string>): {
  readonly options: DrawnPdfOptions;
  readonly draw: (x: number, y: number, words: Iterable<string>, size?: number) => string;
} {
  const all = [...new Set(letters)];
  const code = (letter: string) => (all.indexOf(letter) + 65).toString(16);
  const pairs = all.map(
    (letter) => `<${code(letter)}> <${Buffer.from(letter, 'utf16le').swap16().toString('hex')}>`,
  );
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def 1 begincodespacerange <00> <ff> endcodespacerange ${pairs.length} beginbfchar ${pairs.join('\n')} endbfchar endcmap end end`;
  const widths = all.map(() => 600).join(' ');
  return {
    options: {
      fonts: `/U << /Type /Font /Subtype /TrueType /BaseFont /Own /FirstChar 65 /LastChar ${64 + all.length} /Widths [${widths}] /ToUnicode 4 0 R >>`,
      objects: [pdfStream(map)],
    },
    draw: (x, y, words, size = 10) =>
      `BT /U ${size} Tf 1 0 0 1 ${x} ${y} Tm <${[...words].map(code).join('')}> Tj ET\n`,
  };
}

/** Lines that reach the right margin, so that they are one paragraph. */
export function fullLines(subject: string, count = 4): string[] {
  return Array.from(
    { length: count },
    (_, at) => `Row ${at} of the ${subject} goes on to the end of the line and then on and on`,
  );
}

export function table(all: readonly (readonly string[])[]): string {
  return all
    .map((row) => `| ${row.join(' | ')} |`)
    .toSpliced(1, 0, `|${' --- |'.repeat(all[0]?.length ?? 0)}`)
    .join('\n');
}
