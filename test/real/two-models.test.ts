import { afterAll, beforeAll, expect, test } from 'vitest';
import { MULTILINGUAL_NAME } from '../../src/knowledge/embedders/multilingual.ts';
import { environment, type Running, startMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** Both embedded models, each for the users whom it suits. */

const folder = temporaryFolder();
let magpie: Running;
beforeAll(async () => {
  magpie = await startMagpie({ ...environment(folder.path), MAGPIE_EMBEDDER: 'auto' });
});
afterAll(async () => {
  await magpie.stop();
  folder.remove();
});

interface Body {
  readonly advice?: string;
  readonly pending?: number;
  readonly matches: { readonly metadata: Record<string, unknown> }[];
}

async function get(path: string): Promise<Body> {
  const response = await fetch(new URL(path, magpie.url));
  expect(response.status).toBe(200);
  return (await response.json()) as Body;
}

const insert = (text: string) => get(`/upsert?q=${encodeURIComponent(text)}`);
const best = async (q: string) => (await get(`/query?q=${encodeURIComponent(q)}`)).matches[0]?.metadata.text;
const stats = async () => (await get('/metadatakb?q=')).matches[0]?.metadata;

const CHINESE = ['星期二上午十点去看牙医', '晚上买牛奶和面包', '汽车下周需要年检'];
const ENGLISH = [
  'The wireless password is in the drawer of the desk.',
  'My sister plays the violin in an orchestra.',
  'The roof of the garden shed leaks and needs repair.',
];

test('English questions find Chinese notes and vice versa, and a knowledge base of English texts stays unchanged', async () => {
  for (const text of ENGLISH) await insert(text);
  expect(await best('musician in the family')).toBe(ENGLISH[1]);
  expect(await stats()).toMatchObject({ model: 'all-minilm-l6-v2-int8', pending: 0 });

  for (const text of CHINESE) await insert(text);
  await expect.poll(stats, { timeout: 60_000 }).toMatchObject({
    model: MULTILINGUAL_NAME,
    pending: 0,
    nonenglish: 3,
  });
  expect(await best('dentist appointment')).toBe(CHINESE[0]);
  expect(await best('buy milk and bread')).toBe(CHINESE[1]);
  expect(await best('我妹妹的乐器是什么')).toBe(ENGLISH[1]);
  expect(await best('无线网络密码在哪里')).toBe(ENGLISH[0]);
  expect((await get('/query?q=roof')).advice).toBeUndefined();
});
