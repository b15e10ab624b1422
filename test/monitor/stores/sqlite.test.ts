import { createMonitorStores } from '../../../src/monitor/stores/stores.ts';
import type { Database } from '../../../src/storage/sqlite.ts';
import { describeAlertStore } from '../../contracts/alert-store.ts';
import { describeBeatStore } from '../../contracts/beat-store.ts';
import { describeHistoryStore } from '../../contracts/history-store.ts';
import { describeMessageStore } from '../../contracts/message-store.ts';
import { describeMonitorStore, type MonitorStoresPlace } from '../../contracts/monitor-store.ts';
import { describeScheduleStore } from '../../contracts/schedule-store.ts';
import { describeStatusPageStore } from '../../contracts/status-page-store.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

async function makeEmpty(): Promise<MonitorStoresPlace> {
  const folder = temporaryFolder();
  const opened: Database[] = [];
  return {
    async open(runner) {
      const db = await openTestDatabase({ folder: folder.path });
      opened.push(db);
      return createMonitorStores(db, runner);
    },
    async remove() {
      for (const db of opened) db.close();
      folder.remove();
    },
  };
}

describeMonitorStore('SQLite', makeEmpty);
describeAlertStore('SQLite', makeEmpty);
describeBeatStore('SQLite', makeEmpty);
describeHistoryStore('SQLite', makeEmpty);
describeMessageStore('SQLite', makeEmpty);
describeStatusPageStore('SQLite', makeEmpty);
describeScheduleStore('SQLite', makeEmpty);
