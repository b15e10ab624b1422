import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { createOcrScanReader, DEFAULT_SCAN_BOUNDS } from '../../src/browse/reading/ocr-scan-reader.ts';
import { createReaderPool } from '../../src/browse/reading/reader-pool.ts';
import { createSharedProgress, readSharedProgress } from '../../src/lib/workers/shared-progress.ts';
import {
  bitImage,
  bitmap,
  enlarged,
  faxData,
  fixture,
  greyOf,
  imageObject,
  jbig2Data,
  makeScans,
  rows,
  type ScanPage,
  scanPage,
  TEXTS,
  turned,
} from '../helpers/scans.ts';

/** OCR of pages that are pictures, by the real Tesseract and its model as npm installs them. */

const desk = createReaderPool();
const reader = createOcrScanReader(desk, 'eng');
afterAll(() => desk.close());
const never = new AbortController().signal;
const read = (pdf: Uint8Array, pages: readonly number[], gauge = createSharedProgress()) =>
  reader.read({ file: new Uint8Array(pdf), name: 'a.pdf', gauge, signal: never }, pages);

const map = bitmap(1);
const { width: w, height: h } = map;
const size = { width: w * 0.36, height: h * 0.36 };
const grey = greyOf(map);
const image = (entries: string, data: Uint8Array) => imageObject(w, h, entries, data);
const channels = (count: number, ink: readonly number[]) => {
  const bytes = Buffer.alloc(w * h * count, 255);
  for (let at = 0; at < w * h; at++) {
    if (grey[at] === 0) for (let one = 0; one < count; one++) bytes[at * count + one] = ink[one] ?? 0;
  }
  return bytes;
};
const strips = (count: number): ScanPage => {
  const parts = Array.from({ length: count }, (_, at) =>
    rows(map, Math.floor((at * h) / count), Math.floor(((at + 1) * h) / count)),
  );
  let bottom = size.height;
  const content = parts.map(({ height }, at) => {
    bottom -= height * 0.36;
    return `q ${size.width} 0 0 ${height * 0.36} 0 ${bottom.toFixed(4)} cm /X${at} Do Q`;
  });
  return { objects: parts.map(bitImage), ...size, content: content.join('\n') };
};
const inline = (): ScanPage => {
  // Small enough (12 rows) for pdf.js to keep it in line.
  const parts = Array.from({ length: Math.ceil(h / 12) }, (_, at) =>
    rows(map, at * 12, Math.min(h, at * 12 + 12)),
  );
  const content = parts.map(({ height, bits }, at) => {
    const hex = Buffer.from(bits).toString('hex');
    const place = `${size.width} 0 0 ${height * 0.36} 0 ${size.height - (at * 12 + height) * 0.36} cm`;
    return `q ${place} BI /W ${w} /H ${height} /BPC 1 /CS /G /D [1 0] /F /AHx ID ${hex}> EI Q`;
  });
  return { objects: [], ...size, content: content.join('\n') };
};
const form = `<< /Type /XObject /Subtype /Form /BBox [0 0 1 1] /Matrix [${size.width} 0 0 ${size.height} 0 0] /Resources << /XObject << /I @1 >> >> /Length 5 >>\nstream\n/I Do\nendstream`;
const sideways = turned(map, 90);

const KINDS: readonly (readonly [string, ScanPage])[] = [
  ['one bit, 1 is black', scanPage(map)],
  [
    'one bit, 0 is black',
    {
      objects: [
        image(
          '/ColorSpace /DeviceGray /BitsPerComponent 1',
          map.bits.map((byte) => byte ^ 255),
        ),
      ],
      ...size,
    },
  ],
  [
    'a stencil',
    {
      objects: [image('/ImageMask true /BitsPerComponent 1 /Decode [1 0]', map.bits)],
      ...size,
    },
  ],
  ['grey', { objects: [image('/ColorSpace /DeviceGray /BitsPerComponent 8', grey)], ...size }],
  [
    'RGB',
    { objects: [image('/ColorSpace /DeviceRGB /BitsPerComponent 8', channels(3, [20, 10, 120]))], ...size },
  ],
  [
    'RGB behind a mask (RGBA)',
    {
      objects: [
        image('/ColorSpace /DeviceRGB /BitsPerComponent 8 /SMask @1', Buffer.alloc(w * h * 3)),
        image(
          '/ColorSpace /DeviceGray /BitsPerComponent 8',
          grey.map((value) => 255 - value),
        ),
      ],
      ...size,
    },
  ],
  [
    'CMYK',
    {
      objects: [
        image(
          '/ColorSpace /DeviceCMYK /BitsPerComponent 8',
          channels(4, [0, 0, 0, 255]).map((byte, at) => (grey[at >> 2] === 0 ? byte : 0)),
        ),
      ],
      ...size,
    },
  ],
  [
    'a palette',
    {
      objects: [image('/ColorSpace [/Indexed /DeviceRGB 1 <fff8e0 301008>] /BitsPerComponent 1', map.bits)],
      ...size,
    },
  ],
  [
    'a JPEG',
    {
      objects: [
        imageObject(w, h, '/ColorSpace /DeviceGray /BitsPerComponent 8', fixture('page-1.jpg'), '/DCTDecode'),
      ],
      ...size,
    },
  ],
  [
    'a fax (CCITT group 4)',
    {
      objects: [
        imageObject(
          w,
          h,
          `/ColorSpace /DeviceGray /BitsPerComponent 1 /DecodeParms << /K -1 /Columns ${w} /Rows ${h} >>`,
          faxData(),
          '/CCITTFaxDecode',
        ),
      ],
      ...size,
    },
  ],
  [
    'JBIG2',
    {
      objects: [
        imageObject(w, h, '/ColorSpace /DeviceGray /BitsPerComponent 1', jbig2Data(map), '/JBIG2Decode'),
      ],
      ...size,
    },
  ],
  [
    'JPEG 2000',
    {
      objects: [imageObject(w, h, '', fixture('page-1.jp2'), '/JPXDecode')],
      ...size,
    },
  ],
  [
    'a JBIG2 stencil over a JPEG 2000 ground, as archives pack pages',
    {
      objects: [
        imageObject(w, h, '', fixture('page-1.jp2'), '/JPXDecode'),
        imageObject(
          w,
          h,
          '/ImageMask true /BitsPerComponent 1 /Decode [0 1]',
          jbig2Data(map),
          '/JBIG2Decode',
        ),
      ],
      ...size,
      content: `${size.width} 0 0 ${size.height} 0 0 cm /X0 Do 0.1 g /X1 Do`,
    },
  ],
  ['seven strips that cut through lines', strips(7)],
  ['a hundred images in line', inline()],
  ['a form', { objects: [form, bitImage(map)], ...size, content: '/X0 Do' }],
  [
    'a page that is turned by its /Rotate',
    { objects: [bitImage(sideways)], width: size.height, height: size.width, entries: '/Rotate 90' },
  ],
  [
    'a picture that is upside down, and set upright',
    {
      objects: [bitImage(turned(map, 180))],
      ...size,
      content: `${-size.width} 0 0 ${-size.height} ${size.width} ${size.height} cm /X0 Do`,
    },
  ],
  ['600 dpi', { ...scanPage(enlarged(map, 3)), ...size }],
  [
    'ink over its paper',
    {
      objects: [
        imageObject(8, 2, '/ColorSpace /DeviceGray /BitsPerComponent 8', Buffer.alloc(16, 225)),
        image('/ImageMask true /BitsPerComponent 1 /Decode [1 0]', map.bits),
      ],
      ...size,
      content: `${size.width} 0 0 ${size.height} 0 0 cm /X0 Do /X1 Do`,
    },
  ],
];

describe('the same text is read from', () => {
  const pages = KINDS.map(([, page]) => page);
  const reading = read(
    makeScans(pages),
    pages.map((_, at) => at + 1),
  );
  reading.catch(() => {});
  test.each(KINDS.map(([name], at) => [name, at] as const))('%s', async (_name, at) => {
    expect((await reading)[at]).toBe(TEXTS[0]);
  });
});

test('two pictures on a page are read from top to bottom', async () => {
  const page: ScanPage = {
    objects: [bitImage(bitmap(2)), bitImage(map)],
    width: size.width,
    height: size.height * 2,
    content: `q ${size.width} 0 0 ${size.height} 0 0 cm /X0 Do Q q ${size.width} 0 0 ${size.height} 0 ${size.height} cm /X1 Do Q`,
  };
  expect(await read(makeScans([page]), [1])).toEqual([TEXTS.join('\n\n')]);
});

test('only the requested pages are read, and the progress counts them', async () => {
  const gauge = createSharedProgress();
  const pdf = makeScans([map, bitmap(2), map].map(scanPage));
  expect(await read(pdf, [2], gauge)).toEqual([TEXTS[1]]);
  expect(readSharedProgress(gauge)).toEqual({ done: 1, of: 1 });
});

test('an empty page, a page of rules and dots and a page of noise have no text', async () => {
  const dots = imageObject(
    2,
    2,
    '/ColorSpace /DeviceGray /BitsPerComponent 8',
    Buffer.from([0, 255, 255, 0]),
  );
  let seed = 7;
  const noise = Buffer.from(
    Array.from({ length: 300 * 300 }, () => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed >> 16;
    }),
  );
  const texts = await read(
    makeScans([
      { objects: [], ...size, content: 'q Q' },
      { objects: [dots], ...size, content: '1 0 0 1 50 50 cm /X0 Do' },
      {
        objects: [imageObject(300, 300, '/ColorSpace /DeviceGray /BitsPerComponent 8', noise)],
        width: 144,
        height: 144,
      },
    ]),
    [1, 2, 3],
  );
  expect(texts).toEqual(['', '', '']);
});

describe('bounds', () => {
  const strict = (bounds: Partial<typeof DEFAULT_SCAN_BOUNDS>, maps = [map, map]) => {
    const one = createOcrScanReader(desk, 'eng', { ...DEFAULT_SCAN_BOUNDS, ...bounds });
    const pages = maps.map((_, at) => at + 1);
    return one.read({ file: makeScans(maps.map(scanPage)), name: 'a.pdf', signal: never }, pages);
  };

  test('the number of pages and the total time are limited', async () => {
    await expect(strict({ pages: 1 })).rejects.toMatchObject({
      code: 'too_large',
      message: '"a.pdf" has over 1 scanned pages, the maximum: split it',
    });
    await expect(strict({ time: -1 })).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('(0 of 2 so far): split it'),
    });
  });

  test('a page that takes too long is skipped, and the next is read', async () => {
    expect(await strict({ page: 1 })).toEqual(['', '']);
  });

  test('a page that takes too long to draw fails with a timeout', async () => {
    const one = createOcrScanReader(desk, 'eng', { ...DEFAULT_SCAN_BOUNDS, page: 1000, draw: 1500 });
    const content = `${size.width} 0 0 ${size.height} 0 0 cm ${'/X0 Do '.repeat(300_000)}`;
    const hostile = makeScans([{ objects: [bitImage(map)], ...size, content }]);
    await expect(one.read({ file: hostile, name: 'a.pdf', signal: never }, [1])).rejects.toMatchObject({
      code: 'timeout',
      message: 'page 1 of the scanned ones of "a.pdf" takes too long to draw: leave it out',
    });
  });

  test('an image with too many pixels is not unpacked', async () => {
    expect(await strict({ imagePixels: 1000 }, [map])).toEqual(['']);
  });

  test('a page with too many pixels is read at a lower resolution', async () => {
    expect(await strict({ pagePixels: 2000 }, [map])).toEqual(['']);
  });
});

test('a cancelled reading stops, and the next one runs', async () => {
  const stop = new AbortController();
  const gauge = createSharedProgress();
  const maps = Array.from({ length: 40 }, () => map);
  const long = reader.read(
    { file: makeScans(maps.map(scanPage)), name: 'long', gauge, signal: stop.signal },
    maps.map((_, at) => at + 1),
  );
  await expect.poll(() => readSharedProgress(gauge).done, { timeout: 120_000 }).toBeGreaterThan(0);
  expect(readSharedProgress(gauge).of).toBe(40);
  stop.abort(new Error('left'));
  await expect(long).rejects.toThrow('left');
  const done = readSharedProgress(gauge).done;
  // It takes the model anew, and three pages: the old worker would have read some meanwhile.
  expect(await read(makeScans([map, map, map].map(scanPage)), [1, 2, 3])).toEqual([
    TEXTS[0],
    TEXTS[0],
    TEXTS[0],
  ]);
  expect(readSharedProgress(gauge).done - done).toBeLessThanOrEqual(1);
});

test('a missing language package is named, and nothing is downloaded', async () => {
  const other = createOcrScanReader(desk, 'xyz');
  await expect(
    other.read({ file: makeScans([scanPage(map)]), name: 'a', signal: never }, [1]),
  ).rejects.toMatchObject({
    code: 'unavailable',
    message:
      'scanned pages cannot be read, since the package @tesseract.js-data/xyz is not installed: npm install @tesseract.js-data/xyz, or set MAGPIE_OCR=off',
  });
});

test('the model is not written next to the process', () => {
  expect(readdirSync('.').filter((name) => name.endsWith('.traineddata'))).toEqual([]);
});
