import type { Notifier } from './alerts/notifier.ts';
import type { MonitorCheck } from './probing/check.ts';
import { CHECK_CADENCES, type CheckCadence } from './probing/check-cadence.ts';
import { planFirstRuns } from './scheduling/due-times.ts';
import type { ClearReason, Infrastructure, MonitorState } from './service-types.ts';
import type { CheckedTarget, ProbePlan, StoredMonitor } from './store.ts';
import type { MonitorTransaction } from './transactions.ts';

export interface ProbePlannerParts {
  readonly notifier: Notifier;
  readonly checks: readonly MonitorCheck[];
  readonly surveyMs: number;
  readonly scanMs: number;
}

export type ProbePlanner = ReturnType<typeof createProbePlanner>;

export function createProbePlanner({ notifier, checks, surveyMs, scanMs }: ProbePlannerParts) {
  function everyMs(sort: CheckCadence, intervalMs: number): number {
    const least = { watch: 0, survey: surveyMs, scan: scanMs };
    return Math.max(intervalMs, least[sort]);
  }

  function plansOf({ targets }: Infrastructure, intervalMs: number): ProbePlan[] {
    return CHECK_CADENCES.flatMap((sort) =>
      targets
        .filter((target) => checks.some((check) => check.sort === sort && check.wants(target)))
        .map(({ name }) => ({ target: name, sort, everyMs: everyMs(sort, intervalMs) })),
    );
  }

  async function clearAlerts(
    tx: MonitorTransaction,
    monitor: StoredMonitor,
    reason: ClearReason,
    which: (alert: CheckedTarget) => boolean = () => true,
  ): Promise<void> {
    const ending = (await tx.alerts.listOpen(monitor.key)).filter(which);
    for (const { id } of ending) await notifier.clearAlert(tx, monitor, id, Date.now(), reason);
    if (ending.length > 0) await tx.monitors.markChanged(monitor.key);
  }

  async function endIncidents(tx: MonitorTransaction, key: number, isEnded: (target: string) => boolean) {
    const open = (await tx.history.listOpenIncidents(key)).filter(isEnded);
    if (open.length > 0) await tx.history.endIncidents(key, Date.now(), open);
  }

  return {
    everyMs,
    async begin(tx: MonitorTransaction, monitor: StoredMonitor, infrastructure: Infrastructure) {
      const { key, intervalMs } = monitor;
      const targets = new Map(infrastructure.targets.map((target) => [target.name, target]));
      const isEnded = ({ target: name, check }: CheckedTarget) => {
        const target = targets.get(name);
        return target === undefined || !checks.some((one) => one.name === check && one.wants(target));
      };
      await tx.monitors.removeResults(key, (await tx.monitors.listTried(key, 0)).filter(isEnded));
      await clearAlerts(tx, monitor, 'target_removed', isEnded);
      await endIncidents(tx, key, (target) => !targets.has(target));
      await tx.schedule.planJobs(key, planFirstRuns(key, plansOf(infrastructure, intervalMs), Date.now()));
    },
    /** Ends a monitor's probes. Stopping the monitor clears its open alerts. Pausing keeps them. */
    async end(tx: MonitorTransaction, monitor: StoredMonitor, state: Exclude<MonitorState, 'active'>) {
      await tx.monitors.setState(monitor.key, state);
      if (state === 'stopped') {
        await clearAlerts(tx, monitor, 'monitor_stopped');
        await tx.history.endIncidents(monitor.key, Date.now());
      }
      await tx.schedule.planJobs(monitor.key, []);
    },
    async remove(tx: MonitorTransaction, monitor: StoredMonitor): Promise<void> {
      await clearAlerts(tx, monitor, 'monitor_removed');
      await tx.monitors.removeMonitor(monitor.key);
    },
  };
}
