import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import type { MonitorFinding } from '../../src/monitor/finding.ts';
import type { Notice } from '../../src/monitor/notice.ts';
import { createOutbox } from '../../src/monitor/outbox.ts';
import { OWN } from '../../src/monitor/store.ts';
import { createSqliteAlertStore } from '../../src/monitor/stores/alerts.ts';
import { createSqliteMessageStore } from '../../src/monitor/stores/messages.ts';
import { createSqliteMonitorStore } from '../../src/monitor/stores/monitors.ts';
import { type Database, openDatabase } from '../../src/storage/sqlite.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

/** Which message goes when: order within a fault, and nobody held up by others. */

let folder: ReturnType<typeof temporaryFolder>;
let db: Database;
let monitors: ReturnType<typeof createSqliteMonitorStore>;
let messages: ReturnType<typeof createSqliteMessageStore>;

beforeEach(async () => {
  folder = temporaryFolder();
  db = await openDatabase({ folder: folder.path });
  monitors = createSqliteMonitorStore(db);
  messages = createSqliteMessageStore(db, 'here 1 x');
});
afterEach(() => {
  db.close();
  folder.remove();
});

const LEASE = 1e15;
const monitor = (id = 'shop', owner = 'ada', webhook?: string) =>
  monitors.put(owner, id, { threshold: 7, intervalMs: 1000, ...(webhook && { webhook }) }, 0).key;

function notice(event: 'raised' | 'cleared', alert: number, fingerprint = `f${alert}`): Notice {
  return {
    event: `alert.${event}`,
    infrastructure_id: 'shop',
    alert: {
      id: alert,
      flapping: false,
      raised_at: '2026-11-21T12:00:00.000Z',
      finding: { id: 'reachability/down', target: 't', title: 'It is down', fingerprint } as MonitorFinding,
    },
  };
}
const said = (taken: readonly { readonly channel: string; readonly notice: Notice }[]) =>
  taken.map(({ channel, notice: { event, alert } }) => `${channel} ${event.slice(6)} ${alert.id}`);

const ALL = ['webhook', 'slack', 'mail', OWN];
const take = (now: number, channels = ALL) => messages.takeMessages(99, channels, now, LEASE);

test('what is told of a fault at a channel goes in order; other faults and channels do not wait', () => {
  const key = monitor();
  messages.post(key, 'webhook', notice('raised', 1), 1);
  messages.post(key, 'slack', notice('raised', 1), 1);
  messages.post(key, 'webhook', notice('cleared', 1), 2);
  messages.post(key, 'webhook', notice('raised', 2), 3);
  const first = take(10);
  expect(said(first).sort()).toEqual(['slack raised 1', 'webhook raised 1', 'webhook raised 2']);
  // While it is in hand, and while it waits for its next attempt, nothing of that fault goes, and nothing is due.
  expect(take(10)).toEqual([]);
  expect(messages.nextMessageAt(ALL)).toBeUndefined();
  const raised = first.find(({ channel, notice: { alert } }) => channel === 'webhook' && alert.id === 1);
  messages.failed(raised?.id ?? 0, 'no', 10, 500);
  expect(take(499)).toEqual([]);
  expect(messages.nextMessageAt(ALL)).toBe(500);
  const [again] = take(500);
  expect(again).toMatchObject({ id: raised?.id, attempts: 1, name: raised?.name });
  messages.sent(again?.id ?? 0);
  expect(said(take(501))).toEqual(['webhook cleared 1']);
});

test('an alert that comes again waits for the end of the one before, and a dead message holds nothing up', () => {
  const key = monitor();
  messages.post(key, 'webhook', notice('cleared', 1, 'same'), 1);
  messages.post(key, 'webhook', notice('raised', 2, 'same'), 2);
  const [first] = take(10);
  expect(said([first].flatMap((one) => one ?? []))).toEqual(['webhook cleared 1']);
  messages.failed(first?.id ?? 0, 'it is gone', 10, undefined);
  expect(said(take(10))).toEqual(['webhook raised 2']);
  expect(messages.deliveries(key)).toEqual({ waiting: 1, sent: 0, dead: 1 });
});

test('a place that hangs has two messages under way at most, and its line holds up no other place', () => {
  const [one, other] = [
    monitor('one', 'ada', 'https://a.example/'),
    monitor('two', 'ada', 'https://b.example/'),
  ];
  const bob = monitor('one', 'bob', 'https://c.example/');
  for (let alert = 1; alert <= 500; alert++) {
    messages.post(alert % 2 ? one : other, OWN, notice('raised', alert), alert);
  }
  messages.post(one, 'mail', notice('raised', 1), 1000);
  messages.post(bob, OWN, notice('raised', 900), 1001);
  const taken = take(2000);
  expect(taken.map(({ owner, channel }) => `${owner} ${channel}`).sort()).toEqual([
    'ada mail',
    'ada own',
    'ada own',
    'bob own',
  ]);
  // 498 are due, and none of them can go: whoever asks when to look again is not told `now`.
  expect([take(2000), messages.nextMessageAt(ALL)]).toEqual([[], undefined]);
  const own = taken.find(({ owner, channel }) => owner === 'ada' && channel === OWN);
  messages.sent(own?.id ?? 0);
  expect(messages.nextMessageAt(ALL)).toBe(3);
  expect(said(take(2000))).toEqual(['own raised 3']);
});

test('what was given up is told with its trouble, and goes again in order, unless its alert is told to be over', () => {
  const key = monitor();
  const fail = (now: number) => {
    for (const { id, notice: of } of take(now)) messages.failed(id, `no ${of.alert.id}`, now, undefined);
  };
  messages.post(key, 'webhook', notice('raised', 1), 1);
  fail(5);
  messages.post(key, 'webhook', notice('cleared', 1), 6);
  for (const { id } of take(7)) messages.sent(id);
  messages.post(key, 'webhook', notice('raised', 2), 8);
  fail(9);
  messages.post(key, 'webhook', notice('cleared', 2), 10);
  fail(11);
  expect(messages.dead(key, 9)).toMatchObject([
    { channel: 'webhook', notice: { event: 'alert.cleared' }, attempts: 1, triedAt: 11, trouble: 'no 2' },
    { channel: 'webhook', notice: { event: 'alert.raised' }, attempts: 1, triedAt: 9, trouble: 'no 2' },
    { channel: 'webhook', notice: { event: 'alert.raised' }, attempts: 1, triedAt: 5, trouble: 'no 1' },
  ]);
  expect(messages.resend(key, 20)).toEqual({ again: 2, outdated: 1 });
  const [raised] = take(20);
  expect(raised).toMatchObject({
    attempts: 0,
    madeAt: 20,
    notice: { event: 'alert.raised', alert: { id: 2 } },
  });
  expect(take(20)).toEqual([]);
  messages.sent(raised?.id ?? 0);
  expect(said(take(20))).toEqual(['webhook cleared 2']);
  expect(messages.resend(key, 30)).toEqual({ again: 0, outdated: 1 });
});

test('one that is sent again waits for a later one of its fault that is on its way', () => {
  const key = monitor();
  messages.post(key, 'webhook', notice('raised', 1), 1);
  messages.failed(take(1)[0]?.id ?? 0, 'no', 1, undefined);
  messages.post(key, 'webhook', notice('cleared', 1), 2);
  const [cleared] = take(2);
  expect(messages.resend(key, 3)).toEqual({ again: 1, outdated: 0 });
  expect(take(3)).toEqual([]);
  messages.failed(cleared?.id ?? 0, 'no', 3, 9);
  expect(said(take(9))).toEqual(['webhook raised 1']);
});

test('messages outlive their monitor until they are sent or given up, with the address of its own webhook', () => {
  const key = monitor('shop', 'ada', 'https://hook.example/');
  messages.post(key, OWN, notice('raised', 1), 1);
  messages.post(key, OWN, notice('cleared', 1), 2);
  messages.post(key, OWN, notice('raised', 2), 3);
  messages.failed(take(2)[0]?.id ?? 0, 'no', 2, undefined);
  db.transactionSync(() => monitors.remove(key));
  const [cleared, raised] = take(9);
  expect(said([cleared, raised].flatMap((one) => one ?? []))).toEqual(['own cleared 1', 'own raised 2']);
  expect(cleared).toMatchObject({ owner: 'ada', webhook: 'https://hook.example/' });
  expect(cleared?.monitor).toBeUndefined();
  messages.sent(cleared?.id ?? 0);
  messages.failed(raised?.id ?? 0, 'no', 9, undefined);
  expect(db.all('SELECT * FROM monitor_messages')).toEqual([]);
});

test('a process takes what it has the channel for, and what nobody takes is given up after a week', () => {
  const key = monitor();
  messages.post(key, 'webhook', notice('raised', 1), 1);
  expect([take(10, ['slack', OWN]), messages.nextMessageAt(['slack', OWN])]).toEqual([[], undefined]);
  messages.post(key, 'webhook', notice('raised', 2), 7 * 86_400_000);
  expect(messages.deliveries(key).waiting).toBe(2);
  messages.post(key, 'webhook', notice('raised', 3), 7 * 86_400_000 + 2);
  expect(messages.dead(key, 9)).toMatchObject([
    { notice: { alert: { id: 1 } }, attempts: 0, trouble: 'no Magpie that runs has this channel' },
  ]);
  expect(said(take(1e12))).toEqual(['webhook raised 2', 'webhook raised 3']);
});

test('the mark of changes never falls, and a removal is a change', () => {
  const [one, two] = [monitor('one'), monitor('two')];
  const since = (mark: number) => monitors.changedSince(mark);
  const { mark } = since(0);
  monitors.touch(two);
  expect(since(mark).changes).toEqual([{ owner: 'ada', id: 'two' }]);
  const before = since(mark).mark;
  db.transactionSync(() => monitors.remove(two));
  const removed = since(before);
  expect(removed.changes).toEqual([{ owner: 'ada', id: 'two' }]);
  expect(removed.mark).toBeGreaterThan(before);
  monitors.touch(one);
  expect(since(removed.mark).changes).toEqual([{ owner: 'ada', id: 'one' }]);
  expect(since(since(0).mark)).toEqual({ mark: since(0).mark, changes: [] });
});

test('one that stood behind others for longer than all attempts take gets few of its own', async () => {
  const key = monitor();
  const outcomes: string[] = [];
  const retries = [10, 10, 10, 10, 10, 10];
  messages.post(key, 'webhook', notice('raised', 1), Date.now() - 1000);
  messages.post(key, 'webhook', notice('raised', 2), Date.now() + 500_000);
  db.run('UPDATE monitor_messages SET next_at = 0');
  const outbox = createOutbox({
    store: messages,
    senders: {
      webhook: {
        send: async (_name, { alert }) => {
          outcomes.push(`try ${alert.id}`);
          throw new AppError('upstream', 'no');
        },
      },
    },
    ownSender: () => undefined,
    log: createLog('silent'),
    retries,
    onSent: () => {},
  });
  await vi.waitUntil(() => messages.deliveries(key).dead === 2, { timeout: 20_000, interval: 20 });
  await outbox.close();
  expect(outcomes.filter((one) => one === 'try 1')).toHaveLength(3);
  expect(outcomes.filter((one) => one === 'try 2')).toHaveLength(retries.length + 1);
});

test('whoever was told of an alert that stands is remembered, however much is told since', () => {
  const key = monitor();
  const alerts = createSqliteAlertStore(db);
  const finding = notice('raised', 1).alert.finding;
  const [ended, stands] = ['ended', 'stands'].map((fingerprint) =>
    alerts.raise(key, 'reachability', { ...finding, fingerprint }, false, 1),
  ) as [number, number];
  alerts.clear(ended, 2, 'recovered');
  for (const id of [ended, stands]) messages.post(key, 'webhook', notice('raised', id), 1);
  for (let at = 0; at < 1100; at++) messages.post(key, 'webhook', notice('raised', 5000 + at), at);
  for (let some = take(1e6); some.length > 0; some = take(1e6)) for (const { id } of some) messages.sent(id);
  for (let at = 0; at < 100; at++) messages.post(key, 'webhook', notice('raised', 9000 + at), 2000);
  expect(messages.told(key, ended)).toEqual([]);
  expect(messages.told(key, stands)).toEqual(['webhook']);
});
