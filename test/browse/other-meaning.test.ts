import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBrowse } from '../../src/browse/browse.ts';
import type { PageBrowser } from '../../src/browse/types.ts';
import { createGuardedFetch, type GuardedFetch } from '../../src/lib/network/fetch.ts';
import { sharedReaders } from '../helpers/shared-readers.ts';

/** Paths of a site, some of which end in a sign of their own. */
const PATHS = new Set(['/wiki/Et_al.', '/wiki/Talk:', '/page', '/AT&amp;T', '/R&D', '/both', '/both.']);

const asked: string[] = [];
const server = createServer(({ url = '' }, response) => {
  asked.push(url);
  if (url === '/broken') {
    response.destroy();
    return;
  }
  const [status, text] = PATHS.has(url)
    ? [200, `<h1>Page</h1><p>It stands at ${url} of the site.</p>`]
    : [410, ''];
  response.writeHead(status, { 'content-type': 'text/html' }).end(text);
});
let origin = '';
let fetch: GuardedFetch;
let browse: PageBrowser;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  origin = `http://${host}`;
  fetch = createGuardedFetch({ userAgent: 'test', allowHosts: [host] });
  browse = createBrowse({ fetch, maxBytes: 100_000, timeoutMs: 10_000, readers: sharedReaders() });
});
afterAll(async () => {
  await Promise.all([browse.close(), fetch.close()]);
  server.closeAllConnections();
  server.close();
});

const read = (path: string) =>
  browse.readPage(origin + path, { owner: 'a', signal: new AbortController().signal });

test.each([
  ['/wiki/Et_al.', '/wiki/Et_al.'],
  ['/wiki/Talk:', '/wiki/Talk:'],
  ['/both.', '/both.'],
  ['/page.', '/page'],
  ['/page!', '/page'],
  ['/page).', '/page'],
  ['/AT&amp;T', '/AT&amp;T'],
  ['/R&amp;D', '/R&D'],
])('the address %s is the page %s', async (path, found) => {
  asked.length = 0;
  expect((await read(path)).url).toBe(origin + found);
  expect(asked).toEqual([...new Set([path, found])]);
});

test('a page that a site has under neither address is named as it was asked for', async () => {
  await expect(read('/none.')).rejects.toThrow(`${origin}/none. answered 410`);
  await expect(read('/broken.')).rejects.toThrow(`${origin}/broken. answered 410`);
});
