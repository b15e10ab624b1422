import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type EmbeddingsApi, startEmbeddingsApi } from '../helpers/embeddings-api.ts';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** Texts that come through a pipe, and what a command says of their vectors before it ends. */

const folder = temporaryFolder();
const apis: EmbeddingsApi[] = [];
afterEach(async () => {
  for (const api of apis.splice(0)) await api.close();
});
afterAll(() => folder.remove());
let places = 0;
const newPlace = (api?: EmbeddingsApi) => ({
  ...environment(`${folder.path}/${++places}`),
  MAGPIE_EMBEDDER: 'openai:words@64',
  OPENAI_BASE_URL: api?.url ?? 'http://127.0.0.1:9/v1',
  OPENAI_API_KEY: 'x',
});
const newApi = async () => {
  const api = await startEmbeddingsApi();
  apis.push(api);
  return api;
};
const piped = (...chunks: (string | Buffer)[]) => Readable.from(chunks);
const terminal = () => Object.assign(Readable.from([]), { isTTY: true });
const exported = async (env: Record<string, string>) =>
  (await runMagpie(['kb', 'export'], env)).stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { text: string }).text);

describe('standard input', () => {
  test.each([[['upsert', '-']], [['upsert']], [['insert', '--q', '-']], [['upsertjson', '--title', 'T']]])(
    'is the text of %j',
    async (args) => {
      const env = newPlace(await newApi());
      const { code, stderr } = await runMagpie(args, env, { stdin: piped('a kettle\n', 'boils – café\n') });
      expect([code, stderr]).toEqual([0, '']);
      expect(await exported(env)).toEqual(['a kettle\nboils – café']);
    },
  );

  test('is the question of query -', async () => {
    const env = newPlace(await newApi());
    await runMagpie(['upsert', 'a kettle boils'], env);
    const { stdout } = await runMagpie(['query', '-'], env, { stdin: piped('kettle\n') });
    expect(stdout).toContain('a kettle boils');
  });

  test.each([
    ['nothing', piped(), 2, 'standard input is empty'],
    ['a blank line', piped('\n'), 2, 'standard input is empty'],
    ['bytes that are no text', piped(Buffer.from([0xff, 0xfe, 0x00])), 2, 'not text in UTF-8'],
    [
      'more than any text takes',
      piped(...Array.from({ length: 30 }, () => 'x'.repeat(100_000))),
      1,
      'over 2000000 bytes',
    ],
  ])('is refused where it has %s', async (_, stdin, code, words) => {
    const env = newPlace();
    const refused = await runMagpie(['upsert', '-'], env, { stdin });
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(words)]);
    expect(await exported(env)).toEqual([]);
  });

  test('is not read at a terminal when no text is given, nor by a question', async () => {
    for (const [args, stdin] of [
      [['upsert'], terminal()],
      [['query'], piped('kettle')],
    ] as const) {
      const { code, stderr } = await runMagpie([...args], newPlace(), { stdin });
      expect([code, stderr]).toEqual([2, expect.stringMatching(/\bq\b/)]);
    }
  });

  test('is used by one parameter at most', async () => {
    const args = ['automationrpa', '-', '--autoplatformapikey', '-', '--autoplatformteamid', '1'];
    const { code, stderr } = await runMagpie(args, newPlace(), { stdin: piped('a\nb\n') });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('q and autoplatformapikey both read standard input (-)'),
    ]);
  });
});

describe('the end of a command', () => {
  test('waits for the vectors of its own entries, even if the model takes longer than the limit for other entries', async () => {
    const api = await newApi();
    api.answer = (_, right) => ({ body: right, after: 1000 });
    const env = newPlace(api);
    await runMagpie(['upsert', 'a kettle boils'], env, { waits: { settleMs: 200 } });
    const { stdout } = await runMagpie(['metadatakb', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject({ matches: [{ metadata: { pending: 0 } }] });
  });

  test('reports the reason if vectors cannot be made', async () => {
    const api = await newApi();
    api.answer = () => ({ status: 401, body: { error: { message: 'no such key' } } });
    const { code, stdout, stderr } = await runMagpie(['upsert', 'a kettle boils'], newPlace(api));
    expect([code, stdout]).toEqual([0, expect.stringContaining('Kept in the knowledge base')]);
    expect(stderr).toMatch(
      /^magpie: what was kept is found by its words only until its vectors are made: .+\n$/,
    );
  });

  test('comes at once on Ctrl-C, and embedding is left for later', async () => {
    const api = await newApi();
    const signals = new EventEmitter();
    api.answer = (_, right) => {
      signals.emit('SIGINT');
      return { body: right, after: 60_000 };
    };
    const env = newPlace(api);
    const { stdout } = await runMagpie(['upsert', 'a kettle boils'], env, { signals });
    api.answer = () => undefined;
    expect(stdout).toContain('Kept in the knowledge base');
    expect(await exported(env)).toEqual(['a kettle boils']);
  });
});
