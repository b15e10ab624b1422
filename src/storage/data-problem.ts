export interface DataProblem {
  readonly part: 'database' | 'entries' | 'counters' | 'words' | 'vectors' | 'indexes' | 'local index';
  /** Description of the problem: a sentence without a full stop. */
  readonly problem: string;
  /** Ids of affected entries, and affected files as `doc://<name>`, if known. At most 10,000. */
  readonly ids?: readonly string[];
  readonly lost?: boolean;
}

export const MAX_PROBLEM_IDS = 10_000;
