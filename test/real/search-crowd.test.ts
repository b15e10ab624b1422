import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countConcurrentPages, planReaders } from '../../src/browse/reading/reader-plan.ts';
import type { SearchBody } from '../../src/flows/searching/search-body.ts';
import { CONNECTIONS } from '../helpers/clients.ts';
import { environment, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { type RoomsStack, startRooms } from '../helpers/rooms-stack.ts';

/** Many calls at once: none loses its pages to the others, and one that Magpie has no place for hears that it is Magpie's. */

const PAGES = 5;
/** Pages of the largest size fill the memory that is meant for them: there are as many places as readers. */
const LARGEST = 200_000_000;
const { perOwner } = countConcurrentPages(planReaders().readers, LARGEST);

let server: Server;
let origin = '';
let host = '';
/** Paths that were asked for. */
const asked: string[] = [];
/** While it is there, pages under /held wait for it. */
let release: PromiseWithResolvers<void> | undefined;

/** An engine that names pages of the question's own, and those pages; /site is a small site. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    asked.push(pathname);
    if (pathname === '/search') {
      const q = searchParams.get('q') ?? '';
      const results = Array.from({ length: PAGES }, (_, at) => ({
        url: `${origin}/page/${encodeURIComponent(q)}/${at}`,
        title: `Page ${at} on ${q}`,
        content: `What ${q} is.`,
      }));
      return response.end(JSON.stringify({ results }));
    }
    if (pathname.startsWith('/held')) await release?.promise;
    const links = pathname === '/site/' ? [1, 2, 3].map((at) => `<a href="/site/${at}">Part ${at}</a>`) : [];
    response.setHeader('content-type', 'text/html');
    const words = decodeURIComponent(pathname).replaceAll('/', ' ');
    response.end(
      `<title>On${words}</title><article><h1>On${words}</h1>${links.join(' ')}<p>${`The keeper of${words} wrote about the tides. `.repeat(30)}</p></article>`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  origin = `http://${host}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const settings = () => ({
  MAGPIE_SEARXNG_URL: origin,
  MAGPIE_ALLOW_HOSTS: host,
  MAGPIE_SITE_REQUESTS: '256',
});

function call(url: string, operation: string, input: Record<string, string>, user = 'ada') {
  return fetch(`${url}/${operation}?${new URLSearchParams(input)}`, { headers: { 'x-user': user } });
}

const textsOf = ({ results }: SearchBody) => results.filter(({ full_content }) => full_content).length;

test('each of 64 concurrent searches has the texts of its pages, beside pages, hybrid searches and a crawl', async () => {
  const folder = temporaryFolder();
  const magpie = await startMagpie({
    ...environment(folder.path),
    ...settings(),
    // However busy the machine is, no call is over before its pages are read.
    MAGPIE_CALL_TIMEOUT: '600000',
    MAGPIE_SEARCH_TIMEOUT: '60000',
    MAGPIE_PAGE_TIMEOUT: '60000',
    MAGPIE_RATE_CONCURRENT: '1000',
  });
  const ask = async (operation: string, input: Record<string, string>) => {
    const response = await call(magpie.url, operation, input);
    return { status: response.status, body: (await response.json()) as SearchBody };
  };
  try {
    const many = (count: number, work: (at: number) => ReturnType<typeof ask>) =>
      Array.from({ length: count }, (_, at) => work(at));
    const web = { percentile: '3', numofpages: '3' };
    const searches = many(64, (at) => ask('search', { q: `tide mill ${at}`, ...web }));
    const hybrids = many(8, (at) => ask('hybrid', { q: `wind mill ${at}`, ...web }));
    const pages = many(64, (at) =>
      ask('browse', { q: `${origin}/page/alone/${at}`, percentile: '3', numofpages: '1' }),
    );
    const crawl = ask('browse', { q: `${origin}/site/`, crawl: '1', percentile: '3', numofpages: '1' });
    const answers = await Promise.all([...searches, ...hybrids]);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    for (const { status, body } of answers) {
      expect({ status, texts: textsOf(body), rules: body.rules }).toEqual({
        status: 200,
        texts: 3,
        rules: expect.not.stringContaining('Could not be read'),
      });
    }
    for (const { status, body } of await Promise.all(pages)) {
      expect({ status, texts: textsOf(body) }).toEqual({ status: 200, texts: 1 });
    }
    await crawl;
    const crawled = async () =>
      (await ask('browse', { q: `${origin}/site/`, crawl: 'status', percentile: '3', numofpages: '1' })).body
        .results[0]?.crawl;
    await expect
      .poll(crawled, { timeout: 60_000 })
      .toMatchObject({ state: 'finished', indexed: 4, failed: 0 });
  } finally {
    await magpie.stop();
    folder.remove();
  }
});

/** Rooms of which one user has taken all places that are hers, until `end`. */
async function startBusyRooms(callMs: number): Promise<RoomsStack & { end(): Promise<void> }> {
  const rooms = await startRooms(
    {
      ...settings(),
      MAGPIE_PAGE_BYTES: String(LARGEST),
      // Of this time a page waits half for its place; the calls themselves have more.
      MAGPIE_CALL_TIMEOUT: String(callMs),
    },
    { callTimeout: 600_000 },
  );
  release = Promise.withResolvers();
  const held = asked.filter((path) => path.startsWith('/held')).length;
  const browse = await rooms.pipe.services.browse();
  const { signal } = new AbortController();
  const readings = Array.from({ length: perOwner }, (_, at) =>
    browse.readPage(`${origin}/held/${at}`, { owner: 'ada', signal, patience: 100 }),
  );
  await expect
    .poll(() => asked.filter((path) => path.startsWith('/held')).length - held, { timeout: 30_000 })
    .toBe(perOwner);
  return {
    ...rooms,
    async end() {
      release?.resolve();
      release = undefined;
      await Promise.all(readings);
    },
  };
}

const BUSY =
  /^Magpie is busy: no page could be begun within \d seconds\. Ask again in 10 seconds, with fewer calls at once$/;

test('a call above the capacity is refused with an error of Magpie before a page is fetched, and served later', async () => {
  const { stack, end, close } = await startBusyRooms(300);
  const client = await CONNECTIONS['HTTP, 2026 era, v2 client']?.({ url: stack.url, env: {} });
  const inputs = {
    search: { q: 'refused mill', percentile: '3', numofpages: '3' },
    hybrid: { q: 'refused mill', percentile: '3', numofpages: '3' },
    browse: { q: `${origin}/page/refused/1`, percentile: '3', numofpages: '1' },
  };
  try {
    for (const [operation, input] of Object.entries(inputs)) {
      const refused = await call(stack.url, operation, input);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
      expect(((await refused.json()) as { error: string }).error).toMatch(BUSY);
    }
    const told = await client?.callTool({
      name: 'search',
      arguments: { q: 'refused mill', percentile: 3, numofpages: 3 },
    });
    expect(told?.isError).toBe(true);
    expect(JSON.stringify(told?.content)).toContain('Magpie is busy: ');
    expect(JSON.stringify(told?.content)).toContain('(try again in 10 s)');
    expect(asked.filter((path) => path.includes('refused'))).toEqual([]);
    await end();
    const served = await call(stack.url, 'search', inputs.search);
    expect(textsOf((await served.json()) as SearchBody)).toBe(3);
  } finally {
    await end();
    await client?.close();
    await close();
  }
});

test('the search of a user does not wait behind the queue of another user', async () => {
  const { stack, pipe, end, close } = await startBusyRooms(600_000);
  const browse = await pipe.services.browse();
  let ended = 0;
  const stop = new AbortController();
  const waiting = Array.from({ length: 64 }, (_, at) =>
    browse
      .readPage(`${origin}/page/of ada/${at}`, { owner: 'ada', signal: stop.signal })
      .finally(() => void ended++),
  );
  const all = Promise.allSettled(waiting);
  try {
    const input = { q: 'mill of bob', percentile: '3', numofpages: '3' };
    const answer = (await (await call(stack.url, 'search', input, 'bob')).json()) as SearchBody;
    expect(textsOf(answer)).toBe(3);
    expect(ended).toBe(0);
    await end();
    await Promise.all(waiting);
    expect(ended).toBe(64);
  } finally {
    stop.abort();
    await end();
    await all;
    await close();
  }
});
