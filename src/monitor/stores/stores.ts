import { type AnyDatabase, type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import type { MonitorLock, MonitorStores } from '../store.ts';
import { createAlertStore } from './alerts.ts';
import { createHeartbeatStore } from './heartbeats.ts';
import { createUptimeStore } from './history.ts';
import { createNotificationStore } from './messages.ts';
import { createMonitorStore, markMonitorsChanged } from './monitors.ts';
import { createScheduleStore } from './schedule.ts';
import { createStatusPageStore } from './status-pages.ts';

interface BoundStores {
  readonly stores: MonitorStores;
  readonly changed: Set<number>;
}

export function createMonitorStores(of: StoreDatabase, runner?: string): MonitorStores {
  return createStores(toAnyDatabase(of), runner);
}

function createStores(db: AnyDatabase, runner?: string, changed?: Set<number>): MonitorStores {
  const known = new WeakMap<AnyDatabase, BoundStores>();
  /** Returns a transaction's stores. They are cached, because SQLite has one object for all transactions. */
  function within(inner: AnyDatabase): BoundStores {
    const marks = new Set<number>();
    const bound = known.get(inner) ?? { stores: createStores(inner, runner, marks), changed: marks };
    known.set(inner, bound);
    // Forgets changes of an earlier transaction that was rolled back.
    bound.changed.clear();
    return bound;
  }
  return {
    hasOneWriter: db.dialect === 'sqlite',
    monitors: createMonitorStore(db, changed),
    alerts: createAlertStore(db),
    messages: createNotificationStore(db, runner),
    schedule: createScheduleStore(db, runner),
    history: createUptimeStore(db),
    pages: createStatusPageStore(db),
    beats: createHeartbeatStore(db),
    transaction(held, work) {
      const [first = 'monitors', ...others] = namesOf(held);
      return db.transaction(first, async (inner) => {
        const bound = within(inner);
        if (others.length > 0) {
          await inner.write(function* (sql) {
            for (const name of others) yield* sql.lockName(name);
          });
        }
        const result = await work(bound.stores);
        // This step comes last, because other transactions must wait from here until the commit.
        if (bound.changed.size > 0) await inner.write((sql) => markMonitorsChanged(sql, bound.changed));
        return result;
      });
    },
  };
}

function namesOf(held: readonly MonitorLock[]): string[] {
  const names = held.map(({ owner, id }) =>
    id === undefined ? `monitors of ${owner}` : `watched by ${owner}: ${id}`,
  );
  return [...new Set(names)].sort();
}
