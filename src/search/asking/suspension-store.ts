/** Stored suspension of one engine. Times are in milliseconds since 1970. */
export interface StoredSuspension {
  readonly engine: string;
  readonly reason: string;
  readonly until: number;
  /** Length of the suspension in milliseconds. The next suspension in a row is twice as long. */
  readonly pause: number;
}

/** Stores suspensions for all processes with the same data folder. An engine blocks a network address, not a process. */
export interface SuspensionStore {
  listSuspensions(): Promise<StoredSuspension[]>;
  saveSuspension(suspension: StoredSuspension): Promise<void>;
  deleteSuspension(engine: string): Promise<void>;
}

/** Creates an in-memory store for a process without a database; its suspensions end with the process. */
export function createMemorySuspensionStore(): SuspensionStore {
  const kept = new Map<string, StoredSuspension>();
  return {
    listSuspensions: async () => [...kept.values()],
    saveSuspension: async (suspension) => void kept.set(suspension.engine, suspension),
    deleteSuspension: async (engine) => void kept.delete(engine),
  };
}
