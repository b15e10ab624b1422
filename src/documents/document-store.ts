import type { DocumentInfo, DocumentPage } from './document.ts';

/** A file on its way in: it has a row, so that what a crash leaves behind can be found, and is not seen yet. */
export interface Draft {
  readonly row: number;
  /** Under which its bytes are kept. */
  readonly blob: string;
}

/** The record of uploaded files and their texts. Every call is about one owner's files only. */
export interface DocumentStore {
  /** All of an owner's files, newest first. */
  list(owner: string): DocumentInfo[];
  get(owner: string, name: string): DocumentInfo | undefined;
  usage(owner: string): { readonly files: number; readonly bytes: number };
  begin(owner: string, name: string): Draft;
  /** Adds the texts of pages, in steps that hold nobody up. `parts` has the part of each page. */
  addPages(draft: Draft, pages: readonly string[], parts: readonly number[]): Promise<void>;
  /** Shows the file; one of the same name gives way, and is given back to be dropped. */
  finish(
    owner: string,
    draft: Draft,
    facts: { readonly title: string; readonly author: string; readonly bytes: number },
  ): Draft | undefined;
  /** Takes a file out of sight; undefined when there is none. */
  hide(owner: string, name: string): Draft | undefined;
  /** Forgets a draft or a hidden file, texts and all. */
  drop(draft: Draft): Promise<void>;
  /** Hidden files, and drafts begun before `before` (milliseconds since 1970), with their owners. */
  leftovers(before: number): (Draft & { readonly owner: string; readonly name: string })[];
  /** A file that is there and whose passages are not in the index yet; undefined for others. */
  rowToIndex(owner: string, name: string): number | undefined;
  setIndexed(row: number): void;
  unindexed(): { readonly owner: string; readonly name: string }[];
  /** Where the bytes of a file are kept. */
  blobOf(owner: string, name: string): string | undefined;
  pages(owner: string, name: string, part: number): DocumentPage[];
  page(owner: string, name: string, page: number): string | undefined;
  /** Pages of a file from number `from` on, at most `limit`. */
  pagesFrom(owner: string, name: string, from: number, limit: number): DocumentPage[];
}
