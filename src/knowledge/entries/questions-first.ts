import { withDeadline } from '../../lib/concurrency/deadline.ts';

export type QuestionsFirst = ReturnType<typeof createQuestionsFirst>;

/** A writer waits no longer than this at one point, even if a question takes longer. */
const MAX_WAIT_MS = 1000;

/** Lets the questions of an owner go before the texts that other owners write, so that a busy writer does not slow down other owners. */
export function createQuestionsFirst() {
  const underWay = new Map<Promise<unknown>, string>();

  return {
    async ask<T>(owner: string, question: () => Promise<T>): Promise<T> {
      const answer = question();
      underWay.set(answer, owner);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
    /** Waits for the questions of all but these owners that are under way now. Later ones do not make the wait longer. */
    async waitForOthers(owners: readonly string[], signal = new AbortController().signal): Promise<void> {
      signal.throwIfAborted();
      const others = [...underWay].filter(([, asker]) => !owners.includes(asker)).map(([answer]) => answer);
      if (others.length === 0) return;
      try {
        await withDeadline(signal, MAX_WAIT_MS, () => Promise.allSettled(others));
      } catch {
        signal.throwIfAborted();
        // The next writer does not wait for these questions again.
        for (const answer of others) underWay.delete(answer);
      }
    },
  };
}
