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
let answers: Record<string, { status?: number; body: string; cookies?: string[] }>;

beforeEach(async () => {
  answers = {
    '/api/v1/search': { body: ANSWERS.hackernews?.(PAGES) ?? '' },
    '/w/api.php': { body: ANSWERS.wikipedia?.(PAGES) ?? '' },
    '/sp/search': { body: ANSWERS.startpage?.(PAGES) ?? '' },
    '/': { body: ANSWERS.startpage?.(PAGES) ?? '' },
  };
  server = createServer((request, response) => {
    const {
      status = 200,
      body,
      cookies = [],
    } = answers[new URL(request.url ?? '/', 'http://e.example').pathname] ?? {
      status: 404,
      body: '',
    };
    response.writeHead(status, { 'set-cookie': cookies }).end(body);
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
    MAGPIE_SEARXNG_URL: '',
    MAGPIE_ENGINES: [...NAMES, 'local'].join(','),
    MAGPIE_ENGINE_URLS: NAMES.map((name) => `${name}=${base}`).join(','),
  });

test('a machine without a network gets only that message', async () => {
  base = 'http://search.invalid';
  const { code, stdout } = await magpie();
  expect(code).toBe(1);
  expect(stdout).toContain("Check this machine's network connection.");
  expect(stdout).not.toContain('magpie add searxng');
});

test('engines are reported with their speed or the reason of a failure, and an exit code for scripts', async () => {
  const all = await magpie();
  expect(all).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^3 of 3 engines answered, \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/m),
  });
  expect(all.stdout).toMatch(/^startpage +\d+ ms {2}1 result: Magpies$/m);
  const told = all.stdout.replace(/\s+/g, ' ');
  expect(told).toContain('Its result page for browsers is read. Startpage (127.0.0.1:');
  expect(told).toContain('It has an interface for programs. Wikipedia (127.0.0.1:');
  for (const line of all.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);

  answers['/api/v1/search'] = { status: 429, body: '' };
  const some = await magpie('--json');
  expect(some.code).toBe(3);
  expect(JSON.parse(some.stdout)).toMatchObject({
    answered: 2,
    asked: 3,
    engines: [
      { name: 'hackernews', ok: false, hits: 0, reason: expect.stringContaining('too often') },
      {
        ...{ name: 'wikipedia', ok: true, hits: 1, first: 'Magpies', ms: expect.any(Number) },
        about: { title: 'Wikipedia', access: 'official', host: expect.stringContaining('127.0.0.1') },
      },
      { name: 'startpage', ok: true },
    ],
  });

  answers['/w/api.php'] = { body: '{"batchcomplete": true}' };
  const none = await magpie('hackernews', 'wikipedia');
  expect(none).toMatchObject({ code: 1, stdout: expect.stringContaining('0 of 2 engines answered,') });
  expect(none.stdout).toMatch(/^wikipedia +\d+ ms .*\n {2}it found nothing/m);
  expect(none.stdout).toMatch(
    /^Run a search engine of your own: `magpie add searxng`.*\ndocs\/engines\.md says/m,
  );
  // Engines are named, so that a key would add none.
  expect(none.stdout).not.toContain('free key');
});

test('a sample of an unusable answer shows its structure, and nothing private', async () => {
  const cookies = 'quietotterhome; 8f14e45fceea';
  answers['/sp/search'] = {
    body: `<html lang="en"><head><title>Who are you, 203.0.113.7?</title></head><body>
      <div class="notice quietotterhome ip-203-0-113-7" id="host-fe80-dead-beef" data-cookie="${cookies}">
      203.0.113.7 asked: how do magpies build their nests</div>
      <ul class="result-list"><li class="row">One</li><li class="row">Two</li></ul></body></html>`,
    cookies: ['session=quietotterhome; Path=/', 'track=8f14e45fceea'],
  };
  const { stdout } = await magpie('startpage', '--json');
  const [{ sample }] = JSON.parse(stdout).engines;
  expect(sample).toEqual({
    ...{ status: 200, format: 'html', bytes: expect.any(Number) },
    outline: [
      'html',
      '  head (25)',
      '  body',
      '    div#host-*-*-*.notice.*.ip-*-*-*-* (51)',
      '    ul.result-list',
      '      li.row x2 (3)',
    ],
  });
  for (const secret of ['203', 'otter', '8f14', 'fe80', 'beef', 'Who are', 'nests', 'One'])
    expect(JSON.stringify(sample)).not.toContain(secret);
});

test('an unknown engine name is reported with the valid names', async () => {
  const { code, stderr } = await magpie('serper');
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/"serper" cannot be tried: it takes .*duckduckgo/s);
});
