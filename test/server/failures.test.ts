import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../helpers/embeddings-api.ts';
import { environment, type Running } from '../helpers/magpie.ts';
import { createSharedServers } from '../helpers/shared-servers.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

/** The contract's named failures, each with a server that is set up to meet it. */

const servers = createSharedServers();
let web: TestWeb;
let embeddings: EmbeddingsApi;
let magpie: Running;

beforeAll(async () => {
  [web, embeddings] = [await startWeb(), await startEmbeddingsApi()];
});
afterAll(async () => {
  await servers.stop();
  await Promise.all([web.close(), embeddings.close()]);
});

async function start(env: Record<string, string>): Promise<void> {
  magpie = await servers.serverWith((data) => ({
    ...environment(data, web),
    ...embeddings.settings,
    ...env,
  }));
}

/** Searches and reads as usual, and answers up to 20 kB. */
const USUAL = { MAGPIE_ENGINES: 'searxng', MAGPIE_RESPONSE_BYTES: '20000' };
/** Gives engines and pages up early. */
const HASTY = { MAGPIE_ENGINES: 'searxng', MAGPIE_SEARCH_TIMEOUT: '300', MAGPIE_PAGE_TIMEOUT: '300' };

async function get(path: string, parameters: Record<string, string | number>) {
  const url = new URL(path, magpie.url);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  const response = await fetch(url);
  const body = (await response.json()) as {
    error?: string;
    results?: { link: string; title: string; summary?: string; full_content?: string }[];
    rules?: string;
  };
  return { status: response.status, body };
}

test('with no engine reachable, 502 names each reason [failure.all-engines]', async () => {
  await start({
    MAGPIE_ENGINES: 'searxng,duckduckgo,wikipedia,local',
    MAGPIE_SEARXNG_URL: 'http://127.0.0.1:9',
    MAGPIE_ENGINE_URLS: 'duckduckgo=http://unplugged.invalid,wikipedia=http://127.0.0.1:9',
  });
  const { status, body } = await get('/search', { q: 'magpie', percentile: 3, numofpages: 3 });
  expect(status).toBe(502);
  expect(body.error).toMatch(/^failed to fetch search results: /);
  for (const name of ['searxng', 'duckduckgo', 'wikipedia'])
    expect(body.error).toMatch(new RegExp(`${name}: \\S+ \\w+`));
});

test('an engine that never answers is abandoned at its deadline [failure.all-engines]', async () => {
  // The deadline of all engines together; what is left of the 5 s is for the rest of a call.
  expect(loadConfig({}, environment('/nowhere')).searchTimeout).toBeLessThanOrEqual(4000);
  await start(HASTY);
  const { status, body } = await get('/search', { q: 'slow', percentile: 3, numofpages: 3 });
  expect(status).toBe(502);
  expect(body.error).toContain('did not answer within 0.3 s');
});

test('pages read before are found with no engine reachable [local.offline]', async () => {
  await start({ MAGPIE_SEARXNG_URL: 'http://127.0.0.1:9' });
  await get('/browse', { q: `${web.url}/page/magpie-song`, percentile: 1, numofpages: 1 });
  const { status, body } = await get('/search', {
    q: 'which song do magpies have',
    percentile: 3,
    numofpages: 3,
  });
  expect(status).toBe(200);
  expect(body.results?.[0]).toMatchObject({
    link: `${web.url}/page/magpie-song`,
    title: 'The song of the magpie',
  });
});

test('a call over its deadline is 504 [failure.deadline]', async () => {
  await start({ MAGPIE_CALL_TIMEOUT: '300' });
  const { status, body } = await get('/browse', { q: `${web.url}/hang`, percentile: 1, numofpages: 1 });
  expect(status).toBe(504);
  expect(body.error).toMatch(/time/);
});

test('a page past its own deadline is 504, and the error says that fetching failed', async () => {
  await start(HASTY);
  const { status, body } = await get('/browse', { q: `${web.url}/hang`, percentile: 1, numofpages: 1 });
  expect(status).toBe(504);
  expect(body.error).toMatch(/^Error fetching content: .* did not answer within 0.3 s/);
});

test('ResponseTooLarge is 413 and names a percentile that then fits [failure.too-large]', async () => {
  await start(USUAL);
  const q = `${web.url}/long`;
  const { status, body } = await get('/browse', { q, percentile: 1, numofpages: 10 });
  expect(status).toBe(413);
  const percentile = Number(/^ResponseTooLarge: .*percentile (\d+) would fit/.exec(body.error ?? '')?.[1]);
  expect(percentile).toBeGreaterThan(1);
  expect((await get('/browse', { q, percentile, numofpages: 10 })).status).toBe(200);
  expect((await get('/browse', { q, percentile: percentile - 1, numofpages: 10 })).status).toBe(413);
  const found = await get('/search', { q: 'magpie', percentile: 1, numofpages: 10 });
  const lower = Number(/percentile (\d+) would fit/.exec(found.body.error ?? '')?.[1] ?? 1);
  expect((await get('/search', { q: 'magpie', percentile: lower, numofpages: 10 })).status).toBe(200);
});

test('a picture is 415 with its type named [failure.unsupported]', async () => {
  await start(USUAL);
  const { status, body } = await get('/browse', { q: `${web.url}/picture`, percentile: 1, numofpages: 1 });
  expect(status).toBe(415);
  expect(body.error).toContain('a PNG picture');
});

test('when one engine of several answers, the rules say how many did not and which engine the pages are from', async () => {
  await start({
    // Engines that need not wait for their next turn.
    MAGPIE_ENGINES: 'searxng,wikidata,wiktionary,wikipedia',
    MAGPIE_ENGINE_URLS: ['wikidata', 'wiktionary', 'wikipedia']
      .map((name) => `${name}=http://127.0.0.1:9`)
      .join(','),
  });
  const said =
    '3 of 4 search engines refused or did not answer, and what is of the web here is of searxng alone. ';
  for (const operation of ['search', 'ultrafastsearch', 'hybrid']) {
    const { status, body } = await get(`/${operation}`, { q: 'magpie nest', percentile: 3, numofpages: 3 });
    expect(status).toBe(200);
    expect(body.rules).toContain(said);
  }
});

test('another page replaces one that fails, and the rules name the page left out', async () => {
  await start(USUAL);
  const { status, body } = await get('/search', { q: 'broken magpie', percentile: 3, numofpages: 3 });
  expect(status).toBe(200);
  expect(body.results).toHaveLength(3);
  for (const result of body.results ?? []) {
    expect(result.link).not.toBe(`${web.url}/missing`);
    expect(result.full_content).toMatch(/Paragraph/);
  }
  expect(body.rules).toContain(`Could not be read and is left out: ${web.url}/missing. `);
});

test('a failed page is listed after the pages that were read, with the reason', async () => {
  await start(USUAL);
  const { body } = await get('/search', { q: 'broken magpie', percentile: 3, numofpages: 10 });
  expect(body.results?.slice(0, 5).every(({ summary }) => summary)).toBe(true);
  expect(body.results?.find(({ link }) => link === `${web.url}/missing`)).toMatchObject({
    error: expect.stringContaining('Error fetching content'),
    snippet: 'A page that is not there.',
  });
  expect(body.rules).not.toContain('left out');
});

const ELEVEN = Array.from({ length: 11 }, (_, at) => `h${at}.io`).join(',');

test('an invalid filter is answered 400 with the accepted values', async () => {
  await start(USUAL);
  for (const [filter, value, takes] of [
    ['language', 'German', 'a value such as de (two letters, `pt-br` with a region)'],
    ['region', 'Europe', 'a country such as AT'],
    ['timeRange', 'decade', 'one of day, week, month, year'],
    ['site', 'https://x', 'a value such as a.com,b.org (hosts without a path, 10 at most)'],
    ['site', 'https://docs.io/guide', 'a value such as a.com,b.org (hosts without a path, 10 at most)'],
    ['excludeSite', ELEVEN, 'a value such as a.com,b.org (hosts without a path, 10 at most)'],
    ['topic', 'gossip', 'one of general, news, papers, code, packages, definitions, discussions, places'],
  ] as const) {
    const { status, body } = await get('/search', { q: 'x', percentile: 3, numofpages: 3, [filter]: value });
    expect([status, body.error]).toEqual([400, `${filter} is ${JSON.stringify(value)}: it takes ${takes}`]);
  }
});

test('a question that is too long is answered 400 with the maximum length', async () => {
  await start(USUAL);
  const { status, body } = await get('/search', { q: 'x'.repeat(2001), percentile: 1, numofpages: 1 });
  expect([status, body.error]).toEqual([400, 'q has 2001 characters: it takes at most 2000']);
});

test('a page over MAGPIE_PAGE_BYTES is read as far as that, and a file that cannot be cut is answered 413 with what to do', async () => {
  await start({ MAGPIE_PAGE_BYTES: '2000' });
  const { status, body } = await get('/browse', { q: `${web.url}/long`, percentile: 1, numofpages: 1 });
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toContain('over 2000 bytes, and only those are read: MAGPIE_PAGE_BYTES');
  const file = await get('/browse', { q: `${web.url}/long.pdf`, percentile: 1, numofpages: 1 });
  expect([file.status, file.body.error]).toEqual([
    413,
    expect.stringMatching(/^ResponseTooLarge: .* over .*2000.*read another page.*MAGPIE_PAGE_BYTES$/),
  ]);
});
