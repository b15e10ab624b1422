export interface DataProblem {
  readonly part: 'database' | 'entries' | 'counters' | 'words' | 'vectors' | 'indexes' | 'local index';
  readonly problem: string;
  /** Ids of affected entries, and files as `doc://<name>`. At most 10,000. */
  readonly ids?: readonly string[];
  readonly lost?: boolean;
}

export const MAX_PROBLEM_IDS = 10_000;
