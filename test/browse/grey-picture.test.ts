import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  layOver,
  type Matrix,
  multiply,
  type PdfImage,
  shrink,
} from '../../src/browse/readers/grey-picture.ts';

/** Where `image` stands: over the whole of a picture, upright. PDF's y grows upwards, a picture's downwards. */
const over = (width: number, height: number): Matrix => [width, 0, 0, -height, 0, height];
const picture = (width: number, height: number, value = 255) => ({
  width,
  height,
  pixels: new Uint8Array(width * height).fill(value),
  dpi: 72,
});
const grey = (width: number, height: number, bytes: readonly number[], mask = false): PdfImage => ({
  width,
  height,
  channels: 1,
  bytes: Uint8Array.from(bytes),
  mask,
});
const drawn = (image: PdfImage, place: Matrix, ground = picture(2, 2, 200)) => {
  layOver(ground, shrink(image, place), place);
  return [...ground.pixels];
};

test('what is opaque covers what is behind, and a mask lets it through but for its ink', () => {
  const bytes = [0, 255, 210, 100];
  expect(drawn(grey(2, 2, bytes), over(2, 2))).toEqual([0, 255, 210, 100]);
  expect(drawn(grey(2, 2, bytes, true), over(2, 2))).toEqual([0, 200, 200, 100]);
});

test('upside down, mirrored, turned, moved and half outside', () => {
  const image = grey(2, 2, [1, 2, 3, 4]);
  expect(drawn(image, [2, 0, 0, 2, 0, 0])).toEqual([3, 4, 1, 2]);
  expect(drawn(image, [-2, 0, 0, -2, 2, 2])).toEqual([2, 1, 4, 3]);
  expect(drawn(image, [0, 2, 2, 0, 0, 0])).toEqual([3, 1, 4, 2]);
  expect(drawn(image, [2, 0, 0, -2, 1, 2])).toEqual([200, 1, 200, 3]);
  expect(drawn(image, [2, 0, 0, -2, 50, 2])).toEqual([200, 200, 200, 200]);
});

test.each<[string, PdfImage, number[]]>([
  [
    'bits in rows of whole bytes',
    { width: 3, height: 2, channels: 'bit', bytes: Uint8Array.of(0b10100000, 0b01000000) },
    [255, 0, 255, 0, 255, 0],
  ],
  ['grey', { width: 2, height: 1, channels: 1, bytes: Uint8Array.of(7, 250) }, [7, 250]],
  ['RGB', { width: 2, height: 1, channels: 3, bytes: Uint8Array.of(255, 0, 0, 0, 0, 255) }, [76, 29]],
  [
    'RGBA on white',
    { width: 2, height: 1, channels: 4, bytes: Uint8Array.of(0, 0, 0, 255, 0, 0, 0, 51) },
    [0, 204],
  ],
  [
    'fewer bytes than pixels',
    { width: 2, height: 2, channels: 1, bytes: Uint8Array.of(7) },
    [7, 255, 255, 255],
  ],
])('%s in grey', (_name, image, expected) => {
  const { bytes, channels } = shrink(image, over(image.width, image.height));
  expect(channels).toBe(1);
  expect([...bytes]).toEqual(expected);
});

test('a finer image is made smaller by the mean of squares, the last of them cut', () => {
  const small = shrink(grey(3, 2, [0, 100, 40, 100, 200, 60]), over(1, 1));
  expect([small.width, small.height, [...small.bytes]]).toEqual([2, 1, [100, 50]]);
});

test('nothing of it fails or writes outside, whatever the place and the sizes', () => {
  const number = fc.oneof(
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.constant(0),
    fc.constant(1e300),
  );
  const matrix = fc.tuple(number, number, number, number, number, number) as fc.Arbitrary<Matrix>;
  fc.assert(
    fc.property(
      matrix,
      matrix,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      (a, b, w, h) => {
        const place = multiply(a, b);
        const ground = picture(8, 8);
        const looked = layOver(ground, shrink(grey(w, h, new Array(w * h).fill(0)), place), place);
        expect(ground.pixels).toHaveLength(64);
        expect(looked).toBeLessThanOrEqual(64);
      },
    ),
    { numRuns: 300 },
  );
});
