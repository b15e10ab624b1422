import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnyClient, CONNECTIONS } from '../helpers/clients.ts';
import { environment, type RunningProcess, spawnServer, temporaryFolder } from '../helpers/magpie.ts';

/** A real search engine and its real pages, started by .ci/search-engine, searched and read through Magpie. */

const folder = temporaryFolder();
let magpie: RunningProcess;
let client: AnyClient;
let env: Record<string, string>;

beforeAll(async () => {
  const engine = process.env.MAGPIE_TEST_SEARXNG ?? '';
  env = {
    ...environment(folder.path),
    MAGPIE_ENGINES: 'searxng',
    MAGPIE_SEARXNG_URL: engine,
    MAGPIE_ALLOW_HOSTS: '127.0.0.1',
  };
  magpie = await spawnServer(env);
  const connect = CONNECTIONS['HTTP, 2026 era, v2 client'];
  if (!connect) throw new Error('no such connection');
  client = await connect({ url: magpie.url, env });
});
afterAll(async () => {
  await client.close();
  await magpie.stop();
  folder.remove();
});

const QUESTIONS = [
  ['sundial clock', 'Why a sundial is wrong', 'equation of time'],
  ['sourdough starter', 'Keeping a sourdough starter alive', 'lactic bacteria'],
  ['lighthouse lens', 'The lens of a lighthouse', 'Fresnel'],
  ['braille dots', 'How braille came from night writing', 'Barbier'],
  ['swifts sleep', 'Why swifts sleep in the air', 'glide'],
  ['tide mill', 'How a tide mill works', 'Nendrum'],
] as const;

interface Body {
  results: { title: string; link: string; summary?: string; full_content?: string }[];
  engines?: { name: string; ok: boolean }[];
}

test.each(QUESTIONS)('%s is found and read over REST', async (q, title, inside) => {
  const url = new URL('/search', magpie.url);
  url.search = String(new URLSearchParams({ q, percentile: '1', numofpages: '3' }));
  const response = await fetch(url);
  const body = (await response.json()) as Body;
  expect(response.status).toBe(200);
  expect(body.engines).toContainEqual(expect.objectContaining({ name: 'searxng', ok: true }));
  expect(body.results[0]).toMatchObject({ title, full_content: expect.stringContaining(inside) });
  expect(body.results[0]?.summary).toMatch(/\w.*\./);
});

test.each(QUESTIONS)('%s is found, and its page read, over MCP', async (q, title, inside) => {
  const found = await client.callTool({
    name: 'ultrafastsearch',
    arguments: { q, percentile: 100, numofpages: 10 },
  });
  const [first] = (found.structuredContent as unknown as Body).results;
  expect(first?.title).toBe(title);
  const read = await client.callTool({
    name: 'browse',
    arguments: { q: first?.link, percentile: 1, numofpages: 1 },
  });
  expect(read.content).toMatchObject([{ text: expect.stringContaining(inside) }]);
});
