import type { JobKind, JobQueue, JobRun } from '../lib/job-queue.ts';
import { createLimiter } from '../lib/limiter.ts';
import type { Logger } from '../log.ts';
import type { EntryStore } from './store.ts';

export interface SharedEmbeddingOptions {
  readonly store: Pick<EntryStore, 'numberOf' | 'ownerOf'>;
  readonly jobs: JobQueue;
  readonly log: Pick<Logger, 'warn'>;
  /** Embeds an owner's passages in this process; resolves when none waits, and rejects with the signal's reason. */
  embedOwner(owner: string, signal: AbortSignal): Promise<void>;
}

/** Embedding that processes share: each owner's passages are embedded by one of them at a time. */
export interface SharedEmbedding {
  /** Has a process embed what the owner has waiting. What cannot be sent is found by the next search. */
  request(owner: string): void;
}

/** Owners whose passages one process embeds in turns: a batch has passages of several. */
const OWNERS_AT_ONCE = 16;
/** Milliseconds of one run, which takes as long as the owner's passages do; then another process goes on. */
const LONGEST_MS = 20 * 3_600_000;
/** Owners that wait to be sent; those beyond are found by the next search. */
const MAX_REQUESTED = 10_000;

const EMBEDDING: JobKind = { name: 'embedding', longestMs: LONGEST_MS, onePerOwner: true };
const nothing = async () => {};

export function shareEmbedding({ store, jobs, log, embedOwner }: SharedEmbeddingOptions): SharedEmbedding {
  const requested = new Set<string>();
  let sending = false;
  let logged = false;

  async function sendAll(): Promise<void> {
    sending = true;
    try {
      for (const owner of requested) {
        // Before it is sent: passages that come meanwhile may be too late for that job.
        requested.delete(owner);
        const number = await store.numberOf(owner);
        if (number !== undefined) await jobs.send(EMBEDDING, { id: String(number), owner }, nothing);
      }
      logged = false;
    } catch (err) {
      requested.clear();
      if (!logged) log.warn({ err }, 'passages wait for their vectors until the next search');
      logged = true;
    } finally {
      sending = false;
    }
  }

  async function run({ id, signal }: JobRun): Promise<void> {
    const owner = await store.ownerOf(Number(id));
    if (owner !== undefined) await embedOwner(owner, signal);
  }

  jobs.handle(EMBEDDING, {
    places: createLimiter({ concurrency: OWNERS_AT_ONCE }),
    atOnce: OWNERS_AT_ONCE,
    run,
  });
  return {
    request(owner) {
      // What comes while it is being sent goes behind the others, and is sent again.
      requested.delete(owner);
      if (requested.size < MAX_REQUESTED) requested.add(owner);
      if (!sending) void sendAll();
    },
  };
}
