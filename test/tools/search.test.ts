import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderBody, type SearchBody } from '../../tools/web-schema.ts';
import { environment, type Running, startMagpie, temporaryFolder } from '../helpers/magpie.ts';

const folder = temporaryFolder();
let server: Server;
let magpie: Running;
let origin: string;

/** A page that answers for every path but the engine's, which names one hit that has no title. */
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url?.startsWith('/search')) {
      response.end(JSON.stringify({ results: [{ url: `${origin}/mills?utm_source=x`, content: 'tides' }] }));
      return;
    }
    response.setHeader('content-type', 'text/html');
    response.end(
      `<title>A handbook of mills</title><article><h1>A handbook of mills</h1><p>${'The keeper wrote about the tides and the wheel. '.repeat(30)}</p></article>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  origin = `http://${host}`;
  magpie = await startMagpie({
    ...environment(folder.path),
    MAGPIE_SEARXNG_URL: origin,
    MAGPIE_ALLOW_HOSTS: host,
  });
});

afterAll(async () => {
  await magpie.stop();
  server.close();
  server.closeAllConnections();
  folder.remove();
});

test('a hit that its engine gave no title has the title of the page that was read', async () => {
  const response = await fetch(`${magpie.url}/search?q=tides&percentile=1&numofpages=1`);
  const { results } = (await response.json()) as SearchBody;
  expect(results[0]).toMatchObject({ title: 'A handbook of mills', link: `${origin}/mills` });
  expect(results[0]?.full_content).toContain('The keeper wrote');
});

test('engines that are not in the answer stand one a line, each with its reason', () => {
  const engines = [
    { name: 'mojeek', ok: false, reason: 'it is asked too often (429); it is left alone until noon', ms: 1 },
    { name: 'brave', ok: false, reason: 'dropped: enough was in', ms: 1 },
    { name: 'local', ok: true, ms: 1 },
  ];
  expect(renderBody({ results: [], rules: '', engines }, 'person')).toBe(
    '---\nNot in this answer:\n- mojeek: it is asked too often (429); it is left alone until noon\n- brave: dropped: enough was in',
  );
});
