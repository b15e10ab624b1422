import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGuardedFetch, type GuardedFetch } from '../../../src/lib/network/fetch.ts';
import { createEngineClient } from '../../../src/search/asking/engine-client.ts';
import { EngineError, type SearchEngine } from '../../../src/search/engine.ts';
import { NO_FACTS } from '../../helpers/engine-site.ts';

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
const search = (one: SearchEngine, visitor = createEngineClient({ fetch, trusted: [] })) => {
  const ask = (text: string) =>
    visitor.search(one, { text, limit: 1 }, { signal: AbortSignal.timeout(5000), timeoutMs: 5000 });
  return ask;
};
const paths = () => seen.map(({ url }) => url);

test('a token of the site is fetched once, and a token of a question for each question', async () => {
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

test('a captcha deletes the token and the cookies', async () => {
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

test('a captcha on the first request is reported as a captcha, with the wait that the site names', async () => {
  answer = () => ({ body: 'prove it', headers: { 'retry-after': '120' } });
  await expect(search(engine(60_000))('a')).rejects.toMatchObject({ kind: 'captcha', wait: 120_000 });
  expect(paths()).toEqual(['/']);
});

test('the wait named in the body of a refusal is kept, or the longer wait if a header names one too', async () => {
  const one: SearchEngine = { ...engine(0), visit: undefined, readWait: (body) => Number(body) * 1000 };
  answer = () => ({ status: 429, body: '600' });
  await expect(search(one)('a')).rejects.toMatchObject({ kind: 'rate_limited', wait: 600_000 });
  answer = () => ({ status: 429, body: '600', headers: { 'retry-after': '900' } });
  await expect(search(one)('a')).rejects.toMatchObject({ wait: 900_000 });
});

test('an endless token is not sent', async () => {
  answer = () => ({ body: `token${'x'.repeat(10_000)}` });
  await expect(search(engine(60_000))('a')).rejects.toThrow('no end');
});

/** As Yahoo has it: a first request is sent round until it carries the cookie that the round has set. */
const round = ({ url, headers }: IncomingMessage) => {
  const seal = /\bYBV=(v0\.\d)/.exec(headers.cookie ?? '')?.[1];
  if (url === '/seal')
    return { status: 307, headers: { location: '/search', 'set-cookie': 'YBV=v0.2; Path=/' }, body: '' };
  if (seal !== 'v0.2')
    return { status: 307, headers: { location: '/seal', 'set-cookie': 'YBV=v0.1; Max-Age=60' }, body: '' };
  return { body: '[]' };
};
const sealed = (): SearchEngine => {
  const { visit: _, ...rest } = engine(0);
  return { ...rest, request: () => ({ url: `${base}/search`, headers: { cookie: 'own=1' } }) };
};

test('cookies set by redirects go with the next requests, and later cookies need no redirect', async () => {
  answer = round;
  const ask = search(sealed());
  await ask('a');
  expect(seen.map(({ url, headers }) => `${url} ${headers.cookie}`)).toEqual([
    '/search own=1',
    '/seal own=1; YBV=v0.1',
    '/search own=1; YBV=v0.2',
  ]);
  seen = [];
  await ask('b');
  expect(seen.map(({ url, headers }) => `${url} ${headers.cookie}`)).toEqual(['/search own=1; YBV=v0.2']);
});

test('an engine without cookies keeps none of its redirects', async () => {
  answer = round;
  const { cookies: _, ...without } = sealed();
  await expect(search(without)('a')).rejects.toThrow('redirects more than');
  expect(seen.every(({ headers }) => headers.cookie === 'own=1')).toBe(true);
});

test('cookies of a redirect are not sent to another port of the host', async () => {
  const elsewhere = createServer((request, response) => {
    seen.push(request);
    response.end('[]');
  });
  elsewhere.listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/other`;
  answer = () => ({ status: 302, headers: { location, 'set-cookie': 'secret=1' }, body: '' });
  await search(sealed())('a');
  expect(seen.at(-1)?.url).toBe('/other');
  expect(seen.at(-1)?.headers.cookie).toBeUndefined();
  elsewhere.close();
});

test('a redirect does not send a question to another site', async () => {
  const { visit: _, ...rest } = engine(0);
  const posted = () => ({ url: `${base}/search`, method: 'POST' as const, body: 'q=ada', headers: {} });
  answer = () => ({ status: 307, headers: { location: base.replace('127.0.0.1', 'localhost') }, body: '' });
  await expect(search({ ...rest, request: posted })('a')).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('another site'),
  });
  expect(paths()).toEqual(['/search']);
});

test.each(['intent://search?q=ada+lovelace', 'http://[ada+lovelace'])(
  'a redirect to %s is not named, because its address may be the question',
  async (location) => {
    const { visit: _, ...rest } = engine(0);
    answer = () => ({ status: 302, headers: { location }, body: '' });
    const error = await search(rest)('a').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'refused', message: expect.stringContaining('not a web address') });
    expect(String(error)).not.toContain('ada');
  },
);
