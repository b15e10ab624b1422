import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { AppError, tooLargeError, unavailableError } from '../../../errors.ts';

/** A greyscale picture with a byte for each pixel, from 0 (black) to 255 (white), from top to bottom. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly dpi: number;
}

/** Draws pages of a PDF. The caller must close the object: PDFium's memory is not garbage-collected. */
export interface PdfPageDrawer {
  /** Draws a page (from 1) upright, without its text. Returns undefined if the page has no picture. */
  draw(page: number): GreyPicture | undefined;
  close(): void;
}

export interface PictureBounds {
  readonly imagePixels: number;
  readonly pagePixels: number;
}

/** Maximum resolution in pixels per inch. OCR works best at about 300. */
const MAX_DPI = 400;
const POINTS_PER_INCH = 72;
const MIN_PIXELS = 8;
const MAX_OBJECTS = 100_000;
const MAX_DEPTH = 12;
/** PDFium's object types, and its constants for a grey picture and for a coloured one with annotations. */
const [TEXT, IMAGE, FORM] = [1, 3, 5];
export const GREY = { format: 1, bytes: 1, flags: 8 };
export const COLOUR = { format: 2, bytes: 3, flags: 1 + 16 };
const WHITE = 0xffffffff;

const PACKAGE = '@embedpdf/pdfium';
let loading: Promise<WrappedPdfiumModule> | undefined;

export async function loadPdfium(): Promise<WrappedPdfiumModule> {
  loading ??= load();
  return loading.catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
}

export function forgetPdfium(): void {
  loading = undefined;
}

export async function openPdfPageDrawer(
  body: Uint8Array,
  name: string,
  bounds: PictureBounds,
  password = '',
): Promise<PdfPageDrawer> {
  const lib = await loadPdfium();
  const { malloc, free } = lib.pdfium.wasmExports;
  const bytes = malloc(body.length);
  if (bytes === 0) throw tooLargeError(`${name} is too large for its pictures to be read: split it`);
  lib.pdfium.HEAPU8.set(body, bytes);
  const document = lib.FPDF_LoadMemDocument(bytes, body.length, password);
  if (document === 0) {
    free(bytes);
    throw unreadable(name);
  }
  let broken = false;
  return {
    draw(number) {
      try {
        const page = lib.FPDF_LoadPage(document, number - 1);
        if (page === 0) return undefined;
        const picture = drawn(lib, page, bounds);
        lib.FPDF_ClosePage(page);
        return picture;
      } catch (cause) {
        broken = true;
        forgetPdfium();
        throw unreadable(name, cause);
      }
    },
    close() {
      if (broken) return;
      lib.FPDF_CloseDocument(document);
      free(bytes);
    },
  };
}

function unreadable(name: string, cause?: unknown): AppError {
  return new AppError('unsupported', `the scanned pages of ${name} are broken and cannot be read`, { cause });
}

async function load(): Promise<WrappedPdfiumModule> {
  try {
    const wasm = await readFile(createRequire(import.meta.url).resolve(`${PACKAGE}/pdfium.wasm`));
    const { init } = await import('@embedpdf/pdfium');
    const lib = await init({
      wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length),
      print: () => {},
      printErr: () => {},
    });
    lib.PDFiumExt_Init();
    return lib;
  } catch (cause) {
    const why = `scanned pages cannot be read, since the package ${PACKAGE} is not installed: npm install ${PACKAGE}, or set MAGPIE_OCR=off`;
    throw unavailableError(why, { cause });
  }
}

function drawn(lib: WrappedPdfiumModule, page: number, bounds: PictureBounds): GreyPicture | undefined {
  const fineness = withoutText(lib, page, bounds.imagePixels);
  const [across, down] = [lib.FPDF_GetPageWidthF(page), lib.FPDF_GetPageHeightF(page)];
  const most = Math.min(MAX_DPI / POINTS_PER_INCH, Math.sqrt(bounds.pagePixels / (across * down)));
  const scale = fineness / Math.ceil(fineness / most);
  const [width, height] = [Math.round(across * scale), Math.round(down * scale)];
  if (!(width >= MIN_PIXELS && height >= MIN_PIXELS)) return undefined;
  const pixels = drawPage(lib, page, [width, height], GREY);
  return pixels && { width, height, pixels, dpi: Math.round(scale * POINTS_PER_INCH) };
}

/** Draws a page and returns its pixels, or undefined for an empty picture or one that is too large. */
export function drawPage(
  lib: WrappedPdfiumModule,
  page: number,
  [width, height]: readonly [number, number],
  { format, bytes, flags }: typeof GREY,
): Uint8Array | undefined {
  const bitmap = lib.FPDFBitmap_CreateEx(width, height, format, 0, 0);
  if (bitmap === 0) return undefined;
  try {
    lib.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    lib.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
    const [from, stride] = [lib.FPDFBitmap_GetBuffer(bitmap), lib.FPDFBitmap_GetStride(bitmap)];
    const pixels = new Uint8Array(width * height * bytes);
    const memory = lib.pdfium.HEAPU8;
    for (let y = 0; y < height; y++) {
      const row = from + y * stride;
      pixels.set(memory.subarray(row, row + width * bytes), y * width * bytes);
    }
    return pixels;
  } finally {
    lib.FPDFBitmap_Destroy(bitmap);
  }
}

/** Hides text and very large images. Returns the highest resolution of other images (pixels per point). */
function withoutText(lib: WrappedPdfiumModule, page: number, mostPixels: number): number {
  const { malloc, free } = lib.pdfium.wasmExports;
  const place = malloc(6 * 4);
  let left = MAX_OBJECTS;
  let finest = 0;
  const floats = (count: number) =>
    Array.from({ length: count }, (_, at) => lib.pdfium.getValue(place + at * 4, 'float'));
  const lengths = (object: number): [number, number] => {
    if (!lib.FPDFPageObj_GetMatrix(object, place)) return [0, 0];
    const [a = 0, b = 0, c = 0, d = 0] = floats(4);
    return [Math.hypot(a, b), Math.hypot(c, d)];
  };
  const look = (object: number, scale: number, depth: number) => {
    const kind = lib.FPDFPageObj_GetType(object);
    if (kind === TEXT) lib.FPDFPageObj_SetIsActive(object, false);
    if (kind === IMAGE && lib.FPDFImageObj_GetImagePixelSize(object, place, place + 4)) {
      const [wide, high] = [lib.pdfium.getValue(place, 'i32'), lib.pdfium.getValue(place + 4, 'i32')];
      if (wide * high > mostPixels) {
        lib.FPDFPageObj_SetIsActive(object, false);
        return;
      }
      const [across, down] = lengths(object);
      const fineness = Math.min(wide / across, high / down) / scale;
      if (Number.isFinite(fineness)) finest = Math.max(finest, fineness);
    }
    if (kind !== FORM || depth >= MAX_DEPTH) return;
    const own = scale * Math.sqrt(lengths(object).reduce((one, other) => one * other));
    for (let at = lib.FPDFFormObj_CountObjects(object) - 1; at >= 0 && left-- > 0; at--) {
      look(lib.FPDFFormObj_GetObject(object, at), own, depth + 1);
    }
  };
  try {
    for (let at = lib.FPDFPage_CountObjects(page) - 1; at >= 0 && left-- > 0; at--) {
      look(lib.FPDFPage_GetObject(page, at), 1, 0);
    }
    return finest;
  } finally {
    free(place);
  }
}
