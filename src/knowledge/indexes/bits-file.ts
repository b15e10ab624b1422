import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { GrowingIndexOptions, IndexSyncState } from '../ranking/vector-index.ts';
import { WASM_PAGE_BYTES } from './bit-rows.ts';
import { type BitsIndex, createBitsIndex } from './bits.ts';

const VERSION = 1;
const Header = z.object({
  version: z.literal(VERSION),
  dimensions: z.int().min(1).max(65_536),
  model: z.string(),
  count: z.int().min(0),
  perPage: z.int().min(1).max(WASM_PAGE_BYTES),
  crc: z.int(),
  followed: z.object({ below: z.int(), removals: z.int(), restores: z.int() }).optional(),
});
type Header = z.infer<typeof Header>;
/** Size of the header, which is padded with spaces so that the data begins at a fixed position. */
const HEADER_BYTES = 4096;

export interface KeptBits {
  readonly index: BitsIndex;
  readonly followed: IndexSyncState | undefined;
}

/** Saves `<path>.bits`: a JSON header, the mean vector, and for each page the vectors' ids and bits. */
export async function saveBits(
  path: string,
  index: BitsIndex,
  followed: IndexSyncState | undefined,
): Promise<void> {
  const [to, from] = [`${path}.bits`, `${path}.bits.${randomUUID()}`];
  const { dimensions, model, size: count, perPage, mean } = index;
  const parts = [Buffer.from(bytesOf(mean))];
  for (let page = 0; page * perPage < count; page++) {
    const { ids, bytes } = index.readPage(page);
    parts.push(Buffer.concat([bytesOf(ids), bytes]));
  }
  try {
    const file = await open(from, 'w', 0o600);
    try {
      let at = HEADER_BYTES;
      let crc = 0;
      for (const part of parts) {
        crc = crc32(part, crc);
        await writeWhole(file, part, at);
        at += part.length;
      }
      const header: Header = { version: VERSION, dimensions, model, count, perPage, crc, followed };
      await writeWhole(file, headerBytes(header), 0);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(from, to);
  } finally {
    await rm(from, { force: true });
  }
}

export async function readBits(
  path: string,
  options: GrowingIndexOptions,
  pause: () => Promise<void>,
): Promise<KeptBits | undefined> {
  let index: BitsIndex | undefined;
  try {
    const file = await open(`${path}.bits`, 'r');
    try {
      const header = await readHeader(file);
      if (header.dimensions !== options.dimensions || header.model !== options.model) return undefined;
      const mean = new Float32Array(header.dimensions);
      await readWhole(file, bytesOf(mean), HEADER_BYTES);
      if (!mean.every(Number.isFinite)) return undefined;
      index = createBitsIndex({ ...options, mean });
      const crc = await readPages(file, index, header, crc32(bytesOf(mean)), pause);
      if (crc === header.crc) return { index, followed: header.followed };
    } finally {
      await file.close();
    }
  } catch {}
  index?.close();
  return undefined;
}

async function readPages(
  file: FileHandle,
  index: BitsIndex,
  { count, perPage, dimensions }: Header,
  begun: number,
  pause: () => Promise<void>,
): Promise<number> {
  if (perPage !== index.perPage) throw new RangeError('pages of another size');
  let crc = begun;
  let at = HEADER_BYTES + dimensions * 4;
  for (let done = 0; done < count; done += perPage) {
    const ids = new Float64Array(Math.min(perPage, count - done));
    const whole = Buffer.alloc(ids.byteLength + WASM_PAGE_BYTES);
    await readWhole(file, whole, at);
    crc = crc32(whole, crc);
    at += whole.length;
    bytesOf(ids).set(whole.subarray(0, ids.byteLength));
    index.loadPage(ids, (bytes) => bytes.set(whole.subarray(ids.byteLength)));
    await pause();
  }
  return crc;
}

export async function deleteBits(path: string): Promise<void> {
  await rm(`${path}.bits`, { force: true });
}

export async function listDamagedBits(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const damaged: string[] = [];
  for (const name of names) {
    if (!name.endsWith('.bits')) continue;
    const path = join(folder, name.slice(0, -'.bits'.length));
    const file = await open(`${path}.bits`, 'r');
    const header = await readHeader(file).catch(() => undefined);
    await file.close();
    const kept = header && (await readBits(path, header, async () => {}));
    kept?.index.close();
    if (!kept) damaged.push(path);
  }
  return damaged;
}

async function readHeader(file: FileHandle): Promise<Header> {
  const bytes = Buffer.alloc(HEADER_BYTES);
  await readWhole(file, bytes, 0);
  return Header.parse(JSON.parse(bytes.toString()));
}

function headerBytes(header: Header): Buffer {
  const line = Buffer.from(JSON.stringify(header));
  if (line.length >= HEADER_BYTES) throw new RangeError('the header of an index is too long');
  return Buffer.concat([line, Buffer.alloc(HEADER_BYTES - 1 - line.length, ' '), Buffer.from('\n')]);
}

async function readWhole(file: FileHandle, into: Buffer, at: number): Promise<void> {
  const { bytesRead } = await file.read(into, 0, into.length, at);
  if (bytesRead < into.length) throw new RangeError('the file ends early');
}

async function writeWhole(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  const { bytesWritten } = await file.write(bytes, 0, bytes.length, at);
  if (bytesWritten < bytes.length) throw new RangeError('the file took a part of what was written');
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Float64Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
