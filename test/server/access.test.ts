import { request } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateAccessKey } from '../../src/access/keys/key.ts';
import { operations } from '../../tools/index.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../helpers/embeddings-api.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** Keys at the edge of a real server, with commands in processes of their own. */

const folder = temporaryFolder();
let embeddings: EmbeddingsApi;
let env: Record<string, string>;
let magpie: Running;

beforeAll(async () => {
  embeddings = await startEmbeddingsApi();
  env = { ...environment(folder.path), ...embeddings.settings };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  await embeddings.close();
  folder.remove();
});

interface Made {
  readonly key: string;
  readonly id: string;
}
const command = async (...args: string[]) =>
  JSON.parse((await runMagpie(['key', ...args, '--json'], env)).stdout) as Made;

function ask(path: string, key?: string, headers: Record<string, string> = {}): Promise<Response> {
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return fetch(magpie.url + path, { headers: { ...authorization, ...headers } });
}

/** Under a name that is not the server's, which `fetch` does not send. */
function askAs(host: string, path: string, headers: Record<string, string> = {}): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    request(magpie.url + path, { headers: { host, ...headers } }, async (answer) => {
      let body = '';
      for await (const chunk of answer) body += chunk;
      resolve([answer.statusCode ?? 0, body]);
    })
      .once('error', reject)
      .end();
  });
}

/** What tells two answers apart: all but the time and the request's own number. */
async function told(response: Response): Promise<unknown> {
  const headers = Object.fromEntries(response.headers);
  for (const name of ['date', 'x-request-id', 'ratelimit']) delete headers[name];
  return { status: response.status, headers, body: await response.text() };
}

test('the first key closes an open server, and a revocation takes effect with the next request', async () => {
  expect((await ask('/list')).status).toBe(200);
  expect((await ask('/list', generateAccessKey())).status).toBe(200);
  // It reads no credential, so that a page which reaches it under a foreign name gains nothing by making one up.
  expect((await ask('/metrics', generateAccessKey())).status).toBe(200);
  const [status] = await askAs('evil.example', '/metrics', {
    authorization: `Bearer ${generateAccessKey()}`,
  });
  expect(status).toBe(403);

  const ada = await command('create', '--scope', 'read', '--user', 'ada');
  const refused = await ask('/list');
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="magpie"');
  expect(await refused.json()).toEqual({ error: expect.stringContaining('Authorization: Bearer') });
  expect((await ask('/list', ada.key)).status).toBe(200);

  // A scope that the key has not: 403 that names it.
  const forbidden = await ask('/insert?q=hello', ada.key);
  expect(forbidden.status).toBe(403);
  expect(await forbidden.json()).toEqual({
    error:
      'insert needs the scope write, and this credential has read: ask the operator of this server for one that has write too',
  });
  expect(forbidden.headers.get('www-authenticate')).toBe(
    'Bearer realm="magpie", error="insufficient_scope", scope="write"',
  );

  // Whatever is wrong, the answer is the same.
  const spent = await command('create', '--scope', 'read', '--expires', '1s');
  const gone = await command('create', '--scope', 'read');
  await command('revoke', gone.id);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const mistyped = ada.key.slice(0, -1) + (ada.key.endsWith('x') ? 'y' : 'x');
  const first = await told(await ask('/list', generateAccessKey()));
  expect(first).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Bearer realm="magpie", error="invalid_token"' },
  });
  for (const wrong of [
    spent.key,
    gone.key,
    mistyped,
    ada.key.slice(0, 20),
    'eyJhbGciOi.J9.x',
    ada.id,
    `${ada.key}/`,
  ]) {
    expect(await told(await ask('/list', wrong))).toEqual(first);
    expect(await told(await ask('/list', undefined, { 'x-api-key': wrong }))).toEqual(first);
  }
  for (const authorization of [
    `Basic ${ada.key}`,
    ada.key,
    `Bearer ${ada.key} ${ada.key}`,
    'Bearer \u00e9',
  ]) {
    expect((await ask('/list', undefined, { authorization })).status).toBe(401);
  }
  // A key in the address would stand in logs and histories: it opens nothing there.
  expect((await ask(`/list?access_token=${ada.key}&api_key=${ada.key}`)).status).toBe(401);
  expect((await ask('/list', undefined, { authorization: `bearer   ${ada.key}` })).status).toBe(200);
  expect((await ask('/healthz')).status).toBe(200);
  expect((await ask('/openapi.json')).status).toBe(200);
  expect((await ask('/docs')).status).toBe(200);
  expect((await ask('/docs/style.css')).status).toBe(200);
  for (const path of ['/metrics', '/mcp', '/nothing']) {
    expect((await ask(path)).status).toBe(401);
  }

  await command('revoke', ada.id);
  expect((await ask('/list', ada.key)).status).toBe(401);
  expect(magpie.stderr()).not.toContain(ada.key);
  expect(magpie.stderr()).toContain(`"key":"${ada.id}","reason":"revoked"`);
});

test('entries belong to the user of a key, and the old key works for a while after a rotation', async () => {
  const [ada, bob] = [
    await command('create', '--scope', 'read,write', '--user', 'ada'),
    await command('create', '--scope', 'read,write', '--user', 'bob'),
  ];
  expect((await ask('/insert?q=the%20nest%20is%20in%20the%20plum%20tree', ada.key)).status).toBe(200);
  expect(await (await ask('/query?q=nest', ada.key)).text()).toContain('plum tree');
  expect(await (await ask('/query?q=nest', bob.key)).text()).not.toContain('plum tree');

  const next = await command('rotate', ada.id, '--overlap', '1h');
  expect(await (await ask('/query?q=nest', next.key)).text()).toContain('plum tree');
  expect((await ask('/list', ada.key)).status).toBe(200);
  const last = await command('rotate', bob.id, '--overlap', '0s');
  expect((await ask('/list', bob.key)).status).toBe(401);
  expect((await ask('/list', last.key)).status).toBe(200);
});

test.each(['2025', '2026'] as const)(
  'over MCP, %s, a client is shown only the tools that its key may call',
  async (era) => {
    const pin = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
    for (const scope of ['read', 'write', 'monitor'] as const) {
      const { key } = await command('create', '--scope', scope);
      const client = new Client({ name: 'test', version: '1' }, era === '2026' ? pin : {});
      const requestInit = { headers: { authorization: `Bearer ${key}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', magpie.url), { requestInit }));
      const { tools } = await client.listTools();
      const allowed = operations.filter((operation) => operation.scope === scope);
      expect(tools.map(({ name }) => name)).toEqual(allowed.map(({ name }) => name));
      await client.close();
    }
  },
);

test('a server with a key may listen on any address, and a server without a key says what to do', async () => {
  const other = temporaryFolder();
  try {
    const wide = { ...environment(other.path), MAGPIE_HOST: '0.0.0.0' };
    const open = await runMagpie(['serve'], wide);
    expect(open.stderr).toMatch(
      /listen on 127\.0\.0\.1.* only; make a key with magpie key create --scope read,write/,
    );
    expect(open.code).toBe(2);
    const proxied = { ...environment(other.path), MAGPIE_PUBLIC_URL: 'https://magpie.example' };
    const named = await runMagpie(['serve'], proxied);
    expect(named.stderr).toMatch(
      /MAGPIE_PUBLIC_URL is "https:\/\/magpie\.example".*; make a key with magpie key create --scope/,
    );
    expect(named.code).toBe(2);
    const made = await runMagpie(['key', 'create', '--scope', 'read', '--json'], wide);
    const { key } = JSON.parse(made.stdout) as Made;
    const server = await startMagpie(wide);
    const url = server.url.replace('0.0.0.0', '127.0.0.1');
    expect((await fetch(`${url}/list`)).status).toBe(401);
    expect((await fetch(`${url}/list`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
    await server.stop();
  } finally {
    other.remove();
  }
});

test('Host and Origin are checked with a key as well', async () => {
  const { key } = await command('create', '--scope', 'read');
  for (const origin of ['https://evil.example', 'file://127.0.0.1', `foo://${new URL(magpie.url).host}`]) {
    expect([origin, (await ask('/list', key, { origin })).status]).toEqual([origin, 403]);
  }
  const [status] = await askAs('evil.example', '/list', { authorization: `Bearer ${key}` });
  expect(status).toBe(403);
});

test.each(['node-a:8787', '10.0.3.7:8787', 'evil.example'])(
  'access to /metrics under the name %s depends on the credential',
  async (host) => {
    const { key } = await command('create', '--scope', 'monitor');
    const reader = await command('create', '--scope', 'read');
    const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
    expect(await askAs(host, '/metrics', bearer(key))).toEqual([
      200,
      expect.stringContaining('magpie_access_alerts_total'),
    ]);
    expect(await askAs(host, '/metrics', bearer(generateAccessKey()))).toEqual([
      401,
      expect.stringContaining('Authorization: Bearer'),
    ]);
    expect(await askAs(host, '/metrics', bearer(reader.key))).toEqual([
      403,
      expect.stringContaining('the scope monitor'),
    ]);
    // What a browser adds by itself, or says of a page, keeps the check as it is everywhere.
    const refused = [403, expect.stringContaining('Host header')];
    expect(await askAs(host, '/metrics')).toEqual(refused);
    expect(await askAs(host, '/metrics', { cookie: `key=${key}` })).toEqual(refused);
    expect(await askAs(host, '/metrics', { ...bearer(key), cookie: 'a=b' })).toEqual(refused);
    expect(await askAs(host, '/metrics', { ...bearer(key), origin: `http://${host}` })).toEqual(refused);
    for (const path of ['/list', '/openapi.json', '/app', '/metrics/', '/v1/metrics', '/mcp', '/docs']) {
      expect([path, ...(await askAs(host, path, bearer(key)))]).toEqual([path, ...refused]);
    }
    // That name was not learnt from the request that was let in.
    expect(await askAs(host, '/metrics')).toEqual(refused);
  },
);
