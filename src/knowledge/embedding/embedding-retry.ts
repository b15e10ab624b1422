import { AppError } from '../../errors.ts';
import type { Logger } from '../../log.ts';
import { countPassages, type EmbeddingBatches, type Share } from './embedding-batches.ts';

/** What becomes of a batch that failed: smaller batches and pauses, and in the end a text that goes without a vector. */
export interface EmbeddingRetry {
  /** Passages of the next batch. */
  batchSize(): number;
  /** Whether the last batch failed. */
  failing(): boolean;
  /** False from when the embedder took no text at all until it takes one. */
  works(): boolean;
  /** Why it failed; undefined where it did not. */
  lastError(): Error | undefined;
  noteSuccess(): void;
  /** Milliseconds to pause; undefined when the next batch may come at once. `stored` when it was the store that failed. */
  noteFailure(shares: readonly Share[], error: unknown, stored: boolean): Promise<number | undefined>;
  /** After the pause: asks an embedder once more that took no text. Milliseconds to pause again; undefined when the next batch may come. */
  askAgain(): Promise<number | undefined>;
}

export interface EmbeddingRetryOptions {
  readonly batches: Pick<EmbeddingBatches, 'isWorking' | 'keepVectors'>;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Milliseconds of the first pause; default 1,000. */
  readonly pauseMs?: number;
}

/** Passages that are embedded at once: about 0.3 s. */
const MAX_BATCH = 128;
const PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/** Times that the embedder refuses one text, and takes others, before the text goes without a vector. */
const MAX_REFUSALS = 3;
/** Owners of whom it is remembered which text was refused. */
const MAX_REFUSED = 1000;

export function createEmbeddingRetry(options: EmbeddingRetryOptions): EmbeddingRetry {
  const { batches, log, pauseMs = PAUSE_MS } = options;
  let size = MAX_BATCH;
  let failures = 0;
  let failure: Error | undefined;
  let works = true;
  /** The last batch, where it failed and was one text: whether the text is to blame shows when the embedder takes another. */
  let suspect: { readonly shares: readonly Share[]; readonly error: unknown } | undefined;
  /** Each owner's passage that the embedder refused last when it was alone, and how often; the latest refusal comes last. */
  const refused = new Map<string, { readonly place: number; readonly times: number }>();

  /** The embedder takes texts. Whether the one that failed just before goes without a vector from here on. */
  async function skipRefused(): Promise<boolean> {
    const { shares = [], error } = suspect ?? {};
    suspect = undefined;
    const [share] = shares;
    const [one] = share?.passages ?? [];
    if (!share || !one) return false;
    // A connection that breaks once says nothing of the text.
    const before = refused.get(share.owner);
    const times = before?.place === one.place ? before.times + 1 : 1;
    refused.delete(share.owner);
    refused.set(share.owner, { place: one.place, times });
    const [oldest] = refused.keys();
    if (refused.size > MAX_REFUSED && oldest !== undefined) refused.delete(oldest);
    if (times < MAX_REFUSALS) return false;
    log.warn({ err: error }, 'a passage is found by its words only: the embedder does not take it');
    return batches.keepVectors(shares, []).then(
      () => true,
      // The store is away: at the next refusal it is tried again.
      () => false,
    );
  }

  const pauseOf = (times: number) => Math.min(pauseMs * 2 ** Math.min(times - 1, 10), MAX_PAUSE_MS);

  return {
    batchSize: () => size,
    failing: () => failures > 0,
    works: () => works,
    lastError: () => (failures > 0 ? failure : undefined),
    noteSuccess() {
      if (failures > 0) log.info('passages get their vectors again');
      failures = 0;
      size = Math.min(MAX_BATCH, size * 2);
    },
    async noteFailure(shares, error, stored) {
      const count = countPassages(shares);
      if (count > 1) size = Math.max(1, Math.floor(size / 8));
      suspect = count === 1 && !stored && !isBusy(error) ? { shares, error } : undefined;
      works = stored || (await batches.isWorking());
      if (works && (await skipRefused())) return undefined;
      failure = error instanceof Error ? error : new Error(String(error));
      if (failures++ === 0) {
        log.warn({ err: error }, 'passages wait for their vectors; they are found by their words');
      }
      return pauseOf(failures);
    },
    async askAgain() {
      if (works) return undefined;
      works = await batches.isWorking();
      if (!works) return pauseOf(++failures);
      // One word makes no batch larger and no pause shorter: a text may take the embedder down each time.
      await skipRefused();
      return undefined;
    },
  };
}

/** An embedder that has too much to do, and may take one word meanwhile, says nothing of the text. */
function isBusy(error: unknown): boolean {
  return error instanceof AppError && error.retryAfter !== undefined;
}
