export interface ImportFile {
  /** Path in the folder or archive, with slashes. For a single file it is the file's name. */
  readonly name: string;
  /** Time of modification in milliseconds since 1970. Undefined if the time says nothing about the content. */
  readonly modifiedAt?: number;
  /** Yields the file's bytes. May be called once. Throws AppError `too_large` if an import exceeds its limits. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Returns the first bytes of the file, up to 64 KB. May be called before `chunks`. */
  head(): Promise<Uint8Array>;
}

export interface ImportedEntry {
  readonly text: string;
  readonly title?: string;
  readonly source?: string;
  readonly tags?: readonly string[];
  /** Key of the record. It stays the same in later exports, so that a later record replaces this entry. */
  readonly key?: string;
  /** Time in microseconds since 1970. */
  readonly createdAt?: number;
  readonly updatedAt?: number;
  readonly id?: string;
  readonly collection?: string;
}

export type ImportItem = { readonly at: string } & (
  | { readonly entry: ImportedEntry }
  | { readonly entry: Omit<ImportedEntry, 'text'>; readonly page: Uint8Array }
  | { readonly problem: string }
  | { readonly skipped: string }
);

/** Reader for one program's exports. A broken part yields a `problem`. Throws AppError if nothing can be read. */
export interface ImportKind {
  readonly name: string;
  readonly title: string;
  /** True for Magpie's own backup. Its entries keep their ids and are not cut, and an empty backup is valid. */
  readonly backup?: true;
  /** True if the files are an export of this kind, judged by content. File names alone suffice only if they are unmistakable. */
  recognises(files: readonly ImportFile[]): Promise<boolean>;
  read(files: readonly ImportFile[]): AsyncIterable<ImportItem>;
}
