import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { environment, type RunningProcess, spawnServer, temporaryFolder } from '../helpers/magpie.ts';
import { AUTHORITY, startTlsSite, type TlsSite } from '../helpers/tls-site.ts';
import { type Receiver, startReceiver } from '../helpers/webhook-receiver.ts';

/** A server that is killed while it monitors, and started again on its data folder. */

const folder = temporaryFolder();
let env: Record<string, string>;
let magpie: RunningProcess;
let receiver: Receiver;
let expired: TlsSite;
let shop: TlsSite;

beforeAll(async () => {
  receiver = await startReceiver();
  expired = await startTlsSite({ certificate: 'expired' });
  shop = await startTlsSite({ certificate: 'good' });
  const inventory = join(folder.path, 'infrastructure.yaml');
  const entry = (site: TlsSite) => `{ authority: ${AUTHORITY}, owner: web team, urls: ['${site.url}'] }`;
  writeFileSync(inventory, `infrastructure:\n  old: ${entry(expired)}\n  shop: ${entry(shop)}\n`);
  env = {
    ...environment(join(folder.path, 'data')),
    MAGPIE_INVENTORY: inventory,
    MAGPIE_MONITOR_WEBHOOK: receiver.url,
  };
  magpie = await spawnServer(env);
});
afterAll(async () => {
  await magpie.stop();
  await Promise.all([receiver.close(), expired.close(), shop.close().catch(() => {})]);
  folder.remove();
});

async function start(id: string): Promise<void> {
  const response = await fetch(new URL('/v1/monitor/start', magpie.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ infrastructure_id: id, monitoring_options: { scan_interval: 10 } }),
  });
  expect(response.status).toBeLessThan(300);
}

async function statusOf(id: string): Promise<{ status: string; runs: { last?: string } }> {
  const response = await fetch(new URL(`/v1/monitor/status/${id}`, magpie.url));
  const { data } = (await response.json()) as { data: { status: string; runs: { last?: string } } };
  return data;
}

/** Events that the receiver got of a monitor. */
const raised = (id: string) =>
  receiver.got
    .filter(({ notification }) => notification.infrastructure_id === id)
    .map(({ notification }) => notification.event);

test('a killed server continues to monitor after its restart, and sends nothing twice [monitor.restart]', async () => {
  for (const id of ['old', 'shop']) await start(id);
  await vi.waitUntil(() => raised('old').length > 0, { timeout: 60_000, interval: 50 });
  await vi.waitUntil(async () => (await statusOf('shop')).runs.last !== undefined, {
    timeout: 60_000,
    interval: 50,
  });
  expect((await statusOf('shop')).status).toBe('active');
  const exit = once(magpie.process, 'exit');
  magpie.process.kill('SIGKILL');
  await exit;
  await shop.close();
  magpie = await spawnServer(env);
  await vi.waitUntil(() => raised('shop').length > 0, { timeout: 60_000, interval: 100 });
  expect((await statusOf('shop')).status).toBe('down');
  expect(raised('shop')).toEqual(['alert.raised']);
  expect(raised('old')).toEqual(['alert.raised']);
});
