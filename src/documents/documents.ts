import { type AppError, notFoundError, unavailableError } from '../errors.ts';
import { attempt } from '../lib/attempt.ts';
import { quoteName } from '../lib/text/quote-name.ts';
import type { BlobStore } from './blob-store.ts';
import type { DocumentDraft, DocumentStore } from './document-store.ts';
import { foldFileName, nearestNames, normalizeFileName, removeFileExtension } from './file-names.ts';
import { createFindInFile } from './find-in-file.ts';
import { createIndexing } from './indexing.ts';
import { createPageDrawer } from './page-drawer.ts';
import type { PassageIndex } from './passage-index.ts';
import { createDocumentReader, type DocumentReaders } from './reading.ts';
import { searchDocuments } from './search-documents.ts';
import type { DocumentInfo, DocumentPart, Documents } from './types.ts';
import { createUpload, type UploadsOptions } from './uploads.ts';

export interface DocumentOptions<SoFar = never>
  extends DocumentReaders<SoFar>,
    Pick<UploadsOptions, 'trouble' | 'maxBytes' | 'quota'> {
  readonly store: DocumentStore;
  readonly blobs: BlobStore;
  readonly index: PassageIndex;
  readonly againMs?: number;
}

const STALE_DRAFT_MS = 6 * 3_600_000;

export function createDocuments<SoFar>(options: DocumentOptions<SoFar>): Documents {
  const { store, blobs, maxBytes, quota, trouble, againMs = 30_000 } = options;
  const readers = createDocumentReader(options);
  const indexing = createIndexing(store, options.index);
  const ensureIndexed = (owner: string, name: string) => indexing.ensureIndexed(owner, name).catch(trouble);
  const discard = async (owner: string, draft: DocumentDraft) => {
    await blobs.delete(owner, draft.blob);
    await store.deleteDraft(draft);
  };
  const upload = createUpload({ store, blobs, readers, discard, trouble, maxBytes, quota });

  const clearAway = async (owner: string, { name, ...draft }: DocumentDraft & { readonly name: string }) => {
    await indexing.removeLeftover(owner, name);
    await discard(owner, draft);
  };
  const recover = async () => {
    for (const { owner, ...left } of await store.listLeftovers(Date.now() - STALE_DRAFT_MS)) {
      if (indexing.closing.aborted) return;
      await clearAway(owner, left);
    }
    for (const { owner, name } of await store.listUnindexed()) {
      if (indexing.closing.aborted) return;
      await ensureIndexed(owner, name);
    }
  };
  let again: NodeJS.Timeout | undefined;
  const recoverLater = (error: unknown) => {
    trouble(error);
    if (indexing.closing.aborted) return;
    again ??= setTimeout(() => {
      again = undefined;
      recovery = recover().catch(recoverLater);
    }, againMs).unref();
  };
  let recovery = recover().catch(recoverLater);

  const getDocument = (owner: string, name: string) =>
    lookUp(store, owner, name, (known) => store.findDocument(owner, known));

  const readPart = async (owner: string, name: string, part: number): Promise<DocumentPart> => {
    const { document, pages } = await lookUp(store, owner, name, (known) =>
      store.findPart(owner, known, part),
    );
    checkPlace('partId', part, document.parts, 'part', document);
    return { document, part, pages };
  };

  const listPartsOfPages = async (owner: string, name: string, pages: readonly number[]) =>
    new Map((await store.listPartsOfPages(owner, name, pages)).map((one) => [one.page, one.part]));

  const readPage = async (owner: string, name: string, page: number) => {
    const { document, text } = await lookUp(store, owner, name, (known) =>
      store.findPage(owner, known, page),
    );
    checkPlace('page', page, document.pages, 'page', document);
    return text ?? '';
  };

  return {
    maxBytes,

    async addDocument(owner, given, bytes, signal, adding) {
      const name = await upload(owner, given, bytes, signal, adding);
      await ensureIndexed(owner, name);
      return getDocument(owner, name);
    },

    listReading: (owner) => readers.listReading(owner),
    listDocuments: (owner) => store.listDocuments(owner),
    getDocument,
    findFile: (owner, name) => findByName(store, owner, name, (known) => store.findDocument(owner, known)),
    readUsage: async (owner) => ({ ...(await store.readUsage(owner)), quota }),

    async removeDocument(owner, name) {
      // Only its exact name deletes a file. After a second request, similar names and titles are those of others.
      const given = name.toWellFormed().normalize('NFC');
      const hidden = await indexing.hideFile(owner, given);
      if (!hidden) throw await noFileError(store, owner, given);
      // The file is hidden already. If its bytes cannot be deleted now, they are deleted later.
      await clearAway(owner, { ...hidden, name: given }).catch(recoverLater);
    },

    readPart,

    findInFile: createFindInFile({
      getDocument,
      readPart,
      listPartsOfPages,
      ensureIndexed: indexing.ensureIndexed,
      index: options.index,
    }),
    listPartsOfPages,

    readPage,

    drawPage: createPageDrawer({ ...options, readPage, getDocument }),

    searchDocuments: (owner, words, signal) => searchDocuments(store, owner, words, signal),

    async openFile(owner, name) {
      const { document, blob } = await lookUp(store, owner, name, (known) => store.findBlob(owner, known));
      const bytes = await blobs.get(owner, blob);
      if (bytes) return { document, bytes };
      throw unavailableError(
        `the content of ${quoteName(document.name)} is missing from the data folder: upload the file again`,
      );
    },

    async close() {
      clearTimeout(again);
      await indexing.close();
      await recovery;
    },
  };
}

/** Calls `find` with the file's name. Throws AppError `not_found` with the most similar names. */
async function lookUp<T>(
  store: DocumentStore,
  owner: string,
  name: string,
  find: (name: string) => Promise<T | undefined>,
): Promise<T> {
  const found = await findByName(store, owner, name, find);
  if (found !== undefined) return found;
  throw await noFileError(store, owner, name.toWellFormed().normalize('NFC'));
}

async function noFileError(store: DocumentStore, owner: string, given: string): Promise<AppError> {
  const known = (await store.listDocuments(owner)).map(({ name }) => name);
  const names = nearestNames(given, known);
  const offer =
    names.length > 0
      ? `the nearest names are ${names.map(quoteName).join(', ')}`
      : 'no file is uploaded yet; pdfload says where';
  return notFoundError(`there is no uploaded file ${quoteName(given)}: ${offer}`);
}

async function findByName<T>(
  store: DocumentStore,
  owner: string,
  name: string,
  find: (name: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  const given = name.toWellFormed().normalize('NFC');
  const asPdf = nameOr(given, true);
  const found = (await find(given)) ?? (await find(asPdf)) ?? (await find(nameOr(given, false)));
  if (found !== undefined) return found;
  const wanted = [given, asPdf, nameOr(given, false)].map(foldFileName);
  const all = await store.listDocuments(owner);
  const known =
    all.find((one) => wanted.includes(foldFileName(one.name))) ??
    all.find((one) => removeFileExtension(foldFileName(one.name)) === wanted[0]) ??
    onlyOne(all.filter((one) => foldFileName(one.title) === wanted[0]));
  return known && find(known.name);
}

const onlyOne = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined);

function nameOr(given: string, isPdf: boolean): string {
  return attempt(() => normalizeFileName(given, isPdf)) ?? given;
}

function checkPlace(parameter: string, place: number, count: number, what: string, { name }: DocumentInfo) {
  if (Number.isInteger(place) && place >= 1 && place <= count) return;
  const has = `${count} ${what}${count === 1 ? '' : 's'}`;
  throw notFoundError(`${parameter} is ${place}, and ${quoteName(name)} has ${has}: it takes 1 to ${count}`);
}
