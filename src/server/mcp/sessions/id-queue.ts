import { withDeadline } from '../../../lib/concurrency/deadline.ts';
import type { RpcRequestId } from './event-id.ts';

const MAX_WAIT_MS = 120_000;

export type RequestIdQueue = ReturnType<typeof createRequestIdQueue>;

/**
 * Runs the requests of a session that have the same id one after the other. The transport finds the stream of an answer
 * by its id, so a second request would get the answer to the first. Some clients send the same id with every request.
 */
export function createRequestIdQueue() {
  const running = new Map<RpcRequestId, PromiseWithResolvers<void>>();

  return {
    /** Waits until none of the ids is in use, and takes them. Rejects when the signal aborts or after 120 s. */
    take: (ids: readonly RpcRequestId[], signal: AbortSignal): Promise<void> =>
      withDeadline(signal, MAX_WAIT_MS, async (ended) => {
        for (;;) {
          const other = ids.map((id) => running.get(id)).find(Boolean);
          if (ended.aborted || !other) break;
          await other.promise;
        }
        if (!ended.aborted) for (const id of ids) running.set(id, Promise.withResolvers());
      }),
    release(ids: readonly RpcRequestId[]): void {
      for (const id of ids) {
        running.get(id)?.resolve();
        running.delete(id);
      }
    },
  };
}
