import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, badRequestError, tooLargeError, unavailableError } from '../../errors.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';

const MAX_FIELD_BYTES = 1_000_000;
const MAX_PARTS = 1000;
const MAX_NAME_BYTES = 1000;
const MAX_HEADER_BYTES = 16_384;
/** Size of memory blocks for files. Storing each small chunk alone would take much more memory. */
const BLOCK_BYTES = 262_144;
const MAX_FORMS_READ = 2;
const withFiles = createLimiter({
  concurrency: MAX_FORMS_READ,
  maxWaiting: 0,
  refuse: () =>
    unavailableError('other users are uploading right now; try again shortly', { retryAfter: 10 }),
});

export interface FormFile {
  readonly name: string;
  stream(): AsyncIterable<Uint8Array>;
}

export interface SubmittedForm {
  field(name: string): string;
  readonly files: readonly FormFile[];
}

/** Parses a form while it arrives. Throws AppError `too_large`, `bad_request`, or `unavailable` if busy. */
export async function parseSubmittedForm(request: Request, maxBytes: number): Promise<SubmittedForm> {
  const most = maxBytes + MAX_FIELD_BYTES;
  const tooLarge = tooLargeError(
    `these files are over ${Math.floor(maxBytes / 1e6)} MB together: upload fewer at a time, or a smaller one`,
  );
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge;
  const read = () => readFields(request, most, tooLarge);
  return maxBytes > 0 ? withFiles.run(read) : read();
}

async function readFields(request: Request, maxBytes: number, tooLarge: AppError): Promise<SubmittedForm> {
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
      // Counts the fields here, because the parser reports too many fields only with its next chunk.
      if (count > MAX_PARTS) refuse(tooMany());
      else if (cut) refuse(tooLarge);
      else if (!fields.has(name)) fields.set(name, value);
    });
    parser.on('file', (field, stream, name) => {
      stream.on('error', () => {});
      if (field !== 'files' || !name) return void stream.resume();
      const blocks = new Blocks();
      stream.on('data', (chunk: Uint8Array) => blocks.add(chunk));
      // Browsers write a quotation mark of a file's name as %22.
      files.push({ name: name.replaceAll('%22', '"'), stream: () => blocks.take() });
    });
    const body = request.body ? Readable.fromWeb(request.body as never) : Readable.from([]);
    await pipeline(body, (source) => bounded(source, maxBytes, tooLarge), parser);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw badRequestError('this is not a form of the upload page: load the page again', { cause });
  }
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

  async *take(): AsyncGenerator<Uint8Array> {
    const blocks = [...this.#full, this.#last.subarray(0, this.#used)];
    [this.#full, this.#last, this.#used] = [[], new Uint8Array(0), 0];
    for (let block = blocks.shift(); block; block = blocks.shift()) if (block.length > 0) yield block;
  }

  #begin(): void {
    if (this.#used > 0) this.#full.push(this.#last);
    // Doubles blocks from 4 KB up to the maximum, so that small files take little memory.
    this.#last = new Uint8Array(Math.min(BLOCK_BYTES, Math.max(4096, 2 * this.#last.length)));
    this.#used = 0;
  }
}

function tooMany(): AppError {
  return tooLargeError(`this form has over ${MAX_PARTS} fields and files: upload fewer at a time`);
}
