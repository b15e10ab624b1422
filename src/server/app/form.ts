import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../errors.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';

/** Bytes of a form around its files, and its fields and files. */
const MAX_FIELD_BYTES = 1_000_000;
const MAX_PARTS = 1000;
/** Bytes of the names and headers of one part. */
const MAX_NAME_BYTES = 1000;
const MAX_HEADER_BYTES = 16_384;
/** Bytes that are kept in one piece: files arrive in pieces of any size, and small ones take many times their bytes. */
const BLOCK_BYTES = 262_144;

/** Forms with files that are in memory at once. */
const MAX_FORMS_READ = 2;
const withFiles = createLimiter({
  concurrency: MAX_FORMS_READ,
  maxWaiting: 0,
  refuse: () =>
    new AppError('unavailable', 'other users are uploading right now; try again shortly', { retryAfter: 10 }),
});

/** A file of a form. */
export interface FormFile {
  readonly name: string;
  /** Its bytes, to be read once. */
  stream(): AsyncIterable<Uint8Array>;
}

export interface UploadForm {
  /** A hidden field; '' when it is not there. */
  field(name: string): string;
  readonly files: readonly FormFile[];
}

/**
 * The form of a page without scripts, parsed while it arrives: its files are in memory, and may have `maxBytes` together. AppError
 * `too_large`; `bad_request` for anything else than a form; `unavailable` when several with files come at once.
 */
export async function readForm(request: Request, maxBytes: number): Promise<UploadForm> {
  const most = maxBytes + MAX_FIELD_BYTES;
  const tooLarge = new AppError(
    'too_large',
    `these files are over ${Math.floor(maxBytes / 1e6)} MB together: upload fewer at a time, or a smaller one`,
  );
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge;
  const read = () => readFields(request, most, tooLarge);
  return maxBytes > 0 ? withFiles.run(read) : read();
}

async function readFields(request: Request, maxBytes: number, tooLarge: AppError): Promise<UploadForm> {
  const fields = new Map<string, string>();
  const files: FormFile[] = [];
  let refused: AppError | undefined;
  try {
    const { Busboy } = await import('@fastify/busboy');
    const parser = new Busboy({
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      preservePath: true,
      limits: {
        parts: MAX_PARTS,
        fields: MAX_PARTS + 1,
        files: MAX_PARTS,
        fieldNameSize: MAX_NAME_BYTES,
        fieldSize: MAX_FIELD_BYTES,
        headerSize: MAX_HEADER_BYTES,
      },
    });
    const refuse = (why: AppError) => {
      refused ??= why;
      parser.destroy(why);
    };
    for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
      parser.on(limit, () => refuse(tooMany()));
    }
    let count = 0;
    parser.on('field', (name, value, _nameCut, cut) => {
      count += 1;
      // Of a form that came in one piece, the parser reports its limit with the next.
      if (count > MAX_PARTS) refuse(tooMany());
      else if (cut) refuse(tooLarge);
      else if (!fields.has(name)) fields.set(name, value);
    });
    parser.on('file', (field, stream, name) => {
      // A form that ends in the middle of a file is refused as a whole.
      stream.on('error', () => {});
      // A browser sends an empty file without a name when none is chosen.
      if (field !== 'files' || !name) return void stream.resume();
      const blocks = new Blocks();
      stream.on('data', (chunk: Uint8Array) => blocks.add(chunk));
      files.push({ name, stream: () => blocks.take() });
    });
    const body = request.body ? Readable.fromWeb(request.body as never) : Readable.from([]);
    await pipeline(body, (source) => bounded(source, maxBytes, tooLarge), parser);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('bad_request', 'this is not a form of the upload page: load the page again', {
      cause,
    });
  }
  // A form that came in one piece may be at its end before the stream is destroyed.
  if (refused) throw refused;
  return { field: (name) => fields.get(name) ?? '', files };
}

async function* bounded(source: AsyncIterable<Uint8Array>, maxBytes: number, tooLarge: AppError) {
  let count = 0;
  for await (const chunk of source) {
    count += chunk.length;
    if (count > maxBytes) throw tooLarge;
    yield chunk;
  }
}

/** Bytes that come in pieces of any size, in large ones. */
class Blocks {
  #full: Uint8Array[] = [];
  #last = new Uint8Array(0);
  #used = 0;

  add(chunk: Uint8Array): void {
    for (let rest = chunk; rest.length > 0; ) {
      if (this.#used === this.#last.length) this.#begin();
      const now = rest.subarray(0, this.#last.length - this.#used);
      this.#last.set(now, this.#used);
      this.#used += now.length;
      rest = rest.subarray(now.length);
    }
  }

  /** The blocks, each given up once it is taken. */
  async *take(): AsyncGenerator<Uint8Array> {
    const blocks = [...this.#full, this.#last.subarray(0, this.#used)];
    [this.#full, this.#last, this.#used] = [[], new Uint8Array(0), 0];
    for (let block = blocks.shift(); block; block = blocks.shift()) if (block.length > 0) yield block;
  }

  #begin(): void {
    if (this.#used > 0) this.#full.push(this.#last);
    // Small files take little.
    this.#last = new Uint8Array(Math.min(BLOCK_BYTES, Math.max(4096, 2 * this.#last.length)));
    this.#used = 0;
  }
}

function tooMany(): AppError {
  return new AppError(
    'too_large',
    `this form has over ${MAX_PARTS} fields and files: upload fewer at a time`,
  );
}
