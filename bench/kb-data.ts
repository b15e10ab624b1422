import type { Embedder } from '../src/knowledge/embedding/embedder.ts';
import { numbers, syntheticTexts } from './local-texts.ts';

export const DIMENSIONS = 384;
/** Directions in which the vectors of real texts spread, about; with all 384 no index could find neighbours. */
const LATENT = 24;
const WORDS = 80;

/** Texts of about 80 made-up words, as frequent as those of a language; always the same ones. */
export function passageTexts(): () => string {
  const texts = syntheticTexts();
  let words: string[] = [];
  return () => {
    if (words.length < WORDS) words = texts.page().text.split(' ');
    return words.splice(0, WORDS).join(' ');
  };
}

/** Questions of five words out of a text. */
export function questionFrom(text: string, random: () => number): string {
  const words = text.split(' ');
  return Array.from({ length: 5 }, () => words[Math.floor(random() * words.length)]).join(' ');
}

/** Vectors of unit length that lie as those of texts do: near a plane of fewer dimensions. Always the same ones. */
export function vectorsOf(seed: number): () => Float32Array {
  const random = numbers(seed);
  const plane = numbers(7);
  const normal = (source: () => number) => source() + source() + source() + source() - 2;
  const axes = Array.from({ length: LATENT }, () =>
    Float32Array.from({ length: DIMENSIONS }, () => normal(plane)),
  );
  return () => {
    const vector = new Float32Array(DIMENSIONS);
    for (const axis of axes) {
      const weight = normal(random);
      for (let i = 0; i < DIMENSIONS; i++) vector[i] = (vector[i] ?? 0) + weight * (axis[i] ?? 0);
    }
    for (let i = 0; i < DIMENSIONS; i++) vector[i] = (vector[i] ?? 0) + 0.3 * normal(random);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  };
}

/** An embedder that takes no time; with `held`, it gives no passage its vector. */
export function standInEmbedder({ held = false } = {}): Embedder {
  const next = vectorsOf(99);
  return {
    name: 'stand-in',
    dimensions: DIMENSIONS,
    maxTokens: 256,
    countTokens: async (text) => text.length / 4,
    async embed(texts, kind, signal) {
      if (held && kind === 'passage') {
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }
      return texts.map(next);
    },
    async close() {},
  };
}
