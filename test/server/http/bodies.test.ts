import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpEnv } from '../../../src/server/http/edge.ts';
import { createHttpServer, refuseSlowBody } from '../../../src/server/http/listener.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';

/** Bodies that are too much, and requests that never become one, on a server with a key. */

const folder = temporaryFolder();
let env: Record<string, string>;
let magpie: Running;
let key = '';

beforeAll(async () => {
  env = { ...environment(folder.path), ...(await withoutModel()), MAGPIE_RATE_REQUESTS: '600' };
  const { stdout } = await runMagpie(['key', 'create', '--scope', 'read,write,scan,monitor', '--json'], env);
  ({ key } = JSON.parse(stdout) as { key: string });
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  folder.remove();
});

async function post(path: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(magpie.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

/** All that the server answers to bytes. */
function sendBytes(text: string, to: { port: string | number } = new URL(magpie.url)): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = '';
  const socket = connect(Number(to.port), '127.0.0.1', () => socket.write(text));
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.once('end', () => resolve(answer)).once('error', reject);
  return promise;
}

const keys = (count: number) => `{"q":"x",${Array.from({ length: count }, (_, at) => `"k${at}":1`)}}`;
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const rpc = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;

describe('JSON bodies', () => {
  test('too many members are answered 413 with the limit, before the body is checked further', async () => {
    const rest = await post('/upsertjson', keys(240_000));
    expect([rest.status, JSON.parse(rest.text)]).toEqual([
      413,
      { error: 'the body has over 10,000 members in its objects and lists, the maximum: send less' },
    ]);
    const problem = await post('/v1/scan', keys(240_000));
    expect([problem.status, problem.headers.get('content-type')]).toEqual([413, 'application/problem+json']);
    const mcp = await post('/mcp', rpc(keys(240_000)));
    expect([mcp.status, JSON.parse(mcp.text)]).toEqual([
      413,
      expect.objectContaining({ error: expect.objectContaining({ data: { code: 'too_large' } }), id: null }),
    ]);
  });

  test('too deep a nesting is answered 400 on every interface, and a body within the limits is accepted', async () => {
    for (const [path, body] of [
      ['/upsertjson', nested(5000)],
      ['/v1/scan', nested(5000)],
      ['/mcp', rpc(nested(5000))],
    ] as const) {
      const { status, text } = await post(path, body);
      expect([path, status, text]).toEqual([
        path,
        400,
        expect.stringContaining('nested over 64 levels deep'),
      ]);
    }
    expect((await post('/upsertjson', keys(900))).status).toBe(200);
    expect((await post('/upsertjson', '{"q":1 2')).text).toMatch(/"the body is not JSON at position \d+/);
  });

  describe('in chunks without a length', () => {
    const sendChunks = async (path: string, body: string) => {
      const bytes = Buffer.from(body);
      const size = Math.max(7, Math.ceil(bytes.length / 50));
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const response = await fetch(`${magpie.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: Readable.from(chunks),
        duplex: 'half',
      } as unknown as RequestInit);
      return { status: response.status, text: await response.text() };
    };
    const initialize =
      '{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},' +
      '"clientInfo":{"name":"x","version":"1"}}}';

    test.each([
      ['/upsertjson', '{"q":"Łódź 🐦 kept"}', 200, 'Kept'],
      ['/v1/scan', '{"q":"x = 1"}', 400, 'repository'],
      ['/mcp', initialize, 200, '"id":7'],
      ['/mcp/', initialize, 200, '"id":7'],
      ['/upsertjson', keys(20_000), 413, 'over 10,000 members'],
      ['/upsertjson', JSON.stringify({ q: 'x'.repeat(5_000_000) }), 413, 'the body is over 4194304 bytes'],
      ['/mcp', rpc(JSON.stringify('x'.repeat(5_000_000))), 413, 'the body is over 4194304 bytes'],
      ['/upsertjson', '{"q":1 2', 400, 'the body is not JSON at position'],
    ])('%s is read', async (path, body, status, words) => {
      expect(await sendChunks(path, body)).toEqual({ status, text: expect.stringContaining(words) });
    });
  });

  test('nested unknown parameters are ignored over REST, like those at the top level', async () => {
    const body = {
      infrastructure_id: 'not a host',
      other: 1,
      monitoring_options: { interval: 60, scan_interval: 5 },
    };
    const { status, text } = await post('/v1/monitor/start', JSON.stringify(body));
    expect([status, text]).toEqual([
      400,
      expect.stringContaining('monitoring_options.scan_interval is not usable'),
    ]);
    const options = { ...body, monitoring_options: { interval: 60 } };
    expect((await post('/v1/monitor/start', JSON.stringify(options))).text).toContain('infrastructure_id is');
  });

  test('an address has a maximum number of parameters', async () => {
    const path = `/query?q=x${'&a=1'.repeat(100)}`;
    const { status, body } = await get(path);
    expect([status, body.error]).toEqual([400, 'the address has over 100 parameters, the maximum']);
    expect((await get(`/query?q=x${'&a=1'.repeat(99)}`)).status).toBe(200);
  });

  test('a heavy body counts as several requests, and the rate-limit headers show it', async () => {
    const left = async (body: string) => {
      const { headers } = await post('/upsertjson', body);
      expect(headers.get('ratelimit-policy')).toBe('"key";q=600;w=60');
      return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    };
    // Ten come back each second: what is compared is more than a slow machine gives back.
    const light = await left('{"q":"a light one"}');
    const heavy = await left(JSON.stringify({ q: 'a heavy one', ignored: 'x'.repeat(3_500_000) }));
    const many = await left(JSON.stringify({ q: 'one of many', ignored: Array(9000).fill(1) }));
    expect(light - heavy).toBeLessThanOrEqual(36);
    expect([light - heavy > 0, light - many > 0]).toEqual([true, true]);
  });
});

async function get(path: string) {
  const response = await fetch(magpie.url + path, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: (await response.json()) as { error: string } };
}

describe('requests that the parser refuses', () => {
  const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
  const host = 'Host: 127.0.0.1\r\n\r\n';

  test('431 says to use POST, in the error format of the path, however much is still being sent', async () => {
    const words = 'the address and headers are over 16384 bytes: send long parameters in the body of a POST';
    for (const length of [17_000, 2_000_000]) {
      const area = await sendBytes(`GET /search?q=${'x'.repeat(length)} HTTP/1.1\r\n${host}`);
      expect(area).toMatch(/^HTTP\/1.1 431 Request Header Fields Too Large\r\n/);
      expect(area).toContain('Content-Type: application/json\r\n');
      expect(bodyOf(area)).toEqual({ error: expect.stringContaining(words) });
    }
    const problem = await sendBytes(`GET /v1/scan/${'x'.repeat(17_000)} HTTP/1.1\r\n${host}`);
    expect(problem).toContain('Content-Type: application/problem+json\r\n');
    expect(bodyOf(problem)).toMatchObject({ status: 431, title: 'request header fields too large' });
    const mcp = await sendBytes(`GET /mcp?${'x'.repeat(17_000)} HTTP/1.1\r\n${host}`);
    expect(bodyOf(mcp)).toMatchObject({ jsonrpc: '2.0', error: { message: expect.stringContaining(words) } });
  });

  test.each([
    ['NOT HTTP\r\n\r\n', 'this is not a valid HTTP request (HPE_INVALID_METHOD)'],
    [
      `GET http://[ HTTP/1.1\r\nConnection: close\r\n${host}`,
      'this is not a valid request: Invalid absolute URL',
    ],
    [
      'POST /upsertjson HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n' +
        'Host: 127.0.0.1\r\n\r\nZZ\r\n\r\n',
      'this is not a valid HTTP request (HPE_INVALID_CHUNK_SIZE)',
    ],
  ])('%j is answered 400 with a body', async (request, error) => {
    const answer = await sendBytes(request);
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(bodyOf(answer)).toEqual({ error });
  });

  test('an invalid address is answered in the error format of its path, and an Expect header is not an error', async () => {
    const problem = await sendBytes(`GET /v1/scan/a\\b HTTP/1.1\r\nConnection: close\r\n${host}`);
    expect(problem).toMatch(/^HTTP\/1.1 400 /);
    expect(problem.toLowerCase()).toContain('content-type: application/problem+json');
    const expecting = await new Promise<number | undefined>((resolve, reject) => {
      httpRequest(`${magpie.url}/healthz`, { headers: { expect: 'something' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(expecting).toBe(200);
  });

  test('408 answers an incomplete request and an incomplete body', async () => {
    const app = new Hono<HttpEnv>();
    const never = new Promise<Response>(() => {});
    app.post('/v1/slow', (c) => {
      refuseSlowBody(c.env.incoming, c.env.outgoing);
      return never;
    });
    const server = createHttpServer(app, '127.0.0.1');
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const slow = await sendBytes('POST /v1/slow HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"q"', {
      port,
    });
    expect(slow).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expect(bodyOf(slow)).toMatchObject({
      status: 408,
      error: 'the request did not arrive in time: send it again',
    });
    // Node reports a request that is too slow so, every half minute.
    server.once('connection', (socket: Socket) => {
      const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      setImmediate(() => server.emit('clientError', late, socket));
    });
    const late = await sendBytes('GET /list HT', { port });
    expect(late).toMatch(/^HTTP\/1.1 408 /);
    expect(bodyOf(late)).toEqual({ error: 'the request did not arrive in time: send it again' });
    server.close();
  });
});

test('a client that leaves in the middle of its body is no error of the server', async () => {
  const other = temporaryFolder();
  const server = await startMagpie({ ...environment(other.path), ...(await withoutModel()) });
  for (const length of [900, 900_000]) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const head =
      'POST /upsertjson HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nexpect: 100-continue\r\n';
    socket.write(`${head}content-length: ${length}\r\n\r\n`);
    await once(socket, 'data');
    socket.end('{"q":"a');
    await once(socket, 'close');
  }
  const code = await server.stop();
  expect([code, server.stderr()]).toEqual([0, expect.not.stringContaining('"level":"error"')]);
  other.remove();
});
