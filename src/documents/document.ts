/** One uploaded file, as its owner sees it. */
export interface DocumentInfo {
  /** `<owner>-<microseconds since 1970>` of its upload. */
  readonly id: string;
  /** Unique among its owner's files. */
  readonly name: string;
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

/** Text of one page as Markdown; '' where there is none. */
export interface DocumentPage {
  /** From 1. */
  readonly page: number;
  readonly text: string;
}

/** A run of whole pages, about 3,000 words. */
export interface DocumentPart {
  readonly document: DocumentInfo;
  /** From 1. */
  readonly part: number;
  readonly pages: readonly DocumentPage[];
}

/** A passage of a part that answers a question. */
export interface DocumentMatch {
  /** The headings above it, or ''. */
  readonly title: string;
  readonly page: number;
  readonly text: string;
  /** Closeness, 0 to 1. */
  readonly score: number;
}

/** A file that a search of all files brought up. */
export interface FoundDocument {
  readonly document: DocumentInfo;
  /** The first page that has the words, with some text around them; absent where only the name has them. */
  readonly place?: { readonly page: number; readonly excerpt: string };
}

/** What a reader makes of a file's bytes. */
export interface ReadFile {
  readonly title: string;
  readonly author?: string;
  /** Markdown of each page, in order. */
  readonly pages: readonly string[];
  /** Pages, from 1, that may be pictures of text. */
  readonly wordless: readonly number[];
}

/** A file whose text is being read. */
export interface Reading {
  readonly name: string;
  /** `waiting` while others are read; `scans` are pages that are read by their pictures. */
  readonly stage: 'waiting' | 'text' | 'scans';
  /** Pages that are read, of those that are to be; 0 of 0 while that is not known. */
  readonly done: number;
  readonly of: number;
}
