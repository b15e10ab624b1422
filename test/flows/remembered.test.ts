import { afterAll, beforeAll, expect, test } from 'vitest';
import { localCaller } from '../../src/caller.ts';
import { createPipe } from '../../src/cli/pipe.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/log.ts';
import { noMetrics } from '../../src/metrics.ts';
import { invoke, type Pipe } from '../../src/server/invoke.ts';
import { environment, temporaryFolder } from '../helpers/magpie.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

/** Pages that a search has read are in the local index, and are written once while they serve again. */

const folder = temporaryFolder();
let web: TestWeb;
let pipe: Pipe;

beforeAll(async () => {
  web = await startWeb();
  const settings = { MAGPIE_SEARXNG_URL: web.url, MAGPIE_ALLOW_HOSTS: web.host };
  pipe = createPipe(
    loadConfig({}, { ...environment(folder.path), ...settings }),
    createLog('silent'),
    noMetrics,
  );
});
afterAll(async () => {
  await pipe.services.close();
  await web.close();
  folder.remove();
});

const caller = localCaller('ann', 'cli');
const call = (operation: string, input: Record<string, unknown>, signal = new AbortController().signal) =>
  invoke(pipe, { operation, input, caller, signal, unknown: 'reject' });
const kept = async () => (await (await pipe.services.search()).listRecentPages(caller.id, 20)).pages;

test('the pages of a search are kept together, and a page that serves again is not written again', async () => {
  await call('search', { q: 'magpie', percentile: 3, numofpages: 3 });
  const before = await kept();
  expect(before).toHaveLength(3);
  expect(new Set(before.map(({ readAt }) => readAt)).size).toBe(1);
  await call('search', { q: 'magpies', percentile: 3, numofpages: 4 });
  const after = await kept();
  expect(after).toHaveLength(4);
  expect(after.filter(({ url }) => before.some((one) => one.url === url))).toEqual(before);
});

test('a page that is read anew is written anew', async () => {
  const [page] = await kept();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await call('browse', { q: page?.url, percentile: 1, numofpages: 1 });
  const again = (await kept()).find(({ url }) => url === page?.url);
  expect(again?.readAt).toBeGreaterThan(page?.readAt ?? Infinity);
});
