import type { JobKind, JobQueue, JobRun } from '../../lib/concurrency/job-queue.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';
import type { Logger } from '../../log.ts';
import type { EntryStore } from '../store.ts';

/** The embedding of one model's passages. */
export interface ModelWork {
  /** In small letters: a part of the name of its jobs; none for the model that all owners have at first. */
  readonly suffix: string;
  /** Whether the model takes texts in this process. */
  isReady(): boolean;
  /**
   * Embeds an owner's passages in this process; resolves when none waits. Rejects with the signal's reason, and with `NotHere`
   * when the model takes no texts here.
   */
  embedOwner(owner: string, signal: AbortSignal): Promise<void>;
}

export interface SharedEmbeddingOptions {
  readonly store: Pick<EntryStore, 'numberOf' | 'ownerOf'>;
  readonly jobs: JobQueue;
  readonly log: Pick<Logger, 'warn'>;
  readonly models: readonly ModelWork[];
  /** The one of `models` that is the owner's. */
  modelOf(owner: string): Promise<ModelWork>;
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

const nothing = async () => {};

function kindOf({ suffix }: ModelWork): JobKind {
  return { name: `embedding${suffix}`, longestMs: LONGEST_MS, onePerOwner: true };
}

export function shareEmbedding(options: SharedEmbeddingOptions): SharedEmbedding {
  const { store, jobs, log, models, modelOf } = options;
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
        if (number === undefined) continue;
        await jobs.send(kindOf(await modelOf(owner)), { id: String(number), owner }, nothing);
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

  for (const model of models) {
    jobs.handle(kindOf(model), {
      places: createLimiter({ concurrency: OWNERS_AT_ONCE }),
      atOnce: OWNERS_AT_ONCE,
      isReady: model.isReady,
      async run({ id, signal }: JobRun) {
        const owner = await store.ownerOf(Number(id));
        if (owner !== undefined) await model.embedOwner(owner, signal);
      },
    });
  }
  return {
    request(owner) {
      // Who is being sent goes behind the others, and is sent again; who waits keeps the place, however often the request comes.
      if (requested.size < MAX_REQUESTED) requested.add(owner);
      if (!sending) void sendAll();
    },
  };
}
