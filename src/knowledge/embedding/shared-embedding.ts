import type { JobKind, JobQueue, JobRun } from '../../lib/concurrency/job-queue.ts';
import { createLimiter } from '../../lib/concurrency/limiter.ts';
import type { Logger } from '../../log.ts';
import type { EntryStore } from '../store.ts';

export interface SharedModelEmbedder {
  /** Suffix of the names of this model's jobs, in lower case. Empty for the default model. */
  readonly suffix: string;
  isReady(): boolean;
  /** Embeds an owner's passages. Rejects with `JobNotPossibleHere` if this process cannot use the model. */
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
const OWNERS_AT_ONCE = 16;
const LONGEST_MS = 20 * 3_600_000;
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
    request(owner: string): void {
      // Adds the owner again even if a job is being sent, because that job may miss the newest passages.
      if (requested.size < MAX_REQUESTED) requested.add(owner);
      if (!sending) void sendAll();
    },
  };
}
