import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createEnglishEmbedder } from '../../src/knowledge/embedders/english.ts';
import { withProcessorMeter } from '../../src/lib/workers/processor-meter.ts';
import { describeEmbedder } from '../contracts/embedder.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { dot } from '../helpers/vectors.ts';

const none = async () => {};
describeEmbedder('the embedded model', async () => createEnglishEmbedder(), none);
describeEmbedder(
  'the embedded model in WebAssembly',
  async () => createEnglishEmbedder({ runtime: 'wasm' }),
  none,
);

const folder = temporaryFolder();
afterAll(() => folder.remove());
const { signal } = new AbortController();
const PAIR = ['How do I reset my password?', 'Steps to recover account access'] as const;
const open: ReturnType<typeof createEnglishEmbedder>[] = [];
const create = (...options: Parameters<typeof createEnglishEmbedder>) => {
  const embedder = createEnglishEmbedder(...options);
  open.push(embedder);
  return embedder;
};
afterAll(() => Promise.all(open.map((embedder) => embedder.close())));
const cosine = async (embedder: ReturnType<typeof create>) => {
  const [a, b] = await embedder.embed(PAIR, 'passage', signal);
  return a && b ? dot(a, b) : Number.NaN;
};

/** Makes workers die on a text, so many times; returns how many have. (From outside none may be ended.) */
function deadly(text: string, times: number): () => number {
  let died = 0;
  const post = Worker.prototype.postMessage;
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, batch: unknown) {
    if (isBatch(batch) && batch.texts.includes(text) && died < times) {
      died++;
      Reflect.apply(post, this, [{ not: 'texts' }]);
    }
    return Reflect.apply(post, this, [batch]);
  });
  return () => died;
}

function isBatch(message: unknown): message is { readonly texts: readonly string[] } {
  return typeof message === 'object' && message !== null && 'texts' in message;
}

describe('the embedded model', () => {
  test('charges a call for its processor time, without the time to load the model', async () => {
    const embedder = create();
    const cost = async (texts: readonly string[]) => {
      let spent = 0;
      const meter = (ms: number) => {
        spent += ms;
      };
      await withProcessorMeter(meter, () => embedder.embed(texts, 'passage', AbortSignal.timeout(60_000)));
      return spent;
    };
    const first = await cost(['magpie']);
    expect(
      await cost(Array.from({ length: 64 }, (_, at) => `magpies nest in tree ${at} `.repeat(20))),
    ).toBeGreaterThan(5 * first);
  });

  test('gives the same vectors natively and in WebAssembly', async () => {
    const [native, wasm] = [create({ runtime: 'native' }), create({ runtime: 'wasm' })];
    expect(native.state()).toEqual({ workers: 0, runtime: undefined });
    // 0.562 in full precision; the scale of the int8 numbers, and so the result, depends on a batch's padding.
    expect(Math.abs((await cosine(native)) - 0.551)).toBeLessThan(0.025);
    expect(Math.abs((await cosine(wasm)) - 0.551)).toBeLessThan(0.025);
    expect([native.state(), wasm.state()]).toEqual([
      { workers: 1, runtime: 'native' },
      { workers: 1, runtime: 'wasm' },
    ]);
    const texts = [PAIR[0], 'magpie', 'A longer text about nothing in particular. '.repeat(20)];
    for (const text of texts) {
      const [[a], [b]] = await Promise.all([
        native.embed([text], 'passage', signal),
        wasm.embed([text], 'passage', signal),
      ]);
      let product = 0;
      for (const [i, value] of (a ?? []).entries()) product += value * (b?.[i] ?? 9);
      expect(product).toBeGreaterThan(0.998);
    }
    expect(await native.countTokens('How do I reset my password?')).toBe(9);
  });

  test('a question does not wait for earlier passages', async () => {
    const embedder = create({ threads: 1 });
    const order: string[] = [];
    const passages = embedder.embed(Array(300).fill('a passage of some words'), 'passage', signal);
    const done = passages.then(() => order.push('passages'));
    await embedder.embed(['a question'], 'query', signal).then(() => order.push('question'));
    await done;
    expect(order).toEqual(['question', 'passages']);
  });

  test('is unloaded when idle, and loaded again', async () => {
    const embedder = create({ idleMs: 20 });
    await embedder.embed(['one'], 'query', signal);
    await vi.waitFor(() => expect(embedder.state().workers).toBe(0), 5000);
    expect(await embedder.embed(['two'], 'query', signal)).toHaveLength(1);
  });

  test('a second worker starts for many texts, and is the first to stop', async () => {
    const embedder = create({ threads: 2, idleMs: 12_000 });
    await embedder.embed(['one', 'two'], 'passage', signal);
    expect(embedder.state().workers).toBe(1);
    const many = embedder.embed(Array(1500).fill('some words to read'), 'passage', signal);
    await vi.waitFor(() => expect(embedder.state().workers).toBe(2), { timeout: 30_000, interval: 5 });
    await many;
    await vi.waitFor(() => expect(embedder.state().workers).toBe(1), { timeout: 30_000, interval: 20 });
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(embedder.state().workers).toBe(1);
  });

  test('a crashed worker is replaced, and its texts are embedded by the next', async () => {
    const once = deadly('bad luck', 1);
    const embedder = create({ threads: 1 });
    const texts = [...Array(99).fill('some words to read'), 'bad luck'];
    expect(await embedder.embed(texts, 'passage', signal)).toHaveLength(100);
    expect(once()).toBe(1);
    vi.restoreAllMocks();
    // A text on which every worker dies is given up, and the others are served.
    const always = deadly('poison', Number.POSITIVE_INFINITY);
    const [poison, other] = [['poison'], ['harmless']].map((texts) =>
      embedder.embed(texts, 'passage', signal),
    );
    await expect(poison).rejects.toMatchObject({ code: 'unavailable' });
    expect(await other).toHaveLength(1);
    expect(always()).toBe(2);
    vi.restoreAllMocks();
  });

  test('a batch over its time limit fails without further waiting', async () => {
    const embedder = create({ batchMs: 1 });
    await expect(embedder.embed(['x'], 'query', signal)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('requests beyond the queue limit are refused', async () => {
    const embedder = create();
    const stop = new AbortController();
    const many = embedder.embed(Array(20_100).fill('x'), 'passage', stop.signal);
    await expect(embedder.embed(['y'], 'passage', signal)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfter: 10,
    });
    stop.abort(new Error('stopped'));
    await expect(many).rejects.toThrow('stopped');
    expect(await embedder.embed(['y'], 'passage', signal)).toHaveLength(1);
  });
});

/** Runs a program beside the embedder; `create` is createEnglishEmbedder, `signal` the signal of its calls. */
function runProgram(name: string, body: string, ...flags: string[]) {
  const module = new URL('../../src/knowledge/embedders/english.ts', import.meta.url).href;
  const program = join(folder.path, `${name}.mjs`);
  const head = `const { createEnglishEmbedder: create } = await import(${JSON.stringify(module)});
    const { signal } = new AbortController();`;
  writeFileSync(program, `${head}\n${body}`);
  return promisify(execFile)(process.execPath, [...flags, program]);
}

test('without the native package the model runs in WebAssembly, and the process ends by itself', async () => {
  const hide = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name.startsWith('onnxruntime-node')) throw new Error('not installed');
      return next(name, context);
    } });`;
  const body = `const embedder = create();
    const [vector] = await embedder.embed(['hello'], 'query', signal);
    process.stdout.write(JSON.stringify({ length: vector.length, ...embedder.state() }));`;
  const flag = `data:text/javascript,${encodeURIComponent(hide)}`;
  const { stdout } = await runProgram('hidden', body, '--import', flag);
  expect(JSON.parse(stdout)).toEqual({ length: 384, workers: 1, runtime: 'wasm' });
});

test('a process that exits during embedding ends without output', async () => {
  const body = `const embedder = create();
    await embedder.embed(['warm'], 'query', signal);
    void embedder.embed(Array(2000).fill('some words to read '.repeat(10)), 'passage', signal);
    setTimeout(() => process.exit(0), 60);`;
  expect(await runProgram('exit', body)).toEqual({ stdout: '', stderr: '' });
});
