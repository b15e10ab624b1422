import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { SearchBody } from '../../../src/flows/searching/search-body.ts';
import { openPostgres, type PostgresDatabase } from '../../../src/storage/postgres/open.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { exitOf } from '../../helpers/exit-of.ts';
import { loseConnections } from '../../helpers/lose-connection.ts';
import {
  environment,
  type RunningProcess,
  runMagpie,
  spawnServer,
  temporaryFolder,
} from '../../helpers/magpie.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';
import { silenceRuns } from '../../helpers/silent-runs.ts';
import { article, type Reply, startSite, type TestSite } from '../../helpers/site.ts';

/** Crawls that two nodes of one database share. */

const folder = temporaryFolder();
const DAY_FETCHES = 8;
const PATIENCE = { timeout: 180_000, interval: 100 };
let site: TestSite;
let place: PostgresPlace;
let db: PostgresDatabase;
let nodes: RunningProcess[];
let words: Record<string, string>;

const env = (at: number) => ({
  ...environment(join(folder.path, `node-${at}`)),
  DATABASE_URL: place.url,
  MAGPIE_USER: 'ada',
  MAGPIE_ALLOW_HOSTS: site.host,
  MAGPIE_DAY_FETCHES: String(DAY_FETCHES),
  // A page that is held is waited for until the crawl ends.
  MAGPIE_PAGE_TIMEOUT: '120000',
  ...words,
});
const spawnNode = (at: number) => spawnServer(env(at));

beforeAll(async () => {
  site = await startSite();
  words = await withoutModel();
  place = await makePostgres('none');
  nodes = await Promise.all([spawnNode(0), spawnNode(1)]);
  db = await openPostgres({ url: place.url });
  // A call waits for some seconds until a node has begun its crawl, and nodes begin once they have loaded what they need.
  putSite('/first/', 0);
  await vi.waitFor(async () => expect((await browse(0, '/first/', '1')).status).toBeLessThan(300), PATIENCE);
  await vi.waitFor(async () => expect(await stateAt(0, '/first/')).toBe('finished'), PATIENCE);
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
  await db.close();
  await site.close();
  await place.remove();
  await dropPostgres();
  folder.remove();
});

/** A site under `root`, of so many pages beside the first, which leads to all of them. */
function putSite(root: string, count: number): string[] {
  const links = Array.from({ length: count }, (_, n) => `${root}${n}`);
  site.pages.set(root, article(`${root} start`, links));
  for (const link of links) site.pages.set(link, article(`page ${link}`));
  return [root, ...links].map((path) => `${site.url}${path}`).toSorted();
}

/** Has the site answer so many requests under `root`, and leave the next one open; gives what has it answer later ones. */
function holdAfter(root: string, count: number): () => void {
  const before = askedFor(root).length;
  let isHeld = true;
  for (const [path, reply] of [...site.pages].filter(([path]) => path.startsWith(root))) {
    const held: Reply = { afterMs: 600_000 };
    const right = reply as Reply;
    site.pages.set(path, () => (isHeld && askedFor(root).length > before + count ? held : right));
  }
  return () => {
    isHeld = false;
  };
}

type Answer = SearchBody & { readonly error?: string };

async function browse(at: number, path: string, crawl: string, key?: string) {
  const url = new URL('/browse?percentile=1&numofpages=1', nodes[at]?.url);
  url.searchParams.set('q', `${site.url}${path}`);
  url.searchParams.set('crawl', crawl);
  const headers = { prefer: 'respond-async', ...(key && { authorization: `Bearer ${key}` }) };
  const response = await fetch(url, { headers });
  const body = (await response.json()) as Answer;
  return { status: response.status, body, crawl: body.results?.[0]?.crawl };
}
const stateAt = async (at: number, path: string) => (await browse(at, path, 'status')).crawl?.state;

const rows = async (sql: string, ...values: unknown[]) => (await db.ask(sql, values)).rows;
const pagesOf = async (owner: string, root: string) =>
  (await rows('SELECT url FROM pages WHERE owner = $1 AND url LIKE $2', owner, `${site.url}${root}%`)).map(
    ({ url }) => String(url),
  );
const jobsOf = (path: string) => rows('SELECT id FROM crawl_jobs WHERE source = $1', `${site.url}${path}`);
const askedFor = (root: string) => site.paths().filter((path) => path.startsWith(root));

/** How the crawl of this path stands, as its node has written it. */
async function outcomeOf(path: string): Promise<unknown> {
  const [row] = await rows('SELECT outcome FROM crawls WHERE source = $1', `${site.url}${path}`);
  return JSON.parse(String(row?.outcome));
}

/** The node whose process runs the crawl of this path, and the other one. */
async function nodesOf(path: string): Promise<readonly [runs: number, other: number]> {
  const [row] = await rows('SELECT runner FROM crawls WHERE source = $1', `${site.url}${path}`);
  const pid = Number(String(row?.runner).split(' ')[1]);
  const runs = nodes.findIndex(({ process }) => process.pid === pid);
  expect(runs).toBeGreaterThanOrEqual(0);
  return [runs, 1 - runs];
}

const indexed = (at: number, path: string, atLeast: number) =>
  expect
    .poll(async () => (await browse(at, path, 'status')).crawl?.indexed ?? 0)
    .toBeGreaterThanOrEqual(atLeast);

test('a crawl continues at the other node when its node is killed: no page is missing or read again', async () => {
  const pages = putSite('/a/', 8);
  const letGo = holdAfter('/a/', 4);
  const begun = await browse(0, '/a/', '1');
  expect([begun.status, begun.crawl?.state]).toEqual([202, 'running']);
  await indexed(1, '/a/', 4);
  await expect.poll(() => askedFor('/a/')).toHaveLength(5);
  const [runs, other] = await nodesOf('/a/');
  const child = nodes[runs]?.process;
  child?.kill('SIGKILL');
  if (child) await exitOf(child);
  letGo();
  const before = new Set(
    (await rows("SELECT url FROM crawl_addresses WHERE state = 'read'")).map(({ url }) => String(url)),
  );
  const asked = site.asked.length;
  expect(before.size).toBeGreaterThanOrEqual(4);
  // It waits for the node that takes it over.
  expect(await stateAt(other, '/a/')).toBe('running');
  await silenceRuns(db);
  await expect.poll(() => stateAt(other, '/a/')).toBe('finished');
  expect((await pagesOf('ada', '/a/')).toSorted()).toEqual(pages);
  const again = site.paths().slice(asked);
  const twice = again.filter((path) => path !== '/a/' && before.has(`${site.url}${path}`));
  expect(twice).toEqual([]);
  const { crawl } = await browse(other, '/a/', 'status');
  expect(crawl).toMatchObject({ waiting: 0, failed: 0 });
  expect(crawl?.indexed).toBe(pages.length);
  await expect.poll(() => jobsOf('/a/')).toEqual([]);
  const [{ run } = {}] = await rows('SELECT run FROM crawls WHERE source = $1', `${site.url}/a/`);
  expect(Number(run)).toBe(1);
  nodes[runs] = await spawnNode(runs);
});

test('a crawl whose connection to the database is lost continues from its queue', async () => {
  const pages = putSite('/lost/', 4);
  const losses = await loseConnections(db, { table: 'pages', on: 'INSERT', times: 1 });
  await browse(0, '/lost/', '1');
  await expect.poll(() => stateAt(1, '/lost/')).toBe('finished');
  expect(await losses()).toBe(1);
  expect((await pagesOf('ada', '/lost/')).toSorted()).toEqual(pages);
  expect((await browse(1, '/lost/', 'status')).crawl).toMatchObject({ waiting: 0, failed: 0 });
  await expect.poll(() => jobsOf('/lost/')).toEqual([]);
});

test('a call ends when its crawl is given up before its first page', async () => {
  putSite('/never/', 2);
  site.pages.set('/never/', { afterMs: 60_000 });
  const call = browse(0, '/never/', '1');
  const jobs = () => rows('SELECT id FROM crawl_jobs WHERE runner IS NOT NULL');
  await expect.poll(jobs).toHaveLength(1);
  // As after the last of its runs, some time ago.
  await rows('UPDATE crawl_jobs SET created_at = 0');
  await rows("DELETE FROM magpie_jobs.job WHERE name = 'crawl'");
  expect(await call).toMatchObject({
    status: 503,
    body: { error: expect.stringContaining('again and again') },
  });
});

test('a node that ends by SIGTERM hands its crawl over to the other node', async () => {
  const pages = putSite('/b/', 5);
  const letGo = holdAfter('/b/', 3);
  await browse(1, '/b/', '1');
  await indexed(0, '/b/', 2);
  await expect.poll(() => askedFor('/b/')).toHaveLength(4);
  const [runs, other] = await nodesOf('/b/');
  letGo();
  await nodes[runs]?.stop();
  await expect.poll(() => stateAt(other, '/b/')).toBe('finished');
  expect((await pagesOf('ada', '/b/')).toSorted()).toEqual(pages);
  expect((await browse(other, '/b/', 'status')).crawl).toMatchObject({ indexed: pages.length, waiting: 0 });
  nodes[runs] = await spawnNode(runs);
});

test('a site has one crawl at a time, which calls at the other node join and can stop', async () => {
  const pages = putSite('/c/', 10);
  const letGo = holdAfter('/c/', 4);
  const both = await Promise.all([browse(0, '/c/', '1'), browse(1, '/c/', '1')]);
  expect(both.map(({ status }) => status)).toEqual([202, 202]);
  const joined = both.filter(({ body }) => body.rules?.startsWith('It ran already, and goes on as it was'));
  expect(joined).toHaveLength(1);
  await indexed(0, '/c/', 3);
  await expect.poll(() => askedFor('/c/')).toHaveLength(5);
  expect(askedFor('/c/').filter((path) => path === '/c/')).toHaveLength(1);
  const [, other] = await nodesOf('/c/');
  expect((await browse(other, '/', 'list')).body.results[0]?.crawl).toMatchObject({ state: 'running' });
  const stopped = await browse(other, '/c/', 'stop');
  expect(stopped.crawl).toMatchObject({ state: 'stopped' });
  // A node that ends its crawl by a notice takes a moment for that, and no further page.
  await expect
    .poll(async () => (await rows("SELECT 1 FROM magpie_jobs.job WHERE state = 'active'")).length)
    .toBe(0);
  const asked = askedFor('/c/').length;
  expect(asked).toBe(5);
  expect((await browse(other, '/c/', 'stop')).body.rules).toMatch(/^It did not run/);
  expect(askedFor('/c/')).toHaveLength(asked);
  const { waiting = 0 } = (await browse(1 - other, '/c/', 'status')).crawl ?? {};
  expect(waiting).toBeGreaterThan(5);
  letGo();
  // It goes on from there, at any node.
  const again = await browse(other, '/c/', '1');
  expect(again.crawl?.state).toBe('running');
  await expect.poll(() => stateAt(1 - other, '/c/')).toBe('finished');
  expect(await pagesOf('ada', '/c/')).toHaveLength(pages.length);
  expect(site.most.atOnce).toBe(1);
});

test('an error before the first page of a crawl is returned to its caller, whichever node it occurred at', async () => {
  for (const at of [0, 1]) {
    expect((await browse(at, '/nothing/', '1')).status).toBe(502);
    expect(await browse(at, '/nothing/', 'status')).toMatchObject({ status: 404 });
  }
  for (const path of ['/e1/', '/e2/', '/e3/']) putSite(path, 30);
  expect((await browse(0, '/e1/', '1')).status).toBe(202);
  expect((await browse(1, '/e2/', '1')).status).toBe(202);
  expect(await browse(0, '/e3/', '1')).toMatchObject({
    status: 429,
    body: { error: expect.stringContaining('2 of your crawls run already') },
  });
  for (const path of ['/e1/', '/e2/']) {
    expect((await browse(1, path, 'stop')).crawl).toMatchObject({ state: 'stopped' });
  }
});

test('fetches count for the key that began the crawl, at any node; a revoked key ends the crawl', async () => {
  const keyFor = async (user: string) => {
    const { stdout } = await runMagpie(['key', 'create', '--user', user, '--scope', 'read,write'], env(0));
    return {
      key: /magpie_\w+/.exec(stdout)?.[0] ?? '',
      id: String((await rows('SELECT id FROM access_keys WHERE "user" = $1', user))[0]?.id),
    };
  };
  const bob = await keyFor('bob');
  putSite('/f/', 12);
  expect((await browse(0, '/f/', '1', bob.key)).status).toBe(202);
  // A call would count as a fetch too.
  await expect
    .poll(() => outcomeOf('/f/'))
    .toMatchObject({
      state: 'limit',
      why: expect.stringContaining('the limit of fetches for one day'),
    });
  // A node writes its counts every few seconds: the one that was called may have counted that call by itself.
  await expect
    .poll(async () => {
      const [counted] = await rows(
        "SELECT count FROM access_counts WHERE subject = $1 AND what = 'fetches'",
        `key ${bob.id}`,
      );
      return Number(counted?.count);
    })
    .toBeGreaterThanOrEqual(DAY_FETCHES);
  expect(askedFor('/f/').length).toBeLessThanOrEqual(DAY_FETCHES);
  expect(await pagesOf('bob', '/f/')).not.toEqual([]);
  expect(await pagesOf('ada', '/f/')).toEqual([]);

  const eve = await keyFor('eve');
  site.pages.set('/robots.txt', { body: 'User-agent: *\nCrawl-delay: 2' });
  putSite('/g/', 8);
  expect((await browse(1, '/g/', '1', eve.key)).status).toBe(202);
  await runMagpie(['key', 'revoke', eve.id], env(0));
  await expect
    .poll(() => outcomeOf('/g/'))
    .toMatchObject({
      state: 'failed',
      why: 'the credential of this call was revoked while it ran',
    });
  // A job ends right after its crawl does.
  await expect.poll(() => rows('SELECT id FROM crawl_jobs WHERE ended_at IS NULL')).toEqual([]);
});
