import type { ProbePlanner } from './probe-planner.ts';
import type { Check } from './probing/check.ts';
import { computeMonitorStatus } from './status.ts';
import type { MonitorStores, StoredMonitor } from './store.ts';
import type { MonitorDirectory } from './targets/directory.ts';
import type { InventorySource } from './targets/inventory-source.ts';
import type { OwnNetwork } from './targets/own-network.ts';
import type { Monitored } from './types.ts';

export interface StatusReaderParts {
  readonly stores: MonitorStores;
  readonly checks: readonly Check[];
  readonly listing: InventorySource;
  readonly directory: MonitorDirectory;
  readonly watching: ProbePlanner;
  readonly network: Pick<OwnNetwork, 'missingSince'>;
}

const DAY_MS = 86_400_000;
const UPTIME_DAYS = 30;
const [MAX_ALERTS, MAX_DEAD] = [100, 100];

export function createStatusReader({
  stores,
  checks,
  listing,
  directory,
  watching,
  network,
}: StatusReaderParts) {
  return async function readMonitor(monitor: StoredMonitor): Promise<Monitored> {
    const { key } = monitor;
    const now = Date.now();
    const [results, uptime, upcoming, openAlerts, alerts, deliveries, deadLetters] = await Promise.all([
      stores.monitors.listResults(key),
      stores.history.listUptime(key, Math.floor(now / DAY_MS) - UPTIME_DAYS + 1),
      stores.schedule.listUpcoming(key),
      stores.alerts.countOpen(key),
      stores.alerts.listAlerts(key, MAX_ALERTS),
      stores.messages.countDeliveries(key),
      stores.messages.listDead(key, MAX_DEAD),
    ]);
    return computeMonitorStatus({
      monitor,
      now,
      infrastructure: directory.infrastructureOf(monitor),
      listingTrouble: listing.trouble(),
      networkMissingSince: network.missingSince(),
      checksOf: (target) =>
        checks
          .filter((check) => check.wants(target))
          .map(({ name, sort }) => ({ name, everyMs: watching.everyMs(sort, monitor.intervalMs) })),
      results,
      uptime,
      upcoming,
      openAlerts,
      alerts,
      deliveries,
      deadLetters,
    });
  };
}
