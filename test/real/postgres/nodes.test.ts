import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { monitorUri } from '../../../src/lib/resource-uri.ts';
import { filesAtNodesContract } from '../../contracts/files-at-nodes.ts';
import { listen } from '../../helpers/mcp-streams.ts';
import { startTwoNodes, type TwoNodes } from '../../helpers/two-nodes.ts';

/** Two servers with data folders of their own and one database. */

let nodes: TwoNodes;
beforeAll(async () => {
  nodes = await startTwoNodes();
});
afterAll(() => nodes.remove());
const urlOf = (node: number) => nodes.urlOf(node);

async function call(node: number, path: string, values: Record<string, string>): Promise<unknown> {
  const url = new URL(path, urlOf(node));
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  const response = await fetch(url);
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
}

const found = async (node: number, q: string) =>
  ((await call(node, '/query', { q })) as { matches: { metadata: { text: string } }[] }).matches.map(
    ({ metadata }) => metadata.text,
  );

const [MAGPIE, HERON] = ['The magpie builds its nest of mud and twigs', 'Herons wade in shallow water'];

test('an entry stored at one node is found at once at the other', async () => {
  await call(0, '/insert', { q: MAGPIE });
  expect(await found(1, 'where do magpies nest')).toEqual([MAGPIE]);
  await call(1, '/insert', { q: HERON });
  expect((await found(0, 'herons in water'))[0]).toBe(HERON);
  const again = await call(1, '/insert', { q: MAGPIE });
  expect(again).toMatchObject({ id: ((await call(0, '/insert', { q: MAGPIE })) as { id: string }).id });
});

test('answered writes of a killed node are kept, and a node that starts on the database continues', async () => {
  const text = 'Wagtails run along the shore';
  await call(0, '/insert', { q: text });
  await nodes.kill(0);
  expect((await found(1, 'wagtails on the shore'))[0]).toBe(text);
  await nodes.start(0);
  expect((await found(0, 'wagtails on the shore'))[0]).toBe(text);
});

test('entries removed at one node are no longer found at the other', async () => {
  await call(1, '/resetUsersKnowledgeBase', { q: '' });
  expect(await found(0, 'magpies, herons, wagtails')).toEqual([]);
});

describe('files, whose bytes are in the database', () => {
  filesAtNodesContract(urlOf);
});

/** Changes again until it is heard: a node reads changes only since it has had a subscriber. */
async function changeUntil(heard: () => boolean, change: (at: number) => Promise<void>): Promise<void> {
  for (let at = 0; !heard(); at++) {
    expect(at).toBeLessThan(90);
    await change(at);
    await vi.waitUntil(heard, { timeout: 2000, interval: 50 }).catch(() => {});
  }
}

async function insert(at: number): Promise<void> {
  const url = new URL('/insert', urlOf(1));
  url.searchParams.set('q', `Number ${at} of the birds`);
  expect((await fetch(url)).status).toBe(200);
}

async function subscriber(): Promise<{ readonly client: ClientV1; readonly updated: string[] }> {
  const client = new ClientV1({ name: 'subscriber', version: '1.0.0' });
  const updated: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void updated.push(params.uri),
  );
  const transport = new HttpV1(new URL('/mcp', urlOf(0)));
  await client.connect(transport as Parameters<ClientV1['connect']>[0]);
  return { client, updated };
}

test('an entry stored at one node is announced to 2025 clients of the other', async () => {
  const { client, updated } = await subscriber();
  await client.subscribeResource({ uri: 'kb://stats' });
  await changeUntil(() => updated.includes('kb://stats'), insert);
  expect(new Set(updated)).toEqual(new Set(['kb://stats']));
  await client.close();
});

test('an entry stored at one node is announced on 2026 streams of the other', async () => {
  const stream = await listen(urlOf(0), {});
  await changeUntil(
    () => stream.text().includes('"kb://stats"') && stream.text().includes('resources/updated'),
    (at) => insert(at + 100),
  );
  stream.close();
});

test('a monitor changed at one node is announced at the other', async () => {
  const id = 'heartbeat:nightly';
  const change = async (at: number) => {
    const response = await fetch(new URL('/v1/monitor/start', urlOf(1)), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        infrastructure_id: id,
        monitoring_options: { alert_threshold: at % 10, scan_interval: 3600 },
      }),
    });
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  };
  await change(0);
  const { client, updated } = await subscriber();
  await client.subscribeResource({ uri: monitorUri(id) });
  await changeUntil(
    () => updated.includes(monitorUri(id)),
    (at) => change(at + 1),
  );
  await client.close();
});
