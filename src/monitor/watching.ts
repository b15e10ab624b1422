import type { ClearReason } from './alerts.ts';
import { type Check, SORTS, type Sort } from './check.ts';
import type { Plan, Schedule } from './schedule.ts';
import type { AlertStore, MonitorState, MonitorStore, StoredMonitor } from './store.ts';
import type { Infrastructure } from './target.ts';
import type { Telling } from './telling.ts';

export interface WatchingParts {
  readonly store: MonitorStore;
  readonly alerts: AlertStore;
  readonly telling: Telling;
  readonly schedule: Schedule;
  readonly checks: readonly Check[];
  readonly surveyMs: number;
  readonly scanMs: number;
}

/** Which looks are made, and what becomes of results and alerts when they are made no more. */
export interface Watching {
  /** Milliseconds between two looks of a sort. */
  everyMs(sort: Sort, intervalMs: number): number;
  /** Plans a monitor's looks; what was found by others than these is forgotten, and its alerts end. */
  begin(monitor: StoredMonitor, infrastructure: Infrastructure): void;
  /** Makes no more looks. A stop ends its alerts, since nobody would see them clear; in a pause they stand. */
  end(monitor: StoredMonitor, state: Exclude<MonitorState, 'active'>): void;
  /** Forgets the monitor, and ends its alerts. */
  remove(monitor: StoredMonitor): void;
}

export function createWatching(parts: WatchingParts): Watching {
  const { store, alerts, telling, schedule, checks, surveyMs, scanMs } = parts;

  function everyMs(sort: Sort, intervalMs: number): number {
    const least = { watch: 0, survey: surveyMs, scan: scanMs };
    return Math.max(intervalMs, least[sort]);
  }

  function plans({ targets }: Infrastructure, intervalMs: number): Plan[] {
    return SORTS.flatMap((sort) =>
      targets
        .filter((target) => checks.some((check) => check.sort === sort && check.wants(target)))
        .map(({ name }) => ({ target: name, sort, everyMs: everyMs(sort, intervalMs) })),
    );
  }

  /** Ends alerts that stand though their faults may; within a transaction. */
  function clearAlerts(
    monitor: StoredMonitor,
    reason: ClearReason,
    which: (alert: { readonly target: string; readonly check: string }) => boolean = () => true,
  ): void {
    const over = alerts.standing(monitor.key).filter(which);
    for (const { id } of over) telling.clear(monitor, id, Date.now(), reason);
    if (over.length > 0) store.touch(monitor.key);
  }

  return {
    everyMs,
    begin(monitor, infrastructure) {
      const targets = new Map(infrastructure.targets.map((target) => [target.name, target]));
      const isMade = (name: string, check: string) => {
        const target = targets.get(name);
        return target !== undefined && checks.some((one) => one.name === check && one.wants(target));
      };
      store.atomically(() => {
        store.keepResults(monitor.key, isMade);
        clearAlerts(monitor, 'target_removed', ({ target, check }) => !isMade(target, check));
      });
      schedule.plan(monitor.key, plans(infrastructure, monitor.intervalMs));
    },
    end(monitor, state) {
      store.atomically(() => {
        store.setState(monitor.key, state);
        if (state === 'stopped') clearAlerts(monitor, 'monitor_stopped');
      });
      schedule.plan(monitor.key, []);
    },
    remove(monitor) {
      store.atomically(() => {
        clearAlerts(monitor, 'monitor_removed');
        store.remove(monitor.key);
      });
    },
  };
}
