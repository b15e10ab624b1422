import { badRequestError, tooLargeError } from '../errors.ts';
import type { UrlGuard } from '../lib/network/url-guard.ts';
import { validateMaintenanceWindows } from './alerts/maintenance.ts';
import { WEBHOOK_REMOVED_MESSAGE } from './alerts/outbox.ts';
import { checkWebhook } from './alerts/own-webhook.ts';
import { validateExpectations } from './expecting/expectations.ts';
import type { ProbePlanner } from './probe-planner.ts';
import { mergeProbeOptions } from './probing/probe-options.ts';
import { createHeartbeatToken } from './scheduling/heartbeats.ts';
import type { MonitorFacts, MonitorState, PageWatcher, StartMonitorOptions } from './service-types.ts';
import {
  type MonitorLock,
  type MonitorOptions,
  type MonitorStores,
  OWN_WEBHOOK_CHANNEL,
  type StoredMonitor,
} from './store.ts';
import type { MonitorDirectory } from './targets/directory.ts';
import { findInfrastructure, requirePublicTargets } from './targets/infrastructure.ts';
import type { InventorySource } from './targets/inventory-source.ts';
import type { MonitorTransaction, Transact } from './transactions.ts';

export interface MonitorCommandParts {
  readonly stores: Pick<MonitorStores, 'monitors'>;
  readonly transact: Transact;
  readonly listing: InventorySource;
  readonly guard: UrlGuard;
  readonly pages?: PageWatcher | undefined;
  mayMail?(to: string): boolean;
  readonly defaults: { readonly threshold: number; readonly intervalMs: number };
  readonly maxMonitors: number;
  readonly directory: MonitorDirectory;
  readonly watching: ProbePlanner;
  read(monitor: StoredMonitor): Promise<MonitorFacts>;
  wake(): void;
}

export function createMonitorCommands(parts: MonitorCommandParts) {
  const { stores, transact, directory, watching, read, wake } = parts;

  async function change(
    held: readonly MonitorLock[],
    work: (tx: MonitorTransaction) => Promise<StoredMonitor>,
  ): Promise<MonitorFacts> {
    const monitor = await transact(held, work);
    wake();
    return read(monitor);
  }

  async function nameOf(owner: string, id: string) {
    return { owner, id: (await directory.findMonitor(stores.monitors, owner, id)).id };
  }

  async function end(owner: string, id: string, state: Exclude<MonitorState, 'active'>) {
    const named = await nameOf(owner, id);
    return change([named], async (tx) => {
      const monitor = await directory.findMonitor(tx.monitors, owner, named.id);
      await watching.end(tx, monitor, state);
      return { ...monitor, state };
    });
  }

  return {
    startMonitor: createStart(parts, change),
    stopMonitor: (owner: string, id: string) => end(owner, id, 'stopped'),
    pauseMonitor: (owner: string, id: string) => end(owner, id, 'paused'),
    async resumeMonitor(owner: string, id: string) {
      const named = await nameOf(owner, id);
      return change([named], async (tx) => {
        const before = await directory.findMonitor(tx.monitors, owner, named.id);
        const infrastructure = directory.infrastructureOf(before);
        if (!infrastructure) throw badRequestError(`${before.id} is no longer in the inventory`);
        const monitor = await tx.monitors.putMonitor(owner, before.id, before, Date.now());
        await watching.begin(tx, monitor, infrastructure);
        return monitor;
      });
    },
    async removeMonitor(owner: string, id: string) {
      const named = await nameOf(owner, id);
      await transact([named], async (tx) => {
        await watching.remove(tx, await directory.findMonitor(tx.monitors, owner, named.id));
      });
      wake();
    },
    /** Queues given-up notifications again, unless a later notification about the same alert was sent. */
    async resendNotifications(owner: string, id: string) {
      const named = await nameOf(owner, id);
      const done = await transact([named], async (tx) => {
        const { key } = await directory.findMonitor(tx.monitors, owner, named.id);
        const resent = await tx.messages.resendDead(key, Date.now());
        await tx.monitors.markChanged(key);
        return resent;
      });
      wake();
      return done;
    },
  };
}

/** Milliseconds between two probes of a page whose user names no interval. */
const PAGE_INTERVAL_MS = 900_000;

function createStart(
  { listing, guard, pages, mayMail = () => false, defaults, maxMonitors, watching }: MonitorCommandParts,
  change: (
    held: readonly MonitorLock[],
    work: (tx: MonitorTransaction) => Promise<StoredMonitor>,
  ) => Promise<MonitorFacts>,
) {
  /** Throws AppError `bad_request`, `forbidden` (private address) or `too_large` (too many monitors). */
  return async (
    owner: string,
    id: string,
    wanted: StartMonitorOptions,
    signal: AbortSignal,
  ): Promise<MonitorFacts> => {
    const infrastructure = findInfrastructure(id, owner, listing.current());
    const isPage = infrastructure.targets.some(({ kind }) => kind === 'page');
    await requirePublicTargets(infrastructure, (isPage && pages?.guard) || guard, signal);
    const { expect, maintenance, page } = wanted.probing ?? {};
    if (page && !isPage) throw badRequestError('page is for ids such as page:https://shop.example/lamp');
    if (page) await pages?.check(page);
    if (expect) validateExpectations(expect, infrastructure.targets);
    if (maintenance) validateMaintenanceWindows(maintenance, Date.now());
    if (typeof wanted.webhook === 'string') await checkWebhook(wanted.webhook, guard, mayMail, signal);
    let heartbeatToken: string | undefined;
    const held = [{ owner }, { owner, id: infrastructure.id }];
    const monitored = await change(held, async (tx) => {
      const before = await tx.monitors.findMonitor(owner, infrastructure.id);
      if (!before && (await tx.monitors.countMonitors(owner)) >= maxMonitors) {
        throw tooLargeError(`you have ${maxMonitors} monitors, the most that are allowed: remove one first`);
      }
      const options = optionsOf(
        wanted,
        before ?? (isPage ? { ...defaults, intervalMs: PAGE_INTERVAL_MS } : defaults),
      );
      const monitor = await tx.monitors.putMonitor(owner, infrastructure.id, options, Date.now());
      if (wanted.webhook === null)
        await tx.messages.giveUp(monitor.key, OWN_WEBHOOK_CHANNEL, WEBHOOK_REMOVED_MESSAGE);
      await watching.begin(tx, monitor, infrastructure);
      const hasHeartbeat = infrastructure.targets.some(({ kind }) => kind === 'heartbeat');
      if (hasHeartbeat && (wanted.newToken || !(await tx.beats.hasToken(monitor.key)))) {
        heartbeatToken = await createHeartbeatToken(tx.beats, monitor.key);
      }
      return monitor;
    });
    return { ...monitored, heartbeatToken };
  };
}

function optionsOf(
  { threshold, intervalMs, webhook, probing = {} }: StartMonitorOptions,
  before: MonitorOptions,
): MonitorOptions {
  return {
    threshold: threshold ?? before.threshold,
    intervalMs: intervalMs ?? before.intervalMs,
    webhook: webhook === undefined ? before.webhook : (webhook ?? undefined),
    probing: mergeProbeOptions(before.probing ?? {}, probing),
  };
}
