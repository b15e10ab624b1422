import type { UrlGuard } from '../lib/network/url-guard.ts';
import { runInSpan, type SpanStart } from '../lib/tracing.ts';
import type { Logger } from '../log.ts';
import type { NotificationSender } from './alerts/notification.ts';
import { createOutbox } from './alerts/outbox.ts';
import type { ResultBatcher } from './alerts/result-batcher.ts';
import type { ProbePlanner } from './probe-planner.ts';
import type { Check } from './probing/check.ts';
import { createProbeContext, type ProbeTimeouts } from './probing/probe-context.ts';
import { probeTarget } from './probing/probe-target.ts';
import type { Resolver } from './probing/resolver.ts';
import { readHeartbeatState } from './scheduling/heartbeats.ts';
import type { Schedule } from './scheduling/schedule.ts';
import { createTakeoverCheck, replanActiveMonitors } from './scheduling/takeover.ts';
import type { WorkLoop } from './scheduling/work-loop.ts';
import type { MonitorStore, MonitorStores, ProbeJob, QueuedMessage, StoredMonitor } from './store.ts';
import type { MonitorDirectory } from './targets/directory.ts';
import { findTarget } from './targets/infrastructure.ts';
import type { InventorySource } from './targets/inventory-source.ts';
import type { OwnNetwork } from './targets/own-network.ts';
import type { Transact } from './transactions.ts';
import type { Infrastructure, MonitorEvents, RepositoryScan } from './types.ts';

export interface BackgroundWorkParts {
  readonly stores: MonitorStores;
  readonly transact: Transact;
  readonly schedule: Schedule;
  readonly checks: readonly Check[];
  readonly listing: InventorySource;
  readonly guard: UrlGuard;
  readonly resolver: Resolver;
  readonly network: OwnNetwork;
  readonly scan: RepositoryScan;
  readonly userAgent: string;
  readonly senders: Readonly<Record<string, NotificationSender>>;
  ownSender(owner: string, url: string): NotificationSender;
  readonly log: Logger;
  readonly retries?: readonly number[];
  readonly timeouts?: ProbeTimeouts;
  readonly directory: MonitorDirectory;
  readonly watching: ProbePlanner;
  readonly results: ResultBatcher;
}

export interface MonitorBackgroundWork {
  start(events: MonitorEvents, isLeft: () => boolean): Promise<void>;
  wake(): void;
  close(): Promise<void>;
}

export function createBackgroundWork(parts: BackgroundWorkParts): MonitorBackgroundWork {
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
    // If this throws, nothing has started yet and the caller can retry.
    await isOthers();
    if (isClosed) return;
    outbox = createOutbox({
      ...parts,
      store: stores.messages,
      ownSender: (message) => ownSenderOf(parts, message),
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
    async start(events, isLeft) {
      if (outbox || isClosed) return;
      starting ??= begin(events, isLeft).finally(() => {
        starting = undefined;
      });
      await starting;
    },
    async close() {
      isClosed = true;
      // The caller of the start receives its failure.
      await starting?.catch(() => {});
      await listing.close();
      await schedule.close();
      await parts.results.idle();
      await outbox?.close();
    },
  };
}

async function ownSenderOf(
  { stores, ownSender }: BackgroundWorkParts,
  { monitor, owner, webhook }: QueuedMessage,
): Promise<NotificationSender | undefined> {
  const own = monitor === undefined ? webhook : (await stores.monitors.findByKey(monitor))?.webhook;
  return own === undefined ? undefined : ownSender(owner, own);
}

const JOB_SPAN = (): SpanStart => ({
  name: 'job monitor',
  kind: 'internal',
  facts: { 'magpie.job': 'monitor' },
});

async function runJob(
  parts: BackgroundWorkParts,
  { onCheck }: MonitorEvents,
  job: ProbeJob,
  signal: AbortSignal,
): Promise<number | undefined> {
  const monitor = await parts.stores.monitors.findByKey(job.monitor);
  const infrastructure = monitor && parts.directory.infrastructureOf(monitor);
  const target = findTarget(infrastructure, job.target);
  if (!monitor || !infrastructure || !target || monitor.state !== 'active') return undefined;
  const { owner, probing } = monitor;
  const probe = createProbeContext({
    ...parts,
    owner,
    infrastructure,
    probing,
    signal,
    beat: () => readHeartbeatState(parts.stores.beats, monitor),
  });
  return probeTarget({ ...parts, onCheck }, { monitor, target, sort: job.sort }, probe);
}

/** The active monitors are cached for this time, because they are needed many times a second. */
const KEPT_MS = 2000;

/** Finds the monitors that this process cannot probe, because its inventory lacks their entries. */
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
