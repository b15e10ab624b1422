import type { DocumentInfo, DocumentPage, DocumentUsage } from './types.ts';

/** A file during its upload. After a crash, the draft's row shows which bytes must be deleted. */
export interface DocumentDraft {
  readonly row: number;
  readonly blob: string;
}

export interface DraftFacts {
  readonly kind: string;
  readonly collection?: string | undefined;
  readonly title: string;
  readonly author: string;
  readonly bytes: number;
}

export interface DocumentBounds {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

export type PublishResult =
  /** `replaced` is an earlier file of the same name. It is hidden, but not yet deleted. */
  | { readonly replaced: DocumentDraft | undefined }
  /** The file exceeds the owner's limits. `used` is what the owner's other files already use. */
  | { readonly used: DocumentUsage };

/** Stores the records and texts of uploaded files. Each call is atomic and concerns one owner's files. */
export interface DocumentStore {
  listDocuments(owner: string): Promise<DocumentInfo[]>;
  findDocument(owner: string, name: string): Promise<DocumentInfo | undefined>;
  readUsage(owner: string, except?: string): Promise<DocumentUsage>;
  beginDraft(owner: string, name: string): Promise<DocumentDraft>;
  /** Inserts texts of pages in steps. `parts[i]` is the part number of `pages[i]`. */
  insertPages(draft: DocumentDraft, pages: readonly string[], parts: readonly number[]): Promise<void>;
  /** Makes the file visible if the owner's files fit the limits. Hides an earlier file of the same name. */
  publishDraft(
    owner: string,
    draft: DocumentDraft,
    facts: DraftFacts,
    bounds: DocumentBounds,
  ): Promise<PublishResult>;
  hideDocument(owner: string, name: string): Promise<DocumentDraft | undefined>;
  deleteDraft(draft: DocumentDraft): Promise<void>;
  /** Lists hidden files, and uploads that began before `before` (milliseconds since 1970). */
  listLeftovers(
    before: number,
  ): Promise<(DocumentDraft & { readonly owner: string; readonly name: string })[]>;
  findUnindexed(
    owner: string,
    name: string,
  ): Promise<{ readonly row: number; readonly title: string; readonly collection: string } | undefined>;
  markIndexed(row: number): Promise<void>;
  listUnindexed(): Promise<{ readonly owner: string; readonly name: string }[]>;
  findBlob(
    owner: string,
    name: string,
  ): Promise<{ readonly document: DocumentInfo; readonly blob: string } | undefined>;
  /** Returns a file with the pages of one part. `pages` is empty if the part does not exist. */
  findPart(
    owner: string,
    name: string,
    part: number,
  ): Promise<{ readonly document: DocumentInfo; readonly pages: DocumentPage[] } | undefined>;
  listPartsOfPages(
    owner: string,
    name: string,
    pages: readonly number[],
  ): Promise<{ readonly page: number; readonly part: number }[]>;
  findPage(
    owner: string,
    name: string,
    page: number,
  ): Promise<{ readonly document: DocumentInfo; readonly text: string | undefined } | undefined>;
  listPages(owner: string, name: string, from: number, limit: number): Promise<DocumentPage[]>;
}
