/** Something that is wrong in the data folder. */
export interface DataProblem {
  readonly part: 'database' | 'entries' | 'counters' | 'words' | 'vectors' | 'indexes' | 'local index';
  /** What is wrong, as a sentence without its full stop. */
  readonly problem: string;
  /** Entries by their ids, files as `doc://` and their names; as many as MAX_NAMED, where they are known. */
  readonly ids?: readonly string[];
  /** Something of it cannot be made again from what is there. */
  readonly lost?: boolean;
}

/** Ids that one problem names. */
export const MAX_NAMED = 10_000;
