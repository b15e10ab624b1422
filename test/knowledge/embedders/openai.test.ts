import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { createOpenAiEmbedder, type OpenAiOptions } from '../../../src/knowledge/embedders/openai.ts';
import { describeEmbedder } from '../../contracts/embedder.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../../helpers/embeddings-api.ts';

const KEY = 'sk-very-secret-0123456789';

for (const base64 of [true, false]) {
  let api: EmbeddingsApi;
  describeEmbedder(
    base64 ? 'OpenAI' : 'OpenAI without base64',
    async () => {
      api = await startEmbeddingsApi(base64);
      return createOpenAiEmbedder({ baseUrl: api.url, key: KEY, model: 'words' });
    },
    () => api.close(),
  );
}

describe('an OpenAI-compatible service', () => {
  let api: EmbeddingsApi;
  beforeEach(async () => {
    api = await startEmbeddingsApi();
  });
  afterEach(() => api.close());
  const open = (options: Partial<OpenAiOptions> = {}) =>
    createOpenAiEmbedder({ baseUrl: api.url, key: KEY, model: 'words', ...options });
  const { signal } = new AbortController();
  const failure = async (options: Partial<OpenAiOptions> = {}) => {
    const error = await open(options)
      .embed(['a', 'b'], 'query', signal)
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof AppError)) throw new Error('no AppError', { cause: error });
    const shown = `${error.stack} ${error.cause instanceof Error ? error.cause.stack : ''} ${JSON.stringify(error)}`;
    expect(shown).not.toContain(KEY);
    return error;
  };

  test('gets the key, the model and the dimensions', async () => {
    const embedder = open({ dimensions: 32 });
    expect([embedder.name, embedder.dimensions]).toEqual(['openai:words@32', 32]);
    expect((await embedder.embed(['a', ''], 'query', signal))[0]).toHaveLength(32);
    expect(api.asked[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'words', dimensions: 32, input: ['a', ' '] },
    });
  });

  test('gets batches limited in number and in tokens, a few at once', async () => {
    // Long enough that the first answer is held until the fourth batch has come.
    api.answer = (_, right) => ({ body: right, after: 500 });
    const texts = [...Array(500).fill('short'), ...Array(200).fill('long words '.repeat(100))];
    expect(await open().embed(texts, 'passage', signal)).toHaveLength(700);
    const sizes = api.asked.map(({ body }) => body.input.length);
    expect(Math.max(...sizes)).toBe(128);
    for (const { body } of api.asked) expect(body.input.join('').length / 3).toBeLessThanOrEqual(30_000);
    expect(sizes.length).toBeGreaterThan(5);
    expect(api.most.atOnce).toBe(4);
  });

  test('gets a question before waiting passages', async () => {
    api.answer = (_, right) => ({ body: right, after: 10 });
    const embedder = open();
    const passages = embedder.embed(Array(1500).fill('passage'), 'passage', signal);
    const question = embedder.embed(['question'], 'query', signal);
    await Promise.all([passages, question]);
    const place = api.asked.findIndex(({ body }) => body.input[0] === 'question');
    expect(place).toBeLessThan(8);
    expect(api.asked.length).toBeGreaterThan(8);
  });

  test('is asked again after an overload, at the time that it names', async () => {
    let refusals = 0;
    api.answer = () =>
      refusals++ < 3
        ? { status: 429, headers: { 'retry-after-ms': '30' }, body: { error: 'slow down' } }
        : undefined;
    expect(await open().embed(['a'], 'passage', signal)).toHaveLength(1);
    expect(api.asked).toHaveLength(4);
  });

  test('a pause that one answer requests delays all calls', async () => {
    let [refused, half] = [false, false];
    let early = 0;
    api.answer = () => {
      if (!refused) {
        refused = true;
        // Half of what the answer asks for, so that timers may be early.
        setTimeout(() => {
          half = true;
        }, 350);
        return { status: 429, headers: { 'retry-after-ms': '700' }, body: { error: 'slow down' } };
      }
      if (!half) early++;
      return undefined;
    };
    const embedder = open();
    const first = embedder.embed(['first'], 'passage', signal);
    while (!refused) await new Promise((resolve) => setTimeout(resolve, 5));
    // Until the answer is read, another may be on its way.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const before = api.asked.length;
    const others = [1, 2, 3].map((n) => embedder.embed([`other ${n}`], n > 2 ? 'query' : 'passage', signal));
    const stop = AbortSignal.timeout(20);
    await expect(embedder.embed(['stopped'], 'query', stop)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(await Promise.all([first, ...others])).toHaveLength(4);
    expect(early).toBe(0);
    expect([before, api.asked.length]).toEqual([1, 5]);
  });

  test('texts get the prefixes of the model, and passages with another prefix belong to another model', async () => {
    const prefixes = { query: 'query: ', passage: 'passage: ' };
    const embedder = open({ prefixes });
    await embedder.embed(['where?', ''], 'query', signal);
    await embedder.embed(['here'], 'passage', signal);
    expect(api.asked.map(({ body }) => body.input)).toEqual([
      ['query: where?', 'query: '],
      ['passage: here'],
    ]);
    expect(embedder.name).not.toBe(open().name);
    expect(open({ prefixes: { query: 'query: ' } }).name).toBe(open().name);
  });

  test('an overload that lasts is reported, with the time to retry', async () => {
    api.answer = () => ({
      status: 429,
      headers: { 'retry-after': '17', 'retry-after-ms': '1' },
      body: { error: { message: KEY } },
    });
    expect(await failure()).toMatchObject({ code: 'unavailable', retryAfter: 17 });
  });

  test('a service that accepts fewer texts gets fewer from then on', async () => {
    api.answer = ({ body }) =>
      body.input.length > 40 ? { status: 413, body: { error: 'batch' } } : undefined;
    const embedder = open();
    expect(await embedder.embed(Array(128).fill('text'), 'passage', signal)).toHaveLength(128);
    const before = api.asked.length;
    expect(await embedder.embed(Array(64).fill('text'), 'passage', signal)).toHaveLength(64);
    expect(api.asked.slice(before).map(({ body }) => body.input.length)).toEqual([32, 32]);
  });

  test.each<[string, unknown]>([
    ['too few', { data: [{ index: 0, embedding: [1, 0] }] }],
    [
      'of two lengths',
      {
        data: [
          { index: 0, embedding: [1, 0] },
          { index: 1, embedding: [1, 0, 0] },
        ],
      },
    ],
    [
      'twice the same',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
    ],
    [
      'beyond the texts',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 7, embedding: [1] },
        ],
      },
    ],
    [
      'null',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 1, embedding: [null] },
        ],
      },
    ],
    [
      'nothing but zeros',
      {
        data: [
          { index: 0, embedding: [0, 0] },
          { index: 1, embedding: [1, 1] },
        ],
      },
    ],
    ['NaN in base64', { data: Array(2).fill({ embedding: 'AADAfwAAwH8=' }) }],
    ['half of base64', { data: Array(2).fill({ embedding: 'AAA=' }) }],
    ['no vectors', { data: [{ index: 0 }, { index: 1 }] }],
    ['no list', { data: 'x' }],
    ['nothing', { object: 'list' }],
    ['no JSON', '{"data": ['],
    ['a page', '<html>Sign in</html>'],
  ])('vectors that are %s are reported as an error of the service', async (_, body) => {
    api.answer = () => ({ body });
    expect(await failure()).toMatchObject({ code: 'upstream' });
  });

  test('a list in another order is sorted', async () => {
    api.answer = () => ({
      body: {
        data: [
          { index: 1, embedding: [0, 2] },
          { index: 0, embedding: [3, 0] },
        ],
      },
    });
    const vectors = await open().embed(['a', 'b'], 'passage', signal);
    expect(vectors.map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  test('dimensions are fixed by the first answer', async () => {
    const embedder = open();
    expect(embedder.dimensions).toBe(0);
    await embedder.embed(['a'], 'passage', signal);
    expect(embedder.dimensions).toBe(64);
    api.answer = () => ({ body: { data: [{ index: 0, embedding: [1, 2, 3] }] } });
    await expect(embedder.embed(['a'], 'passage', signal)).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringContaining('64'),
    });
  });

  test.each([
    [401, 'unavailable', 'OPENAI_API_KEY'],
    [404, 'upstream', '"words"'],
    [400, 'upstream', '"words"'],
  ])('status %i is reported in words', async (status, code, word) => {
    api.answer = () => ({ status, body: { error: { message: `wrong key ${KEY}` } } });
    expect(await failure()).toMatchObject({ code, message: expect.stringContaining(word) });
  });

  test('a service that is unreachable, hangs or redirects is reported as an error', async () => {
    const ask = (options: Partial<OpenAiOptions> = {}) => open(options).embed(['a'], 'query', signal);
    await expect(ask({ baseUrl: 'http://127.0.0.1:1/v1' })).rejects.toMatchObject({ code: 'unavailable' });
    api.answer = () => ({ status: 307, headers: { location: 'http://127.0.0.1:1/' }, body: '' });
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    api.answer = (_, right) => ({ body: right, after: 60_000 });
    await expect(ask({ timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' });
    const stop = AbortSignal.timeout(50);
    await expect(open().embed(['a'], 'query', stop)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('an endless answer is aborted', async () => {
    api.answer = () => ({ body: `{"data": [${' '.repeat(40_000_000)}]}` });
    expect(await failure()).toMatchObject({ code: 'upstream' });
  });
});
