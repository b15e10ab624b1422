/** A file of an export: by itself, in a folder, or in an archive. */
export interface ImportFile {
  /** Its path in the folder or archive, with slashes; of a file by itself its name. */
  readonly name: string;
  /** Milliseconds since 1970; undefined where it says nothing of what is in the file. */
  readonly modifiedAt?: number;
  /** Its bytes, once. AppError `too_large` over the bounds of an import. */
  chunks(): AsyncIterable<Uint8Array>;
  /** How it begins, in 64 KB at most; may be asked before `chunks`. */
  head(): Promise<Uint8Array>;
}

/** What one record of an export becomes. */
export interface ImportedEntry {
  readonly text: string;
  readonly title?: string;
  readonly source?: string;
  readonly tags?: readonly string[];
  /** The same for the same record of the next export: it then takes the place of this one. */
  readonly key?: string;
  /** Microseconds since 1970. */
  readonly createdAt?: number;
  readonly updatedAt?: number;
  /** Of our own exports. */
  readonly id?: string;
  readonly collection?: string;
}

/** One record, and how it is named to a person (`line 3`, a file, a title). */
export type ImportItem = { readonly at: string } & (
  | { readonly entry: ImportedEntry }
  /** A file whose text is read by the room of pages: HTML. */
  | { readonly entry: Omit<ImportedEntry, 'text'>; readonly page: Uint8Array }
  /** It should have become an entry. */
  | { readonly problem: string }
  /** There is nothing in it to keep. */
  | { readonly skipped: string }
);

/**
 * The exports of one program, by their files alone: pure, but for reading them. A file that is broken in part gives what can be
 * read and a `problem` for the rest; AppError where nothing can.
 */
export interface ImportKind {
  /** As `--from` takes it. */
  readonly name: string;
  /** What it is, for a person. */
  readonly title: string;
  /** It may be our own backup: its entries are not cut to fit, and come back under their own ids; one of nothing is one too. */
  readonly backup?: true;
  /** Whether the files are such an export, by what they are; names alone are enough only where they say it. */
  recognises(files: readonly ImportFile[]): Promise<boolean>;
  read(files: readonly ImportFile[]): AsyncIterable<ImportItem>;
}
