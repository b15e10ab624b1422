import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { createOutbox } from '../../src/monitor/outbox.ts';
import type { MonitorStores } from '../../src/monitor/store.ts';
import { createSqliteMonitorStores } from '../../src/monitor/stores/stores.ts';
import type { MonitorFinding, Notification } from '../../src/monitor/types.ts';
import { type Database, openDatabase } from '../../src/storage/sqlite.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

let folder: ReturnType<typeof temporaryFolder>;
let db: Database;
let stores: MonitorStores;
let key: number;

beforeEach(async () => {
  folder = temporaryFolder();
  db = await openDatabase({ folder: folder.path });
  stores = createSqliteMonitorStores(db, 'here 1 x');
  key = (await stores.monitors.putMonitor('ada', 'shop', { threshold: 7, intervalMs: 1000 }, 0)).key;
});
afterEach(() => {
  db.close();
  folder.remove();
});

function raised(alert: number): Notification {
  const finding = { id: 'reachability/down', target: 't', fingerprint: `f${alert}` } as MonitorFinding;
  const raised_at = '2026-11-21T12:00:00.000Z';
  return {
    event: 'alert.raised',
    infrastructure_id: 'shop',
    alert: { id: alert, flapping: false, raised_at, finding },
  };
}

const outboxOf = (send: (alert: number, signal: AbortSignal) => Promise<void>, retries?: readonly number[]) =>
  createOutbox({
    store: stores.messages,
    senders: { webhook: { send: (_name, { alert }, signal) => send(alert.id, signal) } },
    ownSender: async () => undefined,
    log: createLog('silent'),
    retries,
    onSent: () => {},
  });
const deliveries = () => stores.messages.countDeliveries(key);

test('one that waited behind others for longer than all attempts take gets few of its own', async () => {
  const attempts: number[] = [];
  const retries = [10, 10, 10, 10, 10, 10];
  await stores.messages.insertMessage(key, 'webhook', raised(1), Date.now() - 1000);
  await stores.messages.insertMessage(key, 'webhook', raised(2), Date.now() + 500_000);
  await db.write((sql) => sql.run('UPDATE monitor_messages SET next_at = 0'));
  const outbox = outboxOf(async (alert) => {
    attempts.push(alert);
    throw new AppError('upstream', 'no');
  }, retries);
  await vi.waitUntil(async () => (await deliveries()).dead === 2, { timeout: 60_000, interval: 20 });
  await outbox.close();
  expect(attempts.filter((alert) => alert === 1)).toHaveLength(3);
  expect(attempts.filter((alert) => alert === 2)).toHaveLength(retries.length + 1);
});

test('what is under way when it closes is free for the next process at once', async () => {
  for (const alert of [1, 2]) await stores.messages.insertMessage(key, 'webhook', raised(alert), 1);
  const begun: number[] = [];
  const outbox = outboxOf((alert, signal) => {
    begun.push(alert);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  await vi.waitUntil(() => begun.length === 2, { timeout: 60_000, interval: 10 });
  await outbox.close();
  expect(await stores.messages.listHolders()).toEqual([]);
  expect(await deliveries()).toEqual({ waiting: 2, sent: 0, dead: 0 });
  const next = createSqliteMonitorStores(db, 'next 2 y');
  expect(await next.messages.takeMessages(9, ['webhook'], Date.now(), 1e15)).toHaveLength(2);
});
