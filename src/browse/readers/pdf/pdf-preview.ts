import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { encodePng } from '../../../lib/encoding/png.ts';
import { placeOfPassage } from '../../../lib/text/passage-place.ts';
import { COLOUR, drawPage, forgetPdfium, loadPdfium } from './pdf-page-drawer.ts';

export interface PdfPagePreview {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly marked: boolean;
}

/** Width of the picture in pixels, which suits phones and computer screens. */
const WIDTH = 1200;
const MAX_HEIGHT = 3600;
const MAX_CHARS = 100_000;
const MAX_MARKS = 400;
/** Factors for green and blue in the marked passage. Less blue makes the passage yellow. */
const [GREEN_SHARE, BLUE_SHARE] = [0.9, 0.35];

interface PdfBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Draws a page (from 1) and marks a passage. Undefined if it fails. Throws `unavailable` without PDFium. */
export async function drawPreview(
  body: Uint8Array,
  number: number,
  passage: string,
): Promise<PdfPagePreview | undefined> {
  const lib = await loadPdfium();
  const { malloc, free } = lib.pdfium.wasmExports;
  const bytes = malloc(body.length);
  if (bytes === 0) return undefined;
  lib.pdfium.HEAPU8.set(body, bytes);
  let picture: ReturnType<typeof drawn>;
  try {
    const document = lib.FPDF_LoadMemDocument(bytes, body.length, '');
    if (document !== 0) {
      const page = lib.FPDF_LoadPage(document, number - 1);
      picture = page === 0 ? undefined : drawn(lib, page, passage);
      if (page !== 0) lib.FPDF_ClosePage(page);
      lib.FPDF_CloseDocument(document);
    }
    free(bytes);
  } catch {
    forgetPdfium();
    return undefined;
  }
  if (!picture) return undefined;
  const { width, height, pixels, marked } = picture;
  return { png: await encodePng(width, height, pixels), width, height, marked };
}

function drawn(lib: WrappedPdfiumModule, page: number, passage: string) {
  const [across, down] = [lib.FPDF_GetPageWidthF(page), lib.FPDF_GetPageHeightF(page)];
  const scale = Math.min(WIDTH / across, MAX_HEIGHT / down);
  const [width, height] = [Math.round(across * scale), Math.round(down * scale)];
  const pixels = drawPage(lib, page, [width, height], COLOUR);
  if (!pixels) return undefined;
  const boxes = passage === '' ? [] : boxesOf(lib, page, passage, { width, height });
  for (const box of boxes) mark(pixels, width, height, box);
  return { width, height, pixels, marked: boxes.length > 0 };
}

function boxesOf(
  lib: WrappedPdfiumModule,
  page: number,
  passage: string,
  { width, height }: { readonly width: number; readonly height: number },
): PdfBox[] {
  const text = lib.FPDFText_LoadPage(page);
  if (text === 0) return [];
  const { malloc, free } = lib.pdfium.wasmExports;
  const room = malloc(4 * 8 + 2 * 4);
  try {
    const place = placeOn(lib, text, passage);
    if (!place) return [];
    const double = (at: number) => lib.pdfium.getValue(room + at * 8, 'double');
    const pixel = (x: number, y: number): readonly [number, number] => {
      lib.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, room + 32, room + 36);
      return [lib.pdfium.getValue(room + 32, 'i32'), lib.pdfium.getValue(room + 36, 'i32')];
    };
    const count = Math.min(MAX_MARKS, lib.FPDFText_CountRects(text, place.from, place.to - place.from));
    return Array.from({ length: count }, (_, at) => {
      lib.FPDFText_GetRect(text, at, room, room + 8, room + 16, room + 24);
      const [left, top, right, bottom] = [double(0), double(1), double(2), double(3)];
      const [[x1, y1], [x2, y2]] = [pixel(left, top), pixel(right, bottom)];
      return {
        left: Math.min(x1, x2) - 1,
        top: Math.min(y1, y2) - 1,
        right: Math.max(x1, x2) + 1,
        bottom: Math.max(y1, y2) + 1,
      };
    });
  } finally {
    free(room);
    lib.FPDFText_ClosePage(text);
  }
}

function placeOn(lib: WrappedPdfiumModule, text: number, passage: string) {
  const count = Math.min(MAX_CHARS, lib.FPDFText_CountChars(text));
  const numbers: number[] = [];
  let characters = '';
  for (let at = 0; at < count; at++) {
    const code = lib.FPDFText_GetUnicode(text, at);
    const character = code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
    for (let unit = 0; unit < character.length; unit++) numbers.push(at);
    characters += character;
  }
  const place = placeOfPassage(characters, passage);
  return place && { from: numbers[place.from] ?? 0, to: (numbers[place.to - 1] ?? 0) + 1 };
}

function mark(pixels: Uint8Array, width: number, height: number, { left, top, right, bottom }: PdfBox): void {
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
    for (let x = Math.max(0, left); x < Math.min(width, right); x++) {
      const at = 3 * (y * width + x);
      pixels[at + 1] = (pixels[at + 1] ?? 0) * GREEN_SHARE;
      pixels[at + 2] = (pixels[at + 2] ?? 0) * BLUE_SHARE;
    }
  }
}
