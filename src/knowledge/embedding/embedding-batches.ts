import { withDeadline } from '../../lib/concurrency/deadline.ts';
import { runInSpan } from '../../lib/tracing.ts';
import {
  type ProcessorMeter,
  processorMeter,
  withProcessorMeter,
} from '../../lib/workers/processor-meter.ts';
import { buildEmbeddingInput } from '../entries/chunk.ts';
import { checkVector } from '../ranking/vector-index.ts';
import type { EntryStore, UnembeddedPassage } from '../store.ts';
import type { Embedder } from './embedder.ts';
import { embeddingSpan } from './embedding-span.ts';

export interface OwnerPassages {
  readonly owner: string;
  readonly passages: readonly UnembeddedPassage[];
}

export type EmbeddingBatches = ReturnType<typeof createEmbeddingBatches>;

export interface EmbeddingBatchesOptions {
  readonly store: EntryStore;
  readonly embedder: Embedder;
  readonly owners: Set<string>;
  /** Owners whose questions wait for vectors. These owners come first, and each gets separate batches. */
  readonly urgent: Set<string>;
  readonly serves?: ((owner: string) => Promise<boolean>) | undefined;
  readonly onServed?: ((owner: string) => void) | undefined;
  readonly closed: AbortSignal;
  readonly warnUnreadable: (error: unknown, message: string) => void;
}

const MIN_SHARE = 8;
const [EMBED_TIMEOUT_MS, ONE_TIMEOUT_MS] = [120_000, 30_000];
const MAX_KNOWN = 10_000;
/** Failures limit an owner's batches. Each success doubles the limit, up to this number of passages. */
const FREED_AT = 64;

export function createEmbeddingBatches(options: EmbeddingBatchesOptions) {
  const { store, embedder, owners, urgent, onServed, closed } = options;
  const meters = new Map<string, ProcessorMeter>();
  const limits = createLimits();
  const served = new Set<string>();

  async function takePassages(owner: string, most: number): Promise<UnembeddedPassage[]> {
    const passages = await listUnembedded(options, owner, most);
    if (passages.length === 0) {
      meters.delete(owner);
      limits.forget(owner);
      served.delete(owner);
      if (!owners.has(owner)) onServed?.(owner);
    }
    return passages;
  }

  async function embedTexts(texts: readonly string[], limitMs: number): Promise<Float32Array[]> {
    const vectors = await withDeadline(closed, limitMs, (signal) =>
      runInSpan(
        () => embeddingSpan(embedder, texts.length),
        () => embedder.embed(texts, 'passage', signal),
      ),
    );
    if (vectors.length !== texts.length) {
      throw new RangeError(`${embedder.name} gave ${vectors.length} vectors for ${texts.length} texts`);
    }
    return vectors.map((vector) => checkVector(vector, embedder.dimensions));
  }

  function putBack(shares: readonly OwnerPassages[]): void {
    for (const { owner } of shares) if (served.delete(owner)) owners.add(owner);
  }

  return {
    charge(owner: string): void {
      const meter = processorMeter();
      if (meter && meters.size < MAX_KNOWN) meters.set(owner, meter);
    },

    async takeBatch(size: number): Promise<OwnerPassages[]> {
      const shares: OwnerPassages[] = [];
      const line = urgent.size > 0 ? urgent : owners;
      for (let left = size; left > 0 && line.size > 0; ) {
        const [owner = ''] = line;
        const limit = limits.of(owner);
        if (limit && shares.length > 0) break;
        line.delete(owner);
        if (line === owners) served.add(owner);
        const share = Math.min(left, limit ?? left, shareOf(size, line.size));
        const passages = await takePassages(owner, share);
        if (passages.length === 0) continue;
        shares.push({ owner, passages });
        left = limit ? 0 : left - passages.length;
      }
      return shares;
    },

    embed(shares: readonly OwnerPassages[]): Promise<Float32Array[]> {
      const all = countPassages(shares);
      const charge = (ms: number) => {
        for (const { owner, passages } of shares) meters.get(owner)?.((ms * passages.length) / all);
      };
      return withProcessorMeter(charge, () =>
        embedTexts(
          shares.flatMap(({ passages }) => passages.map(buildEmbeddingInput)),
          EMBED_TIMEOUT_MS,
        ),
      ).catch((error: unknown) => {
        limits.tighten(shares);
        throw error;
      });
    },

    isWorking: () =>
      withProcessorMeter(
        () => {},
        () => embedTexts(['magpie'], ONE_TIMEOUT_MS),
      ).then(
        () => true,
        () => false,
      ),

    /** Stores the vectors and queues the owners again. Passages without a vector in `vectors` never get one. */
    async keepVectors(shares: readonly OwnerPassages[], vectors: readonly Float32Array[]): Promise<void> {
      let at = 0;
      for (const { owner, passages } of shares) {
        const placed = passages.flatMap(({ place }) => {
          const vector = vectors[at++];
          return vector ? [{ place, vector }] : [];
        });
        await store.putVectors(owner, embedder.name, (passages.at(-1)?.place ?? 0) + 1, placed);
      }
      limits.loosen(shares);
      putBack(shares);
    },

    putBack,
    removeOwner(owner: string): void {
      owners.delete(owner);
      served.delete(owner);
    },
  };
}

async function listUnembedded(
  { store, embedder, serves, warnUnreadable }: EmbeddingBatchesOptions,
  owner: string,
  most: number,
): Promise<UnembeddedPassage[]> {
  try {
    if (serves && !(await serves(owner))) return [];
    return await store.listUnembedded(owner, embedder.name, most);
  } catch (error) {
    warnUnreadable(error, 'passages wait for their vectors: they cannot be read');
    return [];
  }
}

function shareOf(size: number, others: number): number {
  return others === 0 ? size : Math.max(MIN_SHARE, Math.floor(size / (others + 1)));
}

function createLimits() {
  const limits = new Map<string, number>();
  return {
    of: (owner: string) => limits.get(owner),
    forget: (owner: string) => void limits.delete(owner),
    tighten(shares: readonly OwnerPassages[]): void {
      const most = Math.max(1, Math.floor(countPassages(shares) / 8));
      for (const { owner } of shares) if (limits.size < MAX_KNOWN) limits.set(owner, most);
    },
    loosen(shares: readonly OwnerPassages[]): void {
      for (const { owner } of shares) {
        const most = limits.get(owner) ?? FREED_AT;
        if (most < FREED_AT) limits.set(owner, most * 2);
        else limits.delete(owner);
      }
    },
  };
}

export function countPassages(shares: readonly OwnerPassages[]): number {
  return shares.reduce((sum, { passages }) => sum + passages.length, 0);
}
