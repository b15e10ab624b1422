import type { DocumentInfo, DocumentPage, DocumentUsage } from './types.ts';

/** A file on its way in: it has a row, so that what a crash leaves behind can be found, and is not visible yet. */
export interface Draft {
  readonly row: number;
  /** Key of its bytes in the blob store. */
  readonly blob: string;
}

/** What is known of a file once its text is read. */
export interface DraftFacts {
  readonly kind: string;
  /** Left out for that of the file it replaces, else the default one. */
  readonly collection?: string | undefined;
  readonly title: string;
  readonly author: string;
  readonly bytes: number;
}

/** What all files of one owner may take up. */
export interface DocumentBounds {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

/** Outcome of publishing a draft. */
export type Published =
  /** It is visible; `replaced` is the file that had its name and is hidden now. */
  | { readonly replaced: Draft | undefined }
  /** It does not fit: the owner's other files. The draft stays a draft. */
  | { readonly used: DocumentUsage };

/** The record of uploaded files and their texts. Every call is atomic and about one owner's files only. */
export interface DocumentStore {
  /** All of an owner's files, newest first. */
  listDocuments(owner: string): Promise<DocumentInfo[]>;
  findDocument(owner: string, name: string): Promise<DocumentInfo | undefined>;
  /** Of all files, or of all but one. */
  readUsage(owner: string, except?: string): Promise<DocumentUsage>;
  beginDraft(owner: string, name: string): Promise<Draft>;
  /** Adds the texts of pages, in steps that hold no other work up. `parts` has the part of each page. */
  insertPages(draft: Draft, pages: readonly string[], parts: readonly number[]): Promise<void>;
  /** Makes the file visible if it fits the bounds beside the owner's other files; hides one of the same name. */
  publishDraft(owner: string, draft: Draft, facts: DraftFacts, bounds: DocumentBounds): Promise<Published>;
  /** Hides a file; undefined when there is none. */
  hideDocument(owner: string, name: string): Promise<Draft | undefined>;
  /** Deletes a draft or a hidden file with its texts. */
  deleteDraft(draft: Draft): Promise<void>;
  /** Hidden files, and drafts begun before `before` (milliseconds since 1970), with their owners. */
  listLeftovers(before: number): Promise<(Draft & { readonly owner: string; readonly name: string })[]>;
  /** A visible file whose passages are not in the index yet; undefined for any other. */
  findUnindexed(
    owner: string,
    name: string,
  ): Promise<{ readonly row: number; readonly title: string; readonly collection: string } | undefined>;
  markIndexed(row: number): Promise<void>;
  listUnindexed(): Promise<{ readonly owner: string; readonly name: string }[]>;
  /** A file and the key of its bytes. */
  findBlob(
    owner: string,
    name: string,
  ): Promise<{ readonly document: DocumentInfo; readonly blob: string } | undefined>;
  /** A file and the pages of one part, in order; none for a part that it has not. */
  findPart(
    owner: string,
    name: string,
    part: number,
  ): Promise<{ readonly document: DocumentInfo; readonly pages: DocumentPage[] } | undefined>;
  /** Of these pages, those that the file has, in order. */
  listPartsOfPages(
    owner: string,
    name: string,
    pages: readonly number[],
  ): Promise<{ readonly page: number; readonly part: number }[]>;
  /** A file and the text of one page; undefined text for a page that it has not. */
  findPage(
    owner: string,
    name: string,
    page: number,
  ): Promise<{ readonly document: DocumentInfo; readonly text: string | undefined } | undefined>;
  /** Pages of a file from number `from` on, at most `limit`. */
  listPages(owner: string, name: string, from: number, limit: number): Promise<DocumentPage[]>;
}
