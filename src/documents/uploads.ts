import { setImmediate } from 'node:timers/promises';
import { type AppError, tooLargeError } from '../errors.ts';
import { normalizeOptionalCollection } from '../lib/collection.ts';
import { quoteName } from '../lib/text/quote-name.ts';
import { countWords } from '../lib/text/text.ts';
import type { BlobStore } from './blob-store.ts';
import type { DocumentDraft, DocumentStore } from './document-store.ts';
import { normalizeFileName } from './file-names.ts';
import type { createDocumentReader } from './reading.ts';
import type { AddDocumentOptions, DocumentUsage } from './types.ts';

export interface UploadsOptions {
  readonly store: DocumentStore;
  readonly blobs: BlobStore;
  readonly readers: Pick<ReturnType<typeof createDocumentReader>, 'readFile'>;
  readonly discard: (owner: string, draft: DocumentDraft) => Promise<void>;
  readonly trouble: (error: unknown) => void;
  readonly maxBytes: number;
  readonly quota: number;
}

const HEAD_BYTES = 1024;
const MAX_FILES = 10_000;

export type Upload = (
  owner: string,
  given: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  adding?: AddDocumentOptions,
) => Promise<string>;

/** Creates the upload function. A failed upload leaves no visible file. Throws AppError `too_large`. */
export function createUpload(options: UploadsOptions): Upload {
  const { store, blobs, readers, discard, maxBytes, quota } = options;
  const bounds = { maxFiles: MAX_FILES, maxBytes: quota };

  const takeIn = async (
    owner: string,
    name: string,
    draft: DocumentDraft,
    bytes: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    { password, collection }: AddDocumentOptions,
  ): Promise<DocumentDraft | undefined> => {
    const size = await blobs.put(owner, draft.blob, bytes, signal);
    const load = async () =>
      (await blobs.locate(owner, draft.blob)) ?? collect(await blobs.get(owner, draft.blob, signal), size);
    const file = await readers.readFile({ owner, name, signal, password }, load);
    signal.throwIfAborted();
    await store.insertPages(draft, file.pages, await assignPagesToParts(file.pages));
    signal.throwIfAborted();
    const { kind, author = '' } = file;
    const title = /\p{L}/u.test(file.title) ? file.title : '';
    const facts = { kind, title, author, bytes: size, collection: normalizeOptionalCollection(collection) };
    const published = await store.publishDraft(owner, draft, facts, bounds);
    if ('used' in published) throw noRoom(name, roomIn(published.used, quota));
    return published.replaced;
  };

  return async (owner, given, all, signal, adding = {}) => {
    normalizeFileName(given);
    normalizeOptionalCollection(adding.collection);
    const { head, bytes } = await headOf(all);
    const name = normalizeFileName(given, head.trimStart().startsWith('%PDF-'));
    const left = roomIn(await store.readUsage(owner, name), quota);
    const draft = await store.beginDraft(owner, name);
    let replaced: DocumentDraft | undefined;
    try {
      replaced = await takeIn(
        owner,
        name,
        draft,
        limited(bytes, { name, maxBytes, left }, signal),
        signal,
        adding,
      );
    } catch (error) {
      await discard(owner, draft).catch(() => {});
      throw error;
    }
    // The new file is visible already, so a failure to delete the old one is only reported.
    if (replaced) await discard(owner, replaced).catch(options.trouble);
    return name;
  };
}

async function headOf(all: AsyncIterable<Uint8Array>) {
  const rest = all[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const { value, done } = await rest.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  const bytes = async function* () {
    try {
      yield* first;
      for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
    } finally {
      await rest.return?.();
    }
  };
  return { head: Buffer.concat(first).toString('latin1', 0, HEAD_BYTES), bytes: bytes() };
}

function roomIn({ files, bytes }: DocumentUsage, quota: number): number {
  if (files < MAX_FILES) return quota - bytes;
  throw tooLargeError(`you have ${MAX_FILES} files, the maximum: delete some first`);
}

async function* limited(
  bytes: AsyncIterable<Uint8Array>,
  { name, maxBytes, left }: { readonly name: string; readonly maxBytes: number; readonly left: number },
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  let count = 0;
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    count += chunk.length;
    if (count > maxBytes) {
      throw tooLargeError(`${quoteName(name)} is over ${megabytes(maxBytes)}, the maximum for one file`);
    }
    if (count > left) throw noRoom(name, left);
    yield chunk;
  }
}

function noRoom(name: string, left: number): AppError {
  return tooLargeError(
    `${quoteName(name)} does not fit: ${megabytes(Math.max(0, left))} of your storage quota are left; delete some files first`,
  );
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

async function collect(stream: ReadableStream<Uint8Array> | undefined, size: number): Promise<Uint8Array> {
  const all = new Uint8Array(size);
  let at = 0;
  for await (const chunk of stream ?? []) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

const PART_WORDS = 3000;
const STEP_PAGES = 200;

/** Returns the part number (from 1) of each page. A part has whole pages with about 3,000 words. */
async function assignPagesToParts(pages: readonly string[]): Promise<number[]> {
  const parts: number[] = [];
  let [part, words] = [1, 0];
  for (const text of pages) {
    const more = countWords(text);
    if (words > 0 && words + more - PART_WORDS > Math.abs(PART_WORDS - words)) {
      part++;
      words = 0;
    }
    words += more;
    parts.push(part);
    if (parts.length % STEP_PAGES === 0) await setImmediate();
  }
  return parts;
}
