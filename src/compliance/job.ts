/** A check that is made in the background, until it has results; times in milliseconds. */
export interface Job {
  readonly id: string;
  readonly scope: string;
  readonly createdAt: number;
  readonly state: 'running' | 'failed';
  /** How far it is, in plain words. */
  readonly progress: string;
  /** Why it failed. */
  readonly reason?: string;
}

/** A job as it is kept. */
export interface StoredJob extends Job {
  /** The process that has it in hand; see runner.ts. */
  readonly runner: string;
  /** When that process last gave a sign. */
  readonly beatAt: number;
}

/** Jobs, each owner's apart. Every write is durable before it returns. */
export interface JobStore {
  /** Of more than `keep` jobs of the owner the oldest that failed are dropped. */
  add(owner: string, job: Pick<StoredJob, 'id' | 'scope' | 'createdAt' | 'runner'>, keep: number): void;
  /** A sign of life, with how far it is. */
  beat(id: string, progress: string, at: number): void;
  fail(id: string, reason: string): void;
  get(owner: string, id: string): StoredJob | undefined;
  remove(owner: string, id: string): boolean;
}
