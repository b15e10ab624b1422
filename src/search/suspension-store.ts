/** One engine's suspension as it is kept. All times in milliseconds since 1970. */
export interface StoredSuspension {
  readonly engine: string;
  /** Why it is left alone, in plain words. */
  readonly reason: string;
  readonly until: number;
  /** The pause that the next one in a row doubles, in milliseconds. */
  readonly pause: number;
}

/**
 * Where suspensions outlive the process, and where the processes that share a data folder see each other's:
 * a captcha is put to an address, not to a process. As many rows as there are engines; no user's data.
 */
export interface SuspensionStore {
  all(): Promise<StoredSuspension[]>;
  /** In place of the engine's earlier one. */
  put(suspension: StoredSuspension): Promise<void>;
  remove(engine: string): Promise<void>;
}

/** For a process without a database: they end with it. */
export function createMemorySuspensionStore(): SuspensionStore {
  const kept = new Map<string, StoredSuspension>();
  return {
    all: async () => [...kept.values()],
    put: async (suspension) => void kept.set(suspension.engine, suspension),
    remove: async (engine) => void kept.delete(engine),
  };
}
