import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { monitorUri } from '../../../src/lib/resource-uri.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { environment, type RunningProcess, spawnServer, temporaryFolder } from '../../helpers/magpie.ts';
import { listen } from '../../helpers/mcp-streams.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';

/** Subscribers at one node, and changes at the other. */

const folders = [temporaryFolder(), temporaryFolder()];
let place: PostgresPlace;
let nodes: RunningProcess[];
const urlOf = (node: number) => nodes[node]?.url ?? '';

beforeAll(async () => {
  place = await makePostgres('none');
  const words = await withoutModel();
  nodes = await Promise.all(
    folders.map(({ path }) =>
      spawnServer({ ...environment(path), DATABASE_URL: place.url, MAGPIE_USER: 'ada', ...words }),
    ),
  );
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
  await place.remove();
  await dropPostgres();
  for (const { remove } of folders) remove();
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

test('an entry that one node keeps is heard of at the other, by clients of 2025', async () => {
  const { client, updated } = await subscriber();
  await client.subscribeResource({ uri: 'kb://stats' });
  await changeUntil(() => updated.includes('kb://stats'), insert);
  expect(new Set(updated)).toEqual(new Set(['kb://stats']));
  await client.close();
});

test('an entry that one node keeps is heard of at the other, by streams of 2026', async () => {
  const stream = await listen(urlOf(0), {});
  await changeUntil(
    () => stream.text().includes('"kb://stats"') && stream.text().includes('resources/updated'),
    (at) => insert(at + 100),
  );
  stream.close();
});

test('a monitor that one node changes is heard of at the other', async () => {
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
