import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localCaller } from '../../src/caller.ts';
import { createOperationPipe } from '../../src/cli/pipe.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { SearchBody } from '../../src/flows/searching/search-body.ts';
import { createLog } from '../../src/log.ts';
import { noMetrics } from '../../src/metrics.ts';
import { invokeOperation, type OperationPipeline } from '../../src/server/invoke.ts';
import { environment, temporaryFolder } from '../helpers/magpie.ts';
import { startPassingTime } from '../helpers/passing-time.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

/** Pages that a search has read are in the local index, and are written once while they serve again. */

const folder = temporaryFolder();
let web: TestWeb;
let pipe: OperationPipeline;

beforeAll(async () => {
  web = await startWeb();
  const settings = { MAGPIE_SEARXNG_URL: web.url, MAGPIE_ALLOW_HOSTS: web.host };
  pipe = createOperationPipe(
    loadConfig({}, { ...environment(folder.path), ...settings }),
    createLog('silent'),
    noMetrics,
  );
  // The processes that read pages are running before a search gives its pages a time.
  const input = { q: `${web.url}/long`, percentile: 1, numofpages: 1 };
  const { signal } = new AbortController();
  await invokeOperation(pipe, {
    operation: 'browse',
    input,
    caller: localCaller('bob', 'cli'),
    signal,
    unknown: 'reject',
  });
});
afterAll(async () => {
  await pipe.services.lifecycle.close();
  await web.close();
  folder.remove();
});

const caller = localCaller('ann', 'cli');
const call = (operation: string, input: Record<string, unknown>, signal = new AbortController().signal) =>
  invokeOperation(pipe, { operation, input, caller, signal, unknown: 'reject' });
const kept = async () => (await (await pipe.services.search()).listRecentPages(caller.id, 20)).pages;

test('the pages of a search are stored together, and a page that serves again is not written again', async () => {
  // A higher percentile gives pages more time, which a busy machine wants.
  await call('search', { q: 'magpie', percentile: 24, numofpages: 3 });
  const before = await kept();
  expect(before).toHaveLength(3);
  expect(new Set(before.map(({ readAt }) => readAt)).size).toBe(1);
  await call('search', { q: 'magpies', percentile: 24, numofpages: 4 });
  const after = await kept();
  expect(after).toHaveLength(4);
  expect(after.filter(({ url }) => before.some((one) => one.url === url))).toEqual(before);
});

test('a page that is read again is written again', async () => {
  const [page] = await kept();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await call('browse', { q: page?.url, percentile: 1, numofpages: 1 });
  const again = (await kept()).find(({ url }) => url === page?.url);
  expect(again?.readAt).toBeGreaterThan(page?.readAt ?? Infinity);
});

test('a page that is late is answered from its earlier reading', async () => {
  let hangs = false;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://a.example');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/ferry`;
    if (pathname === '/search') {
      response.end(JSON.stringify({ results: [{ url, title: 'Ferries', content: 'of ferries' }] }));
    } else if (!hangs) {
      response.setHeader('content-type', 'text/html');
      response.setHeader('cache-control', 'no-store');
      response.end(
        '<title>Ferries</title><p>The ferry of Moss is hauled by a chain that lies on the bed.</p>',
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = {
    MAGPIE_SEARXNG_URL: `http://${host}`,
    MAGPIE_ALLOW_HOSTS: host,
    MAGPIE_ENGINES: 'searxng',
  };
  /** Services of its own each time: what was read a moment ago serves again within one. */
  const first = async (operation: string, q: string) => {
    const own = createOperationPipe(
      loadConfig({}, { ...environment(folder.path), ...settings }),
      createLog('silent'),
      noMetrics,
    );
    const { signal } = new AbortController();
    const input = { q, percentile: 1, numofpages: 1 };
    const { output } = await invokeOperation(own, { operation, input, caller, signal, unknown: 'reject' });
    await own.services.lifecycle.close();
    return (output as unknown as SearchBody).results[0];
  };
  expect((await first('browse', `http://${host}/ferry`))?.full_content).toContain('hauled by a chain');
  hangs = true;
  const time = startPassingTime();
  const late = await time.until(first('search', 'ferry chain')).finally(() => time.stop());
  server.close();
  server.closeAllConnections();
  expect(late?.full_content).toContain('hauled by a chain');
  expect(late).not.toHaveProperty('error');
}, 120_000);

test('a page whose end is missing is answered, but does not replace the whole page of an earlier reading', async () => {
  const line = '<p>The ferry of Moss is hauled by a chain that lies on the bed.</p>\n';
  const whole = `<title>Ferries</title>${line.repeat(9)}<p>It ends at the quay of Horten.</p>`;
  const bodies: Record<string, string> = { whole, longer: whole + line.repeat(200), broken: line.repeat(3) };
  let kind = 'whole';
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.setHeader('cache-control', 'no-store');
    if (kind === 'broken') response.setHeader('content-length', '5000');
    response.write(bodies[kind], () => (kind === 'broken' ? response.destroy() : response.end()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { MAGPIE_ALLOW_HOSTS: host, MAGPIE_PAGE_BYTES: '5000' };
  const own = createOperationPipe(
    loadConfig({}, { ...environment(folder.path), ...settings }),
    createLog('silent'),
    noMetrics,
  );
  const input = { q: `http://${host}/moss`, percentile: 1, numofpages: 1, since: 'last' };
  const { signal } = new AbortController();
  const seen = [];
  for (kind of ['whole', 'longer', 'broken', 'whole']) {
    const { output } = await invokeOperation(own, {
      operation: 'browse',
      input,
      caller,
      signal,
      unknown: 'reject',
    });
    const [result] = (output as unknown as SearchBody).results;
    const kept = await (await own.services.search()).recallPage(caller.id, input.q);
    seen.push([result?.reduced, result?.changes?.removed, kept?.text.endsWith('Horten.')]);
  }
  await own.services.lifecycle.close();
  server.close();
  server.closeAllConnections();
  expect(seen).toEqual([
    [undefined, undefined, true],
    [expect.stringContaining('over 5000 bytes'), 0, true],
    [expect.stringContaining('broke its answer off'), 0, true],
    [undefined, 0, true],
  ]);
});
