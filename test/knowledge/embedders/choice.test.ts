import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/log.ts';
import { createServices } from '../../../src/wiring/services.ts';
import { startEmbeddingsApi } from '../../helpers/embeddings-api.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { TINY_DIMENSIONS, writeTinyModel } from '../../helpers/tiny-model.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const log = createLog('silent', () => {});
const configure = (env: Record<string, string>) => loadConfig({ data: folder.path }, env);

test('the embedded model is the default', async () => {
  const services = createServices(configure({}), log);
  expect((await services.embedder()).name).toBe('all-minilm-l6-v2-int8');
  await services.lifecycle.close();
});

test('MAGPIE_EMBEDDER names a model at OPENAI_BASE_URL, and the length of its vectors', async () => {
  const api = await startEmbeddingsApi();
  const services = createServices(
    configure({
      MAGPIE_EMBEDDER: 'openai:some/model:latest@48',
      OPENAI_BASE_URL: `${api.url}/`,
      OPENAI_API_KEY: 'k3y',
      MAGPIE_EMBEDDER_QUERY_PREFIX: 'query: ',
      MAGPIE_EMBEDDER_PASSAGE_PREFIX: 'passage: ',
    }),
    log,
  );
  const embedder = await services.embedder();
  expect([embedder.name, embedder.dimensions]).toEqual(['openai:some/model:latest@48 "passage: "', 48]);
  const [vector] = await embedder.embed(['x'], 'query', new AbortController().signal);
  expect(vector).toHaveLength(48);
  expect(api.asked[0]).toMatchObject({
    path: '/v1/embeddings',
    headers: { authorization: 'Bearer k3y' },
    body: { model: 'some/model:latest', dimensions: 48, input: ['query: x'] },
  });
  await services.lifecycle.close();
  await expect(embedder.embed(['x'], 'query', new AbortController().signal)).rejects.toThrow('shutting down');
  await api.close();
});

test('MAGPIE_EMBEDDER=file: names a folder, or one below models in the data folder', async () => {
  const path = writeTinyModel(join(folder.path, 'models', 'maker', 'tiny'));
  for (const named of [path, 'maker/tiny']) {
    const env = { MAGPIE_EMBEDDER: `file:${named}`, MAGPIE_EMBEDDER_PASSAGE_PREFIX: 'passage: ' };
    const services = createServices(configure(env), log);
    const knowledge = await services.knowledge();
    const signal = AbortSignal.timeout(60_000);
    for (const text of ['magpie on the roof', 'price of copper'])
      await knowledge.insertEntry('anna', { text }, signal);
    const [found] = await knowledge.findPassages('anna', 'copper', { topK: 1, includeValues: true }, signal);
    expect([found?.passage.text, found?.values?.length]).toEqual(['price of copper', TINY_DIMENSIONS]);
    expect((await knowledge.readStats('anna')).model).toMatch(/^file:tiny@/);
    await services.lifecycle.close();
  }
});

test('a folder without a model fails the knowledge base with a message that names the missing files', async () => {
  const services = createServices(configure({ MAGPIE_EMBEDDER: 'file:/nowhere/model' }), log);
  await expect(services.knowledge()).rejects.toThrow('there is no folder /nowhere/model');
  await services.lifecycle.close();
});

test.each([
  ' x',
  'openai',
  'openai:',
  'openai:a b',
  'openai:m@0',
  'openai:m@',
  'file:',
  'minilm',
  'ollama:m',
])('MAGPIE_EMBEDDER=%j stops the start', (value) => {
  expect(() => configure({ MAGPIE_EMBEDDER: value })).toThrow(/MAGPIE_EMBEDDER.*openai:<model>/);
});
