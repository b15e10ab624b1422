/** The face of the room of uploaded files: what tools, flows, commands and the server know of it. Types alone. */

/** One uploaded file, as its owner sees it. */
export interface DocumentInfo {
  /** `<owner>-<microseconds since 1970>` of its upload. */
  readonly id: string;
  /** Unique among its owner's files. */
  readonly name: string;
  readonly collection: string;
  /** What it is: `pdf`, `docx`, `pptx`, `xlsx`, `html`, `markdown`, `picture` and so on. */
  readonly kind: string;
  /** The file's own title, or ''. */
  readonly title: string;
  readonly author: string;
  readonly pages: number;
  readonly parts: number;
  /** Of the file. */
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
}

/** Text of one page, slide, sheet, chapter or section as Markdown; '' where there is none. */
export interface DocumentPage {
  /** From 1. */
  readonly page: number;
  readonly text: string;
}

/** Consecutive whole pages, about 3,000 words. */
export interface DocumentPart {
  readonly document: DocumentInfo;
  /** From 1. */
  readonly part: number;
  readonly pages: readonly DocumentPage[];
}

/** A passage of a file that answers a question. */
export interface DocumentMatch {
  /** The headings above it, or ''. */
  readonly title: string;
  readonly page: number;
  /** Place among the passages of the file, from 1. */
  readonly passage: number;
  /** Where it begins in the text of its page: characters (Unicode code points) from 0. */
  readonly start?: number | undefined;
  readonly text: string;
  /** Closeness, 0 to 1. */
  readonly score: number;
}

/** Parts in a row, from 1, both ends included. */
export interface PartRange {
  readonly from: number;
  readonly to: number;
}

/** A match with the part that its page belongs to, from 1. */
export interface PlacedMatch extends DocumentMatch {
  readonly part: number;
}

/** A page as it looks. */
export interface DrawnPage {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' | 'image/bmp';
  /** All of them, or as they come; to be read or cancelled. */
  readonly bytes: Uint8Array | ReadableStream<Uint8Array>;
  /** How many they are. */
  readonly length: number;
}

/** A file that a search of all files found. */
export interface FoundDocument {
  readonly document: DocumentInfo;
  /** The first page that has the words, with some text around them; absent where only the name has them. */
  readonly place?: { readonly page: number; readonly excerpt: string };
}

/** A file whose text is being read. */
export interface Reading {
  readonly name: string;
  /** `waiting` while other files are read; `scans` are pages that are read by their pictures. */
  readonly stage: 'waiting' | 'text' | 'scans';
  /** Pages that are read, of those that are to be; 0 of 0 while that is not known. */
  readonly done: number;
  readonly of: number;
}

/** What may be said of a file that is added. */
export interface AddingOptions {
  /** Opens an encrypted PDF, and is forgotten. */
  readonly password?: string | undefined;
  /** Where it is left out, that of the file it replaces, else the default one. */
  readonly collection?: string | undefined;
}

/** What the files of one user take up. */
export interface DocumentUsage {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Uploaded files, each user's apart. AppError `not_found` names the nearest names where the given one is not there.
 */
export interface Documents {
  /** Most bytes of one file. */
  readonly maxBytes: number;
  /**
   * Keeps a file under a name; it replaces a file of the same name once all of the new one is stored. AppError `bad_request`, `unsupported`, `too_large`, `timeout` say what is wrong with the file.
   */
  addDocument(
    owner: string,
    name: string,
    bytes: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    options?: AddingOptions,
  ): Promise<DocumentInfo>;
  /** The files whose text is being read for `addDocument`. */
  listReading(owner: string): Reading[];
  /** Newest first. */
  listDocuments(owner: string): Promise<DocumentInfo[]>;
  /** By its name, whatever its case and however its accents are written. AppError `not_found`. */
  getDocument(owner: string, name: string): Promise<DocumentInfo>;
  /** The same; undefined where it is not there. */
  findFile(owner: string, name: string): Promise<DocumentInfo | undefined>;
  readUsage(owner: string): Promise<DocumentUsage & { readonly quota: number }>;
  removeDocument(owner: string, name: string): Promise<void>;
  /** AppError `not_found` with the count when `part` is past the end. */
  readPart(owner: string, name: string, part: number): Promise<DocumentPart>;
  /** Passages of some parts, or of the whole file, that come nearest to a question, best first. AppError as `readPart`. */
  findInFile(
    owner: string,
    name: string,
    parts: readonly PartRange[] | 'all',
    question: string,
    most: number,
    signal: AbortSignal,
  ): Promise<{ readonly document: DocumentInfo; readonly matches: PlacedMatch[] }>;
  /** The part of each of these pages; without those that are not there. */
  listPartsOfPages(
    owner: string,
    name: string,
    pages: readonly number[],
  ): Promise<ReadonlyMap<number, number>>;
  /** Markdown of one page. AppError `not_found` with the count when it is past the end. */
  readPage(owner: string, name: string, page: number): Promise<string>;
  /**
   * A page of a PDF as it looks, and a picture file, with its media type; a passage that is found is marked. Undefined for what
   * cannot be drawn: kinds without pages of their own, encrypted files, or a missing package. AppError as `readPage`.
   */
  drawPage(
    owner: string,
    name: string,
    page: number,
    passage: string,
    signal: AbortSignal,
  ): Promise<DrawnPage | undefined>;
  /** Files whose name or text has the words. */
  searchDocuments(owner: string, words: string, signal: AbortSignal): Promise<FoundDocument[]>;
  /** The file as it was uploaded. */
  openFile(
    owner: string,
    name: string,
  ): Promise<{ readonly document: DocumentInfo; readonly bytes: ReadableStream<Uint8Array> }>;
  close(): Promise<void>;
}

/**
 * What a pass opens: `link` the upload page, once followed; `session` the page while it is open; `file` the bytes of
 * one file; `form` a form of one session; `console` a
 * session of the console, about what its credential may do.
 */
export type PassKind = 'link' | 'session' | 'file' | 'form' | 'console';

/** Signed, expiring words that stand for a user, so that a browser needs no key. */
export interface Passes {
  /** `about` narrows it: a file's name, the session that a form belongs to. */
  issuePass(kind: PassKind, owner: string, about?: string): Promise<string>;
  /** Its owner; undefined when it is forged, expired, ended, of another kind or about something else. */
  checkPass(kind: PassKind, pass: string, about?: string): Promise<string | undefined>;
  /** Shows that this user was given an address by us; it has no end of its own. */
  markAddress(owner: string, address: string): Promise<string>;
  isAddressMark(owner: string, address: string, mark: string): Promise<boolean>;
  /** Ends all passes and marks of a user, at once and for good. */
  endPasses(owner: string): Promise<void>;
  /** Ends all passes and marks of all users. */
  endAllPasses(): Promise<void>;
}
