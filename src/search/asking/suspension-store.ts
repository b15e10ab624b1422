/** One engine's suspension as it is kept. All times in milliseconds since 1970. */
export interface StoredSuspension {
  readonly engine: string;
  /** Why the engine is suspended, in plain words. */
  readonly reason: string;
  readonly until: number;
  /** The pause in milliseconds; the next suspension in a row doubles it. */
  readonly pause: number;
}

/**
 * Keeps suspensions beyond the process, and lets the processes that share a data folder see each other's:
 * an engine shows its captcha to an address, not to a process. As many rows as there are engines; no user's data.
 */
export interface SuspensionStore {
  listSuspensions(): Promise<StoredSuspension[]>;
  /** Replaces the engine's earlier suspension. */
  saveSuspension(suspension: StoredSuspension): Promise<void>;
  deleteSuspension(engine: string): Promise<void>;
}

/** For a process without a database: its suspensions end with it. */
export function createMemorySuspensionStore(): SuspensionStore {
  const kept = new Map<string, StoredSuspension>();
  return {
    listSuspensions: async () => [...kept.values()],
    saveSuspension: async (suspension) => void kept.set(suspension.engine, suspension),
    deleteSuspension: async (engine) => void kept.delete(engine),
  };
}
