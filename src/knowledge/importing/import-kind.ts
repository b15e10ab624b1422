import type { ImportOptions } from '../types.ts';

export interface ImportFile {
  readonly name: string;
  /** Time of the file's last change in ms since 1970. Undefined for standard input and in ZIP archives. */
  readonly modifiedAt?: number;
  /** Yields the file's bytes. Call it only once. Throws `too_large` if an import exceeds its limits. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Returns the first bytes of the file, up to 64 KB. May be called before `chunks`. */
  head(): Promise<Uint8Array>;
  readonly warn?: (why: string) => void;
  /** Digests of the files that an export of Magpie wrote into the folder. */
  readonly exported?: ReadonlySet<string>;
}

export interface ImportedEntry {
  readonly text: string;
  readonly furtherTexts?: readonly string[];
  readonly title?: string;
  readonly source?: string;
  readonly tags?: readonly string[];
  /** Key of the entry. A later export gives the same key, so that importing it replaces the entry. */
  readonly key?: string;
  /** Microseconds since 1970. */
  readonly createdAt?: number;
  readonly updatedAt?: number;
  readonly validUntil?: number;
  readonly id?: string;
  readonly collection?: string;
  /** For an entry with an id: time of the file's last change, or 0 for a file that is as it was exported. */
  readonly editedAt?: number | undefined;
}

export type ImportItem = { readonly at: string } & (
  | { readonly entry: ImportedEntry }
  | { readonly problem: string }
  | { readonly skipped: string; readonly count?: number }
  | { readonly warning: string }
);

type ReadOptions = Pick<ImportOptions, 'read' | 'signal'>;

/** Reads the exports of one program. A broken record yields a `problem`. Throws if nothing can be read. */
export interface ImportKind {
  readonly name: string;
  readonly title: string;
  /** True for Magpie's backups: entries keep their ids and full length, and an empty backup is valid. */
  readonly backup?: true;
  /** Returns true if the content or the names of the files show that they are an export of this kind. */
  recognises(files: readonly ImportFile[]): Promise<boolean>;
  read(files: readonly ImportFile[], options: ReadOptions): AsyncIterable<ImportItem>;
}
