/** A picture for reading: one byte a pixel from 0, black, to 255, white, rows from the top. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** Pixels an inch of the page. */
  readonly dpi: number;
}

/** Raw pixels as a PDF has them, rows from the top. */
export interface PdfImage {
  readonly width: number;
  readonly height: number;
  /** One bit a pixel in rows of whole bytes (0 is black), grey, RGB, or RGB with its opacity. */
  readonly channels: 'bit' | 1 | 3 | 4;
  readonly bytes: Uint8Array;
  /** White lets through what is behind. */
  readonly mask?: boolean;
}

/** `[a b c d e f]` as PDF has it: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [number, number, number, number, number, number];

/** First `inner`, then `outer`. */
export function multiply([a, b, c, d, e, f]: Matrix, inner: Matrix): Matrix {
  const [A, B, C, D, E, F] = inner;
  return [a * A + c * B, b * A + d * B, a * C + c * D, b * C + d * D, a * E + c * F + e, b * E + d * F + f];
}

/**
 * The image in grey, made smaller by whole steps (each pixel the mean of a square of them) as long as it stays as fine
 * as its place in the picture: what is drawn by the nearest pixel would lose thin strokes.
 */
export function shrink(image: PdfImage, [a, b, c, d]: Matrix): PdfImage {
  const step = Math.max(
    1,
    Math.floor(Math.min(image.width / Math.hypot(a, b), image.height / Math.hypot(c, d))),
  );
  const [width, height] = [Math.ceil(image.width / step), Math.ceil(image.height / step)];
  if (!Number.isFinite(step) || width < 1 || height < 1) return { ...image, width: 0, height: 0 };
  const grey = greyOf(image);
  const bytes = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [y * step, Math.min(y * step + step, image.height)];
    for (let x = 0; x < width; x++) {
      const [left, right] = [x * step, Math.min(x * step + step, image.width)];
      let sum = 0;
      for (let row = top; row < bottom; row++) {
        for (let column = left; column < right; column++) sum += grey(column, row);
      }
      bytes[y * width + x] = sum / ((bottom - top) * (right - left));
    }
  }
  const through = image.mask === true || image.channels === 4;
  return { width, height, channels: 1, bytes, mask: through };
}

/** Brightness of one pixel (Rec. 601), on white where the image is not opaque; pixels that are missing are white. */
function greyOf({ width, channels, bytes }: PdfImage): (x: number, y: number) => number {
  if (channels === 'bit') {
    const row = (width + 7) >> 3;
    return (x, y) => (((bytes[y * row + (x >> 3)] ?? 255) >> (7 - (x & 7))) & 1) * 255;
  }
  if (channels === 1) return (x, y) => bytes[y * width + x] ?? 255;
  return (x, y) => {
    const at = (y * width + x) * channels;
    const [r = 255, g = 255, b = 255] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    const bright = 0.299 * r + 0.587 * g + 0.114 * b;
    const opaque = channels === 4 ? (bytes[at + 3] ?? 0) / 255 : 1;
    return 255 - (255 - bright) * opaque;
  };
}

/**
 * Draws a grey image over a picture; `place` takes the unit square, whose top is the image's, to pixels of the
 * picture. Gives the number of pixels looked at.
 */
export function layOver(picture: GreyPicture, image: PdfImage, place: Matrix): number {
  const [a, b, c, d, e, f] = place;
  const size = a * d - b * c;
  if (image.width === 0 || image.height === 0 || !(Math.abs(size) > 0)) return 0;
  const [left, right] = span(e, a, c, picture.width);
  const [top, bottom] = span(f, b, d, picture.height);
  const { width, height, bytes, mask } = image;
  const { pixels } = picture;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const [dx, dy] = [x + 0.5 - e, y + 0.5 - f];
      const u = (d * dx - c * dy) / size;
      const v = (a * dy - b * dx) / size;
      if (u < 0 || u >= 1 || v <= 0 || v > 1) continue;
      const value = bytes[Math.floor((1 - v) * height) * width + Math.floor(u * width)] ?? 255;
      const at = y * picture.width + x;
      // Ink over its ground: what shines through may only make it darker.
      if (!mask || value < (pixels[at] ?? 255)) pixels[at] = value;
    }
  }
  return Math.max(0, right - left) * Math.max(0, bottom - top);
}

/** Whole pixels, within the picture, that a square reaches over along one axis. */
function span(origin: number, one: number, other: number, most: number): [number, number] {
  const ends = [origin, origin + one, origin + other, origin + one + other];
  return [Math.max(0, Math.floor(Math.min(...ends))), Math.min(most, Math.ceil(Math.max(...ends)))];
}
