import { withDeadline } from '../../lib/concurrency/deadline.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import { runInSpan } from '../../lib/tracing.ts';
import type { Logger } from '../../log.ts';
import type { CosineThresholds } from '../embedding/embedder.ts';
import { embeddingSpan } from '../embedding/embedding-span.ts';
import type { IndexedModel, QueryModels } from '../embedding/query-models.ts';
import type { EntryStore } from '../store.ts';
import type { QueryOptions } from '../types.ts';
import type { PassageNumbers } from './passage-number-set.ts';
import { checkVector } from './vector-index.ts';

export interface EmbeddedQuestion {
  readonly model: string;
  readonly query: Float32Array;
  readonly scale?: CosineThresholds | undefined;
  readonly embedPart: (text: string, signal: AbortSignal) => Promise<Float32Array>;
}

type VectorQuestion = [string, string, AbortSignal, QueryOptions['onWordsOnly']?];

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
    const texts = [takeCharacters(text, MAX_QUESTION_CHARS)];
    const [given] = await withDeadline(signal, EMBED_TIMEOUT_MS, (until) =>
      runInSpan(
        () => embeddingSpan(embedder, texts.length),
        () => embedder.embed(texts, 'query', until),
      ),
    );
    if (!given) throw new RangeError(`${embedder.name} gave no vector`);
    const query = checkVector(given, embedder.dimensions);
    const embedPart = async (part: string, until: AbortSignal) => (await embed(model, part, until)).query;
    return { model: embedder.name, query, scale: embedder.scale, embedPart };
  }

  async function ask<Answer>(
    [owner, text, signal, onWordsOnly]: VectorQuestion,
    use: (asked: EmbeddedQuestion, model: IndexedModel) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const model = await choose(owner, signal);
    if (!model) return undefined;
    try {
      const answer = await use(await embed(model, text, signal), model);
      failing = false;
      return answer;
    } catch (error) {
      onWordsOnly?.('failed');
      return continueWithout(error, signal);
    }
  }

  return {
    embedQuestion: (...question: VectorQuestion) => ask(question, async (asked) => asked),

    findNear: (limit: number, within: PassageNumbers | undefined, ...question: VectorQuestion) =>
      ask(question, async (asked, { indexes }) => {
        const [owner, , signal, onWordsOnly] = question;
        const scored = await indexes.findNearest(owner, asked.query, limit, within, signal);
        if (!scored) onWordsOnly?.('opening');
        return scored && { ...asked, scored };
      }),

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
