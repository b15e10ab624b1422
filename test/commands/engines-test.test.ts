import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ANSWERS } from '../fixtures/engine-answers.ts';
import { environment, runMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** `magpie engines test` against engines on loopback. */

const PAGES = [{ url: 'https://birds.example/1', title: 'Magpies', words: 'They build.' }];
const folder = temporaryFolder();
let server: Server;
let base: string;
let answers: Record<string, { status?: number; body: string }>;

beforeEach(async () => {
  answers = {
    '/api/v1/search': { body: ANSWERS.hackernews?.(PAGES) ?? '' },
    '/w/api.php': { body: ANSWERS.wikipedia?.(PAGES) ?? '' },
    '/sp/search': { body: ANSWERS.startpage?.(PAGES) ?? '' },
    '/': { body: ANSWERS.startpage?.(PAGES) ?? '' },
  };
  server = createServer((request, response) => {
    const { status = 200, body } = answers[new URL(request.url ?? '/', 'http://e.example').pathname] ?? {
      status: 404,
      body: '',
    };
    response.writeHead(status).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  folder.remove();
});

const NAMES = ['hackernews', 'wikipedia', 'startpage'];
const magpie = (...args: string[]) =>
  runMagpie(['engines', 'test', ...args], {
    ...environment(folder.path),
    MAGPIE_ENGINES: [...NAMES, 'local'].join(','),
    MAGPIE_ENGINE_URLS: NAMES.map((name) => `${name}=${base}`).join(','),
  });

test('who answers, how fast, and why not, with an exit code for scripts', async () => {
  const all = await magpie();
  expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining('3 of 3 engines answered.') });
  expect(all.stdout).toMatch(/^startpage +\d+ ms {2}1 result: Magpies$/m);

  answers['/api/v1/search'] = { status: 429, body: '' };
  const some = await magpie('--json');
  expect(some.code).toBe(3);
  expect(JSON.parse(some.stdout)).toMatchObject({
    answered: 2,
    asked: 3,
    engines: [
      { name: 'hackernews', ok: false, hits: 0, reason: expect.stringContaining('too often') },
      { name: 'wikipedia', ok: true, hits: 1, first: 'Magpies', ms: expect.any(Number) },
      { name: 'startpage', ok: true },
    ],
  });

  answers['/w/api.php'] = { body: '{"batchcomplete": true}' };
  const none = await magpie('hackernews', 'wikipedia');
  expect(none).toMatchObject({ code: 1, stdout: expect.stringContaining('0 of 2 engines answered.') });
  expect(none.stdout).toMatch(/^wikipedia +\d+ ms {2}it found nothing/m);
});

test('a name that cannot be tried is said, with those that can', async () => {
  const { code, stderr } = await magpie('serper');
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/"serper" cannot be tried: it takes .*duckduckgo/s);
});
