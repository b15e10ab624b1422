import { afterAll, expect, test } from 'vitest';
import { createMonitorStores } from '../../../src/monitor/stores/stores.ts';
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

test('a node leases what is due without waiting for the rows that another node is about to lease', async () => {
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
