import { afterAll } from 'vitest';
import { createMonitorStores } from '../../../src/monitor/stores/stores.ts';
import { describeAlertStore } from '../../contracts/alert-store.ts';
import { describeBeatStore } from '../../contracts/beat-store.ts';
import { describeHistoryStore } from '../../contracts/history-store.ts';
import { describeMessageStore } from '../../contracts/message-store.ts';
import { describeMonitorStore, type MonitorStoresPlace } from '../../contracts/monitor-store.ts';
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
