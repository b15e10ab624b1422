import { isUtf8 } from 'node:buffer';
import { addAbortSignal, type Readable, type Transform } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { AppError, tooLargeError, upstreamError } from '../../errors.ts';
import { runInTimeSlices } from '../concurrency/time-slices.ts';

const MAX_LAYERS = 2;
/** Maximum number of compressed frames. A body with more is an attack: each frame needs a new decoder. */
const MAX_FRAMES = 1000;
const SHARED_BYTES = 100_000;

/** Decoder with a window of at most 8 MB, as HTTP requires (RFC 9659). zlib would allow 128 MB. */
const zstd = () => zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } });

type Decoder = Transform & { readonly bytesWritten: number };

/** Decoders by content encoding. The first byte shows whether `deflate` data has a zlib header. */
const DECODERS: Readonly<Record<string, (first: number) => Decoder>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: (first) => ((first & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
  br: () => zlib.createBrotliDecompress(),
  zstd,
};

interface BodyLimits {
  readonly maxBytes: number;
  /** True to keep the whole lines of the first `maxBytes` of a longer body. */
  readonly cuts?: boolean;
  readonly signal: AbortSignal;
}

/** Reads and decompresses a body. Throws `too_large` above `maxBytes`, before or after decompression. */
export async function readBody(
  body: Readable,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  { maxBytes, cuts = false, signal }: BodyLimits,
): Promise<{ readonly body: Uint8Array; readonly isCut?: 'limit' }> {
  const chunks: Buffer[] = [];
  let room = cuts ? maxBytes : Number.POSITIVE_INFINITY;
  // Without this listener, an error of the body would end the process. The pipeline below reports it.
  body.on('error', () => {});
  try {
    const layers = decodersFor(String(headers['content-encoding'] ?? '')).map(
      (create) => (source: AsyncIterable<Buffer>) => unpack(source, create, maxBytes, signal),
    );
    const collect = async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of cuts ? source : capped(source, maxBytes)) {
        chunks.push(chunk.subarray(0, room));
        room -= chunk.length;
        if (room < 0) return;
      }
    };
    await pipeline([body, ...layers, collect] as unknown as NodeJS.ReadWriteStream[], { signal });
  } catch (error) {
    // A body that is let go before its end may say so as an error.
    if (room >= 0 || signal.aborted) throw error;
  } finally {
    body.destroy();
  }
  const whole = await runInTimeSlices(joined(chunks));
  if (room >= 0) return { body: whole };
  const end = whole.lastIndexOf('\n');
  return { body: end > maxBytes / 2 ? whole.subarray(0, end + 1) : whole, isCut: 'limit' };
}

/** Joins chunks. A large result is in shared memory, so that worker threads can read it without a copy. */
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
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

export function tooLarge(maxBytes: number): AppError {
  return tooLargeError(`ResponseTooLarge: the page has over ${maxBytes} bytes, which is the limit`);
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
      throw upstreamError(`the page is compressed in over ${MAX_FRAMES} pieces, which is not supported`);
    const decoder = addAbortSignal(signal, create(rest[0] ?? 0));
    const fed = feed(rest, packed, decoder);
    fed.catch((error: Error) => decoder.destroy(error));
    yield* decoder;
    rest = await fed;
    decoder.destroy();
    // Only Zstandard data may consist of several frames.
    if (create !== zstd) return;
  }
}

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

export interface DamagedBody {
  readonly headers: Headers;
  readonly body: Buffer;
  readonly isCut: boolean;
}

/** Compressions that are not supported. Other unknown words in the header, such as `utf-8`, are ignored. */
const OTHER_COMPRESSIONS = /^(?:x-)?(?:compress|bzip2?|xz|lzma|sdch|dcb|dcz|pack200-gzip|exi|aes128gcm)$/;

/** Decompresses as much of a damaged body as possible. `isCut`: its end is missing. Throws AppError. */
export async function readDamagedBody(
  { headers, body, isCut }: DamagedBody,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ readonly body: Uint8Array; readonly isCut: boolean }> {
  const words = encodingsOf(headers.get('content-encoding') ?? '').filter(
    (name) => Object.hasOwn(DECODERS, name) || OTHER_COMPRESSIONS.test(name),
  );
  let [bytes, damaged] = [body, isCut];
  for (const create of decodersFor(words.join())) {
    if (bytes.length === 0) break;
    const unpacked = await unpackDamaged(bytes, create, maxBytes, signal);
    if (unpacked.bytes.length > 0) {
      damaged ||= unpacked.isDamaged;
      bytes = unpacked.bytes;
    } else if (unpacked.isDamaged && !isText(bytes)) throw upstreamError('the page does not unpack');
  }
  return { body: await runInTimeSlices(joined([bytes])), isCut: damaged };
}

const isText = (bytes: Uint8Array): boolean => isUtf8(bytes) && !bytes.includes(0);

interface UnpackedBody {
  readonly bytes: Buffer;
  readonly isDamaged: boolean;
}

/** Size of the slices that a decoder gets. A slice with an error gives no output, so slices must be small. */
const SLICE_BYTES = 4096;

async function unpackDamaged(
  packed: Buffer,
  create: (first: number) => Decoder,
  maxBytes: number,
  signal: AbortSignal,
): Promise<UnpackedBody> {
  const { failedAt, ...unpacked } = await unpackSlices(packed, packed.length, create, maxBytes, signal);
  if (failedAt === undefined) return unpacked;
  return unpackSlices(packed, failedAt, create, maxBytes, signal);
}

/** Decompresses 4 KB at a time, but from `smallFrom` on byte by byte. `failedAt`: where a slice failed. */
async function unpackSlices(
  packed: Buffer,
  smallFrom: number,
  create: (first: number) => Decoder,
  maxBytes: number,
  signal: AbortSignal,
): Promise<UnpackedBody & { readonly failedAt?: number }> {
  const decoder = addAbortSignal(signal, create(packed[0] ?? 0));
  const parts: Buffer[] = [];
  let size = 0;
  decoder.on('data', (part: Buffer) => {
    size += part.length;
    if (size > maxBytes) decoder.destroy(tooLarge(maxBytes));
    else parts.push(part);
  });
  const ended = finished(decoder, { writable: false });
  ended.catch(() => {});
  let at = 0;
  try {
    while (at < packed.length && !decoder.readableEnded) {
      const slice = packed.subarray(at, at + (at < smallFrom ? SLICE_BYTES : 1));
      const written = new Promise<void>((resolve, reject) => {
        decoder.write(slice, (error) => (error ? reject(error) : resolve()));
      });
      // A decoder that has reached the end of its data does not call back, so `ended` is awaited too.
      await Promise.race([written, ended]);
      at += slice.length;
    }
    decoder.end();
    await ended;
    return { bytes: Buffer.concat(parts), isDamaged: false };
  } catch (error) {
    if (signal.aborted || error instanceof AppError) throw error;
    const failure = at < packed.length ? { failedAt: at } : {};
    return { bytes: Buffer.concat(parts), isDamaged: true, ...failure };
  } finally {
    decoder.destroy();
  }
}

function decodersFor(header: string): ((first: number) => Decoder)[] {
  const names = encodingsOf(header);
  if (names.length > MAX_LAYERS)
    throw upstreamError(`the page is compressed ${names.length} times over, which is not supported`);
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

function encodingsOf(header: string): string[] {
  return header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && name !== 'identity');
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

export function isRedirect(answer: { readonly status: number; readonly headers: Headers }): boolean {
  return REDIRECT_STATUSES.has(answer.status) && answer.headers.has('location');
}
