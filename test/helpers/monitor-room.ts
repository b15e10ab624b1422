import { createGuardedFetch } from '../../src/lib/network/fetch.ts';
import { createUrlGuard } from '../../src/lib/network/url-guard.ts';
import { createLog } from '../../src/log.ts';
import { checks } from '../../src/monitor/checks/list.ts';
import { createMonitorService, type MonitorServiceOptions } from '../../src/monitor/monitor.ts';
import { createResolver } from '../../src/monitor/probing/resolver.ts';
import { createProbeSchedule } from '../../src/monitor/scheduling/schedule.ts';
import { createWebhookSender } from '../../src/monitor/senders/webhook.ts';
import { createMonitorStores } from '../../src/monitor/stores/stores.ts';
import { parseInventory } from '../../src/monitor/targets/inventory.ts';
import { createFixedInventorySource } from '../../src/monitor/targets/inventory-source.ts';
import type { MonitorService } from '../../src/monitor/types.ts';
import { asksNoRegistry, QUICK_TIMEOUTS_MS } from './probe-context.ts';
import { openTestDatabase } from './test-database.ts';

/** The signing key of the tests' webhook. */
export const SECRET = Buffer.from('a key of the tests, thirty-two bytes');

export interface MonitorRoomOptions extends Partial<MonitorServiceOptions> {
  readonly folder: string;
  /** Text of an inventory. */
  readonly listed?: string;
  readonly webhook?: string;
  /** Which process it plays. */
  readonly runner?: string;
  /** Probes at once; default 8. */
  readonly atOnce?: number;
}

/** A monitor room on a database of its own, with real checks; probes of every sort come at once. */
export async function monitorRoom(
  options: MonitorRoomOptions,
): Promise<MonitorService & { end(): Promise<void> }> {
  const { folder, listed, webhook, runner, atOnce = 8, ...rest } = options;
  const db = await openTestDatabase({ folder });
  const log = createLog('silent');
  const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'Magpie test' });
  const inventory = listed === undefined ? undefined : parseInventory(listed, 'infrastructure.yaml');
  const stores = createMonitorStores(db, runner);
  const room = createMonitorService({
    stores,
    schedule: createProbeSchedule({
      store: stores.schedule,
      log,
      concurrency: atOnce,
      // For clocks that tests move on: what is due by then is seen soon.
      pollMs: 100,
      limits: { watch: 30_000, survey: 30_000, scan: 30_000 },
    }),
    checks,
    listing: createFixedInventorySource(inventory),
    guard: createUrlGuard({ allowHosts: [] }),
    resolver: createResolver(['127.0.0.1:9']),
    scan: async () => ({ findings: [], failed: [] }),
    userAgent: 'Magpie test',
    findRegistration: asksNoRegistry,
    timeouts: QUICK_TIMEOUTS_MS,
    senders:
      webhook === undefined
        ? {}
        : { webhook: createWebhookSender({ url: webhook, fetch, trusted: true, secret: SECRET }) },
    ownSender: () => ({ send: async () => {} }),
    ownSecret: () => SECRET,
    defaults: { threshold: 7, intervalMs: 300_000 },
    surveyMs: 0,
    scanMs: 0,
    maxMonitors: 100,
    log,
    ...rest,
  });
  return {
    ...room,
    async end() {
      await room.close();
      await fetch.close();
      db.close();
    },
  };
}
