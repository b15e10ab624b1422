import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInApp } from './helpers/app-sign-in.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from './helpers/magpie.ts';
import { createHolder, type Era } from './helpers/oauth-client.ts';

/** docs/remote.md, followed literally: its commands, its configuration, its addresses. */

const GUIDE = readFileSync(new URL('../docs/remote.md', import.meta.url), 'utf8');
const blocks = [...GUIDE.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = '', text = '']) => {
  return { language, text };
});
const lines = (blocks[0]?.text ?? '').trim().split('\n');
const signInLines = (blocks.find(({ text }) => text.includes('MAGPIE_OAUTH=builtin'))?.text ?? '')
  .trim()
  .split('\n');
const PUBLIC = 'https://magpie.example.org';

const folder = temporaryFolder();
const env = environment(folder.path);
let magpie: Running | undefined;
let proxy: Server;
let outside = '';
let key = '';

beforeAll(async () => {
  ({ magpie, key } = await follow(lines, env));
  proxy = await startProxy(new URL(magpie.url).port);
  outside = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await magpie?.stop();
  proxy.closeAllConnections();
  await new Promise((done) => proxy.close(done));
  folder.remove();
});

/** Types the lines of a block, up to the proxy that stands before the server. */
async function follow(typed: readonly string[], into: Record<string, string>) {
  let made: { readonly magpie?: Running; readonly key: string } = { key: '' };
  for (const line of typed.filter((one) => !one.startsWith('caddy '))) {
    const [, name = '', value = ''] = /^export (\w+)=(.*)$/.exec(line) ?? [];
    if (name !== '') into[name] = value;
    else if (line.startsWith('magpie ')) {
      const { stdout, stderr, code } = await runMagpie(line.split(' ').slice(1), into);
      expect([code, stderr]).toEqual([0, '']);
      made = { ...made, key: /^magpie_\w+$/m.exec(stdout)?.[0] ?? '' };
    } else {
      expect(line).toBe('npm start');
      made = { ...made, magpie: await startMagpie(into) };
    }
  }
  if (!made.magpie) throw new Error('the block starts no server');
  return { magpie: made.magpie, key: made.key };
}

/** What nginx does with `proxy_pass`: the name that was asked for, and whose request it is. */
async function startProxy(port: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      host: new URL(PUBLIC).host,
      'x-forwarded-for': '198.51.100.7',
    };
    const { method, url: path } = incoming;
    const passed = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** The configuration as the guide has it, with this key in place of the one that is left out. */
function configuration(): { url: URL; headers: Record<string, string> } {
  const text = blocks.find(({ language }) => language === 'json')?.text ?? '';
  const { mcpServers } = JSON.parse(text) as {
    mcpServers: { magpie: { type: string; url: string; headers: Record<string, string> } };
  };
  const { type, url, headers } = mcpServers.magpie;
  expect(type).toBe('http');
  expect(headers.Authorization).toBe('Bearer magpie_...');
  return {
    url: new URL(url.replace(PUBLIC, outside)),
    headers: { Authorization: `Bearer ${key}` },
  };
}

test.each([
  ['2025', {}],
  ['2026', { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const],
])(
  'a remote MCP client of %s calls a tool with the key, and is refused without the key',
  async (_era, options) => {
    const { url, headers } = configuration();
    const client = new Client({ name: 'remote', version: '1' }, options);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('search');
    const answer = await client.callTool({
      name: 'insert',
      arguments: { q: 'The nest is in the plum tree.' },
    });
    expect(answer.isError ?? false).toBe(false);
    await client.close();

    const stranger = new Client({ name: 'stranger', version: '1' }, options);
    await expect(stranger.connect(new StreamableHTTPClientTransport(url))).rejects.toThrow();
    const refused = await fetch(url, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({
      jsonrpc: '2.0',
      error: { data: { code: 'unauthenticated' } },
    });
  },
);

test('one of the two curl commands is answered, and the other gets 401', async () => {
  const commands = (blocks.find(({ text }) => text.startsWith('curl'))?.text ?? '').trim().split('\n');
  const statuses = [];
  for (const command of commands) {
    const [, header] = /-H "Authorization: (.*?)"/.exec(command) ?? [];
    const [, address = ''] = /"(https:[^"]+)"$/.exec(command) ?? [];
    const authorization = header?.replace('$MAGPIE_KEY', key);
    const response = await fetch(address.replace(PUBLIC, outside), {
      headers: authorization === undefined ? {} : { authorization },
    });
    statuses.push(response.status);
  }
  expect(statuses).toEqual([200, 401]);
});

test('each address for ChatGPT finds a note that was stored at /mcp, and cites a page of the public address', async () => {
  const { headers } = configuration();
  await fetch(new URL('/insert?q=The+owl+sits+in+the+barn', outside), { headers });
  const addresses = [...GUIDE.matchAll(/^\| `(https:\/\/\S+\/mcp\/\S+)` \|/gm)].map(
    ([, address = '']) => address,
  );
  expect(addresses).toHaveLength(2);
  for (const address of addresses) {
    const url = new URL(address.replace(PUBLIC, outside));
    const client = new Client({ name: 'chatgpt', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    const { structuredContent } = await client.callTool({
      name: 'search',
      arguments: { query: 'where does the owl sit' },
    });
    const { results } = structuredContent as { results: { id: string; url: string }[] };
    const note = results.find(({ id }) => id.startsWith('kb://'));
    expect(note?.url).toMatch(new RegExp(`^${PUBLIC}/app/notes/edit\\?id=`));
    await client.close();
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  }
});

test('the client address is taken from the proxy, and the key can be listed, and revoked while the server runs', async () => {
  const { stdout } = await runMagpie(['key', 'list', '--json'], env);
  const [{ id, user, name }] = JSON.parse(stdout).keys ?? JSON.parse(stdout);
  expect({ user, name }).toEqual({ user: 'ada', name: 'laptop' });
  await expect
    .poll(async () => (await runMagpie(['key', 'usage', id, '--json'], env)).stdout, { timeout: 60_000 })
    .toContain('"address":"198.51.100.7"');
  expect((await runMagpie(['key', 'revoke', id], env)).code).toBe(0);
  const { headers } = configuration();
  expect((await fetch(`${outside}/list`, { headers })).status).toBe(401);
});

test('the login settings of the guide make the sign-in page show its button', async () => {
  const block = blocks.find(({ text }) => text.includes('MAGPIE_OIDC_CLIENT_ID'))?.text ?? '';
  const settings = Object.fromEntries(
    [...block.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(Object.keys(settings)).toHaveLength(4);
  const apart = temporaryFolder();
  const running = await startMagpie({ ...environment(apart.path), ...settings });
  const page = await fetch(`${running.url}/app`);
  expect(await page.text()).toContain('Sign in with login.example.org');
  await running.stop();
  apart.remove();
});

test.each<Era>(['2025', '2026'])(
  'an assistant of %s that takes no key signs in by the lines of the guide, at the public address',
  async (era) => {
    const other = temporaryFolder();
    const started = await follow(signInLines, environment(other.path));
    const front = await startProxy(new URL(started.magpie.url).port);
    const at = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    const throughProxy: typeof fetch = (url, init) => fetch(String(url).replace(PUBLIC, at), init);
    const address = /The address is `(\S+)`/.exec(GUIDE)?.[1] ?? '';
    const holder = createHolder();
    const client = await signInApp(PUBLIC, holder, era, { key: started.key, fetch: throughProxy }, address);
    expect(holder.sent.map(({ origin }) => origin)).toEqual([PUBLIC]);
    expect(holder.sent[0]?.searchParams.get('resource')).toBe(address);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search');
    await client.close();
    await started.magpie.stop();
    front.closeAllConnections();
    front.close();
    other.remove();
  },
);
