/** Work that several callers have for the database, done in one transaction. */
export interface GroupCommit {
  /** Resolves once it is durable; rejects with what it threw. */
  add(work: () => void): Promise<void>;
}

interface Waiting {
  readonly work: () => void;
  resolve(): void;
  reject(error: unknown): void;
}

/** Milliseconds for which others are waited for: a commit takes the disk about as long. */
const GATHERED = 10;

/**
 * A commit costs the disk's time however little is in it, and a thousand targets have a hundred results a second. When
 * one piece of work fails, each is done on its own, so that it fails alone.
 */
export function createGroupCommit(atomically: (work: () => void) => void): GroupCommit {
  let waiting: Waiting[] = [];

  function settle(one: Waiting, work: () => void): void {
    try {
      work();
      one.resolve();
    } catch (error) {
      one.reject(error);
    }
  }

  function commit(): void {
    const all = waiting;
    waiting = [];
    try {
      atomically(() => {
        for (const { work } of all) work();
      });
    } catch {
      for (const one of all) settle(one, () => atomically(one.work));
      return;
    }
    for (const one of all) one.resolve();
  }

  return {
    add(work) {
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) setTimeout(commit, GATHERED);
        waiting.push({ work, resolve, reject });
      });
    },
  };
}
