import { type GreyPicture, layOver, type Matrix, multiply, type PdfImage, shrink } from './grey-picture.ts';
import type { PdfPage } from './pdf.ts';

/** Most pixels an inch: text is read best at about 300. And points an inch. */
const DPI = 400;
const POINTS = 72;
/** Images of one page that are looked at, and pixels that are drawn of all of them together, in pages. */
const IMAGES = 2000;
const OVERDRAWN = 8;
/** Milliseconds that one image of a page has to come. */
const WAIT = 30_000;

/** What the pictures of a page look like together. */
export interface PagePicture {
  /** Absent where nothing is drawn. */
  readonly picture?: GreyPicture;
  /** Images that the library cannot unpack, as those of fax machines (CCITT), JBIG2 and JPEG 2000. */
  readonly locked: number;
}

/** An image where the page has it: the matrix takes the unit square to the page's points. */
interface Placed {
  readonly image: PdfImage;
  readonly matrix: Matrix;
}

/**
 * Draws the images of a page, and nothing else of it, upright and in their places: scanners cut pages into strips,
 * turn them, and lay text over its ground. The finest image sets the resolution; where that is over 400 dpi or
 * `mostPixels`, it is divided by a whole number, since what is not would blur or thin out the strokes.
 */
export async function pictureOfPage(page: PdfPage, mostPixels: number): Promise<PagePicture> {
  const { placed, locked } = await placedImages(page);
  const view = page.getViewport({ scale: 1 });
  const area = view.width * view.height;
  const fineness = placed.reduce((most, { image, matrix: [a, b, c, d] }) => {
    const [across, down] = [image.width / Math.hypot(a, b), image.height / Math.hypot(c, d)];
    return Math.max(most, Math.min(across, down) || 0);
  }, 0);
  const scale = fineness / Math.ceil(fineness / Math.min(DPI / POINTS, Math.sqrt(mostPixels / area)));
  const [width, height] = [Math.floor(view.width * scale), Math.floor(view.height * scale)];
  // Dots and rules are no text.
  if (!(width >= 8 && height >= 8)) return { locked };
  const picture: GreyPicture = {
    width,
    height,
    pixels: new Uint8Array(width * height).fill(255),
    dpi: Math.round(scale * POINTS),
  };
  let left = OVERDRAWN * width * height;
  const toPicture = page.getViewport({ scale }).transform as unknown as Matrix;
  for (const { image, matrix } of placed) {
    if (left < 0) break;
    const place = multiply(toPicture, matrix);
    left -= layOver(picture, shrink(image, place), place);
  }
  return { picture, locked };
}

type Arguments = readonly unknown[];

async function placedImages(page: PdfPage): Promise<{ placed: Placed[]; locked: number }> {
  const { getResolvedPDFJS } = await import('unpdf');
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const placed: Placed[] = [];
  let locked = 0;
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  const saved: Matrix[] = [];
  const put = (image: PdfImage | undefined, own?: unknown) => {
    if (!image) locked++;
    else if (placed.length < IMAGES)
      placed.push({ image, matrix: isMatrix(own) ? multiply(matrix, own) : matrix });
  };
  for (const [at, op] of fnArray.entries()) {
    const args = (argsArray[at] ?? []) as Arguments;
    const [first, second] = args;
    if (op === OPS.save || op === OPS.beginGroup) saved.push(matrix);
    else if (op === OPS.restore || op === OPS.endGroup || op === OPS.paintFormXObjectEnd) {
      matrix = saved.pop() ?? matrix;
    } else if (op === OPS.transform) {
      if (isMatrix(args)) matrix = multiply(matrix, args);
    } else if (op === OPS.paintFormXObjectBegin) {
      saved.push(matrix);
      if (isMatrix(first)) matrix = multiply(matrix, first);
    } else if (op === OPS.paintImageXObject) put(await imageNamed(page, first));
    else if (op === OPS.paintInlineImageXObject) put(imageOf(first, false));
    else if (op === OPS.paintImageMaskXObject) put(await maskOf(page, first));
    else if (op === OPS.paintInlineImageXObjectGroup) {
      for (const { transform } of list(second)) put(imageOf(first, false), transform);
    } else if (op === OPS.paintImageMaskXObjectGroup) {
      for (const mask of list(first)) put(await maskOf(page, mask), mask.transform);
    }
  }
  return { placed, locked };
}

async function maskOf(page: PdfPage, given: unknown): Promise<PdfImage | undefined> {
  const { data } = Object(given) as { data?: unknown };
  if (typeof data !== 'string') return imageOf(given, true);
  return imageOf(await named(page, data), true);
}

async function imageNamed(page: PdfPage, name: unknown): Promise<PdfImage | undefined> {
  return typeof name === 'string' ? imageOf(await named(page, name), false) : undefined;
}

/** An object of the page once it is there; undefined for one that does not come. */
function named(page: PdfPage, name: string): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const timer = setTimeout(resolve, WAIT, undefined);
  (name.startsWith('g_') ? page.commonObjs : page.objs).get(name, resolve);
  return promise.finally(() => clearTimeout(timer));
}

/** `kind` as the library numbers it: 1 is one bit a pixel, 2 is RGB, 3 is RGBA; masks have none. */
const CHANNELS: Readonly<Record<number, PdfImage['channels']>> = { 1: 'bit', 2: 3, 3: 4 };

function imageOf(given: unknown, mask: boolean): PdfImage | undefined {
  const { width, height, data, kind } = Object(given) as Record<string, unknown>;
  if (typeof width !== 'number' || typeof height !== 'number' || !ArrayBuffer.isView(data)) return undefined;
  const channels = mask ? 'bit' : CHANNELS[Number(kind)];
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return channels && { width, height, channels, bytes, ...(mask && { mask }) };
}

function list(given: unknown): readonly { readonly transform?: unknown }[] {
  return Array.isArray(given) ? given.filter((one) => typeof one === 'object' && one !== null) : [];
}

function isMatrix(given: unknown): given is Matrix {
  return (
    (Array.isArray(given) || given instanceof Float32Array) &&
    given.length === 6 &&
    given.every((one) => typeof one === 'number' && Number.isFinite(one))
  );
}
