import { afterAll, expect, test } from 'vitest';
import { createNotifier } from '../../../src/monitor/alerts/notifier.ts';
import { createResultBatcher } from '../../../src/monitor/alerts/result-batcher.ts';
import { defineRules, type MonitorCheck } from '../../../src/monitor/probing/check.ts';
import type { MonitorStores, StoredMonitor } from '../../../src/monitor/store.ts';
import { createMonitorStores } from '../../../src/monitor/stores/stores.ts';
import { createTransact } from '../../../src/monitor/transactions.ts';
import type { AlertNotification } from '../../../src/monitor/types.ts';
import type { AnyDatabase, Sql } from '../../../src/storage/any-database.ts';
import { describeAlertStore } from '../../contracts/alert-store.ts';
import { describeBeatStore } from '../../contracts/beat-store.ts';
import { describeHistoryStore } from '../../contracts/history-store.ts';
import { describeMessageStore } from '../../contracts/message-store.ts';
import { describeMonitorStore, type MonitorStoresPlace, OPTIONS } from '../../contracts/monitor-store.ts';
import { describeScheduleStore } from '../../contracts/schedule-store.ts';
import { describeStatusPageStore } from '../../contracts/status-page-store.ts';
import { dropPostgres, makePostgres } from '../../helpers/postgres.ts';

afterAll(dropPostgres);

async function makeEmpty(): Promise<MonitorStoresPlace> {
  const place = await makePostgres();
  return {
    open: async (runner) => createMonitorStores(await place.open(), runner),
    remove: place.remove,
  };
}

describeMonitorStore('PostgreSQL', makeEmpty);
describeAlertStore('PostgreSQL', makeEmpty);
describeBeatStore('PostgreSQL', makeEmpty);
describeMessageStore('PostgreSQL', makeEmpty);
describeScheduleStore('PostgreSQL', makeEmpty);
describeHistoryStore('PostgreSQL', makeEmpty);
describeStatusPageStore('PostgreSQL', makeEmpty);

test('a node leases due jobs without waiting for rows that another node is leasing', async () => {
  const place = await makePostgres();
  const [held, db] = [await place.open(), await place.open()];
  const { monitors, schedule } = createMonitorStores(db, 'here 1 x');
  const { key } = await monitors.putMonitor('ada', 'shop', OPTIONS, 1);
  const plan = { sort: 'watch', everyMs: 1000, origin: 0, firstAt: 1 } as const;
  await schedule.planJobs(
    key,
    ['a', 'b', 'c', 'd'].map((target) => ({ ...plan, target })),
  );
  const take = async () => {
    const leaseMs = { watch: 1000, survey: 1000, scan: 1000 };
    const jobs = await schedule.takeDue({ limit: 2, now: 5, leaseMs, except: [], finished: [] });
    return jobs.map(({ target }) => target);
  };
  const lock = "SELECT id FROM monitor_jobs WHERE target IN ('a', 'c') FOR UPDATE";
  // It gives its answer while the other one's transaction is open.
  const meanwhile = await held.transaction('rows of another node', async (part) => {
    await part.write((sql) => sql.all(lock));
    return [await take(), await take()];
  });
  expect(meanwhile).toEqual([['b', 'd'], []]);
  expect(await take()).toEqual(['a', 'c']);
  await place.remove();
});

const RULES = defineRules('made', { broken: { score: 9, title: 'It is broken', fix: 'Mend it.' } });
const CHECK: MonitorCheck = {
  name: 'made',
  version: 1,
  sort: 'watch',
  rules: Object.values(RULES),
  wants: () => true,
  run: async () => ({ problems: [] }),
};

/** Records at one node that a target of a monitor is broken. */
function brokenAt({ transaction, ...stores }: MonitorStores) {
  const { hasOneWriter } = stores;
  const results = createResultBatcher(
    createTransact({ ...stores, transaction }, () => {}),
    { notifier: createNotifier(['webhook']), hasOneWriter, isWatched: () => true },
  );
  return (monitor: StoredMonitor, description = 'seen') =>
    results.add({
      monitor,
      target: { kind: 'url', name: 'http://10.0.0.1/' },
      seen: {
        check: CHECK,
        result: { problems: [{ rule: RULES.broken, description }], measures: { up: 0 } },
      },
    });
}

test('a transaction of one monitor delays results of that monitor only, which then see its changes', async () => {
  const place = await makeEmpty();
  const [here, there] = [await place.open('here 1 x'), await place.open('elsewhere 2 y')];
  const [shop, bank] = [
    await here.monitors.putMonitor('ada', 'shop', OPTIONS, 1),
    await here.monitors.putMonitor('ada', 'bank', OPTIONS, 1),
  ];
  const others = await here.monitors.putMonitor('bob', 'shop', OPTIONS, 1);
  const broken = brokenAt(there);
  const order: string[] = [];
  let held: Promise<unknown> | undefined;
  await here.transaction([{ owner: 'ada', id: 'shop' }], async ({ monitors, alerts }) => {
    await monitors.markChanged(shop.key);
    held = broken(shop).then(() => order.push('shop of ada'));
    // These end while the transaction is open.
    await broken(bank).then(() => order.push('bank of ada'));
    await broken(others).then(() => order.push('shop of bob'));
    await monitors.setState(shop.key, 'stopped');
    expect(await alerts.countOpen(shop.key)).toBe(0);
    order.push('transaction');
  });
  await held;
  expect(order).toEqual(['bank of ada', 'shop of bob', 'transaction', 'shop of ada']);
  const open = [shop, bank, others].map(({ key }) => there.alerts.countOpen(key));
  expect(await Promise.all(open)).toEqual([0, 1, 1]);
  await place.remove();
});

test('concurrent results of one monitor at two nodes raise one alert', async () => {
  const place = await makeEmpty();
  const nodes = [await place.open('here 1 x'), await place.open('elsewhere 2 y')] as const;
  const shop = await nodes[0].monitors.putMonitor('ada', 'shop', OPTIONS, 1);
  await Promise.all(nodes.map(brokenAt).flatMap((broken) => [broken(shop), broken(shop), broken(shop)]));
  expect(await nodes[0].alerts.listAlerts(shop.key, 9)).toHaveLength(1);
  expect(await nodes[0].messages.countDeliveries(shop.key)).toEqual({ waiting: 1, sent: 0, dead: 0 });
  await place.remove();
});

test('transactions that lock the same monitors in any order complete', async () => {
  const place = await makeEmpty();
  const nodes = [await place.open('here 1 x'), await place.open('elsewhere 2 y')] as const;
  const named = ['a', 'b', 'c'].map((id) => ({ owner: 'ada', id }));
  const work = Array.from({ length: 12 }, (_, at) =>
    nodes[at % 2 ? 1 : 0].transaction(at % 2 ? named : named.toReversed(), async ({ monitors }) => {
      await monitors.putMonitor('ada', 'a', OPTIONS, 1);
      return at;
    }),
  );
  expect(await Promise.all(work)).toEqual(work.map((_, at) => at));
  await place.remove();
});

/** The same database, with each statement of its steps counted. */
function countingDatabase(db: AnyDatabase): { db: AnyDatabase; count(): number } {
  let count = 0;
  const counting = (sql: Sql) =>
    new Proxy(sql, {
      get(of, name: keyof Sql) {
        if (name !== 'dialect') count += 1;
        return of[name];
      },
    });
  return {
    db: {
      ...db,
      read: (work) => db.read((sql) => work(counting(sql))),
      write: (work) => db.write((sql) => work(counting(sql))),
    },
    count: () => count,
  };
}

test('leasing notifications takes a few statements, however many are due', async () => {
  const place = await makePostgres();
  const counted = countingDatabase(await place.open());
  const { monitors, messages, transaction } = createMonitorStores(counted.db, 'here 1 x');
  const { key } = await monitors.putMonitor('ada', 'shop', OPTIONS, 1);
  const notice = (id: number) =>
    ({ event: 'alert.raised', alert: { id, finding: { fingerprint: `f${id}` } } }) as AlertNotification;
  const places = Array.from({ length: 400 }, (_, at) => `channel${at}`);
  await transaction([{ owner: 'ada', id: 'shop' }], async (tx) => {
    // One place has more than is read at once before all others.
    for (let at = 0; at < 300; at++) await tx.messages.insertMessage(key, 'slack', notice(at), 1);
    for (const channel of places) await tx.messages.insertMessage(key, channel, notice(1), 2);
  });
  const before = counted.count();
  const taken = await messages.takeMessages(32, ['slack', ...places], 5, 1e15);
  expect(taken.map(({ channel }) => channel)).toEqual(['slack', 'slack', ...places.slice(0, 30)]);
  expect(counted.count() - before).toBeLessThanOrEqual(8);
  await place.remove();
});
