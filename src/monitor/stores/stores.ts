import { type AnyDatabase, anyDatabase, type StoreDatabase } from '../../storage/any-database.ts';
import type { MonitorStores } from '../store.ts';
import { createAlertStore } from './alerts.ts';
import { createBeatStore } from './beats.ts';
import { createHistoryStore } from './history.ts';
import { createMessageStore } from './messages.ts';
import { createMonitorStore } from './monitors.ts';
import { createPageStore } from './pages.ts';
import { createScheduleStore } from './schedule.ts';

/** All stores of the room in SQLite; `runner` is which process this is, for leases. */
export function createMonitorStores(of: StoreDatabase, runner?: string): MonitorStores {
  const db = anyDatabase(of);
  const bound = new WeakMap<AnyDatabase, MonitorStores>();
  /** Those of a transaction, which all have the same database object. */
  function within(inner: AnyDatabase): MonitorStores {
    const stores = bound.get(inner) ?? createMonitorStores(inner, runner);
    bound.set(inner, stores);
    return stores;
  }
  return {
    monitors: createMonitorStore(db),
    alerts: createAlertStore(db),
    messages: createMessageStore(db, runner),
    schedule: createScheduleStore(db, runner),
    history: createHistoryStore(db),
    pages: createPageStore(db),
    beats: createBeatStore(db),
    transaction: (work) => db.transaction('monitors', (inner) => work(within(inner))),
  };
}
