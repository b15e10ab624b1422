import { runInSpan, type SpanStart } from '../lib/tracing.ts';
import type { Logger } from '../log.ts';
import type { NotificationSender } from './alerts/notification.ts';
import { createNotifier } from './alerts/notifier.ts';
import { createOutbox } from './alerts/outbox.ts';
import { isSignedWebhook } from './alerts/own-webhook.ts';
import { createResultBatcher, type ResultBatcher } from './alerts/result-batcher.ts';
import { createMonitorChangeFeed } from './change-feed.ts';
import { describeMonitor, summarizeMonitor } from './describe-monitor.ts';
import { readHistory } from './history/history.ts';
import { createMonitorCommands } from './monitor-commands.ts';
import { createProbePlanner, type ProbePlanner } from './probe-planner.ts';
import type { MonitorCheck } from './probing/check.ts';
import { createProbeContext, type ProbeContextOptions } from './probing/probe-context.ts';
import { awaitFirstProbe, probeTarget } from './probing/probe-target.ts';
import { createHeartbeatReceiver, readHeartbeatState } from './scheduling/heartbeats.ts';
import type { ProbeSchedule } from './scheduling/schedule.ts';
import { createTakeoverCheck, replanActiveMonitors } from './scheduling/takeover.ts';
import type { WorkLoop } from './scheduling/work-loop.ts';
import type {
  FirstProbeWatch,
  Infrastructure,
  MonitorEvents,
  MonitorFacts,
  MonitorGroup,
  MonitorStatus,
} from './service-types.ts';
import { computeMonitorStatus } from './status.ts';
import { createStatusPageManager } from './status-page/status-pages.ts';
import type { MonitorStore, MonitorStores, ProbeJob, StoredMonitor } from './store.ts';
import { createMonitorDirectory, type MonitorDirectory } from './targets/directory.ts';
import { findTarget } from './targets/infrastructure.ts';
import type { InventorySource } from './targets/inventory-source.ts';
import { createOwnNetworkTracker, type OwnNetworkTracker } from './targets/own-network.ts';
import { createTransact, type Transact } from './transactions.ts';

export interface MonitorServiceOptions
  extends Pick<ProbeContextOptions, 'guard' | 'resolver' | 'scan' | 'userAgent' | 'timeouts' | 'pages'>,
    Pick<ProbeContextOptions, 'findRegistration'> {
  readonly stores: MonitorStores;
  readonly schedule: ProbeSchedule;
  readonly checks: readonly MonitorCheck[];
  readonly listing: InventorySource;
  readonly senders: Readonly<Record<string, NotificationSender>>;
  ownSender(owner: string, url: string): NotificationSender;
  mayMail?(to: string): boolean;
  ownSecret(owner: string): Buffer;
  readonly defaults: { readonly threshold: number; readonly intervalMs: number };
  /** Minimum milliseconds between two runs of the checks with the cadence `survey`, which run seldom. */
  readonly surveyMs: number;
  readonly scanMs: number;
  readonly maxMonitors: number;
  readonly log: Logger;
  readonly retries?: readonly number[];
  readonly confirmMs?: number;
  readonly changesMs?: number;
}

/** A history of more targets than this is read only on request: reading thousands takes a second. */
const MAX_UNASKED_TARGETS = 20;
const NO_EVENTS: MonitorEvents = { onCheck() {}, onAlert() {}, onNetwork() {}, onSent() {} };

export type MonitorService = ReturnType<typeof createMonitorService>;

export function createMonitorService(options: MonitorServiceOptions) {
  const { stores, schedule, checks, listing, senders, log } = options;
  let events = NO_EVENTS;
  const transact = createTransact(stores, (event) => events.onAlert(event));
  const directory = createMonitorDirectory(listing);
  const notifier = createNotifier(Object.keys(senders));
  const watching = createProbePlanner({ ...options, notifier });
  const results = createResultBatcher(transact, {
    notifier,
    hasOneWriter: stores.hasOneWriter,
    confirmMs: options.confirmMs,
    isWatched(monitor, name, check) {
      const target = findTarget(directory.infrastructureOf(monitor), name);
      return target !== undefined && check.wants(target);
    },
  });
  const network = createOwnNetworkTracker({ ...options, onNetwork: (isUp) => events.onNetwork(isUp) });
  const working = createBackgroundWork({ ...options, transact, directory, watching, results, network });
  const read = createStatusReader({ ...options, directory, watching, network });
  const changing = createMonitorCommands({
    ...options,
    transact,
    directory,
    watching,
    read,
    wake: working.wake,
  });
  const changes = createMonitorChangeFeed(stores.monitors, log, options.changesMs);

  return {
    ...changing,
    /** Waits some seconds for the first results of a new monitor, then returns its status. */
    async waitForFirstProbe(owner: string, id: string, watch: FirstProbeWatch) {
      const monitor = await directory.findMonitor(stores.monitors, owner, id);
      const infrastructure = directory.infrastructureOf(monitor);
      if (infrastructure) {
        await awaitFirstProbe(
          { monitors: stores.monitors, schedule, checks },
          monitor,
          infrastructure,
          watch,
        );
      }
      return read(await directory.findMonitor(stores.monitors, owner, monitor.id));
    },
    /** Throws AppError `not_found` for an unknown id. */
    getMonitor: async (owner: string, id: string) =>
      read(await directory.findMonitor(stores.monitors, owner, id)),
    listMonitors: async (owner: string) => Promise.all((await stores.monitors.listMonitors(owner)).map(read)),
    /** Returns the last 90 days. Without `isAsked`, returns undefined for more than 20 targets. */
    async readHistory(owner: string, id: string, isAsked = false) {
      const monitor = await directory.findMonitor(stores.monitors, owner, id);
      const targets = directory.infrastructureOf(monitor)?.targets ?? [];
      const names = targets
        .filter(({ kind }) => kind !== 'repository' && kind !== 'page')
        .map(({ name }) => name);
      if (!isAsked && names.length > MAX_UNASKED_TARGETS) return undefined;
      return readHistory(stores.history, monitor.key, names, Date.now());
    },
    ...createStatusPageManager({ stores, directory, read }),
    groupsOf: summarizeGroups,
    takeHeartbeat: createHeartbeatReceiver(stores.beats, working.wake),
    describeMonitor,
    summarizeMonitor,
    findInfrastructure: directory.findInfrastructure,
    webhookSecret: (owner: string) => `whsec_${options.ownSecret(owner).toString('base64')}`,
    signsWebhook: isSignedWebhook,
    onChange: changes.listen,
    /** Starts probing and sending. Both pause while `isLeft` returns true. A failed call can be repeated. */
    async startWorking(given = NO_EVENTS, isLeft = () => false) {
      events = given;
      await working.start(given, isLeft);
    },
    async close() {
      await changes.close();
      await working.close();
    },
  };
}

/** Options of the monitor service, and the components that it creates from them. */
interface MonitorParts extends MonitorServiceOptions {
  readonly transact: Transact;
  readonly directory: MonitorDirectory;
  readonly watching: ProbePlanner;
  readonly network: OwnNetworkTracker;
  readonly results: ResultBatcher;
}

const DAY_MS = 86_400_000;
const UPTIME_DAYS = 30;
const [MAX_ALERTS, MAX_DEAD] = [100, 100];

function createStatusReader(parts: Omit<MonitorParts, 'transact' | 'results'>) {
  const { stores, checks, listing, directory, watching, network } = parts;
  return async function readMonitor(monitor: StoredMonitor): Promise<MonitorFacts> {
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

const WORST_FIRST: readonly MonitorStatus[] = ['down', 'alerting', 'degraded', 'active', 'stopped'];

export function summarizeGroups(
  monitors: readonly Pick<MonitorFacts, 'probing' | 'status'>[],
): MonitorGroup[] {
  const named = monitors.flatMap((monitor) =>
    monitor.probing.group === undefined ? [] : [[monitor.probing.group, monitor.status] as const],
  );
  const members = Map.groupBy(named, ([name]) => name);
  return [...members]
    .map(([name, all]): MonitorGroup => {
      const count = (wanted: MonitorStatus) => all.filter(([, status]) => status === wanted).length;
      return {
        name,
        status: WORST_FIRST.find((status) => count(status) > 0) ?? 'stopped',
        monitors: all.length,
        down: count('down'),
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function createBackgroundWork(parts: MonitorParts) {
  const { stores, schedule, listing, directory, watching } = parts;
  let outbox: WorkLoop | undefined;
  let starting: Promise<void> | undefined;
  let isClosed = false;

  function wake(): void {
    schedule.wake();
    outbox?.wake();
  }

  async function resume(): Promise<void> {
    const { infrastructureOf: find } = directory;
    await replanActiveMonitors({ ...parts, monitors: stores.monitors, find, begin: watching.begin });
    wake();
  }

  async function begin(events: MonitorEvents, isLeft: () => boolean): Promise<void> {
    const isOthers = createTakeoverCheck(isLeft, resume);
    // This call comes first. If it fails, nothing has started yet, and the caller can try again.
    await isOthers();
    if (isClosed) return;
    outbox = createOutbox({
      ...parts,
      store: stores.messages,
      async ownSender({ monitor, owner, webhook }) {
        const own = monitor === undefined ? webhook : (await stores.monitors.findByKey(monitor))?.webhook;
        return own === undefined ? undefined : parts.ownSender(owner, own);
      },
      isLeft: isOthers,
      onSent: events.onSent,
    });
    schedule.startWorking({
      run: (job, signal) =>
        runInSpan(JOB_SPAN, () => runJob(parts, events, job, signal)).finally(() => outbox?.wake()),
      except: createUnlistedMonitorFinder(stores.monitors, listing, directory.infrastructureOf),
      isLeft: isOthers,
    });
    listing.watch(async () => {
      if (!(await isOthers())) await resume();
    });
  }

  return {
    wake,
    async start(events: MonitorEvents, isLeft: () => boolean): Promise<void> {
      if (outbox || isClosed) return;
      starting ??= begin(events, isLeft).finally(() => {
        starting = undefined;
      });
      await starting;
    },
    async close(): Promise<void> {
      isClosed = true;
      // The caller of `start` receives this error, so the error is ignored here.
      await starting?.catch(() => {});
      await listing.close();
      await schedule.close();
      await parts.results.idle();
      await outbox?.close();
    },
  };
}

const JOB_SPAN = (): SpanStart => ({
  name: 'job monitor',
  kind: 'internal',
  facts: { 'magpie.job': 'monitor' },
});

async function runJob(parts: MonitorParts, { onCheck }: MonitorEvents, job: ProbeJob, signal: AbortSignal) {
  const monitor = await parts.stores.monitors.findByKey(job.monitor);
  const infrastructure = monitor && parts.directory.infrastructureOf(monitor);
  const target = findTarget(infrastructure, job.target);
  if (!monitor || !infrastructure || !target || monitor.state !== 'active') return undefined;
  const { owner, key, probing, intervalMs } = monitor;
  const probe = createProbeContext({
    ...parts,
    owner,
    infrastructure,
    probing,
    intervalMs,
    signal,
    stateBefore: async (check) => (await parts.stores.monitors.findResult(key, target.name, check))?.watched,
    beat: () => readHeartbeatState(parts.stores.beats, monitor),
  });
  return probeTarget({ ...parts, onCheck }, { monitor, target, sort: job.sort }, probe);
}

/** Milliseconds for which the active monitors are cached, because they are needed many times a second. */
const KEPT_MS = 2000;

function createUnlistedMonitorFinder(
  store: Pick<MonitorStore, 'listActive'>,
  listing: InventorySource,
  find: (monitor: StoredMonitor) => Infrastructure | undefined,
): () => Promise<readonly number[]> {
  let [keys, until]: [readonly number[], number] = [[], 0];
  return async () => {
    if (listing.configured || Date.now() < until) return keys;
    const active = await store.listActive();
    keys = active.flatMap((monitor) => (find(monitor) ? [] : [monitor.key]));
    until = Date.now() + KEPT_MS;
    return keys;
  };
}
