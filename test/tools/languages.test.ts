import { afterAll, beforeAll, expect, test } from 'vitest';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

/** Texts that the model in use does not read: every surface says so, and what helps; users of English texts hear nothing. */

const NOTES = ['星期二上午十点去看牙医', '晚上买牛奶和面包'];
const ADVICE =
  '2 of 3 passages are not in English: the model in use reads English only, and finds them by their words and hardly by ' +
  'their meaning. ';

const folder = temporaryFolder();
let env: Record<string, string>;
let web: TestWeb;
let magpie: Running;

beforeAll(async () => {
  web = await startWeb();
  env = { ...environment(folder.path, web), MAGPIE_EMBEDDER: 'english' };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  await web.close();
  folder.remove();
});

interface Body {
  readonly rules?: string;
  readonly advice?: string;
  readonly matches: { readonly metadata: Record<string, unknown> }[];
}

async function get(path: string): Promise<Body> {
  const response = await fetch(new URL(path, magpie.url));
  expect(response.status).toBe(200);
  return (await response.json()) as Body;
}

const ask = (operation: string, q: string) =>
  get(`/${operation}?q=${encodeURIComponent(q)}&percentile=3&numofpages=3`);
const insert = (text: string) => get(`/upsert?q=${encodeURIComponent(text)}`);

test('answers, metadatakb, hybrid and kb check say that texts are not in English, and name the way to add a model', async () => {
  await insert('The second meeting about the budget is on Tuesday.');
  expect((await ask('query', 'when is the meeting')).advice).toBeUndefined();
  expect((await get('/metadatakb?q=')).matches[0]?.metadata).not.toHaveProperty('advice');
  const before = await runMagpie(['kb', 'check'], env);
  expect([before.code, before.stdout]).toEqual([0, expect.stringContaining('Nothing is wrong')]);
  expect(before.stdout).not.toContain('not all in English');

  for (const note of NOTES) await insert(note);
  for (const operation of ['query', 'pdfsearch', 'queryUsersKnowledgeBase']) {
    expect((await ask(operation, 'dentist')).advice).toContain(ADVICE);
  }
  expect((await ask('hybrid', 'dentist')).rules).toContain(`Of the knowledge base: ${ADVICE}`);
  const { metadata } = (await get('/metadatakb?q=')).matches[0] ?? {};
  expect(metadata).toMatchObject({ nonenglish: 2, advice: expect.stringContaining(ADVICE) });
  const shown = await runMagpie(['call', 'query', '--q', 'dentist'], env);
  expect(shown.stdout.replaceAll(/\s+/g, ' ')).toContain(ADVICE.trim());

  const check = await runMagpie(['kb', 'check'], env);
  expect([check.code, check.stdout.replaceAll(/\s+/g, ' ')]).toEqual([
    0,
    expect.stringContaining('The texts of 1 user are not all in English'),
  ]);
  const { advice } = JSON.parse((await runMagpie(['kb', 'check', '--json'], env)).stdout) as Body;
  expect(advice).toMatch(/MAGPIE_EMBEDDER=auto/);
});
