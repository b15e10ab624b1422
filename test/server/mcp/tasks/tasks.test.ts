import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CONNECTIONS } from '../../../helpers/clients.ts';
import {
  environment,
  type Running,
  runMagpie,
  startMagpie,
  temporaryFolder,
} from '../../../helpers/magpie.ts';
import { article, startSite, type TestSite } from '../../../helpers/site.ts';
import { runStdio } from '../../../helpers/stdio-run.ts';
import {
  connectTaskClient,
  connectTaskClientTo,
  TASKS,
  type TaskClient,
} from '../../../helpers/task-client.ts';
import { startWeb, type TestWeb } from '../../../helpers/web.ts';

/** Tasks of real clients over HTTP and stdio, on the product's own operations. */

const folder = temporaryFolder();
const shop = join(folder.path, 'code', 'shop');
/** Every slow call becomes a task at once. */
const AT_ONCE = { taskGraceMs: 0 };
let web: TestWeb;
let site: TestSite;
let env: Record<string, string>;
let magpie: Running;
let client: TaskClient;

/** Made here, so that no file of the project resembles a live secret. */
const KEY = ['AKIA', 'Q3EGKR5W7ZXCVBNM'].join('');

beforeAll(async () => {
  mkdirSync(shop, { recursive: true });
  writeFileSync(join(shop, 'app.js'), `const key = '${KEY}';\n`);
  web = await startWeb();
  site = await startSite();
  env = {
    ...environment(join(folder.path, 'data'), web),
    MAGPIE_ALLOW_HOSTS: `${web.host},${site.host}`,
    MAGPIE_SCAN_ROOTS: join(folder.path, 'code'),
  };
  magpie = await startMagpie(env, [], AT_ONCE);
  client = await connectTaskClientTo(magpie.url);
});
afterAll(async () => {
  await client.close();
  await magpie.stop();
  await Promise.all([web.close(), site.close()]);
  folder.remove();
});
beforeEach(() => site.pages.clear());

const SCAN = { repository: shop };
const crawlOf = (path: string) => ({ q: `${site.url}${path}`, percentile: 1, numofpages: 1, crawl: '1' });
const giant = (q: string) => ({ q, percentile: 1, numofpages: 1, inputwindowwords: 100 });
const stateOfCrawl = async (path: string) => {
  const { structuredContent } = await client.ask('tools/call', {
    name: 'browse',
    arguments: { ...crawlOf(path), crawl: 'status' },
  });
  return (structuredContent as { results: { crawl: { state: string } }[] }).results[0]?.crawl.state;
};
/** A site of which one page does not come before the returned function is called. */
function slowSite(root: string): () => void {
  site.pages.set(root, article(root, [`${root}slow`]));
  const { promise, resolve } = Promise.withResolvers<void>();
  site.pages.set(`${root}slow`, { ...article('slow'), afterMs: 300_000 });
  void promise.then(() => site.pages.set(`${root}slow`, article('slow')));
  return resolve;
}

const SURFACES: Readonly<Record<string, () => Promise<TaskClient>>> = {
  HTTP: () => connectTaskClientTo(magpie.url),
  stdio: () =>
    connectTaskClient(runStdio({ ...env, MAGPIE_DATA: join(folder.path, 'own') }, [], AT_ONCE).transport),
};

describe.each(Object.entries(SURFACES))('over %s', (_, connect) => {
  test('the extension’s own client follows a scan, a check, its report and a search to their results', async () => {
    const own = await connect();
    const results = [];
    for (const [name, args] of [
      ['scan', SCAN],
      ['checkCompliance', { standards: ['slsa'], scope: shop }],
      ['generateComplianceReport', { standards: ['slsa'], scope: shop, format: 'json' }],
      ['searchgiant', giant('magpie nest')],
    ] as const) {
      const execution = await own.session.callTool(name, args);
      expect([name, execution.kind]).toEqual([name, 'task']);
      const { outcome } = await execution.settle();
      results.push(outcome.status === 'completed' ? outcome.result : outcome);
    }
    const [scan, check, report, search] = results as {
      structuredContent: Record<string, unknown>;
      content: unknown;
    }[];
    expect(scan?.structuredContent).toMatchObject({ success: true, data: { status: 'completed' } });
    expect(JSON.stringify(scan?.content)).toContain('app.js');
    expect(check?.structuredContent).toMatchObject({ success: true, data: { status: 'completed' } });
    expect(report?.structuredContent).toMatchObject({ data: { status: 'completed', format: 'json' } });
    expect(report?.content).toContainEqual(expect.objectContaining({ type: 'resource_link' }));
    expect(JSON.stringify(search?.structuredContent)).toContain('Magpies and the mirror');
    await own.close();
  });
});

test('without the extension the same calls are answered as before, and getScan reads their results', async () => {
  const plain = await client.ask('tools/call', { name: 'scan', arguments: SCAN }, false);
  expect(plain).toMatchObject({
    resultType: 'complete',
    structuredContent: { data: { status: 'completed' } },
  });
  const { scan_id } = (plain.structuredContent as { data: { scan_id: string } }).data;
  const read = await client.ask('tools/call', { name: 'getScan', arguments: { scan_id } });
  expect(read.structuredContent).toMatchObject({ data: { scan_id, status: 'completed' } });
  for (const name of ['HTTP, 2025 era, v2 client', 'HTTP, 2026 era, v2 client', 'HTTP, v1 client']) {
    const other = await CONNECTIONS[name]?.({ url: magpie.url, env });
    const answer = await other?.callTool({ name: 'scan', arguments: SCAN });
    expect([name, answer?.structuredContent]).toMatchObject([name, { data: { status: 'completed' } }]);
    await other?.close();
  }
});

test('a call that only starts, reads or stops a job is answered plainly', async () => {
  const started = await client.ask('tools/call', { name: 'scan', arguments: { ...SCAN, background: true } });
  expect(started).toMatchObject({ resultType: 'complete', structuredContent: { data: {} } });
  const listed = await client.ask('tools/call', {
    name: 'browse',
    arguments: { ...crawlOf('/'), crawl: 'list' },
  });
  expect(listed.resultType).toBe('complete');
});

test('the answer of a task is what the same call without the extension gets, errors included', async () => {
  for (const [name, args] of [
    ['scan', SCAN],
    ['scan', { ...SCAN, severity: 'low' }],
    ['scan', { repository: join(folder.path, 'elsewhere') }],
    ['scan', { text: 'eval(input())', file: 'app.py' }],
    ['searchgiant', { ...giant('magpie'), percentile: 'many' }],
  ] as const) {
    const plain = await client.ask('tools/call', { name, arguments: args }, false);
    const first = await client.ask('tools/call', { name, arguments: args });
    const result = first.resultType === 'task' ? (await client.end(String(first.taskId))).result : first;
    const told = ({ isError, structuredContent }: Record<string, unknown>) => {
      const { data = {} } = (structuredContent ?? {}) as { data?: Record<string, unknown> };
      const found = (data.vulnerabilities as { title: string }[] | undefined)?.map(({ title }) => title);
      return { isError: isError ?? false, found: found ?? [] };
    };
    expect([args, told(result as Record<string, unknown>)]).toEqual([args, told(plain)]);
  }
});

test('a crawl tells its progress and ends with its result; cancelling one stops it', async () => {
  const quicken = slowSite('/a/');
  const taskId = await client.begin('browse', crawlOf('/a/'));
  await expect.poll(() => site.paths()).toContain('/a/slow');
  const seen = await client.ask('tasks/get', { taskId });
  expect(seen).toMatchObject({ resultType: 'complete', taskId, status: 'working' });
  expect(seen.statusMessage).toEqual(expect.stringContaining(site.host));
  expect(await client.ask('tasks/cancel', { taskId })).toMatchObject({ resultType: 'complete' });
  expect(await client.ask('tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
  await expect.poll(() => stateOfCrawl('/a/')).not.toBe('running');
  quicken();
  site.pages.set('/b/', article('bittern'));
  const ended = await client.end(await client.begin('browse', crawlOf('/b/')));
  expect(ended).toMatchObject({
    status: 'completed',
    result: { resultType: 'complete', structuredContent: { results: [{ crawl: { state: 'finished' } }] } },
  });
});

test('cancelling a task that joined a crawl leaves the crawl to the call that began it', async () => {
  slowSite('/c/');
  const first = await client.begin('browse', crawlOf('/c/'));
  const second = await client.begin('browse', crawlOf('/c/'));
  await client.ask('tasks/cancel', { taskId: second });
  expect(await stateOfCrawl('/c/')).toBe('running');
  await client.ask('tasks/cancel', { taskId: first });
  await expect.poll(() => stateOfCrawl('/c/')).not.toBe('running');
});

test('cancelling a search ends its requests, and the task stays cancelled', async () => {
  const taskId = await client.begin('searchgiant', giant('slow search'));
  await expect.poll(() => web.asked.some((path) => path.includes('slow'))).toBe(true);
  const gone = web.given.up;
  await client.ask('tasks/cancel', { taskId });
  await expect.poll(() => web.given.up).toBeGreaterThan(gone);
  expect(await client.end(taskId)).toMatchObject({ status: 'cancelled' });
  // Cancelling again is acknowledged, and changes nothing.
  expect(await client.ask('tasks/cancel', { taskId })).toMatchObject({ resultType: 'complete' });
  expect((await client.end(taskId)).result).toBeUndefined();
});

test('tasks are read after a restart: results as they were, and a call that the end cut off as failed', async () => {
  const data = join(folder.path, 'restarted');
  const own = { ...env, MAGPIE_DATA: data };
  mkdirSync(data);
  let running = await startMagpie(own, [], AT_ONCE);
  let before = await connectTaskClientTo(running.url);
  const [scan, done, cut] = [
    await before.begin('scan', SCAN),
    await before.begin('searchgiant', giant('magpie')),
    await before.begin('searchgiant', giant('slow again')),
  ];
  const result = (await before.end(done)).result;
  const found = (await before.end(scan)).result;
  expect(result).toBeDefined();
  await before.close();
  await running.stop();
  running = await startMagpie(own, [], AT_ONCE);
  before = await connectTaskClientTo(running.url);
  expect(await before.ask('tasks/get', { taskId: done })).toMatchObject({ status: 'completed', result });
  expect(await before.ask('tasks/get', { taskId: scan })).toMatchObject({
    status: 'completed',
    result: found,
  });
  expect(await before.ask('tasks/get', { taskId: cut })).toMatchObject({
    status: 'failed',
    error: { code: -32603, message: expect.stringContaining('stopped before it ended') },
  });
  await before.close();
  await running.stop();
});

test('no method of tasks reaches another user’s task, and none says that it is there', async () => {
  const data = join(folder.path, 'users');
  const own = { ...env, MAGPIE_DATA: data };
  mkdirSync(data);
  const clientOf = async (url: string, user: string) => {
    const { stdout } = await runMagpie(['key', 'create', '--scope', 'read', '--user', user, '--json'], own);
    const { key } = JSON.parse(stdout) as { key: string };
    return connectTaskClientTo(url, { authorization: `Bearer ${key}` });
  };
  const running = await startMagpie(own, [], AT_ONCE);
  const [ada, bob] = [await clientOf(running.url, 'ada'), await clientOf(running.url, 'bob')];
  const taskId = await ada.begin('searchgiant', giant('slow secret'));
  const unknown = '6f1c5f0a-9b7d-4e2a-8c6b-1d0e00000000';
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const ask = (id: string) => bob.ask(method, { taskId: id, inputResponses: {} });
    const [theirs, none] = [await ask(taskId), await ask(unknown)];
    expect(theirs).toMatchObject({ error: { code: -32602 } });
    expect(JSON.stringify(theirs).replaceAll(taskId, '')).toBe(JSON.stringify(none).replaceAll(unknown, ''));
  }
  expect(await ada.ask('tasks/get', { taskId })).toMatchObject({ status: 'working' });
  await ada.ask('tasks/cancel', { taskId });
  await Promise.all([ada.close(), bob.close()]);
  await running.stop();
});

test('what the extension refuses has the code and the data that it names', async () => {
  const missing = { code: -32021, data: { requiredCapabilities: { extensions: { [TASKS]: {} } } } };
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    expect(await client.ask(method, { taskId: 'x' }, false)).toMatchObject({ error: missing });
    expect(await client.ask(method, { taskId: 'x'.repeat(300) })).toMatchObject({ error: { code: -32602 } });
  }
  for (const method of ['tasks/list', 'tasks/result'])
    await expect(client.ask(method, { taskId: 'x' })).rejects.toThrow('"code":-32601');
  const listen = { notifications: { taskIds: ['x'] } };
  expect(await client.ask('subscriptions/listen', listen, false)).toMatchObject({ error: missing });
});
