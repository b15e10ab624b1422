import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { AppError } from '../errors.ts';

/** More layers than this are no content but an attack. */
const LAYERS = 2;

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** A body unpacked, never more than `maxBytes` of it in memory: beyond that AppError `too_large`. */
export async function readBody(
  body: Readable,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) {
        throw new AppError(
          'too_large',
          `ResponseTooLarge: the page has over ${maxBytes} bytes, which is the limit`,
        );
      }
      chunks.push(chunk);
    }
  };
  // The pipeline reports what goes wrong; giving the rest of a body up is no further error.
  body.on('error', () => {});
  try {
    const decoders = decodersFor(String(headers['content-encoding'] ?? ''));
    await pipeline([body, ...decoders, collect] as unknown as NodeJS.ReadWriteStream[], { signal });
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks, size);
}

/** In the order of unpacking, which is the reverse of the header's. */
function decodersFor(header: string): Transform[] {
  const names = header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && name !== 'identity');
  if (names.length > LAYERS)
    throw new AppError('upstream', `the page is packed ${names.length} times over and is not read`);
  return names.reverse().map((name) => {
    const create = DECODERS[name];
    if (!create)
      throw new AppError('unsupported', `the page is packed as ${JSON.stringify(name)}, which is not read`);
    return create();
  });
}
