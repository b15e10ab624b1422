import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { reachability } from '../../../src/monitor/checks/reachability.ts';
import { validateExpectations } from '../../../src/monitor/expecting/expectations.ts';
import { isInconclusiveResult } from '../../../src/monitor/probing/check.ts';
import { isConnectionFailure } from '../../../src/monitor/probing/connection-failure.ts';
import type { ProbedPage } from '../../../src/monitor/probing/page-probe.ts';
import type { Expectations } from '../../../src/monitor/types.ts';
import { probeContext } from '../../helpers/probe-context.ts';

/** What an answer has to be: each condition against real servers on 127.0.0.1. */

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

type Answer = (response: ServerResponse, path: string, count: number) => void;

async function serve(answer: Answer): Promise<string> {
  let count = 0;
  const server = createServer(({ url = '/' }, response) => answer(response, url, ++count));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/**
 * Which rules one probe finds, with what it says, and whether the page is up; on a busy machine any answer may be slow.
 * `change` changes what was seen of the page.
 */
async function probe(
  name: string,
  given: Expectations = {},
  without = 'reachability/slow',
  change = (page: ProbedPage) => page,
) {
  const allow = [new URL(name).host];
  const context = probeContext({ infrastructure: { allow }, probing: { expect: given } });
  const result = await reachability.run(
    { kind: 'url', name },
    {
      ...context,
      async page(address) {
        const page = await context.page(address);
        return isConnectionFailure(page) ? page : change(page);
      },
    },
  );
  if (isInconclusiveResult(result)) throw new Error(result.unseen);
  return {
    found: result.problems
      .filter(({ rule }) => rule.id !== without)
      .map(({ rule, description }) => `${rule.id.slice(13)}: ${description}`),
    up: result.measures?.up,
  };
}

const status = (code: number) => serve((response) => response.writeHead(code).end('it'));

describe('status', () => {
  test.each([404, 403, 401, 410, 429])('a status of %d is down unless it is expected', async (code) => {
    const url = await status(code);
    const found = [`error-status: ${url} answers with status ${code}`];
    expect(await probe(url)).toEqual({ found, up: 0 });
    expect(await probe(url, { status: `200-299, ${code}` })).toEqual({ found: [], up: 1 });
  });

  test('an unexpected status is named with the expected one', async () => {
    const url = await status(200);
    const found = [`unexpected: ${url} answers with status 200, and 401,403 is expected`];
    expect(await probe(url, { status: '401,403' })).toEqual({ found, up: 0 });
  });

  test('a failure of the server is down, and may be expected', async () => {
    const url = await status(503);
    expect(await probe(url)).toEqual({ found: [`down: ${url} answers with status 503`], up: 0 });
    expect(await probe(url, { status: '500-599' })).toEqual({ found: [], up: 1 });
  });

  test('redirects are followed, and an expected redirect is not followed to its target', async () => {
    const url = await serve((response, path) =>
      path === '/' ? response.writeHead(301, { location: '/new' }).end() : response.writeHead(404).end(),
    );
    expect((await probe(url)).found).toEqual([`error-status: ${url}new answers with status 404`]);
    expect(await probe(url, { status: '301' })).toEqual({ found: [], up: 1 });
  });

  test('a redirect loop is down', async () => {
    const url = await serve((response) => response.writeHead(302, { location: '/' }).end());
    expect(await probe(url)).toEqual({ found: [`error-status: ${url} answers with status 302`], up: 0 });
  });

  test('one bad answer before a good one is not a problem', async () => {
    const url = await serve((response, _path, count) => response.writeHead(count === 1 ? 404 : 200).end());
    expect(await probe(url)).toEqual({ found: [], up: 1 });
  });
});

describe('words', () => {
  test('are matched exactly, and missing or unwanted words are named', async () => {
    const url = await serve((response) => response.end('<p>Welcome, Zoë</p> Fatal error'));
    expect(await probe(url, { contains: ['Welcome', 'Zoë'], lacks: ['Sold out'] })).toEqual({
      found: [],
      up: 1,
    });
    expect(await probe(url, { contains: ['welcome', 'Basket'], lacks: ['Fatal error'] })).toEqual({
      found: [
        `unexpected: ${url} does not contain "welcome"`,
        `unexpected: ${url} does not contain "Basket"`,
        `unexpected: ${url} contains "Fatal error"`,
      ],
      up: 0,
    });
  });

  test('are read in the charset that the server names', async () => {
    const url = await serve((response) =>
      response
        .writeHead(200, { 'content-type': 'text/html; charset=ISO-8859-1' })
        .end(Buffer.from('Zoë', 'latin1')),
    );
    expect((await probe(url, { contains: ['Zoë'] })).found).toEqual([]);
  });
});

describe('JSON', () => {
  test('an unexpected value is named', async () => {
    const url = await serve((response) => response.end('{"state":"degraded","queue":12}'));
    expect(await probe(url, { json: ['$.queue < 100'] })).toEqual({ found: [], up: 1 });
    expect(await probe(url, { json: ['$.state == "ok"'] })).toEqual({
      found: [`unexpected: ${url} does not meet $.state == "ok": there is "degraded"`],
      up: 0,
    });
  });

  test('a long answer is read in a thread, with the same result', async () => {
    const filler = 'x'.repeat(200_000);
    const url = await serve((response) => response.end(JSON.stringify({ filler, state: 'ok' })));
    expect((await probe(url, { json: ['$.state == ok', '$.filler.length() == 200000'] })).found).toEqual([]);
    expect((await probe(url, { json: ['$.state == down'] })).found).toEqual([
      `unexpected: ${url} does not meet $.state == down: there is "ok"`,
    ]);
  });

  test('a page that is not JSON is named', async () => {
    const url = await serve((response) => response.end('<html>'));
    expect((await probe(url, { json: ['$.state'] })).found).toEqual([
      `unexpected: ${url} answers with no JSON`,
    ]);
  });

  test('an answer nested too deeply for a parser is not JSON', async () => {
    const url = await serve((response) => response.end('['.repeat(900_000)));
    expect((await probe(url, { json: ['$.state'] })).found).toEqual([
      `unexpected: ${url} answers with no JSON`,
    ]);
  });
});

describe('time', () => {
  const late = (ms: number) => serve((response) => void setTimeout(() => response.end('it'), ms));

  test('an answer over its time limit is slow, and the target is up', async () => {
    const url = await late(300);
    const { found, up } = await probe(url, { responseMs: 50 });
    expect([found.length, up]).toEqual([1, 1]);
    expect(found[0]).toMatch(/^too-slow: http:\S+ took \d+ ms to answer, over the limit of 50$/);
  });

  test('without a limit, an answer whose first byte takes over three seconds is slow', async () => {
    const url = await status(200);
    const slow = (page: ProbedPage) => ({ ...page, timings: { ...page.timings, total: 3200 } });
    const { found, up } = await probe(url, {}, '', slow);
    expect([found, up]).toEqual([['slow: the first byte came after 3200 ms, over 3000'], 1]);
    expect((await probe(url, { responseMs: 60_000 }, '', slow)).found).toEqual([]);
  });

  test('the time to the first byte is measured', async () => {
    const name = await late(300);
    const context = probeContext({ infrastructure: { allow: [new URL(name).host] } });
    const page = await context.page(name);
    expect(isConnectionFailure(page) ? 0 : page.timings.total).toBeGreaterThan(200);
  });
});

test.each([
  [{ status: '200-' }, 'expect.status has "200-": it takes codes from 100 to 599'],
  [{ status: '299-200' }, 'expect.status has "299-200"'],
  [{ status: '200,OK' }, 'expect.status has "OK"'],
  [{ status: '200;201' }, 'expect.status has "200;201"'],
  [{ status: '700' }, 'expect.status has "700"'],
  [{ status: '' }, 'expect.status has ""'],
  [{ json: ['$.a == "ok"', 'a'] }, 'expect.json has "a", which cannot be read'],
] as const)('%j cannot be used, and the value is named', (given, message) => {
  expect(() => validateExpectations(given, [{ kind: 'url' }])).toThrow(message);
});

test.each([
  [
    ['tcp'],
    { status: '200' },
    'expect.status does not fit a target of kind tcp: it takes expect.response_ms',
  ],
  [
    ['ping'],
    { contains: ['x'] },
    'expect.contains does not fit a target of kind ping: it takes expect.response_ms',
  ],
  [
    ['dns'],
    { status: '200' },
    'does not fit a target of kind dns: it takes expect.contains, expect.lacks, expect.response_ms',
  ],
  [['dns'], { json: ['$.a'] }, 'expect.json does not fit a target of kind dns'],
  [
    ['heartbeat'],
    { responseMs: 5 },
    'expect.response_ms does not fit a target of kind heartbeat: it takes nothing in expect',
  ],
  [
    ['tcp', 'ping'],
    { lacks: ['x'] },
    'does not fit a target of kind tcp or ping: it takes expect.response_ms',
  ],
] as const)(
  'targets of kind %j do not accept %j, and the accepted options are named',
  (kinds, given, message) => {
    const targets = kinds.map((kind) => ({ kind }));
    expect(() => validateExpectations(given, targets)).toThrow(message);
  },
);

test('an option that one of several targets accepts is accepted, and an empty list of targets accepts all', () => {
  const given = { status: '200', responseMs: 5 };
  expect(() => validateExpectations(given, [{ kind: 'tcp' }, { kind: 'url' }])).not.toThrow();
  expect(() =>
    validateExpectations({ contains: ['10.0.0.5'], responseMs: 5 }, [{ kind: 'dns' }]),
  ).not.toThrow();
  expect(() => validateExpectations(given, [])).not.toThrow();
});
