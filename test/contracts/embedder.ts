import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Embedder } from '../../src/knowledge/embedding/embedder.ts';
import { dot } from '../helpers/vectors.ts';

/** What every Embedder keeps to; `open` is called once. Texts of the same words must be nearer than others. */
export function describeEmbedder(
  name: string,
  open: () => Promise<Embedder>,
  end: () => Promise<void>,
): void {
  describe(`${name} as Embedder`, () => {
    let embedder: Embedder;
    const signal = new AbortController().signal;
    beforeAll(async () => {
      embedder = await open();
    });
    afterAll(async () => {
      await embedder.close();
      await end();
    });
    const one = async (text: string) => {
      const [vector] = await embedder.embed([text], 'passage', signal);
      return vector ?? new Float32Array();
    };

    test('returns a vector of unit length for each text', async () => {
      const texts = [
        'a magpie on the roof',
        'the price of copper',
        'a magpie on a roof',
        '',
        '鵲が屋根にいる 🐦',
      ];
      const vectors = await embedder.embed(texts, 'passage', signal);
      expect(vectors).toHaveLength(texts.length);
      for (const vector of vectors) {
        expect(vector).toBeInstanceOf(Float32Array);
        expect(vector).toHaveLength(embedder.dimensions);
        expect(dot(vector, vector)).toBeCloseTo(1, 3);
      }
      const [magpie, copper, again] = vectors.map((vector) => vector.slice());
      if (!magpie || !copper || !again) throw new Error('vectors are missing');
      expect(dot(magpie, again)).toBeGreaterThan(dot(magpie, copper) + 0.2);
    });

    test('keeps the order of texts over many batches', async () => {
      const texts = Array.from({ length: 90 }, (_, i) => `${'word '.repeat((i * 37) % 20)}number ${i}`);
      const vectors = await embedder.embed(texts, 'passage', signal);
      expect(vectors).toHaveLength(90);
      for (const at of [0, 41, 89]) {
        expect(dot(vectors[at] ?? new Float32Array(), await one(texts[at] ?? ''))).toBeGreaterThan(0.97);
      }
    });

    test('no texts give no vectors', async () => {
      expect(await embedder.embed([], 'query', signal)).toEqual([]);
    });

    test('text beyond the token limit does not change the vector', async () => {
      const long = 'shoe '.repeat(embedder.maxTokens * 2);
      expect(dot(await one(`${long}`), await one(`${long} magpie`))).toBeGreaterThan(0.9999);
    });

    test('accepts control characters, half characters and a word of a million letters', async () => {
      const odd = [
        '\0\x07',
        '\ud83d',
        'x'.repeat(1_000_000),
        '\u0301'.repeat(20_000),
        '[SEP] [PAD]',
        '  \n\t ',
      ];
      expect(await embedder.embed(odd, 'passage', signal)).toHaveLength(odd.length);
    });

    test('counts tokens of short and long texts', async () => {
      const short = await embedder.countTokens('one two three four');
      expect(short).toBeGreaterThanOrEqual(4);
      expect(await embedder.countTokens('one two three four '.repeat(3000))).toBeGreaterThan(short * 1500);
    });

    test('an aborted call rejects with its reason, and the other calls continue', async () => {
      await expect(embedder.embed(['x'], 'query', AbortSignal.abort(new Error('before')))).rejects.toThrow(
        'before',
      );
      const stop = new AbortController();
      const texts = Array.from({ length: 200 }, (_, i) => `text ${i}`);
      const stopped = embedder.embed(texts, 'passage', stop.signal);
      const other = embedder.embed(['another text'], 'passage', signal);
      stop.abort(new Error('stopped'));
      await expect(stopped).rejects.toThrow('stopped');
      expect(await other).toHaveLength(1);
    });

    test('a closed embedder is unavailable', async () => {
      const running = embedder.embed(['last words'], 'passage', signal).catch((error: unknown) => error);
      await embedder.close();
      const result = await running;
      if (!Array.isArray(result)) expect(result).toMatchObject({ code: 'unavailable' });
      await expect(embedder.embed(['too late'], 'passage', signal)).rejects.toMatchObject({
        code: 'unavailable',
      });
    });
  });
}
