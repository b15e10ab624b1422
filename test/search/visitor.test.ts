import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGuardedFetch, type GuardedFetch } from '../../src/lib/fetch.ts';
import { EngineError, type SearchEngine } from '../../src/search/engine.ts';
import { createVisitor } from '../../src/search/visitor.ts';
import { NO_FACTS } from '../helpers/engine-site.ts';

let server: Server;
let fetch: GuardedFetch;
let seen: IncomingMessage[];
let answer: (request: IncomingMessage) => {
  status?: number;
  headers?: Record<string, string | string[]>;
  body: string;
};
let base: string;

beforeEach(async () => {
  seen = [];
  answer = ({ url }) => ({ body: url === '/' ? 'token-1' : '[]' });
  fetch = createGuardedFetch({ allowHosts: ['127.0.0.1'], userAgent: 'Magpie/test' });
  server = createServer((request, response) => {
    seen.push(request);
    const { status = 200, headers, body } = answer(request);
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await fetch.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const engine = (lifetime: number): SearchEngine => ({
  name: 'test',
  about: {
    title: 'T',
    website: 'https://e.example/',
    needsKey: false,
    categories: ['general'],
    takes: [],
    pace: 0,
    facts: NO_FACTS,
  },
  cookies: true,
  visit: {
    lifetime,
    request: () => ({ url: `${base}/` }),
    read(body) {
      if (!body.startsWith('token')) throw new EngineError('captcha', 'it asks for a captcha');
      return body;
    },
  },
  request: ({ text }, token) => ({
    url: `${base}/search?q=${text}&t=${token}`,
    headers: { cookie: 'own=1' },
  }),
  parse(body) {
    if (body === 'captcha') throw new EngineError('captcha', 'it asks for a captcha');
    return [];
  },
});
const search = (one: SearchEngine, visitor = createVisitor({ fetch, trusted: [] })) => {
  const ask = (text: string) =>
    visitor.search(one, { text, limit: 1 }, { signal: AbortSignal.timeout(5000), timeoutMs: 5000 });
  return ask;
};
const paths = () => seen.map(({ url }) => url);

test('a token of the site is fetched once, and one of a question each time', async () => {
  const ask = search(engine(60_000));
  await ask('a');
  await ask('b');
  expect(paths()).toEqual(['/', '/search?q=a&t=token-1', '/search?q=b&t=token-1']);
  seen = [];
  const own = search(engine(0));
  await own('a');
  await own('a');
  expect(paths()).toEqual(['/', '/search?q=a&t=token-1', '/', '/search?q=a&t=token-1']);
});

test('after a captcha the token and the cookies are gone', async () => {
  const ask = search(engine(60_000));
  answer = ({ url }) => ({
    body: url === '/' ? 'token-1' : '[]',
    headers: { 'set-cookie': ['seen=1; Path=/', 'x=2'] },
  });
  await ask('a');
  await ask('b');
  expect(seen.map(({ headers }) => headers.cookie)).toEqual([
    undefined,
    'own=1; seen=1; x=2',
    'own=1; seen=1; x=2',
  ]);
  answer = ({ url }) => ({ body: url === '/' ? 'token-2' : 'captcha' });
  await expect(ask('c')).rejects.toThrow('captcha');
  answer = ({ url }) => ({ body: url === '/' ? 'token-2' : '[]' });
  seen = [];
  await ask('d');
  expect(paths()).toEqual(['/', '/search?q=d&t=token-2']);
  expect(seen[1]?.headers.cookie).toBe('own=1');
});

test('a first visit that meets a captcha is a captcha, with the time that the site names', async () => {
  answer = () => ({ body: 'prove it', headers: { 'retry-after': '120' } });
  await expect(search(engine(60_000))('a')).rejects.toMatchObject({ kind: 'captcha', wait: 120_000 });
  expect(paths()).toEqual(['/']);
});

test('the time that the body of a pause names is kept, and the longer one where a header names one too', async () => {
  const one: SearchEngine = { ...engine(0), visit: undefined, readWait: (body) => Number(body) * 1000 };
  answer = () => ({ status: 429, body: '600' });
  await expect(search(one)('a')).rejects.toMatchObject({ kind: 'rate_limited', wait: 600_000 });
  answer = () => ({ status: 429, body: '600', headers: { 'retry-after': '900' } });
  await expect(search(one)('a')).rejects.toMatchObject({ wait: 900_000 });
});

test('a token without an end is not sent', async () => {
  answer = () => ({ body: `token${'x'.repeat(10_000)}` });
  await expect(search(engine(60_000))('a')).rejects.toThrow('no end');
});
