import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { article, startSite, type TestSite } from '../../helpers/site.ts';
import { connectTaskClientTo, type TaskClient } from '../../helpers/task-client.ts';
import { startTwoNodes, type TwoNodes } from '../../helpers/two-nodes.ts';
import { startWeb, type TestWeb } from '../../helpers/web.ts';

/** Tasks of MCP clients on two servers that share a database. */

let web: TestWeb;
let site: TestSite;
let nodes: TwoNodes;
let clients: TaskClient[];

beforeAll(async () => {
  [web, site] = await Promise.all([startWeb(), startSite()]);
  nodes = await startTwoNodes({
    MAGPIE_SEARXNG_URL: web.url,
    MAGPIE_ALLOW_HOSTS: `${web.host},${site.host}`,
    MAGPIE_SEARCH_TIMEOUT: '60000',
    MAGPIE_PAGE_TIMEOUT: '60000',
  });
});
afterAll(async () => {
  await nodes.remove();
  await Promise.all([web.close(), site.close()]);
});
beforeEach(async () => {
  clients = await Promise.all([0, 1].map((node) => connectTaskClientTo(nodes.urlOf(node))));
});
afterEach(async () => {
  for (const client of clients) await client.close().catch(() => {});
});

const at = (node: number) => clients[node] as TaskClient;
const giant = (q: string) => ({ q, percentile: 1, numofpages: 1, inputwindowwords: 100 });
const crawl = (path: string) => ({ q: `${site.url}${path}`, percentile: 1, numofpages: 1, crawl: '1' });
const isAsked = (word: string) => expect.poll(() => web.asked.some((path) => path.includes(word))).toBe(true);

test('a search that runs at one node is read and cancelled at the other, which ends its requests', async () => {
  const begun = at(0).begin('searchgiant', giant('slow here'));
  await isAsked('here');
  const taskId = await begun;
  expect(await at(1).ask('tasks/get', { taskId })).toMatchObject({ status: 'working' });
  const gone = web.given.up;
  await at(1).ask('tasks/cancel', { taskId });
  await expect.poll(() => web.given.up).toBeGreaterThan(gone);
  expect(await at(0).ask('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
});

test('a search whose node was killed is failed at the other node', async () => {
  const taskId = await at(0).begin('searchgiant', giant('slow death'));
  await nodes.kill(0);
  expect(await at(1).end(taskId)).toMatchObject({
    status: 'failed',
    error: { code: -32603, message: expect.stringContaining('was stopped before it ended') },
  });
  await nodes.start(0);
});

test('a crawl whose node was killed goes on, and its task ends with the result at the other node', async () => {
  site.pages.set('/a/', article('heron', ['/a/slow']));
  site.pages.set('/a/slow', { ...article('slow'), afterMs: 300_000 });
  const taskId = await at(0).begin('browse', crawl('/a/'));
  await expect.poll(() => site.paths()).toContain('/a/slow');
  expect(await at(1).ask('tasks/get', { taskId })).toMatchObject({ status: 'working' });
  site.pages.set('/a/slow', article('bittern'));
  await nodes.kill(0);
  const ended = await at(1).end(taskId);
  expect(ended).toMatchObject({
    status: 'completed',
    result: { structuredContent: { results: [{ crawl: { state: 'finished' } }] } },
  });
  await nodes.start(0);
  const again = await connectTaskClientTo(nodes.urlOf(0));
  expect(await again.ask('tasks/get', { taskId })).toMatchObject({
    status: 'completed',
    result: ended.result,
  });
  await again.close();
});

test('a crawl is stopped by cancelling its task at another node, whichever node runs it', async () => {
  site.pages.set('/b/', article('heron', ['/b/slow']));
  site.pages.set('/b/slow', { ...article('slow'), afterMs: 300_000 });
  const taskId = await at(0).begin('browse', crawl('/b/'));
  await at(1).ask('tasks/cancel', { taskId });
  const status = () =>
    at(0).ask('tools/call', { name: 'browse', arguments: { ...crawl('/b/'), crawl: 'status' } });
  await expect
    .poll(async () => JSON.stringify((await status()).structuredContent))
    .not.toContain('"state":"running"');
  expect(await at(0).ask('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
});
