/** A stored suspension of an engine. Times are in milliseconds since 1970. */
export interface StoredSuspension {
  readonly engine: string;
  readonly reason: string;
  readonly until: number;
  /** Length of the suspension in milliseconds. The next suspension within a day is longer, up to a limit. */
  readonly pause: number;
}

/** Stores suspensions for all processes with the same data folder, because they share a network address. */
export interface SuspensionStore {
  listSuspensions(): Promise<StoredSuspension[]>;
  saveSuspension(suspension: StoredSuspension): Promise<void>;
  deleteSuspension(engine: string): Promise<void>;
}

export function createMemorySuspensionStore(): SuspensionStore {
  const kept = new Map<string, StoredSuspension>();
  return {
    listSuspensions: async () => [...kept.values()],
    saveSuspension: async (suspension) => void kept.set(suspension.engine, suspension),
    deleteSuspension: async (engine) => void kept.delete(engine),
  };
}
