export interface DataProblem {
  readonly part: 'database' | 'entries' | 'counters' | 'words' | 'vectors' | 'indexes' | 'local index';
  readonly problem: string;
  /** Up to 10,000 ids of affected entries. An affected file has the id `doc://<name>`. */
  readonly ids?: readonly string[];
  readonly lost?: boolean;
}

export const MAX_PROBLEM_IDS = 10_000;
