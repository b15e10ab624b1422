import { withDeadline } from '../lib/deadline.ts';
import type { Logger } from '../log.ts';
import type { CosineScale } from './embedder.ts';
import type { Models } from './models.ts';
import type { Places } from './place-set.ts';
import type { EntryStore, Scored } from './store.ts';
import type { WordsOnly } from './types.ts';
import { checkVector } from './vector-index.ts';

/** Passages near a question by the vectors of one model. */
export interface NearPassages {
  readonly model: string;
  readonly query: Float32Array;
  /** How the model's cosines are read. */
  readonly scale?: CosineScale | undefined;
  /** Nearest first. */
  readonly scored: readonly Scored[];
}

export interface VectorSearch {
  /** Undefined without vectors, or when the embedder cannot be asked. */
  findNear(
    owner: string,
    text: string,
    limit: number,
    within: Places | undefined,
    signal: AbortSignal,
    onWordsOnly?: (why: WordsOnly) => void,
  ): Promise<NearPassages | undefined>;
  /** The vectors of passages, by the model that found `near`; undefined when they cannot be read. */
  readVectors(
    owner: string,
    near: NearPassages | undefined,
    places: readonly number[],
    signal: AbortSignal,
  ): Promise<Map<number, Float32Array> | undefined>;
}

/** Characters of a query that the embedder gets; no model here reads more. */
export const MAX_EMBEDDED_CHARS = 8000;
/** Milliseconds that a query waits for its vector before it finds by words alone. */
const EMBED_TIMEOUT_MS = 10_000;

export interface VectorSearchParts {
  readonly store: Pick<EntryStore, 'readVectors'>;
  readonly models: Models;
  /** Embeds the few new passages of an owner, so that what was kept just now is found. */
  readonly embedNewest: (owner: string, signal: AbortSignal) => Promise<void>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Vectors only improve a query: it does not fail without them. */
export function createVectorSearch({ store, models, embedNewest, log }: VectorSearchParts): VectorSearch {
  let failing = false;

  function continueWithout(error: unknown, signal: AbortSignal): undefined {
    signal.throwIfAborted();
    if (!failing) log.warn({ err: error }, 'queries find by words alone: vectors cannot be used');
    failing = true;
    return undefined;
  }

  return {
    async findNear(owner, text, limit, within, signal, onWordsOnly) {
      await embedNewest(owner, signal).catch((error: unknown) => continueWithout(error, signal));
      const model = await models.chooseModel(owner);
      if (!model) return undefined;
      const { embedder, indexes } = model;
      try {
        const texts = [text.slice(0, MAX_EMBEDDED_CHARS).toWellFormed()];
        const [given] = await withDeadline(signal, EMBED_TIMEOUT_MS, (until) =>
          embedder.embed(texts, 'query', until),
        );
        if (!given) throw new RangeError(`${embedder.name} gave no vector`);
        const query = checkVector(given, embedder.dimensions);
        const scored = await indexes.findNearest(owner, query, limit, within, signal);
        failing = false;
        if (!scored) {
          onWordsOnly?.('opening');
          return undefined;
        }
        return { model: embedder.name, query, scale: embedder.scale, scored };
      } catch (error) {
        onWordsOnly?.('failed');
        return continueWithout(error, signal);
      }
    },

    async readVectors(owner, near, places, signal) {
      if (!near) return undefined;
      try {
        return await store.readVectors(owner, near.model, places);
      } catch (error) {
        return continueWithout(error, signal);
      }
    },
  };
}
