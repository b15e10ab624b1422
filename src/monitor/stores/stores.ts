import type { Database } from '../../storage/sqlite.ts';
import type { MonitorStores } from '../store.ts';
import { createSqliteAlertStore } from './alerts.ts';
import { createSqliteBeatStore } from './beats.ts';
import { createSqliteHistoryStore } from './history.ts';
import { createSqliteMessageStore } from './messages.ts';
import { createSqliteMonitorStore } from './monitors.ts';
import { createSqlitePageStore } from './pages.ts';
import { createSqliteScheduleStore } from './schedule.ts';

/** All stores of the room in SQLite; `runner` is which process this is, for leases. */
export function createSqliteMonitorStores(db: Database, runner?: string): MonitorStores {
  const bound = new WeakMap<Database, MonitorStores>();
  /** Those of a transaction, which all have the same database object. */
  function within(inner: Database): MonitorStores {
    const stores = bound.get(inner) ?? createSqliteMonitorStores(inner, runner);
    bound.set(inner, stores);
    return stores;
  }
  return {
    monitors: createSqliteMonitorStore(db),
    alerts: createSqliteAlertStore(db),
    messages: createSqliteMessageStore(db, runner),
    schedule: createSqliteScheduleStore(db, runner),
    history: createSqliteHistoryStore(db),
    pages: createSqlitePageStore(db),
    beats: createSqliteBeatStore(db),
    transaction: (work) => db.transaction((inner) => work(within(inner))),
  };
}
