import { readFileSync } from 'node:fs';
import { deflateSync, gunzipSync } from 'node:zlib';
import { withTable } from './pdf.ts';

const FIXTURES = new URL('../fixtures/scans/', import.meta.url);

/** What stands on the fixtures' pages. */
export const TEXTS = [
  'The Tide Mills of Woodbridge\n\nA tide mill takes in water when the sea is high, and lets it out over a wheel when the sea is low. The miller works by the moon, and not by the sun: twice a day, and often at night.',
  'Of the Keeper and her Wages\n\nThe keeper of the sluice is paid eleven shillings a week. She lights a lantern on the quay whenever the gates stand open, so that no barge is drawn under the wheel.',
] as const;

/** A picture of text: one bit a pixel in rows of whole bytes, 1 is black. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly bits: Buffer;
}

/** The picture of `TEXTS[number - 1]`, at 200 dpi. */
export function bitmap(number: 1 | 2): Bitmap {
  const file = gunzipSync(readFileSync(new URL(`page-${number}.pbm.gz`, FIXTURES)));
  const [head = '', width, height] = /^P4\s+(\d+)\s+(\d+)\s/.exec(file.toString('latin1', 0, 40)) ?? [];
  return { width: Number(width), height: Number(height), bits: file.subarray(head.length) };
}

export function fixture(name: 'page-1.jpg' | 'page-1.jp2' | 'fax.pdf'): Buffer {
  return readFileSync(new URL(name, FIXTURES));
}

/** The first page as fax machines pack it (CCITT group 4): the data of the image in `fax.pdf`. */
export function faxData(): Buffer {
  const file = fixture('fax.pdf');
  const head = '/Length 2722 >>\nstream\n';
  const start = file.indexOf(head, 0, 'latin1') + head.length;
  return file.subarray(start, start + 2722);
}

/** The same as JBIG2 (ITU-T T.88): a page's description, and one region that is packed as a fax is (MMR). */
export function jbig2Data({ width, height }: Bitmap): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width);
  size.writeUInt32BE(height, 4);
  const segment = (number: number, kind: number, data: Buffer) => {
    const header = Buffer.from([0, 0, 0, number, kind, 0, 1, 0, 0, 0, 0]);
    header.writeUInt32BE(data.length, 7);
    return Buffer.concat([header, data]);
  };
  return Buffer.concat([
    segment(0, 48, Buffer.concat([size, Buffer.alloc(11)])),
    segment(1, 38, Buffer.concat([size, Buffer.alloc(9), Buffer.from([1]), faxData()])),
  ]);
}

/** The same as GIF: its table of codes is cleared after every second pixel, so that a code has three bits throughout. */
export function gifOf(bitmap: Bitmap): Buffer {
  const { width, height } = bitmap;
  const grey = greyOf(bitmap);
  const codes = Buffer.alloc(Math.ceil(((grey.length * 3) / 2 + 2) * (3 / 8)) + 1);
  let bits = 0;
  const put = (code: number) => {
    for (let bit = 0; bit < 3; bit++, bits++) {
      const byte = bits >> 3;
      if (code & (1 << bit)) codes[byte] = (codes[byte] ?? 0) | (1 << (bits & 7));
    }
  };
  for (let at = 0; at < grey.length; at++) {
    if (at % 2 === 0) put(4);
    put(grey[at] === 0 ? 0 : 1);
  }
  put(5);
  const head = Buffer.alloc(13);
  head.write('GIF89a', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  head[10] = 0x80;
  const image = Buffer.alloc(11);
  image[0] = 0x2c;
  image.writeUInt16LE(width, 5);
  image.writeUInt16LE(height, 7);
  image[10] = 2;
  const data = codes.subarray(0, (bits + 7) >> 3);
  const blocks: Buffer[] = [];
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat([
    head,
    Buffer.from([0, 0, 0, 255, 255, 255]),
    image,
    ...blocks,
    Buffer.from([0, 0x3b]),
  ]);
}

/** One byte a pixel, 0 is black. */
export function greyOf({ width, height, bits }: Bitmap): Buffer {
  const row = (width + 7) >> 3;
  const grey = Buffer.alloc(width * height);
  for (let at = 0; at < grey.length; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    grey[at] = ((bits[y * row + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 0 : 255;
  }
  return grey;
}

/** Upside down, or a quarter turn to the left. */
export function turned({ width, height, bits }: Bitmap, by: 90 | 180): Bitmap {
  const grey = greyOf({ width, height, bits });
  const [wide, high] = by === 90 ? [height, width] : [width, height];
  const row = (wide + 7) >> 3;
  const result = Buffer.alloc(row * high);
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const from = by === 90 ? x * width + (width - 1 - y) : (height - 1 - y) * width + (width - 1 - x);
      if (grey[from] === 0) result[y * row + (x >> 3)] = (result[y * row + (x >> 3)] ?? 0) | (128 >> (x & 7));
    }
  }
  return { width: wide, height: high, bits: result };
}

/** Each pixel as a square of `by` times `by`. */
export function enlarged({ width, height, bits }: Bitmap, by: number): Bitmap {
  const grey = greyOf({ width, height, bits });
  const [wide, high] = [width * by, height * by];
  const row = (wide + 7) >> 3;
  const result = Buffer.alloc(row * high);
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      if (grey[Math.floor(y / by) * width + Math.floor(x / by)] !== 0) continue;
      result[y * row + (x >> 3)] = (result[y * row + (x >> 3)] ?? 0) | (128 >> (x & 7));
    }
  }
  return { width: wide, height: high, bits: result };
}

/** Some rows of it. */
export function rows({ width, bits }: Bitmap, from: number, to: number): Bitmap {
  const row = (width + 7) >> 3;
  return { width, height: to - from, bits: bits.subarray(from * row, to * row) };
}

/** An image XObject; `entries` are those of its dictionary besides its size. */
export function imageObject(
  width: number,
  height: number,
  entries: string,
  data: Uint8Array,
  filter = '/FlateDecode',
): string {
  const packed = filter === '/FlateDecode' ? deflateSync(data) : Buffer.from(data);
  const head = `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${entries} /Filter ${filter} /Length ${packed.length} >>`;
  return `${head}\nstream\n${packed.toString('latin1')}\nendstream`;
}

/** One bit a pixel in grey, as scanners and fax machines have it. */
export function bitImage({ width, height, bits }: Bitmap): string {
  return imageObject(
    width,
    height,
    '/ColorSpace /DeviceGray /BitsPerComponent 1 /Decode [1 0]',
    new Uint8Array(bits),
  );
}

/** A page: its objects, the first of which it draws as /X0, and the others as /X1 and so on; its size is in points. */
export interface ScanPage {
  readonly objects: readonly string[];
  readonly width: number;
  readonly height: number;
  /** What it draws; /X0 over all of it when left out. */
  readonly content?: string;
  /** More entries of the page's dictionary. */
  readonly entries?: string;
}

/** A PDF of pictures; /F is a font for more. In objects, `@n` stands for the reference to the nth object of the same page, from 0. */
export function makeScans(pages: readonly ScanPage[]): Buffer {
  const objects: string[] = ['<< /Type /Catalog /Pages 2 0 R >>', ''];
  const kids: string[] = [];
  for (const { objects: own, width, height, content, entries = '' } of pages) {
    const first = objects.length + 1;
    for (const object of own) {
      const end = object.indexOf('\nstream\n');
      const [head, rest] = end < 0 ? [object, ''] : [object.slice(0, end), object.slice(end)];
      objects.push(head.replace(/@(\d+)/g, (_, at: string) => `${first + Number(at)} 0 R`) + rest);
    }
    const drawn = content ?? `${width} 0 0 ${height} 0 0 cm /X0 Do`;
    objects.push(`<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`);
    const named = own.map((_, at) => `/X${at} ${first + at} 0 R`).join(' ');
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << /XObject << ${named} >> /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> /Contents ${objects.length} 0 R ${entries} >>`,
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`;
  return withTable(objects, '');
}

/** A page of one bitmap. */
export function scanPage(map: Bitmap): ScanPage {
  return { objects: [bitImage(map)], width: map.width * 0.36, height: map.height * 0.36 };
}
