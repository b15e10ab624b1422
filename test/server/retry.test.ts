import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { environment, type Running } from '../helpers/magpie.ts';
import { createSharedServers } from '../helpers/shared-servers.ts';

/**
 * The contract tells callers to retry by doubling `percentile` and `numofpages`. For each failure that it
 * names there is a server here that fails so, and the advice must get through where the first call did not.
 */

const servers = createSharedServers();
let server: Server;
let host = '';
let magpie: Running;
/** Number of the test: its addresses and questions begin or end with it, so that nothing of another one is known of them. */
let series = 0;
/** What the server does with a path, whose number is left out; set by each test. */
let answer: (path: string, response: ServerResponse, nth: number) => unknown;
let asked: Map<string, number>;

const TEXT = `<article><h1>Kilns</h1>${'<p>The kiln is fired for nine hours, and left to cool for a day and a night.</p>'.repeat(20)}</article>`;
const page = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Kilns</title>${TEXT}`);
const hits = (response: ServerResponse, count = 10) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      results: Array.from({ length: count }, (_, i) => ({
        url: `http://${host}/${series}/page/${i + 1}`,
        title: `Kilns of ${['lime', 'salt', 'brick', 'tile', 'glass', 'malt', 'tar', 'hop', 'tea', 'ash'][i]}`,
        content: `What was burnt in kiln number ${i + 1}.`,
      })),
    }),
  );

beforeAll(async () => {
  server = createServer((request, response) => {
    const pathname = new URL(request.url ?? '/', 'http://x').pathname.replace(/^\/\d+(?=\/)/, '');
    const nth = (asked.get(pathname) ?? 0) + 1;
    asked.set(pathname, nth);
    answer(pathname, response, nth);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = new Map();
  series++;
});
afterAll(async () => {
  await servers.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function start(env: Record<string, string> = {}): Promise<void> {
  magpie = await servers.serverWith((data) => ({
    ...environment(data),
    MAGPIE_ENGINES: 'searxng',
    MAGPIE_SEARXNG_URL: `http://${host}`,
    MAGPIE_ALLOW_HOSTS: host,
    MAGPIE_RESPONSE_BYTES: '10000',
    ...env,
  }));
}

/** Gives a page and the engines up early. */
const HASTY = { MAGPIE_PAGE_TIMEOUT: '1000', MAGPIE_SEARCH_TIMEOUT: '1000' };

interface Body {
  readonly error?: string;
  readonly results?: readonly { readonly full_content?: string; readonly error?: string }[];
}

async function get(path: string, parameters: Record<string, string | number>) {
  const url = new URL(path, magpie.url);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  const response = await fetch(url);
  return { status: response.status, body: (await response.json()) as Body };
}

/** The advice, carried out: both doubled until the call succeeds. Resolves with the statuses of each try. */
async function follow(path: string, q: string, percentile: number, numofpages: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let times = 1; statuses.at(-1) !== 200 && percentile * times < 200; times *= 2) {
    const both = {
      percentile: Math.min(100, percentile * times),
      numofpages: Math.min(10, numofpages * times),
    };
    statuses.push((await get(path, { q, ...both })).status);
  }
  return statuses;
}

describe('doubling percentile and numofpages', () => {
  test('gives a slow page more time, and 200 follows 504', async () => {
    answer = (_, response) => page(response);
    await start(HASTY);
    // A reader takes long to start where the machine is busy.
    await get('/browse', { q: `http://${host}/${series}/first`, percentile: 1, numofpages: 1 });
    answer = (_, response, nth) => nth > 1 && setTimeout(() => page(response), 1100);
    const tries = await Promise.all([
      follow('/browse', `http://${host}/${series}/slow`, 1, 1),
      follow('/browsegiant?inputwindowwords=500', `http://${host}/${series}/slower`, 1, 1),
    ]);
    expect(tries).toEqual([
      [504, 200],
      [504, 200],
    ]);
  });

  test('gives slow engines more time, and 200 follows 502', async () => {
    answer = (path, response, nth) => {
      if (path !== '/search') page(response);
      else if (nth > 1) setTimeout(() => hits(response), 1100);
    };
    await start(HASTY);
    expect(await follow('/search', `kilns ${series}`, 3, 3)).toEqual([502, 200]);
  });

  test.each([500, 503])('succeeds for a page after its %i: the failure is not kept', async (status) => {
    answer = (_, response, nth) => (nth === 1 ? response.writeHead(status).end('broken') : page(response));
    await start();
    expect(await follow('/browse', `http://${host}/${series}/recovering`, 1, 1)).toEqual([502, 200]);
  });

  test('succeeds for an engine after its 500', async () => {
    answer = (path, response, nth) => {
      if (path !== '/search') page(response);
      else if (nth === 1) response.writeHead(500).end();
      else hits(response);
    };
    await start();
    expect(await follow('/search', `kilns ${series}`, 3, 3)).toEqual([502, 200]);
  });

  test.each([
    ['/search?inputwindowwords=100000', 3],
    ['/searchgiant?inputwindowwords=100000', 1],
  ])('brings %s below the maximum size of an answer in a few steps', async (path, percentile) => {
    answer = (asked, response) => {
      if (asked === '/search') return hits(response);
      const paragraphs = Array.from(
        { length: 60 },
        (_, i) => `<p>${`Kiln ${i} of ${asked} was fired in ${1700 + i}. `.repeat(8)}</p>`,
      );
      return response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<article>${paragraphs.join('')}</article>`);
    };
    await start();
    const statuses = await follow(path, `kilns ${series}`, percentile, 3);
    expect(statuses[0]).toBe(413);
    expect(statuses.at(-1)).toBe(200);
    expect(statuses.slice(0, -1).every((status) => status === 413)).toBe(true);
  });
});

test('a higher numofpages never returns fewer full pages, whichever pages fail', async () => {
  const down = ['/page/1', '/page/2', '/page/4', '/page/5', '/page/6'];
  answer = (path, response) => {
    if (path === '/search') hits(response);
    else if (down.includes(path)) response.writeHead(403).end();
    else page(response);
  };
  await start();
  const full: number[] = [];
  for (const numofpages of [1, 2, 4, 8, 10]) {
    const { body } = await get('/search', { q: `kilns ${series}`, percentile: 3, numofpages });
    expect(body.results).toHaveLength(numofpages);
    full.push(body.results?.filter(({ full_content }) => full_content).length ?? 0);
  }
  expect(full).toEqual([1, 2, 3, 3, 3]);
});

test('half the words of a giant search fit when the full number does not', async () => {
  answer = (path, response) => {
    if (path === '/search') return hits(response);
    const words = Array.from({ length: 1200 }, (_, i) => `word${i}`).join(' ');
    return response.writeHead(200, { 'content-type': 'text/html' }).end(`<article><p>${words}</p></article>`);
  };
  await start();
  const statuses: number[] = [];
  for (let words = 4800; statuses.at(-1) !== 200 && words > 100; words /= 2) {
    const input = { q: `kilns ${series}`, percentile: 1, numofpages: 10, inputwindowwords: words };
    statuses.push((await get('/searchgiant', input)).status);
  }
  expect(statuses[0]).toBe(413);
  expect(statuses.at(-1)).toBe(200);
});
