import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { Unzip, type UnzipDecoder, type UnzipFile } from 'fflate';
import { AppError, badRequestError } from '../../../../errors.ts';
import { parseJsonOrNothing } from '../../../../lib/text/parse-json-or-nothing.ts';

/** Maximum bytes of one record and of all records, and maximum count. OSV has about 2,700,000 records. */
export const OSV_LIMITS = { record: 20_000_000, total: 100_000_000_000, records: 10_000_000 };
export type OsvLimits = typeof OSV_LIMITS;
const CHUNK_BYTES = 1 << 18;

/** Yields an OSV export's records, undefined for invalid or too large ones. Throws AppError `bad_request`. */
export async function* osvRecords(
  path: string,
  signal: AbortSignal,
  limits: OsvLimits = OSV_LIMITS,
): AsyncGenerator<unknown> {
  const facts = await stat(path).catch((cause: unknown) => {
    throw badRequestError(`${path} cannot be read: it takes a ZIP file, a folder or an address`, { cause });
  });
  if (facts.isDirectory()) yield* folderRecords(path, signal, limits);
  else if (path.endsWith('.json')) yield* jsonFile(path, limits);
  else yield* zipRecords(path, createReadStream(path, { highWaterMark: CHUNK_BYTES }), signal, limits);
}

const DEFLATE = 8;

/** Passes a ZIP entry through fflate without decompressing it. Zlib later does that faster. */
class PackedDecoder implements UnzipDecoder {
  static readonly compression = DEFLATE;
  ondata: UnzipDecoder['ondata'] = () => {};
  push(data: Parameters<UnzipDecoder['ondata']>[1], final: boolean): void {
    this.ondata(null, data, final);
  }
}

async function* folderRecords(root: string, signal: AbortSignal, limits: OsvLimits): AsyncGenerator<unknown> {
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith('.')) folders.push(path);
      else if (entry.isFile() && entry.name.endsWith('.json')) yield* jsonFile(path, limits);
      else if (entry.isFile() && entry.name.endsWith('.zip'))
        yield* zipRecords(path, createReadStream(path, { highWaterMark: CHUNK_BYTES }), signal, limits);
    }
  }
}

async function* jsonFile(path: string, { record }: OsvLimits): AsyncGenerator<unknown> {
  const { size } = await stat(path);
  yield size > record ? undefined : parsed(await readFile(path));
}

export async function* splitIntoChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) yield bytes.subarray(from, from + CHUNK_BYTES);
}

/** Yields a ZIP archive's JSON files as they arrive. Throws AppError `bad_request` (invalid or too large). */
export async function* zipRecords(
  name: string,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  { record, total, records }: OsvLimits = OSV_LIMITS,
): AsyncGenerator<unknown> {
  const ready: unknown[] = [];
  let count = 0;
  let bytes = 0;
  let files = 0;
  let first: Uint8Array | undefined;
  const failure = (what: string) => badRequestError(`the archive ${name} ${what}`);
  const unzip = new Unzip((file: UnzipFile) => {
    if (++files > records) throw failure(`holds over ${records} files`);
    if (!file.name.endsWith('.json')) return;
    const chunks: Uint8Array[] = [];
    let size = 0;
    file.ondata = (_, chunk, last) => {
      size += chunk.length;
      if (size > record) throw failure(tooLong);
      chunks.push(chunk);
      if (!last) return;
      const packed = Buffer.concat(chunks);
      const whole = file.compression === DEFLATE ? inflated(packed, file.name) : packed;
      bytes += whole.length;
      if (bytes > total) throw failure(`holds over ${total} bytes`);
      count++;
      ready.push(parsed(whole));
    };
    file.start();
  });
  unzip.register(PackedDecoder);
  const tooLong = `holds a record of over ${record} bytes`;
  const inflated = (packed: Uint8Array, at: string): Uint8Array => {
    try {
      return inflateRawSync(packed, { maxOutputLength: record });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw failure(tooLong);
      throw failure(`is damaged at ${JSON.stringify(at.slice(0, 100))}`);
    }
  };
  try {
    for await (const chunk of source) {
      signal.throwIfAborted();
      first ??= chunk;
      unzip.push(chunk);
      yield* ready.splice(0);
    }
    unzip.push(new Uint8Array(), true);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof AppError) throw cause;
    throw badRequestError(`the archive ${name} is damaged, or not a ZIP archive`, { cause });
  }
  yield* ready;
  if (count === 0) throw failure(first?.[0] === 0x50 ? 'holds no records' : 'is not a ZIP archive');
}

const parsed = (bytes: Uint8Array): unknown => parseJsonOrNothing(new TextDecoder().decode(bytes));
