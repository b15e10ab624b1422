export interface DataProblem {
  readonly part: 'database' | 'entries' | 'counters' | 'words' | 'vectors' | 'indexes' | 'local index';
  /** Description of the problem, as a sentence without full stop. */
  readonly problem: string;
  /** Affected entries by id, and files as `doc://` and their name, if known. At most 10,000. */
  readonly ids?: readonly string[];
  /** True if some data is lost and cannot be created again. */
  readonly lost?: boolean;
}

/** Maximum number of ids in one problem. */
export const MAX_NAMED = 10_000;
