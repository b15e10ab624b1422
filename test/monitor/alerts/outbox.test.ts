import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { createLog } from '../../../src/log.ts';
import { NotificationRefusedError } from '../../../src/monitor/alerts/notification.ts';
import { createOutbox } from '../../../src/monitor/alerts/outbox.ts';
import { type MonitorStores, OWN_WEBHOOK_CHANNEL } from '../../../src/monitor/store.ts';
import { createMonitorStores } from '../../../src/monitor/stores/stores.ts';
import type { AlertNotification, MonitorEvents, MonitorFinding } from '../../../src/monitor/types.ts';
import type { Database } from '../../../src/storage/sqlite.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

let folder: ReturnType<typeof temporaryFolder>;
let db: Database;
let stores: MonitorStores;
let key: number;
const endings: (() => unknown)[] = [];

beforeEach(async () => {
  folder = temporaryFolder();
  db = await openTestDatabase({ folder: folder.path });
  stores = createMonitorStores(db, 'here 1 x');
  key = (await stores.monitors.putMonitor('ada', 'shop', { threshold: 7, intervalMs: 1000 }, 0)).key;
});
afterEach(() => {
  for (const end of endings.splice(0)) end();
  db.close();
  folder.remove();
});

function raised(alert: number): AlertNotification {
  const finding = { id: 'reachability/down', target: 't', fingerprint: `f${alert}` } as MonitorFinding;
  const raised_at = '2026-11-21T12:00:00.000Z';
  return {
    event: 'alert.raised',
    infrastructure_id: 'shop',
    alert: { id: alert, flapping: false, raised_at, finding },
  };
}

const outboxOf = (
  send: (alert: number, signal: AbortSignal) => Promise<void>,
  retries?: readonly number[],
  onSent: MonitorEvents['onSent'] = () => {},
) =>
  createOutbox({
    store: stores.messages,
    senders: { webhook: { send: (_name, { alert }, signal) => send(alert.id, signal) } },
    ownSender: async () => undefined,
    log: createLog('silent'),
    retries,
    onSent,
  });
const deliveries = () => stores.messages.countDeliveries(key);

test('a message that waited behind others for the whole retry period gets only a few attempts of its own', async () => {
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

test('attempts follow each minute, and a message is abandoned after seven hours', async () => {
  const expected = [2000, 10_000, ...Array<number>(418).fill(60_000)];
  const last = expected.length + 1;
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  endings.push(() => vi.useRealTimers());
  const attempts: number[] = [];
  await stores.messages.insertMessage(key, 'webhook', raised(1), Date.now());
  const outcomes: string[] = [];
  const outbox = outboxOf(
    async () => {
      attempts.push(Date.now());
      throw new AppError('upstream', 'no');
    },
    undefined,
    (_channel, outcome) => outcomes.push(outcome),
  );
  const row = async () =>
    (await db.read((sql) => sql.all('SELECT state, attempts, next_at FROM monitor_messages')))[0] as {
      state: string;
      attempts: number;
      next_at: number;
    };
  const waits: number[] = [];
  for (let attempt = 1; attempt <= last; attempt++) {
    // Not `waitUntil`, which would move the clock.
    while ((await row()).attempts < attempt) await pause(5);
    if (attempt === last) break;
    const { next_at } = await row();
    waits.push(next_at - Date.now());
    // A millisecond sooner nothing is sent.
    if (attempt < 6) {
      vi.setSystemTime(next_at - 1);
      outbox.wake();
      await pause(30);
      expect(attempts).toHaveLength(attempt);
    }
    vi.setSystemTime(next_at);
    outbox.wake();
  }
  while (outcomes.length < last) await pause(5);
  await outbox.close();
  expect(waits).toEqual(expected);
  expect((await row()).state).toBe('dead');
  expect(outcomes).toEqual([...Array(expected.length).fill('failed'), 'dead']);
});

test('after one message arrives, the waiting messages of its receiver go at once, and messages of other receivers do not', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  endings.push(() => vi.useRealTimers());
  let isDown = true;
  const arrived: number[] = [];
  const failed: number[] = [];
  const send = async (alert: number) => {
    if (isDown || alert === 9) {
      failed.push(alert);
      throw new AppError('upstream', 'no');
    }
    arrived.push(alert);
  };
  const outbox = createOutbox({
    store: stores.messages,
    senders: {
      webhook: { send: (_name, { alert }) => send(alert.id) },
      mail: { send: (_name, { alert }) => send(alert.id) },
    },
    ownSender: async () => undefined,
    log: createLog('silent'),
    onSent: () => {},
  });
  for (const alert of [1, 2, 3])
    await stores.messages.insertMessage(key, 'webhook', raised(alert), Date.now());
  await stores.messages.insertMessage(key, 'mail', raised(9), Date.now());
  outbox.wake();
  while (failed.length < 4) await pause(5);
  // All wait for later attempts; only the first falls due.
  const due = Date.now() + 3_600_000;
  await db.write((sql) => sql.run('UPDATE monitor_messages SET next_at = ? + id * 600000', due));
  isDown = false;
  vi.setSystemTime(due + 600_000);
  outbox.wake();
  while (arrived.length < 3) await pause(5);
  await outbox.close();
  expect([arrived.toSorted(), failed.filter((alert) => alert === 9)]).toEqual([[1, 2, 3], [9]]);
});

test('a message that its receiver refuses is tried for an hour, and then kept with the reason', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  endings.push(() => vi.useRealTimers());
  const begun = Date.now();
  const outcomes: string[] = [];
  await stores.messages.insertMessage(key, 'webhook', raised(1), begun);
  const outbox = outboxOf(
    async () => {
      throw new NotificationRefusedError('the mail server refuses the login (535)');
    },
    undefined,
    (_channel, outcome) => outcomes.push(outcome),
  );
  while (outcomes.length < 1) await pause(5);
  // The hour is not over yet, and then it is.
  for (const [at, count] of [
    [3_600_000, 2],
    [3_660_001, 3],
  ] as const) {
    vi.setSystemTime(begun + at);
    while (outcomes.length < count) {
      outbox.wake();
      await pause(5);
    }
  }
  await outbox.close();
  expect(outcomes).toEqual(['failed', 'failed', 'dead']);
  expect(await stores.messages.listDead(key, 9)).toMatchObject([
    { trouble: 'the mail server refuses the login (535)', attempts: 3 },
  ]);
});

test('a refusing receiver is left alone: its waiting messages go later, and old messages are abandoned', async () => {
  const attempts: number[] = [];
  const outcomes: string[] = [];
  for (const [alert, age] of [
    [1, 9_000_000],
    [2, 8_000_000],
    [3, 0],
  ] as const) {
    await stores.messages.insertMessage(key, 'webhook', raised(alert), Date.now() - age);
  }
  await db.write((sql) => sql.run('UPDATE monitor_messages SET attempts = 5, next_at = id'));
  const outbox = outboxOf(
    async (alert) => {
      attempts.push(alert);
      // Those that went with it have failed by then.
      throw new NotificationRefusedError('refused', { retryAfter: 3000 });
    },
    undefined,
    (_channel, outcome) => outcomes.push(outcome),
  );
  const isDone = async () =>
    (await db.read((sql) => sql.all("SELECT 1 FROM monitor_messages WHERE state = 'dead'"))).length === 2 &&
    (await db.read((sql) => sql.all('SELECT 1 FROM monitor_messages WHERE attempts > 5'))).length === 3;
  await vi.waitUntil(isDone, { timeout: 60_000, interval: 20 });
  await outbox.close();
  // Two at once go to a place at most; the third one waits for its rest.
  expect(attempts.filter((alert) => alert === 3)).toEqual([]);
  expect(outcomes).toEqual(['dead', 'dead']);
  expect(await stores.messages.countDeliveries(key)).toMatchObject({ dead: 2, waiting: 1 });
});

test('a message to a webhook that was removed is given up without a further attempt', async () => {
  await stores.messages.insertMessage(key, OWN_WEBHOOK_CHANNEL, raised(1), 1);
  const outcomes: string[] = [];
  const outbox = outboxOf(
    async () => {},
    undefined,
    (channel, outcome) => outcomes.push(`${channel} ${outcome}`),
  );
  await vi.waitUntil(() => outcomes.length > 0, { timeout: 60_000, interval: 5 });
  await outbox.close();
  expect(outcomes).toEqual([`${OWN_WEBHOOK_CHANNEL} dead`]);
  expect(await stores.messages.listDead(key, 9)).toMatchObject([
    { trouble: 'its webhook was removed', attempts: 1 },
  ]);
});

test('a message goes to the own webhook or to its channel, once, and is counted as sent', async () => {
  await stores.messages.insertMessage(key, OWN_WEBHOOK_CHANNEL, raised(1), 1);
  await stores.messages.insertMessage(key, 'webhook', raised(2), 1);
  const sent: string[] = [];
  const outcomes: string[] = [];
  const lines: string[] = [];
  const sender = (place: string) => ({
    send: async (_name: string, { alert }: AlertNotification) => void sent.push(`${place} ${alert.id}`),
  });
  const outbox = createOutbox({
    store: stores.messages,
    senders: { webhook: sender('operator') },
    ownSender: async ({ notification }) => sender(`own of ${notification.infrastructure_id}`),
    log: createLog('info', (line) => lines.push(line)),
    onSent: (channel, outcome) => outcomes.push(`${channel} ${outcome}`),
  });
  await vi.waitUntil(() => outcomes.length === 2, { timeout: 60_000, interval: 5 });
  await outbox.close();
  expect(sent.sort()).toEqual(['operator 2', 'own of shop 1']);
  expect(outcomes.sort()).toEqual([`${OWN_WEBHOOK_CHANNEL} sent`, 'webhook sent'].sort());
  expect(await deliveries()).toEqual({ waiting: 0, sent: 2, dead: 0 });
  expect(lines).toEqual([]);
});

test('what is left to another process is not sent by this one', async () => {
  await stores.messages.insertMessage(key, 'webhook', raised(1), 1);
  const asked: string[] = [];
  const outbox = createOutbox({
    store: stores.messages,
    senders: { webhook: { send: async () => void asked.push('sent') } },
    ownSender: async () => undefined,
    isLeft: () => asked.push('left') < 3,
    log: createLog('silent'),
    onSent: () => {},
  });
  for (let at = 0; at < 3; at++) {
    await vi.waitUntil(() => asked.length > at, { timeout: 60_000, interval: 5 });
    outbox.wake();
  }
  await vi.waitUntil(() => asked.includes('sent'), { timeout: 60_000, interval: 5 });
  await outbox.close();
  expect(asked.slice(0, 4)).toEqual(['left', 'left', 'left', 'sent']);
});

test('the log of a failure says when the next attempt comes, or that there is none', async () => {
  await stores.messages.insertMessage(key, 'webhook', raised(1), Date.now());
  const lines: Record<string, unknown>[] = [];
  const outbox = createOutbox({
    store: stores.messages,
    senders: { webhook: { send: () => Promise.reject(new AppError('upstream', 'answers 500')) } },
    ownSender: async () => undefined,
    log: createLog('info', (line) => lines.push(JSON.parse(line))),
    retries: [500],
    onSent: () => {},
  });
  await vi.waitUntil(() => lines.length === 2, { timeout: 60_000, interval: 5 });
  await outbox.close();
  const start = 'a notification of an alert did not arrive: ';
  expect(lines).toMatchObject(
    ['next attempt in 0.5 s', 'it is given up, and kept'].map((end) => ({
      level: 'warn',
      channel: 'webhook',
      err: { message: 'answers 500' },
      msg: start + end,
    })),
  );
});

test('the reason of a failure is stored without secrets, in at most 500 characters', async () => {
  await stores.messages.insertMessage(key, 'webhook', raised(1), 1);
  const outbox = outboxOf(async () => {
    throw new Error(`https://u:hunter2hunter2@hooks.example/ ${'no '.repeat(400)}`);
  }, []);
  await vi.waitUntil(async () => (await deliveries()).dead === 1, { timeout: 60_000, interval: 5 });
  await outbox.close();
  const [{ trouble } = { trouble: '' }] = await stores.messages.listDead(key, 9);
  expect(trouble).not.toContain('hunter2');
  expect(trouble).toContain('hooks.example');
  expect(trouble).toHaveLength(500);
});

test('messages in progress at the close are free for the next process at once', async () => {
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
  const next = createMonitorStores(db, 'next 2 y');
  expect(await next.messages.takeMessages(9, ['webhook'], Date.now(), 1e15)).toHaveLength(2);
});

test('a receiver that asks to wait gets no message until then, whatever the problem; other receivers do not wait', async () => {
  const attempts: number[] = [];
  const due = async () => {
    const rows = await db.read((sql) =>
      sql.all<{ alert: number; next_at: number; trouble: string | null }>(
        "SELECT alert, next_at, trouble FROM monitor_messages WHERE state = 'waiting' AND runner IS NULL",
      ),
    );
    return new Map(rows.map((row) => [row.alert, row]));
  };
  const outbox = outboxOf(async (alert) => {
    attempts.push(alert);
    throw new AppError('upstream', 'the webhook answers 429', { retryAfter: 500 });
  });
  const hasTrouble = (alert: number) => async () => (await due()).get(alert)?.trouble != null;
  const begun = Date.now();
  await stores.messages.insertMessage(key, 'webhook', raised(1), begun);
  outbox.wake();
  await vi.waitUntil(hasTrouble(1), { timeout: 60_000, interval: 20 });
  await stores.messages.insertMessage(key, 'webhook', raised(2), Date.now());
  outbox.wake();
  await vi.waitUntil(hasTrouble(2), { timeout: 60_000, interval: 20 });
  const after = await due();
  await outbox.close();
  expect(attempts).toEqual([1]);
  // Both are due when the rest is over, and not before.
  expect(after.get(1)?.next_at).toBeGreaterThan(begun + 300_000);
  expect(after.get(2)?.next_at).toBeGreaterThan(begun + 300_000);
  expect(after.get(2)?.trouble).toBe('its place asks to wait');
  expect(await deliveries()).toMatchObject({ waiting: 2, dead: 0 });
});
