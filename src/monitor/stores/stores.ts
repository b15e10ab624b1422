import { type AnyDatabase, anyDatabase, type StoreDatabase } from '../../storage/any-database.ts';
import type { Held, MonitorStores } from '../store.ts';
import { createAlertStore } from './alerts.ts';
import { createBeatStore } from './beats.ts';
import { createHistoryStore } from './history.ts';
import { createMessageStore } from './messages.ts';
import { createMonitorStore, markAllChanged } from './monitors.ts';
import { createPageStore } from './pages.ts';
import { createScheduleStore } from './schedule.ts';

/** The stores of a transaction, and the monitors that it has changed so far. */
interface Bound {
  readonly stores: MonitorStores;
  readonly changed: Set<number>;
}

/** All stores of the room; `runner` is which process this is, for leases. */
export function createMonitorStores(of: StoreDatabase, runner?: string): MonitorStores {
  return createStores(anyDatabase(of), runner);
}

/** Changes are gathered in `changed` where it is given, and marked at once otherwise. */
function createStores(db: AnyDatabase, runner?: string, changed?: Set<number>): MonitorStores {
  const known = new WeakMap<AnyDatabase, Bound>();
  /** Transactions of SQLite all have the same database object. */
  function within(inner: AnyDatabase): Bound {
    const marks = new Set<number>();
    const bound = known.get(inner) ?? { stores: createStores(inner, runner, marks), changed: marks };
    known.set(inner, bound);
    // Of one that was rolled back.
    bound.changed.clear();
    return bound;
  }
  return {
    hasOneWriter: db.dialect === 'sqlite',
    monitors: createMonitorStore(db, changed),
    alerts: createAlertStore(db),
    messages: createMessageStore(db, runner),
    schedule: createScheduleStore(db, runner),
    history: createHistoryStore(db),
    pages: createPageStore(db),
    beats: createBeatStore(db),
    transaction(held, work) {
      const [first = 'monitors', ...others] = namesOf(held);
      return db.transaction(first, async (inner) => {
        const bound = within(inner);
        if (others.length > 0) {
          await inner.write(function* (sql) {
            for (const name of others) yield* sql.alone(name);
          });
        }
        const result = await work(bound.stores);
        // Last, since all transactions of all nodes wait for those that mark changes.
        if (bound.changed.size > 0) await inner.write((sql) => markAllChanged(sql, bound.changed));
        return result;
      });
    },
  };
}

/** In the one order in which all transactions take them, so that no two wait for each other; owners come before monitors. */
function namesOf(held: readonly Held[]): string[] {
  const names = held.map(({ owner, id }) =>
    id === undefined ? `monitors of ${owner}` : `watched by ${owner}: ${id}`,
  );
  return [...new Set(names)].sort();
}
