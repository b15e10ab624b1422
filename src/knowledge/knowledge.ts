import type { Entry, Filter, Match, NewEntry, Stats } from './entry.ts';

export interface Inserted {
  readonly id: string;
  /** The same text was there already: it keeps its id and has gained the new tags, source and title. */
  readonly known: boolean;
  readonly passages: number;
}

export interface QueryOptions {
  /** 1 to 100; default 10. */
  readonly topK?: number;
  readonly filter?: Filter;
  /** Matches with their vectors and the weights of their terms. */
  readonly includeValues?: boolean;
  /** Days after which a passage counts half as much; without it, age does not count. */
  readonly recency?: number;
  /** Passages before and after each match that come with it, 0 to 10; default 0. */
  readonly neighbours?: number;
}

/** An uploaded file, told apart by its name. */
export interface DocumentFile {
  readonly name: string;
  readonly title?: string;
}

/** Pages from 1, both included. */
export interface Pages {
  readonly fromPage: number;
  readonly toPage: number;
}

export interface EntryPage {
  readonly entries: readonly Entry[];
  /** For `cursor` of the next call; undefined on the last page. */
  readonly next?: string;
}

/** How far the vectors of the current model have come, over all owners. */
export interface EmbeddingProgress {
  readonly model: string;
  readonly done: number;
  readonly total: number;
}

export type ChangeListener = (owner: string, what: { readonly ids: readonly string[] }) => void;

/**
 * What everyone keeps, each owner apart from all others. Values that cannot be kept are AppError `bad_request` or
 * `too_large`, a database that cannot be used is `unavailable`. Queries never fail for want of an embedder:
 * they then go by words alone.
 */
export interface Knowledge {
  /** Durable, and found by its words, when it resolves; the vectors follow. */
  insert(owner: string, entry: NewEntry, signal: AbortSignal): Promise<Inserted>;
  /**
   * An entry of `entries()` as it was, with its times; the owner's name in its id becomes this owner's. Where
   * another entry has its microsecond already, it takes the next free one.
   */
  restore(owner: string, entry: Entry, signal: AbortSignal): Promise<Inserted>;
  /** The id stays. AppError `not_found`; `bad_request` when another entry has the new text. */
  update(owner: string, id: string, change: Partial<NewEntry>, signal: AbortSignal): Promise<Entry>;
  /** False when there is no such entry. */
  remove(owner: string, id: string): Promise<boolean>;
  get(owner: string, id: string): Promise<Entry | undefined>;
  /** Passages of entries and uploaded files, best first. Any text is a query; a blank one gives the newest, at score 0. */
  query(owner: string, text: string, options: QueryOptions, signal: AbortSignal): Promise<Match[]>;
  /** Newest first; `limit` 1 to 1,000. */
  list(owner: string, limit: number, cursor?: string): Promise<EntryPage>;
  newest(owner: string): Promise<Entry | undefined>;
  stats(owner: string): Promise<Stats>;
  /** Removes all entries for good and says how many; uploaded files stay. */
  reset(owner: string): Promise<number>;
  /** Oldest first. */
  entries(owner: string): AsyncIterable<Entry>;
  /** Takes the place of a file of the same name once all of it is there. Gives the number of passages. */
  putDocument(
    owner: string,
    file: DocumentFile,
    pages: AsyncIterable<string> | Iterable<string>,
    signal: AbortSignal,
  ): Promise<number>;
  /** Gives the number of passages that went; 0 when there is no such file. */
  removeDocument(owner: string, name: string): Promise<number>;
  /** As query(), within some pages of a file; without words, from the first of these pages on. AppError `not_found`. */
  queryDocument(
    owner: string,
    name: string,
    pages: Pages,
    text: string,
    topK: number,
    signal: AbortSignal,
  ): Promise<Match[]>;
  /** Called after changes by this process. Gives the function that ends it. */
  onChange(listener: ChangeListener): () => void;
  progress(): Promise<EmbeddingProgress>;
  close(): Promise<void>;
}
