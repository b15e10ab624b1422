/** A file of an export, on its own, in a folder or in an archive. */
export interface ImportFile {
  /** Path in the folder or archive, with slashes; for a single file its name. */
  readonly name: string;
  /** Time of modification in milliseconds since 1970. Undefined if it says nothing about the content. */
  readonly modifiedAt?: number;
  /** Yields the file's bytes; may be called once. AppError `too_large` if an import exceeds its limits. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Returns the first bytes of the file, up to 64 KB. May be called before `chunks`. */
  head(): Promise<Uint8Array>;
}

export interface ImportedEntry {
  readonly text: string;
  readonly title?: string;
  readonly source?: string;
  readonly tags?: readonly string[];
  /** Key that is the same for this record in the next export, which then replaces this entry. */
  readonly key?: string;
  /** Time in microseconds since 1970. */
  readonly createdAt?: number;
  readonly updatedAt?: number;
  /** Id of the entry, in our own exports only. */
  readonly id?: string;
  readonly collection?: string;
}

/** One record of an export. `at` names it in messages (`line 3`, a file, a title). */
export type ImportItem = { readonly at: string } & (
  | { readonly entry: ImportedEntry }
  /** An HTML file, whose text the page reader extracts. */
  | { readonly entry: Omit<ImportedEntry, 'text'>; readonly page: Uint8Array }
  /** The record should have become an entry but could not. */
  | { readonly problem: string }
  /** The record has nothing to keep. */
  | { readonly skipped: string }
);

/**
 * Reader for the exports of one program. It depends only on their files. A partly broken file yields what can be read and a
 * `problem` for the rest; AppError if nothing can be read.
 */
export interface ImportKind {
  /** Name that `--from` accepts. */
  readonly name: string;
  readonly title: string;
  /**
   * True if the files may be our own backup. Its entries are not cut to the limits and keep their ids, and an empty backup is
   * valid.
   */
  readonly backup?: true;
  /** True if the files are such an export, judged by their content. Names alone suffice only if they are unmistakable. */
  recognises(files: readonly ImportFile[]): Promise<boolean>;
  read(files: readonly ImportFile[]): AsyncIterable<ImportItem>;
}
