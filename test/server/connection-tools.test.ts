import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../tools/index.ts';
import type { AnyClient } from '../helpers/clients.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { runStdio } from '../helpers/stdio-run.ts';

/** The tools of one connection: the address, headers and flags narrow what the server offers. */

const folder = temporaryFolder();
let env: Record<string, string> = {};
let magpie = {} as Running;

beforeAll(async () => {
  env = environment(folder.path);
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  folder.remove();
});

interface Wanted {
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

const INFO = { name: 'test', version: '1' };
const MODERN = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

/** Real clients of both eras over HTTP. Those of 2025 have a session, those of 2026 have none. */
const CLIENTS: Readonly<Record<string, (url: URL, headers: Record<string, string>) => Promise<AnyClient>>> = {
  'sessions, v2 client': async (url, headers) => {
    const client = new Client(INFO);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return client;
  },
  'sessions, v1 client': async (url, headers) => {
    const client = new ClientV1(INFO);
    const transport = new HttpV1(url, { requestInit: { headers } });
    await client.connect(transport as Parameters<ClientV1['connect']>[0]);
    return client as unknown as AnyClient;
  },
  'stateless, v2 client': async (url, headers) => {
    const client = new Client(INFO, MODERN);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return client;
  },
};

async function withClient<T>(
  kind: string,
  { query = '', headers = {} }: Wanted,
  use: (client: AnyClient) => Promise<T>,
) {
  const client = (await CLIENTS[kind]?.(new URL(`/mcp${query}`, magpie.url), headers)) as AnyClient;
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const names = async (client: AnyClient) => (await client.listTools()).tools.map(({ name }) => name);
const of = (wanted: (operation: (typeof operations)[number]) => unknown) =>
  operations.filter(wanted).map(({ name }) => name);

/** The same wish in the address and in headers, and the tools that it offers. */
const WISHES: readonly (readonly [Wanted, Wanted, readonly string[]])[] = [
  [
    { query: '?toolsets=web,knowledge&tools=scan&readonly=true' },
    { headers: { 'X-MCP-Toolsets': 'web, knowledge', 'X-MCP-Tools': 'scan', 'X-MCP-Readonly': 'true' } },
    of(
      ({ name, toolset, effect }) =>
        effect === 'read' && (['web', 'knowledge'].includes(toolset) || name === 'scan'),
    ),
  ],
  [{ query: '?tools=scan,search' }, { headers: { 'x-mcp-tools': 'scan,search' } }, ['search', 'scan']],
  [
    { query: '?toolsets=essential' },
    { headers: { 'X-MCP-Toolsets': 'essential' } },
    of(({ essential }) => essential),
  ],
  [{ query: '?readonly=1' }, { headers: { 'X-MCP-Readonly': 'on' } }, of(({ effect }) => effect === 'read')],
  [{ query: '?readonly=false' }, { headers: { 'X-MCP-Readonly': 'false' } }, of(() => true)],
  [{}, {}, of(() => true)],
];

const MISSPELT = ['X-MCP-Read-Only', 'X-MCP-Toolset', 'X-MCP-Tool', 'MCP-Tools', 'X-MCP_ReadOnly'].map(
  (name): [Wanted, string] => [
    { headers: { [name]: 'search' } },
    `the request has the header "${name.toLowerCase()}": it takes X-MCP-Toolsets, X-MCP-Tools, X-MCP-Readonly`,
  ],
);

describe.each(Object.keys(CLIENTS))('%s', (kind) => {
  test.each(WISHES)('%j and %j offer the same tools', async (inAddress, inHeaders, expected) => {
    expect(await withClient(kind, inAddress, names)).toEqual(expected);
    expect(await withClient(kind, inHeaders, names)).toEqual(expected);
  });

  test('a tool must be in both when the address and the headers ask', async () => {
    const wanted = { query: '?toolsets=web', headers: { 'X-MCP-Tools': 'search,upsert' } };
    expect(await withClient(kind, wanted, names)).toEqual(['search']);
  });

  test('a tool that is not offered cannot be called, and no text or prompt leads to it', async () => {
    await withClient(kind, { query: '?toolsets=web' }, async (client) => {
      expect(client.getInstructions()).not.toMatch(/\bupsert\b|\bquery\b/);
      const call = client.callTool({ name: 'upsert', arguments: { q: 'magpies' } });
      await expect(call).rejects.toThrow('there is no tool "upsert"');
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).not.toContain('upsert');
      const { messages } = await client.getPrompt({ name: 'upsert', arguments: { q: 'x' } });
      expect(JSON.stringify(messages)).toContain('/upsert, which is not offered here');
    });
  });

  test('a read-only connection says what makes it so', async () => {
    await withClient(kind, { query: '?readonly=true' }, async (client) => {
      const call = client.callTool({ name: 'upsert', arguments: { q: 'magpies' } });
      await expect(call).rejects.toThrow(/upsert changes stored data, and this connection is read-only/);
    });
  });

  test.each<[Wanted, string]>([
    [
      { query: '?toolsets=web,wbe' },
      'toolsets is "web,wbe": it takes names out of web, knowledge, documents',
    ],
    [
      { query: '?tools=scan,serch' },
      'tools is "serch" (did you mean search?): it takes names out of search, searchgiant,',
    ],
    [{ query: '?readonly' }, 'readonly is "": it takes true or false'],
    [{ query: '?toolset=web' }, 'the address has "toolset": it takes toolsets, tools, readonly'],
    [{ query: '?readOnly=true' }, 'the address has "readOnly": it takes toolsets, tools, readonly'],
    [{ query: '?mcp-readonly=true' }, 'the address has "mcp-readonly": it takes toolsets, tools, readonly'],
    [{ query: '?%20tools=search' }, 'the address has " tools": it takes toolsets, tools, readonly'],
    ...MISSPELT,
    [{ query: '?tools=' }, 'tools is empty: it takes names of tools, separated by commas'],
    [{ query: '?tools=,' }, 'tools is empty: it takes names of tools, separated by commas'],
    [{ query: '?toolsets=%20' }, 'toolsets is empty: it takes names out of web, knowledge'],
    [{ headers: { 'X-MCP-Tools': ',' } }, 'X-MCP-Tools is empty: it takes names of tools'],
    [{ headers: { 'X-MCP-Toolsets': 'all' } }, 'X-MCP-Toolsets is "all": it takes names out of web'],
    [
      { headers: { 'X-MCP-Tools': 'scam' } },
      'X-MCP-Tools is "scam" (did you mean scan?): it takes names out of search',
    ],
    [{ headers: { 'X-MCP-Readonly': 'maybe' } }, 'X-MCP-Readonly is "maybe": it takes true or false'],
  ])('%j is refused', async (wanted, message) => {
    // This client hides the words of a refused discovery.
    const told =
      kind === 'stateless, v2 client' ? 'Version negotiation failed' : message.replaceAll('"', '\\"');
    await expect(withClient(kind, wanted, names)).rejects.toThrow(told);
  });
});

test('a value that is not taken is 400 and named, also at the address with a slash', async () => {
  for (const path of ['/mcp?tools=x', '/mcp/?tools=x']) {
    const headers = { 'content-type': 'application/json', 'mcp-protocol-version': '2026-07-28' };
    const response = await fetch(`${magpie.url}${path}`, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining('tools is "x"') },
    });
  }
});

test('a request of a session never has more tools than its own address asks for', async () => {
  const send = async (query: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${magpie.url}/mcp${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    });
    return { session: response.headers.get('mcp-session-id') ?? '', text: await response.text() };
  };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO };
  const { session } = await send('', { id: 1, method: 'initialize', params });
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
  const call = { id: 2, method: 'tools/call', params: { name: 'list', arguments: {} } };
  expect((await send('', call, headers)).text).toContain('/search');
  expect((await send('?tools=search', call, headers)).text).toContain('there is no tool \\"list\\"');
});

describe('narrowed installations', () => {
  test('a connection has no tool that the installation leaves out, and no widening', async () => {
    const own = temporaryFolder();
    const flags = ['--toolsets', 'web', '--tools', 'scan,upsert', '--read-only'];
    const narrow = await startMagpie(environment(own.path), flags);
    const client = new Client(INFO);
    const url = new URL('/mcp?toolsets=knowledge,security&tools=search,upsert&readonly=false', narrow.url);
    await client.connect(new StreamableHTTPClientTransport(url));
    expect(await names(client)).toEqual(['search', 'scan']);
    await expect(client.callTool({ name: 'upsert', arguments: { q: 'x' } })).rejects.toThrow(
      'Magpie runs read-only here: --no-read-only',
    );
    await client.close();
    await narrow.stop();
    own.remove();
  });

  test('a key without the scope of a tool does not get it by name', async () => {
    const own = temporaryFolder();
    const keyed = environment(own.path);
    const { stdout } = await runMagpie(['key', 'create', '--scope', 'read', '--json'], keyed);
    const server = await startMagpie(keyed);
    const headers = { Authorization: `Bearer ${JSON.parse(stdout).key}` };
    const client = new Client(INFO);
    const url = new URL('/mcp?tools=upsert,search', server.url);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    expect(await names(client)).toEqual(['search']);
    await client.close();
    await server.stop();
    own.remove();
  });
});

describe('stdio', () => {
  test.each([{}, MODERN])('flags choose toolsets, single tools and reading, with %j', async (era) => {
    const client = new Client(INFO, era);
    const flags = ['--toolsets', 'web,knowledge', '--tools', 'scan', '--read-only'];
    await client.connect(runStdio(env, flags).transport);
    expect(await names(client)).toEqual(WISHES[0]?.[2]);
    await expect(client.callTool({ name: 'getScan', arguments: {} })).rejects.toThrow(
      'there is no tool "getScan"',
    );
    await client.close();
  });

  test.each([
    [
      ['--tools', 'serch'],
      {},
      '--tools is "serch" (did you mean search?): it takes names out of search, searchgiant',
    ],
    [['--toolsets', 'web,wbe'], {}, '--toolsets is "web,wbe": it takes names out of web, knowledge'],
    [
      [],
      { MAGPIE_TOOLS: 'scam' },
      'MAGPIE_TOOLS is "scam" (did you mean scan?): it takes names out of search',
    ],
  ])('%j %j stops the start', async (flags, more, message) => {
    for (const word of ['stdio', 'serve']) {
      const { code, stderr } = await runMagpie([word, ...flags], { ...env, ...more });
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    }
  });
});
