export interface DocumentInfo {
  /** Id `<owner>-<time of upload>`. The time is in microseconds since 1970. */
  readonly id: string;
  readonly name: string;
  readonly collection: string;
  readonly kind: string;
  readonly title: string;
  readonly author: string;
  readonly pages: number;
  readonly parts: number;
  readonly bytes: number;
  /** Time of upload, in milliseconds since 1970. */
  readonly addedAt: number;
}

export interface DocumentPage {
  readonly page: number;
  readonly text: string;
}

/** Part of a file: consecutive whole pages with about 3,000 words. */
export interface DocumentPart {
  readonly document: DocumentInfo;
  readonly part: number;
  readonly pages: readonly DocumentPage[];
}

export interface DocumentMatch {
  readonly title: string;
  readonly page: number;
  readonly passage: number;
  /** Offset of the passage in its page's text, in Unicode code points from 0. */
  readonly start?: number | undefined;
  readonly text: string;
  readonly score: number;
  /** True if the passage has little to do with the question. */
  readonly weak?: boolean | undefined;
  /** Words of the question that no searched page has. Set only if all matches are weak. */
  readonly missing?: readonly string[] | undefined;
}

export interface PartRange {
  readonly from: number;
  readonly to: number;
}

export interface PlacedMatch extends DocumentMatch {
  readonly part: number;
}

export interface DrawnPage {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' | 'image/bmp';
  /** All bytes, or a stream that the caller must read or cancel. */
  readonly bytes: Uint8Array | ReadableStream<Uint8Array>;
  readonly length: number;
}

export interface FoundDocument {
  readonly document: DocumentInfo;
  /** First page with the searched words, and the text around them. Absent if only the file's name matches. */
  readonly place?: { readonly page: number; readonly excerpt: string };
}

export interface ReadingProgress {
  readonly name: string;
  /** `waiting`: other files are being read first. `scans`: OCR reads the pages without text. */
  readonly stage: 'waiting' | 'text' | 'scans';
  /** Pages read so far, out of `of` pages. Both numbers are 0 while they are unknown. */
  readonly done: number;
  readonly of: number;
}

export interface AddDocumentOptions {
  /** Password of an encrypted PDF. It is not stored. */
  readonly password?: string | undefined;
  /** Default: the collection of the replaced file, or the default collection. */
  readonly collection?: string | undefined;
}

export interface DocumentUsage {
  readonly files: number;
  readonly bytes: number;
}

/** The uploaded files of each user. If a name does not exist, the AppError `not_found` lists similar names. */
export interface Documents {
  readonly maxBytes: number;
  /** Adds or replaces a file. Throws AppError `bad_request`, `unsupported`, `too_large` or `timeout`. */
  addDocument(
    owner: string,
    name: string,
    bytes: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    options?: AddDocumentOptions,
  ): Promise<DocumentInfo>;
  listReading(owner: string): ReadingProgress[];
  listDocuments(owner: string): Promise<DocumentInfo[]>;
  /** Finds a file by name, ignoring case and the Unicode form of accents. Throws AppError `not_found`. */
  getDocument(owner: string, name: string): Promise<DocumentInfo>;
  findFile(owner: string, name: string): Promise<DocumentInfo | undefined>;
  readUsage(owner: string): Promise<DocumentUsage & { readonly quota: number }>;
  removeDocument(owner: string, name: string): Promise<void>;
  readPart(owner: string, name: string, part: number): Promise<DocumentPart>;
  findInFile(
    owner: string,
    name: string,
    parts: readonly PartRange[] | 'all',
    question: string,
    most: number,
    signal: AbortSignal,
  ): Promise<{ readonly document: DocumentInfo; readonly matches: PlacedMatch[] }>;
  listPartsOfPages(
    owner: string,
    name: string,
    pages: readonly number[],
  ): Promise<ReadonlyMap<number, number>>;
  readPage(owner: string, name: string, page: number): Promise<string>;
  drawPage(
    owner: string,
    name: string,
    page: number,
    passage: string,
    signal: AbortSignal,
  ): Promise<DrawnPage | undefined>;
  searchDocuments(owner: string, words: string, signal: AbortSignal): Promise<FoundDocument[]>;
  openFile(
    owner: string,
    name: string,
  ): Promise<{ readonly document: DocumentInfo; readonly bytes: ReadableStream<Uint8Array> }>;
  close(): Promise<void>;
}

/** Use of a pass: upload page (`link`), login (`session`, `console`), one file, or a form (against CSRF). */
export type PassKind = 'link' | 'session' | 'file' | 'form' | 'console';

/** Signed, expiring tokens that stand for a user, so that a browser needs no API key. */
export interface AccessPasses {
  /** Issues a pass. `about` restricts it, for example to one file. */
  issuePass(kind: PassKind, owner: string, about?: string): Promise<string>;
  /** Returns the owner of a valid pass that was issued for this kind and `about`. Otherwise undefined. */
  checkPass(kind: PassKind, pass: string, about?: string): Promise<string | undefined>;
  /** Returns a code that proves that this server gave `address` to the user. The code does not expire. */
  markAddress(owner: string, address: string): Promise<string>;
  isAddressMark(owner: string, address: string, mark: string): Promise<boolean>;
  /** Revokes all passes of a user, and all codes of `markAddress`, immediately and permanently. */
  endPasses(owner: string): Promise<void>;
  endAllPasses(): Promise<void>;
}
