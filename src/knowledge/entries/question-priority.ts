import { withDeadline } from '../../lib/concurrency/deadline.ts';

export type QuestionPriority = ReturnType<typeof createQuestionPriority>;

const MAX_WAIT_MS = 1000;

export function createQuestionPriority() {
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
    /** Waits up to `MAX_WAIT_MS` for the questions of other owners that run now. Ignores later questions. */
    async waitForOthers(owners: readonly string[], signal = new AbortController().signal): Promise<void> {
      signal.throwIfAborted();
      const others = [...underWay].filter(([, asker]) => !owners.includes(asker)).map(([answer]) => answer);
      if (others.length === 0) return;
      try {
        await withDeadline(signal, MAX_WAIT_MS, () => Promise.allSettled(others));
      } catch {
        signal.throwIfAborted();
        for (const answer of others) underWay.delete(answer);
      }
    },
  };
}
