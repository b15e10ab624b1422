import type { Embedder } from '../../src/knowledge/embedding/embedder.ts';
import { extractSearchWords } from '../../src/knowledge/ranking/search-words.ts';

export interface WordEmbedder extends Embedder {
  /** Texts that were embedded, in order, with what they are. */
  readonly asked: { readonly text: string; readonly kind: string }[];
  /** Thrown instead of an answer. */
  failure: ((texts: readonly string[]) => unknown) | undefined;
}

/** An embedder without a model: each word has a direction of its own, a text the sum of its words'. */
export function createWordEmbedder({
  name = 'words',
  dimensions = 64,
  synonyms = {} as Readonly<Record<string, string>>,
} = {}): WordEmbedder {
  const directions = new Map<string, Float32Array>();
  const directionOf = (word: string) => {
    const known = directions.get(word);
    if (known) return known;
    let seed = [...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
    const direction = Float32Array.from({ length: dimensions }, () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 31 - 1;
    });
    directions.set(word, direction);
    return direction;
  };
  const asked: { text: string; kind: string }[] = [];
  return {
    name,
    dimensions,
    maxTokens: 256,
    asked,
    failure: undefined,
    countTokens: async (text) => text.split(/\s+/).length,
    async embed(texts, kind, signal) {
      await new Promise(setImmediate);
      signal.throwIfAborted();
      const failure = this.failure?.(texts);
      if (failure) throw failure;
      return texts.map((text) => {
        asked.push({ text, kind });
        const sum = new Float32Array(dimensions);
        for (const word of extractSearchWords(text)) {
          const direction = directionOf(synonyms[word] ?? word);
          for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) + (direction[i] ?? 0);
        }
        const length = Math.hypot(...sum) || 1;
        if (length === 1) sum[0] = 1;
        return sum.map((value) => value / length);
      });
    },
    async close() {},
  };
}
