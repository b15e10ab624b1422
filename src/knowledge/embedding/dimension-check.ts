import type { Logger } from '../../log.ts';
import type { EntryStore } from '../store.ts';
import type { Embedder } from './embedder.ts';

export function withDimensionCheck(
  embedder: Embedder,
  store: Pick<EntryStore, 'setAsideVectors'>,
  log: Pick<Logger, 'warn'>,
): Embedder {
  if (embedder.dimensions > 0) return embedder;
  let compared: Promise<void> | undefined;

  async function compare(dimensions: number): Promise<void> {
    if (await store.setAsideVectors(embedder.name, dimensions)) {
      const model = embedder.name;
      log.warn(
        { model, dimensions },
        'the embedding model gives vectors of another length: all passages get new ones',
      );
    }
  }

  return {
    name: embedder.name,
    maxTokens: embedder.maxTokens,
    get dimensions() {
      return embedder.dimensions;
    },
    countTokens: (text) => embedder.countTokens(text),
    async embed(texts, kind, signal) {
      const vectors = await embedder.embed(texts, kind, signal);
      const [first] = vectors;
      if (first) {
        compared ??= compare(first.length).catch((error: unknown) => {
          compared = undefined;
          throw error;
        });
        await compared;
      }
      return vectors;
    },
    close: () => embedder.close(),
  };
}
