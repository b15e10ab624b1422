import type { JobKind, JobQueue, JobRun } from '../../lib/concurrency/job-queue.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';
import type { Logger } from '../../log.ts';
import type { EntryStore } from '../store.ts';

export interface SharedModelEmbedder {
  /** Suffix of the names of this model's jobs, in lower case. '' for the default model. */
  readonly suffix: string;
  isReady(): boolean;
  /**
   * Embeds an owner's passages in this process. Rejects with the signal's reason, or with `JobNotPossibleHere` if the
   * model accepts no texts in this process.
   */
  embedOwner(owner: string, signal: AbortSignal): Promise<void>;
}

export interface SharedEmbeddingOptions {
  readonly store: Pick<EntryStore, 'numberOf' | 'ownerOf'>;
  readonly jobs: JobQueue;
  readonly log: Pick<Logger, 'warn'>;
  readonly models: readonly SharedModelEmbedder[];
  modelOf(owner: string): Promise<SharedModelEmbedder>;
}

export type SharedEmbedding = ReturnType<typeof shareEmbedding>;

/** Maximum number of owners whose passages one process embeds at the same time. */
const OWNERS_AT_ONCE = 16;
/** Time limit in milliseconds of a job that embeds an owner's passages. After the limit, another process continues it. */
const LONGEST_MS = 20 * 3_600_000;
/** Maximum number of owners whose jobs wait to be sent. Further owners are found by the next search. */
const MAX_REQUESTED = 10_000;

const nothing = async () => {};

function kindOf({ suffix }: SharedModelEmbedder): JobKind {
  return { name: `embedding${suffix}`, longestMs: LONGEST_MS, onePerOwner: true };
}

export function shareEmbedding(options: SharedEmbeddingOptions) {
  const { store, jobs, log, models, modelOf } = options;
  const requested = new Set<string>();
  let sending = false;
  let logged = false;

  async function sendAll(): Promise<void> {
    sending = true;
    try {
      for (const owner of requested) {
        // Removes the owner from the list before the job is sent, so that a new request sends another job.
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
    /** Sends a job to embed the owner's waiting passages. If sending fails, the next search finds the passages. */
    request(owner: string): void {
      // Adds the owner at the end of the list, even while a job of this owner is being sent. A listed owner keeps its position.
      if (requested.size < MAX_REQUESTED) requested.add(owner);
      if (!sending) void sendAll();
    },
  };
}
