import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import type { Knowledge } from '../../../src/knowledge/types.ts';
import { createLog } from '../../../src/log.ts';
import { createServices } from '../../../src/wiring/services.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../../helpers/embeddings-api.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

const signal = AbortSignal.timeout(120_000);
const SUBJECTS = [/feline|kitten/i, /automobile|lorry/i];
/** More passages than are read one by one from the store: they are compared in an index of one length. */
const PASSAGES = 420;

describe('a model at OPENAI_BASE_URL without its dimensions', () => {
  let api: EmbeddingsApi;
  let folder: ReturnType<typeof temporaryFolder>;
  let length: number;
  let logged: string[];
  let services: ReturnType<typeof createServices>;
  beforeEach(async () => {
    api = await startEmbeddingsApi(false);
    folder = temporaryFolder();
    [length, logged] = [48, []];
    api.answer = meaning;
  });
  afterEach(async () => {
    await services.lifecycle.close();
    await api.close();
    folder.remove();
  });

  /** Texts on one subject have one direction, whatever their words. */
  function meaning({ body }: EmbeddingsApi['asked'][number]) {
    const data = body.input.map((text, index) => {
      const at = SUBJECTS.findIndex((words) => words.test(text));
      const vector = Array.from({ length }, (_, i) => (at === i ? 1 : 0.05));
      const own = /number (\d+)/.exec(text)?.[1];
      if (own) vector[2 + (Number(own) % (length - 2))] = 1;
      return { object: 'embedding', index, embedding: vector };
    });
    return { body: { object: 'list', data, model: body.model } };
  }

  async function start(): Promise<Knowledge> {
    const env = { MAGPIE_EMBEDDER: 'openai:words', OPENAI_BASE_URL: api.url, MAGPIE_DATA: folder.path };
    services = createServices(
      loadConfig({}, env),
      createLog('warn', (line) => logged.push(line)),
    );
    return services.knowledge();
  }

  async function keep(knowledge: Knowledge): Promise<void> {
    const texts = Array.from({ length: PASSAGES }, (_, i) => `An entry about something else, number ${i}.`);
    texts.push('The kitten sleeps.', 'A lorry stands outside.');
    await Promise.all(texts.map((text) => knowledge.insertEntry('anna', { text }, signal)));
    await knowledge.waitForVectors(60_000, signal, () => {});
  }

  const askFor = async (knowledge: Knowledge, text: string) =>
    (await knowledge.findPassages('anna', text, { topK: 1 }, signal))[0]?.passage.text;

  test('finds by meaning among many passages, also after a restart', async () => {
    let knowledge = await start();
    await keep(knowledge);
    await expect.poll(() => askFor(knowledge, 'feline'), { timeout: 60_000 }).toBe('The kitten sleeps.');
    await services.lifecycle.close();
    knowledge = await start();
    await expect
      .poll(() => askFor(knowledge, 'automobile'), { timeout: 60_000 })
      .toBe('A lorry stands outside.');
    expect(logged).toEqual([]);
  });

  test('finds by words while the service is unavailable at the start, and by meaning once it is available', async () => {
    await keep(await start());
    await services.lifecycle.close();
    let away = true;
    api.answer = (asked) => (away ? { status: 401, body: { error: 'away' } } : meaning(asked));
    const knowledge = await start();
    const why: string[] = [];
    const [found] = await knowledge.findPassages(
      'anna',
      'kitten',
      { topK: 1, onWordsOnly: (reason) => why.push(reason) },
      signal,
    );
    expect([found?.passage.text, why]).toEqual(['The kitten sleeps.', ['failed']]);
    away = false;
    // An index that is being opened on a busy machine is there with a later question.
    await expect.poll(() => askFor(knowledge, 'feline'), { timeout: 60_000 }).toBe('The kitten sleeps.');
  });

  test('passages get new vectors when another model answers under the same name, and are found by words meanwhile', async () => {
    await keep(await start());
    await services.lifecycle.close();
    length = 32;
    const knowledge = await start();
    expect(await askFor(knowledge, 'kitten')).toBe('The kitten sleeps.');
    expect(logged.join()).toContain('gives vectors of another length');
    await knowledge.insertEntry('anna', { text: 'A new entry.' }, signal);
    await knowledge.waitForVectors(60_000, signal, () => {});
    await expect.poll(() => askFor(knowledge, 'feline'), { timeout: 60_000 }).toBe('The kitten sleeps.');
    expect((await knowledge.readStats('anna')).pending).toBe(0);
  });
});
