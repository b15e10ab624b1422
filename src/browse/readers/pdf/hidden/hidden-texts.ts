import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { processorTime } from '../../../../lib/workers/processor-time.ts';
import { drawPage, forgetPdfium, GREY, type GreyPicture, loadPdfium } from '../pdf-page-drawer.ts';
import { joinRectangles, type Rectangle } from '../pdf-turn.ts';
import { mayContainHiddenText, mayHavePdfLayers, withLayerExpressions } from './hiding-streams.ts';
import { MARK_ROOM_BYTES, type ObjectMarks, readMarks } from './marks.ts';
import { type Matrix, multiply, transformRectangle } from './matrix.ts';
import type { ActualTextSpan } from './worded-spans.ts';

/** A text that readers cannot see, and the text's rectangle on the page in points. */
export interface HiddenText {
  readonly text: string;
  readonly box: Rectangle;
}

export interface PdfHiddenFindings {
  readonly hidden: readonly HiddenText[];
  readonly spans: readonly ActualTextSpan[];
}

/** Finds hidden texts. The caller must close the finder, because its memory is not garbage-collected. */
export interface HiddenTextFinder {
  /** Returns a page's hidden texts and its parts with replacement text (ActualText). Pages count from 1. */
  find(page: number): PdfHiddenFindings;
  close(): void;
}

/** PDFium's object types and text rendering modes. Modes 3 and 7 draw nothing. */
const [TEXT, PATH, IMAGE, SHADING, FORM] = [1, 2, 3, 4, 5];
const INVISIBLE_MODES: ReadonlySet<number> = new Set([3, 7]);
const STROKED_MODES: ReadonlySet<number> = new Set([1, 2, 5, 6]);

/** Text may be invisible on white paper if all its colour values (0 to 255) are at least this high. */
const WHITE_LEVEL = 225;
const FAINT_OPACITY = 40;
const UNSEEN_LEVELS = 9;
/** Maximum size of a drawn page in pixels, and maximum scale in pixels per point. */
const PICTURE_PIXELS = 2_000_000;
const MAX_SCALE = 1.5;
const MIN_PIXELS = 2;
const IMAGE_PIXELS = 40_000_000;
const FILE_BYTES = 50_000_000;
const MAX_OBJECTS = 50_000;
const MAX_GROUNDS = 2000;
/** Maximum processor time for drawing, in milliseconds. Later pages are checked without drawing. */
const DRAWING_MS = 3000;
const MAX_TEXTS = 2000;
const MAX_DEPTH = 12;
const MAX_OVERLAPS = 6;
const NUMBERS_BYTES = 6 * 4;
/** Size in bytes of the buffer for a text in UTF-16. */
const TEXT_BYTES = 20_000;

const NOTHING: PdfHiddenFindings = { hidden: [], spans: [] };
const NONE: HiddenTextFinder = { find: () => NOTHING, close: () => {} };

/** Opens a PDF to find hidden texts. Finds none if PDFium is missing or cannot read the file. */
export async function openHiddenTexts(
  body: Uint8Array,
  password = '',
  drawingMs = DRAWING_MS,
): Promise<HiddenTextFinder> {
  if (body.length > FILE_BYTES || !mayContainHiddenText(body)) return NONE;
  const lib = await loadPdfium().catch(() => undefined);
  if (!lib) return NONE;
  const { malloc, free } = lib.pdfium.wasmExports;
  const bytes = malloc(body.length);
  if (bytes === 0) return NONE;
  lib.pdfium.HEAPU8.set(withLayerExpressions(body), bytes);
  const document = lib.FPDF_LoadMemDocument(bytes, body.length, password);
  if (document === 0) {
    free(bytes);
    return NONE;
  }
  const around: Surroundings = { depth: 0, isLayered: false, mayLayerForms: mayHavePdfLayers(body) };
  let [isBroken, drawn] = [false, 0];
  return {
    find(number) {
      if (isBroken) return NOTHING;
      try {
        const page = lib.FPDF_LoadPage(document, number - 1);
        if (page === 0) return NOTHING;
        const begin = processorTime();
        const found = new PageInspector(lib, page).inspect(drawn < drawingMs, around);
        drawn += processorTime() - begin;
        lib.FPDF_ClosePage(page);
        return found;
      } catch {
        isBroken = true;
        forgetPdfium();
        return NOTHING;
      }
    },
    close() {
      if (isBroken) return;
      lib.FPDF_CloseDocument(document);
      free(bytes);
    },
  };
}

interface PlacedObject {
  readonly object: number;
  readonly box: Rectangle;
  readonly order: number;
}

interface Ground extends PlacedObject {
  readonly fill: string;
  readonly isFilled: boolean;
}

/** Number of form XObjects that contain an object (`depth`), and whether one of them may be on a layer. */
interface Surroundings {
  readonly depth: number;
  readonly isLayered: boolean;
  /** True if form XObjects may be on layers. PDFium does not return the entry `OC`, which names the layer. */
  readonly mayLayerForms: boolean;
}

class PageInspector {
  readonly #lib: WrappedPdfiumModule;
  readonly #page: number;
  readonly #invisible: PlacedObject[] = [];
  readonly #faint: PlacedObject[] = [];
  readonly #layered: PlacedObject[] = [];
  readonly #plain: PlacedObject[] = [];
  readonly #worded: (ActualTextSpan & { readonly id: number; readonly one: PlacedObject })[] = [];
  readonly #images: PlacedObject[] = [];
  readonly #grounds: Ground[] = [];
  #room = 0;
  #objects = 0;
  #imagePixels = 0;

  constructor(lib: WrappedPdfiumModule, page: number) {
    this.#lib = lib;
    this.#page = page;
  }

  /** Finds hidden texts. If `draws` is false, white text is hidden unless it overlaps a shape or image. */
  inspect(draws: boolean, around: Surroundings): PdfHiddenFindings {
    const { malloc, free } = this.#lib.pdfium.wasmExports;
    this.#room = malloc(NUMBERS_BYTES + MARK_ROOM_BYTES);
    try {
      const count = this.#lib.FPDFPage_CountObjects(this.#page);
      for (let at = 0; at < count; at++) {
        this.#read(this.#lib.FPDFPage_GetObject(this.#page, at), [1, 0, 0, 1, 0, 0], around);
      }
      this.#faint.push(...this.#plain.filter((one) => this.#isCovered(one)).slice(0, MAX_TEXTS));
      const texts = this.#textsOf([...this.#invisible, ...this.#faint, ...this.#layered]);
      // Invisible text over a picture is the text of a scan and is kept.
      const unseen = this.#invisible.filter((one) => !this.#images.some((image) => isOver(one, image)));
      const hidden = [...unseen, ...(draws ? this.#vanishing() : this.#groundless())];
      const wordsOf = (run: readonly PlacedObject[]) => run.map((one) => texts.get(one) ?? '').join('');
      return {
        hidden: runsOf(hidden).map((run) => ({
          text: wordsOf(run).replaceAll('  ', ' '),
          box: run.map(({ box }) => box).reduce(joinRectangles),
        })),
        spans: this.#spansWithout(hidden),
      };
    } finally {
      free(this.#room);
    }
  }

  #read(object: number, outer: Matrix, { depth, isLayered, mayLayerForms }: Surroundings): void {
    const order = this.#objects++;
    if (order >= MAX_OBJECTS) return;
    const kind = this.#lib.FPDFPageObj_GetType(object);
    if (kind === FORM && depth < MAX_DEPTH) {
      const inner = multiply(this.#matrixOf(object), outer);
      const count = this.#lib.FPDFFormObj_CountObjects(object);
      const isInLayer = isLayered || mayLayerForms || this.#marksOf(object).isLayered;
      const around = { depth: depth + 1, isLayered: isInLayer, mayLayerForms };
      for (let at = 0; at < count && this.#objects < MAX_OBJECTS; at++) {
        this.#read(this.#lib.FPDFFormObj_GetObject(object, at), inner, around);
      }
    }
    if (![TEXT, IMAGE, PATH, SHADING].includes(kind)) return;
    const box = this.#boxOf(object, outer);
    if (!box) return;
    if (kind === PATH || kind === SHADING) {
      if (this.#grounds.length < MAX_GROUNDS) this.#grounds.push(this.#groundOf({ object, box, order }));
    } else if (kind === IMAGE) {
      this.#images.push({ object, box, order });
      this.#imagePixels += this.#pixelsOf(object);
    } else this.#readText({ object, box, order }, outer, isLayered);
  }

  #marksOf(object: number): ObjectMarks {
    return readMarks(this.#lib, object, this.#room + NUMBERS_BYTES);
  }

  #readText(one: PlacedObject, outer: Matrix, isInLayer: boolean): void {
    const keep = (list: PlacedObject[]) => list.length < MAX_TEXTS && list.push(one);
    const { isLayered, span } = this.#marksOf(one.object);
    if (span)
      this.#worded.push({ ...span, one, box: one.box, transform: this.#lettersOf(one.object, outer) });
    if (INVISIBLE_MODES.has(this.#lib.FPDFTextObj_GetTextRenderMode(one.object))) keep(this.#invisible);
    else if (this.#isFaint(one.object)) keep(this.#faint);
    else if (isInLayer || isLayered) keep(this.#layered);
    else keep(this.#plain);
  }

  #lettersOf(object: number, outer: Matrix): Matrix {
    const size = this.#lib.FPDFTextObj_GetFontSize(object, this.#room) ? this.#value(0, 'float') : 1;
    return multiply([size, 0, 0, size, 0, 0], multiply(this.#matrixOf(object), outer));
  }

  #spansWithout(hidden: readonly PlacedObject[]): ActualTextSpan[] {
    const [unseen, spans] = [new Set(hidden), new Map<number, ActualTextSpan>()];
    for (const { one, id, ...span } of this.#worded.filter(({ one }) => !unseen.has(one))) {
      const { box, ...first } = spans.get(id) ?? span;
      if (spans.has(id) || spans.size < MAX_TEXTS)
        spans.set(id, { ...first, box: joinRectangles(box, span.box) });
    }
    return [...spans.values()];
  }

  #vanishing(): PlacedObject[] {
    // Tests faint texts first. Texts on layers must still be drawn then, because they may cover faint texts.
    const groups = [this.#faint, this.#layered].filter((texts) => texts.length > 0);
    if (groups.length === 0 || this.#imagePixels > IMAGE_PIXELS) return [];
    return groups.flatMap((texts) => {
      this.#activate(texts, false);
      const without = this.#draw();
      if (!without) return [];
      const hides = new Map<PlacedObject, boolean>();
      for (const apart of withoutOverlaps(texts)) {
        this.#activate(apart, true);
        const shown = this.#draw();
        this.#activate(apart, false);
        for (const one of apart) {
          // Text under a picture is kept, because some programs put a scan's text there.
          const isUnder = this.#images.some((image) => image.order > one.order && isOver(one, image));
          const isHidden = !isUnder && shown && isSame(shown, without, this.#pixelsAround(one.box, shown));
          if (isHidden !== undefined) hides.set(one, isHidden);
        }
      }
      // The picture is too coarse for a letter such as `i`. It is hidden if its run of letters is.
      return runsOf(texts).flatMap((run) => {
        const known = run.flatMap((one) => hides.get(one) ?? []);
        return run.filter((one) => hides.get(one) ?? (known.length > 0 && known.every(Boolean)));
      });
    });
  }

  #activate(texts: readonly PlacedObject[], isActive: boolean): void {
    for (const { object } of texts) this.#lib.FPDFPageObj_SetIsActive(object, isActive);
  }

  #groundless(): PlacedObject[] {
    const grounds = [...this.#images, ...this.#grounds];
    return this.#faint.filter((one) => !grounds.some((ground) => isOver(one, ground)));
  }

  #draw(): Picture | undefined {
    const lib = this.#lib;
    const [across, down] = [lib.FPDF_GetPageWidthF(this.#page), lib.FPDF_GetPageHeightF(this.#page)];
    const scale = Math.min(MAX_SCALE, Math.sqrt(PICTURE_PIXELS / (across * down)));
    const [width, height] = [Math.round(across * scale), Math.round(down * scale)];
    const pixels = drawPage(lib, this.#page, [width, height], GREY);
    return pixels && { width, height, pixels };
  }

  #pixelsAround([left, bottom, right, top]: Rectangle, { width, height }: Picture): Rectangle {
    const corner = (x: number, y: number): readonly [number, number] => {
      this.#lib.FPDF_PageToDevice(this.#page, 0, 0, width, height, 0, x, y, this.#room, this.#room + 4);
      return [this.#value(0, 'i32'), this.#value(1, 'i32')];
    };
    const [[x1, y1], [x2, y2]] = [corner(left, bottom), corner(right, top)];
    return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
  }

  /** True if a shape covers the text or has its colour. Then the page is drawn to see if the text is hidden. */
  #isCovered(one: PlacedObject): boolean {
    const colour = this.#fillOf(one.object);
    return this.#grounds.some(
      (ground) =>
        ground.isFilled && isOver(one, ground) && (ground.order > one.order || colour === ground.fill),
    );
  }

  #groundOf(one: PlacedObject): Ground {
    const isFilled =
      !this.#lib.FPDFPath_GetDrawMode(one.object, this.#room, this.#room + 4) || this.#value(0, 'i32') > 0;
    return { ...one, fill: this.#fillOf(one.object), isFilled };
  }

  #fillOf(object: number): string {
    return this.#lib.FPDFPageObj_GetFillColor(object, ...this.#places) ? this.#colour().join(' ') : '';
  }

  get #places(): [number, number, number, number] {
    return [this.#room, this.#room + 4, this.#room + 8, this.#room + 12];
  }

  #colour(): number[] {
    return [0, 1, 2, 3].map((one) => this.#value(one, 'i32'));
  }

  #isFaint(object: number): boolean {
    const mode = this.#lib.FPDFTextObj_GetTextRenderMode(object);
    const at = this.#places;
    const isFaint = () => {
      const [red = 0, green = 0, blue = 0, opacity = 255] = this.#colour();
      return opacity <= FAINT_OPACITY || Math.min(red, green, blue) >= WHITE_LEVEL;
    };
    const isFilled = mode !== 1 && mode !== 5;
    if (isFilled && this.#lib.FPDFPageObj_GetFillColor(object, ...at) && !isFaint()) return false;
    return !STROKED_MODES.has(mode) || !this.#lib.FPDFPageObj_GetStrokeColor(object, ...at) || isFaint();
  }

  #pixelsOf(object: number): number {
    if (!this.#lib.FPDFImageObj_GetImagePixelSize(object, this.#room, this.#room + 4)) return 0;
    return this.#value(0, 'i32') * this.#value(1, 'i32');
  }

  #matrixOf(object: number): Matrix {
    if (!this.#lib.FPDFPageObj_GetMatrix(object, this.#room)) return [1, 0, 0, 1, 0, 0];
    return [0, 1, 2, 3, 4, 5].map((at) => this.#value(at, 'float')) as unknown as Matrix;
  }

  #boxOf(object: number, outer: Matrix): Rectangle | undefined {
    const room = this.#room;
    if (!this.#lib.FPDFPageObj_GetBounds(object, room, room + 4, room + 8, room + 12)) return undefined;
    const [left, bottom, right, top] = [0, 1, 2, 3].map((at) => this.#value(at, 'float'));
    return transformRectangle([left ?? 0, bottom ?? 0, right ?? 0, top ?? 0], outer);
  }

  /** Returns the characters of texts. Must precede `#activate`: PDFium returns nothing for inactive texts. */
  #textsOf(objects: readonly PlacedObject[]): ReadonlyMap<PlacedObject, string> {
    const lib = this.#lib;
    const page = objects.length > 0 ? lib.FPDFText_LoadPage(this.#page) : 0;
    const room = lib.pdfium.wasmExports.malloc(TEXT_BYTES);
    try {
      const texts = objects.map((one): [PlacedObject, string] => {
        const bytes = page === 0 ? 0 : lib.FPDFTextObj_GetText(one.object, page, room, TEXT_BYTES);
        // PDFium's size includes a terminating zero. If the buffer is too small, PDFium writes nothing.
        const end = bytes > TEXT_BYTES ? room : room + Math.max(0, bytes - 2);
        return [one, Buffer.from(lib.pdfium.HEAPU8.slice(room, end)).toString('utf16le')];
      });
      return new Map(texts);
    } finally {
      lib.pdfium.wasmExports.free(room);
      if (page !== 0) lib.FPDFText_ClosePage(page);
    }
  }

  #value(at: number, type: 'i32' | 'float'): number {
    return this.#lib.pdfium.getValue(this.#room + 4 * at, type);
  }
}

type Picture = Omit<GreyPicture, 'dpi'>;

/** Puts overlapping texts into different groups. Each group is drawn alone, so no text covers another. */
function withoutOverlaps(texts: readonly PlacedObject[]): PlacedObject[][] {
  const groups: PlacedObject[][] = [];
  for (const one of texts) {
    const [left, bottom, right, top] = one.box;
    const isUnder = ({ box }: PlacedObject) =>
      left < box[2] && box[0] < right && bottom < box[3] && box[1] < top;
    const free = groups.find((group) => !group.some(isUnder));
    if (free) free.push(one);
    else if (groups.length < MAX_OVERLAPS) groups.push([one]);
    else groups.at(-1)?.push(one);
  }
  return groups;
}

function isOver({ box: [left, bottom, right, top] }: PlacedObject, { box }: PlacedObject): boolean {
  const [x, y] = [(left + right) / 2, (bottom + top) / 2];
  return x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3];
}

/** Joins texts that were drawn one after the other, because some programs draw each letter on its own. */
function runsOf(texts: readonly PlacedObject[]): PlacedObject[][] {
  const runs: PlacedObject[][] = [];
  for (const one of texts.toSorted((a, b) => a.order - b.order)) {
    const last = runs.at(-1)?.at(-1) ?? one;
    const [[, bottom, right, top], [left, below, , above]] = [last.box, one.box];
    const height = Math.max(top - bottom, above - below, MIN_PIXELS);
    const isBehind = Math.abs(below - bottom) < height && Math.abs(left - right) < 2 * height;
    if (one.order === last.order + 1 && isBehind) runs.at(-1)?.push(one);
    else runs.push([one]);
  }
  return runs;
}

function isSame(one: Picture, other: Picture, [left, top, right, bottom]: Rectangle): boolean | undefined {
  if (right - left < MIN_PIXELS || bottom - top < MIN_PIXELS) return undefined;
  for (let y = Math.max(0, top); y <= Math.min(one.height - 1, bottom); y++) {
    for (let x = Math.max(0, left); x <= Math.min(one.width - 1, right); x++) {
      const at = y * one.width + x;
      if (Math.abs((one.pixels[at] ?? 0) - (other.pixels[at] ?? 0)) > UNSEEN_LEVELS) return false;
    }
  }
  return true;
}
