import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SearchBody } from '../../src/flows/searching/search-body.ts';
import { environment, type Running, startMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** What a search does with pages that repeat each other, are too old, or lack the quoted words. */

const folder = temporaryFolder();
let server: Server;
let magpie: Running;
let port = 0;
/** Paths that were asked for since the test began. */
let asked: string[] = [];

const dayAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString();
const story = (seed: string) =>
  Array.from(
    { length: 60 },
    (_, at) => `<p>On day ${at} the ${seed} saw gate ${at * 3} stand open and wrote of it.</p>`,
  ).join('');

const KINDS = ['story', 'old', 'new', 'oak'];
const SEEDS = 'keeper miller baker twin cooper mason tanner smith wright again secret'.split(' ');

/** `story-keeper`: a page on the keeper. `old-` and `new-` pages name their day; `oak` says how wheels are mended. */
function pageFor(kind: string, seed: string): string {
  const days = { old: 900, new: 1 }[kind];
  const meta = days ? `<meta property="article:published_time" content="${dayAgo(days)}">` : '';
  const oak =
    kind === 'oak'
      ? '<h2>Repairs</h2><p>The wheel is mended with seasoned oak, which swells in water.</p>'
      : '';
  return `<title>${kind} ${seed}</title>${meta}<article><h1>${kind} ${seed}</h1>${oak}${story(seed)}</article>`;
}

const PAGES = new Map<string, string>(
  KINDS.flatMap((kind) => SEEDS.map((seed) => [`/${kind}-${seed}`, pageFor(kind, seed)] as const)),
);

/** An engine whose results are the words of the question that look like paths, on the host that they name. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    if (pathname === '/search') {
      const paths = (searchParams.get('q') ?? '').match(/(?:localhost)?\/[\w-]+/g) ?? [];
      const results = paths.map((path) => ({
        url: `http://${path.startsWith('/') ? '127.0.0.1' : 'localhost'}:${port}${path.replace('localhost', '')}`,
        title: `Page ${path}`,
        content: `${path}, out of ${paths.join(' ')}`,
      }));
      return response.end(JSON.stringify({ results }));
    }
    asked.push(pathname);
    response.setHeader('content-type', 'text/html');
    if (pathname.includes('secret')) response.setHeader('cache-control', 'no-store');
    return response.end(PAGES.get(pathname));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  port = (server.address() as AddressInfo).port;
  magpie = await startMagpie({
    ...environment(folder.path),
    MAGPIE_ENGINES: 'searxng',
    MAGPIE_SEARXNG_URL: `http://127.0.0.1:${port}`,
    MAGPIE_ALLOW_HOSTS: `127.0.0.1:${port},localhost:${port}`,
  });
});

beforeEach(() => {
  asked = [];
});

afterAll(async () => {
  await magpie.stop();
  server.close();
  server.closeAllConnections();
  folder.remove();
});

async function search(q: string, more: Record<string, string> = {}) {
  const parameters = { q, percentile: '1', numofpages: '3', ...more };
  const response = await fetch(`${magpie.url}/search?${new URLSearchParams(parameters)}`);
  expect(response.status).toBe(200);
  const body = (await response.json()) as SearchBody;
  return { ...body, paths: body.results.map(({ link }) => new URL(link).pathname) };
}

test('one text on two hosts is one result with the other address, and the next page takes its place', async () => {
  const { results, paths } = await search('/story-keeper localhost/story-keeper /story-miller /story-baker');
  expect(paths).toEqual(['/story-keeper', '/story-miller', '/story-baker']);
  expect(results[0]?.copies).toEqual([`http://localhost:${port}/story-keeper`]);
  expect(results.filter(({ copies }) => copies)).toHaveLength(1);
});

test('two similar pages of one host stay two results', async () => {
  const { paths } = await search('/oak-twin /story-twin');
  expect(paths).toEqual(['/oak-twin', '/story-twin']);
});

test('a page dated before the requested time is left out and counted, and another page is read', async () => {
  const { paths, rules } = await search('/old-cooper /new-mason /story-tanner', {
    timeRange: 'week',
    numofpages: '2',
  });
  expect(paths).toEqual(['/new-mason', '/story-tanner']);
  expect(rules).toContain("1 page older than a week by the page's own date left out.");
  // The other says no date of its own.
  expect(rules).toContain('Of 1 page without a date of their own, the engines alone say');
  expect((await search('/new-mason', { timeRange: 'week', numofpages: '1' })).rules).not.toContain(
    'of their own',
  );
  expect((await search('/old-cooper', { numofpages: '1' })).paths).toEqual(['/old-cooper']);
});

test('pages without the quoted words are left out, and the answer says when no page has them', async () => {
  const found = await search('"seasoned OAK" /story-smith /oak-smith');
  expect(found.paths).toEqual(['/oak-smith']);
  expect(found.rules).toContain('1 page without the quoted words left out.');
  const none = await search('"seasoned birch" /story-smith');
  expect(none.paths).toEqual(['/story-smith']);
  expect(none.rules).toContain('No page that was read has the quoted words: these are the nearest.');
  const copied = await search('"nowhere said" /story-tanner localhost/story-tanner /story-smith');
  expect(copied.paths).toEqual(['/story-tanner', '/story-smith']);
  expect(copied.results[0]?.copies).toEqual([`http://localhost:${port}/story-tanner`]);
});

test('a result has the answering passages with their headings', async () => {
  const { results } = await search('what is the wheel mended with? /oak-wright');
  expect(results[0]?.highlights?.[0]).toEqual({
    text: 'The wheel is mended with seasoned oak, which swells in water.',
    section: 'Repairs',
  });
});

test('a repeated question is answered from stored pages, except a page that forbids storage', async () => {
  const first = await search('/story-again /story-secret');
  expect(asked.toSorted()).toEqual(['/story-again', '/story-secret']);
  const second = await search('/story-again /story-secret', { percentile: '50' });
  expect(asked.toSorted()).toEqual(['/story-again', '/story-secret', '/story-secret']);
  expect(second.paths).toEqual(first.paths);
});
