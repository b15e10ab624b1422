import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { createGuardedFetch } from '../../src/lib/network/fetch.ts';
import { createLog } from '../../src/log.ts';
import type { SearchEngine } from '../../src/search/engine.ts';
import { createSearch } from '../../src/search/search.ts';
import { chooseEngines, engineNames, LOCAL_ENGINE_NAME, trustedHosts } from '../../src/wiring/engines.ts';
import { ANSWERS, type Named } from '../fixtures/engine-answers.ts';

/** The engines of the default set as they are, each with a server of its own on loopback in place of its site. */

const NAMES = engineNames(loadConfig({}, {})).filter((name) => name !== LOCAL_ENGINE_NAME);
const QUESTIONS: Readonly<Record<string, string>> = {
  general: 'how do magpies build their nests',
  code: 'TypeError: magpie.nest is not a function',
  papers: 'systematic review of magpie cognition',
  definitions: 'what is a magpie',
  packages: 'npm package for magpie nests',
  places: 'museums in Magpie Hill',
  discussions: 'keeping magpies reddit opinions',
  news: 'magpie news today',
  'another language': 'wie baut die Elster ein Nest',
};
type Loss = 'refused' | '429' | 'silent';

const servers = new Map<string, Server>();
const lost = new Map<string, Loss>();
let engines: SearchEngine[];
let trusted: string[];
const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'Magpie/test', perOrigin: 64 });

const pages = (engine: string): Named[] =>
  Array.from({ length: 10 }, (_, i) => ({
    // Half of them all know, half only this one.
    url: i % 2 === 0 ? `https://birds.example/${i}` : `https://birds.example/${engine}/${i}`,
    title: `Magpies, chapter ${i}`,
    words: `What ${i} observers wrote down of magpies and their nests: a review of opinions, news of museums on the hill.`,
  }));

beforeAll(async () => {
  const urls: string[] = [];
  for (const name of NAMES) {
    const server = createServer((request, response) => {
      const loss = lost.get(name);
      if (loss === 'silent') return;
      if (loss === 'refused') return void request.socket.destroy();
      if (loss === '429') return void response.writeHead(429).end();
      response.end(ANSWERS[name]?.(pages(name)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.set(name, server);
    urls.push(`${name}=http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  const config = loadConfig({}, { MAGPIE_ENGINE_URLS: urls.join(',') });
  engines = await chooseEngines(config);
  trusted = trustedHosts(config);
});
afterAll(async () => {
  await fetch.close();
  for (const server of servers.values()) {
    server.closeAllConnections();
    server.close();
  }
});

/** A room of its own for each search: no turn, suspension or answer is left over. */
const find = (text: string, filters: object = {}) =>
  createSearch({
    fetch,
    engines,
    trusted,
    askLocal: false,
    timeoutMs: 10_000,
    log: createLog('silent'),
  }).findPages(text, { owner: 'ann', limit: 10, signal: new AbortController().signal, ...filters });

test('every engine of the default set answers in this test', async () => {
  expect(NAMES.length).toBeGreaterThanOrEqual(5);
  const all = Object.values(QUESTIONS).join(', ');
  const { engines: reports } = await createSearch({
    fetch,
    engines,
    askAll: true,
    trusted,
    askLocal: false,
    timeoutMs: 10_000,
    log: createLog('silent'),
  }).findPages(all, { owner: 'ann', limit: 10, signal: new AbortController().signal });
  const failed = reports.filter(({ ok, reason }) => !ok && reason !== 'dropped: enough was in');
  expect(failed).toEqual([]);
});

describe('loss of one engine', () => {
  // Each in one way: which of the two it is makes no difference between engines, as the contract of each shows.
  /** Which engines each kind of question asks while all answer: the loss of another one changes nothing. */
  const asked = new Map<string, ReadonlySet<string>>();
  beforeAll(async () => {
    for (const [kind, text] of Object.entries(QUESTIONS)) {
      const { engines: reports } = await find(text);
      asked.set(kind, new Set(reports.map(({ name }) => name)));
    }
  });
  const losses = NAMES.map((name, at) => [name, at % 2 === 0 ? 'refused' : '429'] as const);
  test.each(losses)(
    'after the loss of %s by: %s, the kinds of question that use the engine are answered',
    async (name, loss) => {
      lost.set(name, loss);
      for (const [kind, text] of Object.entries(QUESTIONS)) {
        if (!asked.get(kind)?.has(name)) continue;
        const { pages: found, engines: reports } = await find(text);
        expect(found, kind).toHaveLength(10);
        expect(reports.filter(({ ok }) => ok).length, kind).toBeGreaterThanOrEqual(3);
        // They agree on some, so that the order means something.
        expect(found.filter(({ engines: by }) => by.length > 1).length, kind).toBeGreaterThanOrEqual(3);
      }
      lost.clear();
    },
  );
});

test('the loss of any two result pages at once has no effect on the answer', async () => {
  const pagesOf = engines.filter(({ about }) => about.resultPage).map(({ name }) => name);
  expect(pagesOf.length).toBeGreaterThanOrEqual(4);
  const pairs = pagesOf.flatMap((a, i) => pagesOf.slice(i + 1).map((b) => [a, b] as const));
  for (const pair of pairs) {
    for (const [at, name] of pair.entries()) lost.set(name, at === 1 ? '429' : 'refused');
    const { pages: found, engines: reports } = await find('how do magpies build their nests');
    lost.clear();
    expect(found, pair.join()).toHaveLength(10);
    expect(reports.filter(({ ok }) => ok).length, pair.join()).toBeGreaterThanOrEqual(3);
    expect(found.filter(({ engines: by }) => by.length > 1).length, pair.join()).toBeGreaterThanOrEqual(3);
  }
});

test.each([{ site: ['birds.example'] }, { timeRange: 'year' }])(
  'the filter %j still gives a full answer after the loss of any one engine',
  async (filter) => {
    const { engines: reports } = await find('magpies', filter);
    for (const { name } of reports) {
      lost.set(name, '429');
      const { pages: found } = await find('magpies', filter);
      lost.clear();
      expect(found, name).toHaveLength(10);
    }
  },
);

test('a silent engine delays no answer', async () => {
  const general = engines.filter(({ about }) => about.categories.includes('general'));
  for (const { name } of general.slice(0, 2)) {
    lost.set(name, 'silent');
    const { pages: found, engines: reports } = await find('how do magpies build their nests');
    lost.clear();
    expect(found).toHaveLength(10);
    expect(reports.find((one) => one.name === name)).toMatchObject({
      ok: false,
      reason: 'dropped: enough was in',
    });
  }
});
