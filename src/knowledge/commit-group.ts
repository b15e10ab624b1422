import type { Inserted } from './knowledge.ts';
import type { Addition, EntryStore } from './store.ts';

/** Additions, and characters of text, that go in one transaction. */
const TOGETHER = 256;
const CHARACTERS = 2_000_000;

interface Waiting {
  readonly addition: Addition;
  readonly size: number;
  resolve(inserted: Inserted): void;
  reject(error: unknown): void;
}

export interface CommitGroup {
  add(addition: Addition): Promise<Inserted>;
  /** Resolves when nothing is being written. */
  idle(): Promise<void>;
}

/**
 * Inserts that come at the same time are made durable by one commit, since a commit waits for the disk and an
 * insert does not. What fails together is tried again one by one.
 */
export function createCommitGroup(store: Pick<EntryStore, 'insertEntries'>): CommitGroup {
  const waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;

  async function write(group: readonly Waiting[]): Promise<void> {
    try {
      const inserted = await store.insertEntries(group.map(({ addition }) => addition));
      for (const [i, one] of inserted.entries()) group[i]?.resolve(one);
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error);
      else for (const one of group) await write([one]);
    }
  }

  function next(): Waiting[] {
    let characters = 0;
    const count = waiting.findIndex(({ size }, at) => {
      characters += size;
      return at >= TOGETHER || (at > 0 && characters > CHARACTERS);
    });
    return waiting.splice(0, count < 0 ? waiting.length : count);
  }

  async function writeAll(): Promise<void> {
    // Whatever comes in the same turn of the event loop goes along.
    await new Promise(setImmediate);
    while (waiting.length > 0) await write(next());
    writing = undefined;
  }

  return {
    add(addition) {
      const size = addition.entry.passages.reduce((sum, { text }) => sum + text.length, 0);
      return new Promise((resolve, reject) => {
        waiting.push({ addition, size, resolve, reject });
        writing ??= writeAll();
      });
    },
    idle: async () => writing,
  };
}
