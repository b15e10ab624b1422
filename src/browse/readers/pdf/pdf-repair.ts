import { constants, inflateSync } from 'node:zlib';
import { attempt } from '../../../lib/attempt.ts';

const MAX_OBJECTS = 200_000;
const HEAD_BYTES = 2000;
const MAX_UNPACKED_BYTES = 64_000_000;
const MAX_PAGES = 5000;

export interface PdfObject {
  readonly number: number;
  /** Place behind `obj` in the file, or -1 for an object within an object stream. */
  readonly at: number;
  /** The object's text, before its stream if it has one, and at most `HEAD_BYTES` outside an object stream. */
  readonly head: string;
}

/** Rebuilds a PDF whose object table is missing. Undefined if the PDF is encrypted or has no pages. */
export function repairPdf(body: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (
    !file.subarray(0, 1024).includes('%PDF-') ||
    /\/Filter\s*\/Standard/.test(file.toString('latin1', 0, 4096))
  )
    return undefined;
  const all = objectsOf(file);
  const unpacked = all.filter(({ at }) => at < 0);
  const pages = [...all.slice(unpacked.length), ...unpacked]
    .filter(({ head }) => isPage(head))
    .map(({ number }) => number)
    .slice(0, MAX_PAGES);
  if (pages.length === 0) return undefined;
  const free = all.reduce((most, { number }) => Math.max(most, number), 0) + 1;
  const kids = [...new Set(pages)].map((number) => `${number} 0 R`).join(' ');
  const end = [
    ...unpacked.map(({ number, head }) => `${number} 0 obj\n${head}\nendobj`),
    `${free} 0 obj\n<< /Type /Catalog /Pages ${free + 1} 0 R >>\nendobj`,
    `${free + 1} 0 obj\n<< /Type /Pages /Kids [${kids}] /Count ${new Set(pages).size} >>\nendobj`,
    `trailer\n<< /Size ${free + 2} /Root ${free} 0 R >>\n%%EOF\n`,
  ];
  return Buffer.concat([file, Buffer.from(`\nendstream\nendobj\n${end.join('\n')}`, 'latin1')]);
}

const isPage = (text: string): boolean => /\/Type\s*\/Page(?![A-Za-z])/.test(text);

/** Returns the objects of a file, first those in object streams. */
export function objectsOf(file: Buffer): PdfObject[] {
  const found: PdfObject[] = [];
  for (
    let at = file.indexOf(' obj');
    at >= 0 && found.length < MAX_OBJECTS;
    at = file.indexOf(' obj', at + 4)
  ) {
    const number = /(\d{1,9}) \d{1,5}$/.exec(file.toString('latin1', Math.max(0, at - 16), at))?.[1];
    if (number === undefined) continue;
    const text = file.toString('latin1', at + 4, at + 4 + HEAD_BYTES);
    const end = /endobj|stream/.exec(text)?.index ?? text.length;
    found.push({ number: Number(number), at: at + 4, head: text.slice(0, end) });
  }
  const packed = found.filter(({ head }) => /\/Type\s*\/ObjStm\b/.test(head));
  return [...unpackedOf(file, packed), ...found];
}

function unpackedOf(file: Buffer, packed: readonly PdfObject[]): PdfObject[] {
  const found: PdfObject[] = [];
  let left = MAX_UNPACKED_BYTES;
  for (const { at, head } of packed) {
    const first = Number(/\/First\s+(\d{1,9})/.exec(head)?.[1] ?? -1);
    const text = first < 0 ? undefined : streamOf(file, at + head.length, left);
    if (text === undefined) continue;
    left -= text.length;
    const places = text.slice(0, first).trim().split(/\s+/).map(Number);
    for (let pair = 0; pair + 1 < places.length; pair += 2) {
      const [number = Number.NaN, from = 0, , to] = places.slice(pair, pair + 4);
      if (!Number.isInteger(number)) break;
      const head = text.slice(first + from, to === undefined ? undefined : first + to);
      found.push({ number, at: -1, head });
    }
  }
  return found;
}

/** Unpacks the stream whose dictionary begins or ends at `at`. Undefined if it is broken or over `most` bytes. */
export function streamOf(file: Buffer, at: number, most: number): string | undefined {
  const begin = file.indexOf('stream', at);
  if (begin < 0 || begin - at > HEAD_BYTES || most <= 0) return undefined;
  const from = begin + 'stream'.length + (file[begin + 6] === 13 ? 2 : 1);
  const end = file.indexOf('endstream', from);
  if (end < 0) return undefined;
  const options = { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH };
  return attempt(() => inflateSync(file.subarray(from, end), options).toString('latin1'));
}
