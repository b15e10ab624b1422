import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { init } from '@embedpdf/pdfium';

/** A page as it is seen: `colours` are those of at least 30 pixels, as `#rrggbb`; `box` is where there is ink, in points. */
export interface SeenPage {
  readonly colours: ReadonlySet<string>;
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
}

/** BGRA, four bytes a pixel. */
const BGRA = 4;
const ENOUGH = 30;

/** Draws the pages of a PDF at one pixel a point, and tells what is on them. */
export async function seenPages(pdf: Uint8Array, most = 500): Promise<SeenPage[]> {
  const wasm = await readFile(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'));
  const lib = await init({ wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length) });
  lib.PDFiumExt_Init();
  const bytes = lib.pdfium.wasmExports.malloc(pdf.length);
  lib.pdfium.HEAPU8.set(pdf, bytes);
  const document = lib.FPDF_LoadMemDocument(bytes, pdf.length, '');
  if (document === 0) throw new Error('the PDF cannot be opened');
  const pages: SeenPage[] = [];
  for (let at = 0; at < Math.min(most, lib.FPDF_GetPageCount(document)); at++) {
    const page = lib.FPDF_LoadPage(document, at);
    const [width, height] = [
      Math.round(lib.FPDF_GetPageWidthF(page)),
      Math.round(lib.FPDF_GetPageHeightF(page)),
    ];
    const bitmap = lib.FPDFBitmap_CreateEx(width, height, BGRA, 0, 0);
    lib.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
    lib.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, 0);
    const from = lib.FPDFBitmap_GetBuffer(bitmap);
    const pixels = lib.pdfium.HEAPU8.slice(from, from + lib.FPDFBitmap_GetStride(bitmap) * height);
    pages.push(seen(pixels, lib.FPDFBitmap_GetStride(bitmap), width, height));
    lib.FPDFBitmap_Destroy(bitmap);
    lib.FPDF_ClosePage(page);
  }
  lib.FPDF_CloseDocument(document);
  return pages;
}

function seen(pixels: Uint8Array, stride: number, width: number, height: number): SeenPage {
  const counts = new Map<number, number>();
  const box = { left: width, top: height, right: 0, bottom: 0 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * stride + x * 4;
      const colour = ((pixels[at + 2] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at] ?? 0);
      if (colour === 0xffffff) continue;
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  }
  const many = [...counts].filter(([, count]) => count >= ENOUGH);
  return { colours: new Set(many.map(([colour]) => `#${colour.toString(16).padStart(6, '0')}`)), box };
}
