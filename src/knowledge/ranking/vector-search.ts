import { withDeadline } from '../../lib/concurrency/deadline.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import { runInSpan } from '../../lib/tracing.ts';
import type { Logger } from '../../log.ts';
import type { CosineThresholds } from '../embedding/embedder.ts';
import { embeddingSpan } from '../embedding/embedding-span.ts';
import type { IndexedModel, QueryModels } from '../embedding/query-models.ts';
import type { EntryStore, PassageScore } from '../store.ts';
import type { WordsOnlyReason } from '../types.ts';
import type { PassageNumbers } from './passage-number-set.ts';
import { checkVector } from './vector-index.ts';

export interface EmbeddedQuestion {
  readonly model: string;
  readonly query: Float32Array;
  readonly scale?: CosineThresholds | undefined;
  /** Embeds a part of the question with the same model. */
  readonly embed: (text: string, signal: AbortSignal) => Promise<Float32Array>;
}

export type VectorSearch = ReturnType<typeof createVectorSearch>;
export const MAX_QUESTION_CHARS = 8000;
const EMBED_TIMEOUT_MS = 10_000;

export interface VectorSearchParts {
  readonly store: Pick<EntryStore, 'readVectors'>;
  readonly models: QueryModels;
  readonly embedNewest: (owner: string, signal: AbortSignal) => Promise<void>;
  readonly log: Pick<Logger, 'warn'>;
}

export function createVectorSearch({ store, models, embedNewest, log }: VectorSearchParts) {
  let failing = false;

  function continueWithout(error: unknown, signal: AbortSignal): undefined {
    signal.throwIfAborted();
    if (!failing) log.warn({ err: error }, 'queries find by words alone: vectors cannot be used');
    failing = true;
    return undefined;
  }

  async function choose(owner: string, signal: AbortSignal): Promise<IndexedModel | undefined> {
    await embedNewest(owner, signal).catch((error: unknown) => continueWithout(error, signal));
    return models.chooseModel(owner);
  }

  async function embed(model: IndexedModel, text: string, signal: AbortSignal): Promise<EmbeddedQuestion> {
    const { embedder } = model;
    const query = await embedText(model, text, signal);
    return {
      model: embedder.name,
      query,
      scale: embedder.scale,
      embed: (part, until) => embedText(model, part, until),
    };
  }

  async function embedText(
    { embedder }: IndexedModel,
    text: string,
    signal: AbortSignal,
  ): Promise<Float32Array> {
    const texts = [takeCharacters(text, MAX_QUESTION_CHARS)];
    const [given] = await withDeadline(signal, EMBED_TIMEOUT_MS, (until) =>
      runInSpan(
        () => embeddingSpan(embedder, texts.length),
        () => embedder.embed(texts, 'query', until),
      ),
    );
    if (!given) throw new RangeError(`${embedder.name} gave no vector`);
    return checkVector(given, embedder.dimensions);
  }

  return {
    async embedQuestion(
      owner: string,
      text: string,
      signal: AbortSignal,
      onWordsOnly?: (why: WordsOnlyReason) => void,
    ): Promise<EmbeddedQuestion | undefined> {
      const model = await choose(owner, signal);
      if (!model) return undefined;
      try {
        const asked = await embed(model, text, signal);
        failing = false;
        return asked;
      } catch (error) {
        onWordsOnly?.('failed');
        return continueWithout(error, signal);
      }
    },

    async findNear(
      owner: string,
      text: string,
      limit: number,
      within: PassageNumbers | undefined,
      signal: AbortSignal,
      onWordsOnly?: (why: WordsOnlyReason) => void,
    ): Promise<(EmbeddedQuestion & { readonly scored: readonly PassageScore[] }) | undefined> {
      const model = await choose(owner, signal);
      if (!model) return undefined;
      try {
        const asked = await embed(model, text, signal);
        const scored = await model.indexes.findNearest(owner, asked.query, limit, within, signal);
        failing = false;
        if (!scored) {
          onWordsOnly?.('opening');
          return undefined;
        }
        return { ...asked, scored };
      } catch (error) {
        onWordsOnly?.('failed');
        return continueWithout(error, signal);
      }
    },

    async readVectors(
      owner: string,
      near: EmbeddedQuestion | undefined,
      places: readonly number[],
      signal: AbortSignal,
    ): Promise<Map<number, Float32Array> | undefined> {
      if (!near) return undefined;
      try {
        return await store.readVectors(owner, near.model, places);
      } catch (error) {
        return continueWithout(error, signal);
      }
    },
  };
}
