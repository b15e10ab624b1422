import { AppError } from '../../errors.ts';
import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import type { Logger } from '../../log.ts';
import { countPassages, type EmbeddingBatches, type OwnerPassages } from './embedding-batches.ts';

export interface EmbeddingRetryOptions {
  readonly batches: Pick<EmbeddingBatches, 'isWorking' | 'keepVectors'>;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly pauseMs?: number;
}

const MAX_BATCH = 128;
const PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/** A text that fails this many times gets no vector, if the embedder accepts other texts. */
const MAX_REFUSALS = 3;
const MAX_REFUSED = 1000;

export function createEmbeddingRetry(options: EmbeddingRetryOptions) {
  const { batches, log, pauseMs = PAUSE_MS } = options;
  let size = MAX_BATCH;
  let failures = 0;
  let failure: Error | undefined;
  let works = true;
  /** Last failed batch, if it had one text. If the embedder accepts other texts, this text is the cause. */
  let suspect: { readonly shares: readonly OwnerPassages[]; readonly error: unknown } | undefined;
  const refused = new BoundedMap<{ readonly place: number; readonly times: number }>(MAX_REFUSED);

  async function skipRefused(): Promise<boolean> {
    const { shares = [], error } = suspect ?? {};
    suspect = undefined;
    const [share] = shares;
    const [one] = share?.passages ?? [];
    if (!share || !one) return false;
    const before = refused.get(share.owner);
    const times = before?.place === one.place ? before.times + 1 : 1;
    refused.set(share.owner, { place: one.place, times });
    if (times < MAX_REFUSALS) return false;
    log.warn({ err: error }, 'a passage is found by its words only: the embedder does not take it');
    return batches.keepVectors(shares, []).then(
      () => true,
      () => false,
    );
  }

  const pauseOf = (times: number) => Math.min(pauseMs * 2 ** Math.min(times - 1, 10), MAX_PAUSE_MS);

  return {
    batchSize: () => size,
    failing: () => failures > 0,
    works: () => works,
    lastError: () => (failures > 0 ? failure : undefined),
    noteSuccess(): void {
      if (failures > 0) log.info('passages get their vectors again');
      failures = 0;
      size = Math.min(MAX_BATCH, size * 2);
    },
    /** Returns the ms to wait before a retry, or undefined. `stored` is true if only storing vectors failed. */
    async noteFailure(
      shares: readonly OwnerPassages[],
      error: unknown,
      stored: boolean,
    ): Promise<number | undefined> {
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
    async askAgain(): Promise<number | undefined> {
      if (works) return undefined;
      works = await batches.isWorking();
      if (!works) return pauseOf(++failures);
      // Does not reset the pause and the batch size, because the next text may crash the embedder again.
      await skipRefused();
      return undefined;
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof AppError && error.retryAfter !== undefined;
}
