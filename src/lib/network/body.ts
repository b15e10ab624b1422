import { addAbortSignal, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { AppError } from '../../errors.ts';
import { runInTimeSlices } from '../concurrency/time-slices.ts';

/** Maximum number of compression layers. A body with further layers is an attack. */
const MAX_LAYERS = 2;
/** Maximum number of Zstandard frames, each of which needs its own decoder. A body with further frames is an attack. */
const MAX_FRAMES = 1000;

/** Size in bytes from which a body is stored in memory that threads share. */
const SHARED_BYTES = 100_000;

/** Limits the window of zstd to 8 MB, as HTTP does (RFC 9659). zlib's own limit would allow 128 MB of memory. */
const zstd = () => zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } });

type Decoder = Transform & { readonly bytesWritten: number };

/** Decoders by content encoding. `deflate` means zlib's format (RFC 9110), but many servers leave out its header. */
const DECODERS: Readonly<Record<string, (first: number) => Decoder>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: (first) => ((first & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
  br: () => zlib.createBrotliDecompress(),
  zstd,
};

/** Reads and decompresses a body. Throws AppError `too_large` if the bytes of any layer exceed `maxBytes`. */
export async function readBody(
  body: Readable,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  // Ignores errors of the body. The pipeline reports them, and discarding the rest of a body must not raise another error.
  body.on('error', () => {});
  try {
    const layers = decodersFor(String(headers['content-encoding'] ?? '')).map(
      (create) => (source: AsyncIterable<Buffer>) => unpack(source, create, maxBytes, signal),
    );
    const collect = async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of capped(source, maxBytes)) chunks.push(chunk);
    };
    await pipeline([body, ...layers, collect] as unknown as NodeJS.ReadWriteStream[], { signal });
  } finally {
    body.destroy();
  }
  return runInTimeSlices(joined(chunks));
}

/** Joins chunks to one buffer. A large one is in shared memory, so that a worker thread can read it without a copy. */
function* joined(chunks: readonly Buffer[]): Generator<void, Buffer> {
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  const whole =
    bytes < SHARED_BYTES ? Buffer.allocUnsafeSlow(bytes) : Buffer.from(new SharedArrayBuffer(bytes));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
    yield;
  }
  return whole;
}

async function* capped(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new AppError(
        'too_large',
        `ResponseTooLarge: the page has over ${maxBytes} bytes, which is the limit`,
      );
    }
    yield chunk;
  }
}

async function* unpack(
  source: AsyncIterable<Buffer>,
  create: (first: number) => Decoder,
  maxBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const packed = capped(source, maxBytes);
  let head = await packed.next();
  while (!head.done && head.value.length === 0) head = await packed.next();
  if (head.done) return;
  let rest = head.value;
  for (let frames = 1; rest.length > 0; frames++) {
    if (frames > MAX_FRAMES)
      throw new AppError(
        'upstream',
        `the page is compressed in over ${MAX_FRAMES} pieces, which is not supported`,
      );
    const decoder = addAbortSignal(signal, create(rest[0] ?? 0));
    const fed = feed(rest, packed, decoder);
    fed.catch((error: Error) => decoder.destroy(error));
    yield* decoder;
    rest = await fed;
    decoder.destroy();
    // Decodes further frames only for Zstandard. The gzip decoder reads all parts itself, and other formats have one part.
    if (create !== zstd) return;
  }
}

/** Writes chunks to the decoder until its compressed data end. Returns the bytes of the last chunk that are left. */
async function feed(first: Buffer, packed: AsyncGenerator<Buffer>, decoder: Decoder): Promise<Buffer> {
  for (let next: IteratorResult<Buffer> = { value: first }; !next.done; next = await packed.next()) {
    const chunk = next.value;
    const before = decoder.bytesWritten;
    await new Promise<void>((resolve, reject) => {
      decoder.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
    const taken = decoder.bytesWritten - before;
    if (taken < chunk.length) return chunk.subarray(taken);
  }
  decoder.end();
  return Buffer.alloc(0);
}

/** Returns the decoders of a `content-encoding` header in the order of decompression, the reverse of the order in the header. */
function decodersFor(header: string): ((first: number) => Decoder)[] {
  const names = header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && name !== 'identity');
  if (names.length > MAX_LAYERS)
    throw new AppError(
      'upstream',
      `the page is compressed ${names.length} times over, which is not supported`,
    );
  return names.reverse().map((name) => {
    const create = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
    if (!create)
      throw new AppError(
        'unsupported',
        `the page is compressed as ${JSON.stringify(name.slice(0, 40))}, which is not supported`,
      );
    return create;
  });
}
