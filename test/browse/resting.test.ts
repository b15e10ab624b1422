import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createBrowse } from '../../src/browse/browse.ts';
import { createGuardedFetch } from '../../src/lib/network/fetch.ts';

/** What is said of a page whose site asks to be left alone. */

test.each([
  [429, '7200', 3_600_000, 'asked for no requests until'],
  [503, '60', 60_000, 'asked for no requests until'],
])(
  'status %i with Retry-After %s is reported with its end, and so is the next page of the site',
  async (status, after, ms, said) => {
    const server = createServer((_request, response) =>
      response.writeHead(status, { 'retry-after': after }).end('later'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const fetch = createGuardedFetch({ allowHosts: [host], userAgent: 'Magpie/test' });
    const browse = createBrowse({ fetch, maxBytes: 1e6, timeoutMs: 30_000 });
    const read = (path: string) =>
      browse.readPage(`http://${host}${path}`, { signal: AbortSignal.timeout(60_000), owner: 'ann' }).then(
        () => '',
        (error: Error) => error.message,
      );
    const before = Date.now();
    const first = await read('/busy');
    expect(first).toContain(`http://${host}/busy answered ${status}: its site ${said}`);
    expect(first).toMatch(/Z; try again then, or try another page$/);
    const until = Date.parse(/until (\S+Z)/.exec(first)?.[1] ?? '');
    // Seconds are cut off, and an hour is the longest.
    expect(until).toBeGreaterThanOrEqual(before + ms - 1000);
    expect(await read('/other')).toContain(`${host} asked for no requests until`);
    await browse.close();
    await fetch.close();
    server.close();
    server.closeAllConnections();
  },
);
