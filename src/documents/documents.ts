import { AppError } from '../errors.ts';
import type { BlobStore } from './blob-store.ts';
import type { DocumentInfo, DocumentMatch, DocumentPart, FoundDocument, Reading } from './document.ts';
import type { DocumentStore, Draft } from './document-store.ts';
import { findDocuments } from './find.ts';
import { createIndexing } from './indexing.ts';
import { fileName, nearestNames, quoted } from './names.ts';
import { partsOf } from './parts.ts';
import type { PassageIndex } from './passage-index.ts';
import { createReaders, type DocumentReaders } from './reading.ts';

export interface DocumentOptions extends DocumentReaders {
  readonly store: DocumentStore;
  readonly blobs: BlobStore;
  readonly index: PassageIndex;
  /** Told when passages of a file could not be put into the index; it is tried again with the next question. */
  readonly trouble: (error: unknown) => void;
  /** Most bytes of one file. */
  readonly maxBytes: number;
  /** Most bytes of all files of one user. */
  readonly quota: number;
}

/** Uploaded files, each user's apart. A name that is not there is AppError `not_found`, with the nearest ones. */
export interface Documents {
  readonly maxBytes: number;
  /**
   * Keeps a PDF under a name; one of the same name gives way once all of the new one is there. AppError
   * `bad_request`, `unsupported`, `too_large`, `timeout` say what is wrong with the file.
   */
  add(
    owner: string,
    name: string,
    bytes: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<DocumentInfo>;
  /** The files whose text is being read for `add`. */
  reading(owner: string): Reading[];
  /** Newest first. */
  list(owner: string): Promise<DocumentInfo[]>;
  get(owner: string, name: string): Promise<DocumentInfo>;
  usage(owner: string): Promise<{ readonly files: number; readonly bytes: number; readonly quota: number }>;
  remove(owner: string, name: string): Promise<void>;
  /** AppError `not_found` with the count when `part` is past the end. */
  part(owner: string, name: string, part: number): Promise<DocumentPart>;
  /** Passages of a part that come nearest to a question, best first. */
  query(
    owner: string,
    name: string,
    part: number,
    question: string,
    most: number,
    signal: AbortSignal,
  ): Promise<{ readonly document: DocumentInfo; readonly matches: DocumentMatch[] }>;
  /** Markdown of one page. AppError `not_found` with the count when it is past the end. */
  page(owner: string, name: string, page: number): Promise<string>;
  /** Files whose name or text has the words. */
  find(owner: string, words: string, signal: AbortSignal): Promise<FoundDocument[]>;
  /** The file as it was uploaded. */
  open(
    owner: string,
    name: string,
  ): Promise<{ readonly document: DocumentInfo; readonly bytes: ReadableStream<Uint8Array> }>;
  close(): Promise<void>;
}

/** Files of one user. */
const FILES = 10_000;
/** Milliseconds after which an upload that did not end is one that a crash broke off. */
const STALE = 6 * 3_600_000;

/** The room of uploaded files; what a crash left behind of earlier uploads is cleared away. */
export function createDocuments(options: DocumentOptions): Documents {
  const { store, blobs, maxBytes, quota } = options;
  const readers = createReaders(options);
  const indexing = createIndexing(store, options.index);
  const ensureIndexed = (owner: string, name: string) => indexing.ensure(owner, name).catch(options.trouble);

  const discard = async (owner: string, draft: Draft) => {
    await blobs.delete(owner, draft.blob);
    await store.drop(draft);
  };
  const recover = async () => {
    for (const { owner, name, ...draft } of store.leftovers(Date.now() - STALE)) {
      // A hidden file that none has replaced was about to go, passages and all.
      if (!store.get(owner, name)) await indexing.remove(owner, name, () => {});
      await discard(owner, draft);
    }
    for (const { owner, name } of store.unindexed()) await ensureIndexed(owner, name);
  };
  // What fails now is tried again at the next start.
  void recover().catch(options.trouble);

  const find = (owner: string, name: string): DocumentInfo => {
    const given = name.toWellFormed().normalize('NFC');
    const document = store.get(owner, given) ?? store.get(owner, nameOr(given));
    if (document) return document;
    const names = nearestNames(
      given,
      store.list(owner).map((known) => known.name),
    );
    const offer =
      names.length > 0
        ? `the nearest names are ${names.map(quoted).join(', ')}`
        : 'no PDF file is uploaded yet; pdfload says where';
    throw new AppError('not_found', `there is no uploaded file ${quoted(given)}: ${offer}`);
  };

  /** Bytes that a file of this name finds. AppError `too_large` when one more is too many. */
  const roomFor = (owner: string, name: string): number => {
    const before = store.get(owner, name)?.bytes;
    const used = store.usage(owner);
    if (before === undefined && used.files >= FILES) {
      throw new AppError(
        'too_large',
        `there are ${FILES} files already, which is the most: delete some first`,
      );
    }
    return quota - used.bytes + (before ?? 0);
  };

  const partOf = (owner: string, name: string, part: number): DocumentPart => {
    const document = find(owner, name);
    checkPlace('partId', part, document.parts, 'part', document);
    return { document, part, pages: store.pages(owner, document.name, part) };
  };

  return {
    maxBytes,

    async add(owner, given, bytes, signal) {
      const name = fileName(given);
      const room = roomFor(owner, name);
      const draft = store.begin(owner, name);
      try {
        const size = await blobs.put(owner, draft.blob, limited(bytes, name, maxBytes, room, signal));
        const load = async () => collect(await blobs.get(owner, draft.blob), size);
        const file = await readers.read(owner, name, load, signal);
        signal.throwIfAborted();
        await store.addPages(draft, file.pages, await partsOf(file.pages));
        signal.throwIfAborted();
        // Files that came meanwhile have taken of it.
        const left = roomFor(owner, name);
        if (size > left) throw noRoom(name, left);
        const replaced = store.finish(owner, draft, {
          title: file.title,
          author: file.author ?? '',
          bytes: size,
        });
        // The new file is there, whatever becomes of what is left of the old one.
        if (replaced) await discard(owner, replaced).catch(options.trouble);
      } catch (error) {
        await discard(owner, draft).catch(() => {});
        throw error;
      }
      // Whoever uploaded may go now: the file is there, and its passages will be.
      await ensureIndexed(owner, name);
      return find(owner, name);
    },

    reading: (owner) => readers.under(owner),
    list: async (owner) => store.list(owner),
    get: async (owner, name) => find(owner, name),
    usage: async (owner) => ({ ...store.usage(owner), quota }),

    async remove(owner, name) {
      const known = find(owner, name).name;
      const hidden = await indexing.remove(owner, known, () => store.hide(owner, known));
      if (hidden) await discard(owner, hidden);
    },

    part: async (owner, name, part) => partOf(owner, name, part),

    async query(owner, name, part, question, most, signal) {
      const { document, pages } = partOf(owner, name, part);
      await indexing.ensure(owner, document.name);
      const range = { fromPage: pages[0]?.page ?? 1, toPage: pages.at(-1)?.page ?? 1 };
      const ask = (words: string) => options.index.query(owner, document.name, range, words, most, signal);
      const matches = await ask(question);
      // Nothing in common with the question: how the part begins tells more than nothing.
      return { document, matches: matches.length > 0 ? matches : await ask('') };
    },

    async page(owner, name, page) {
      const document = find(owner, name);
      checkPlace('page', page, document.pages, 'page', document);
      return store.page(owner, document.name, page) ?? '';
    },

    close: () => indexing.close(),
    find: (owner, words, signal) => findDocuments(store, owner, words, signal),

    async open(owner, name) {
      const document = find(owner, name);
      const blob = store.blobOf(owner, document.name);
      const bytes = blob === undefined ? undefined : await blobs.get(owner, blob);
      if (bytes) return { document, bytes };
      throw new AppError(
        'unavailable',
        `the bytes of ${quoted(document.name)} are gone from the data folder: upload the file again`,
      );
    },
  };
}

/** The name as an upload would have kept it; what no upload would have taken stays as it is. */
function nameOr(given: string): string {
  try {
    return fileName(given);
  } catch {
    return given;
  }
}

function checkPlace(
  parameter: string,
  place: number,
  count: number,
  what: string,
  { name }: DocumentInfo,
): void {
  if (Number.isInteger(place) && place >= 1 && place <= count) return;
  const has = `${count} ${what}${count === 1 ? '' : 's'}`;
  throw new AppError(
    'not_found',
    `${parameter} is ${place}, and ${quoted(name)} has ${has}: it takes 1 to ${count}`,
  );
}

/** The bytes as they come, until there are too many of them. */
async function* limited(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  maxBytes: number,
  room: number,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  let count = 0;
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    count += chunk.length;
    if (count > maxBytes) {
      throw new AppError(
        'too_large',
        `${quoted(name)} is over ${megabytes(maxBytes)}, which is the most for one file`,
      );
    }
    if (count > room) throw noRoom(name, room);
    yield chunk;
  }
}

function noRoom(name: string, room: number): AppError {
  const left = megabytes(Math.max(0, room));
  return new AppError(
    'too_large',
    `${quoted(name)} finds no room: ${left} are left of your files' share; delete some first`,
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

async function collect(stream: ReadableStream<Uint8Array> | undefined, size: number): Promise<Uint8Array> {
  const all = new Uint8Array(size);
  let at = 0;
  for await (const chunk of stream ?? []) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
