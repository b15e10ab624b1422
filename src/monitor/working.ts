import type { UrlGuard } from '../lib/network/url-guard.ts';
import { type SpanStart, traced } from '../lib/tracing.ts';
import type { Logger } from '../log.ts';
import type { Sender } from './alerts/notification.ts';
import { createOutbox } from './alerts/outbox.ts';
import type { ResultBatcher } from './alerts/record-result.ts';
import type { Check } from './probing/check.ts';
import { createProbeContext, type Timeouts } from './probing/probe-context.ts';
import { probeTarget } from './probing/probe-target.ts';
import type { Resolver } from './probing/resolver.ts';
import { beatOf } from './scheduling/beats.ts';
import type { Pump } from './scheduling/pump.ts';
import type { Schedule } from './scheduling/schedule.ts';
import { resumeAll, resumingAtTakeover } from './scheduling/takeover.ts';
import type { Job, Message, MonitorStores } from './store.ts';
import type { Directory } from './targets/directory.ts';
import { targetOf } from './targets/infrastructure.ts';
import type { Listing } from './targets/listing.ts';
import type { OwnNetwork } from './targets/own-network.ts';
import { createUnlistedMonitors } from './targets/unlisted.ts';
import type { Transact } from './transactions.ts';
import type { MonitorEvents, RepositoryScan } from './types.ts';
import type { Watching } from './watching.ts';

export interface WorkingParts {
  readonly stores: MonitorStores;
  readonly transact: Transact;
  readonly schedule: Schedule;
  readonly checks: readonly Check[];
  readonly listing: Listing;
  readonly guard: UrlGuard;
  readonly resolver: Resolver;
  readonly network: OwnNetwork;
  readonly scan: RepositoryScan;
  readonly userAgent: string;
  readonly senders: Readonly<Record<string, Sender>>;
  ownSender(owner: string, url: string): Sender;
  readonly log: Logger;
  readonly retries?: readonly number[];
  readonly timeouts?: Timeouts;
  readonly directory: Directory;
  readonly watching: Watching;
  readonly results: ResultBatcher;
}

export interface Working {
  start(events: MonitorEvents, isLeft: () => boolean): Promise<void>;
  wake(): void;
  close(): Promise<void>;
}

export function createWorking(parts: WorkingParts): Working {
  const { stores, schedule, listing, directory, watching } = parts;
  let outbox: Pump | undefined;
  let starting: Promise<void> | undefined;
  let isClosed = false;

  function wake(): void {
    schedule.wake();
    outbox?.wake();
  }

  async function resume(): Promise<void> {
    const { infrastructureOf: find } = directory;
    await resumeAll({ ...parts, monitors: stores.monitors, find, begin: watching.begin });
    wake();
  }

  async function begin(events: MonitorEvents, isLeft: () => boolean): Promise<void> {
    const isOthers = resumingAtTakeover(isLeft, resume);
    // Runs before any work is taken. If it fails, nothing has started and the caller may try again.
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
        traced(JOB_SPAN, () => runJob(parts, events, job, signal)).finally(() => outbox?.wake()),
      except: createUnlistedMonitors(stores.monitors, listing, directory.infrastructureOf),
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
      // A failure of the start is reported to its caller.
      await starting?.catch(() => {});
      await listing.close();
      await schedule.close();
      await parts.results.idle();
      await outbox?.close();
    },
  };
}

async function ownSenderOf(
  { stores, ownSender }: WorkingParts,
  { monitor, owner, webhook }: Message,
): Promise<Sender | undefined> {
  const own = monitor === undefined ? webhook : (await stores.monitors.findByKey(monitor))?.webhook;
  return own === undefined ? undefined : ownSender(owner, own);
}

const JOB_SPAN = (): SpanStart => ({
  name: 'job monitor',
  kind: 'internal',
  facts: { 'magpie.job': 'monitor' },
});

async function runJob(
  parts: WorkingParts,
  { onCheck }: MonitorEvents,
  job: Job,
  signal: AbortSignal,
): Promise<number | undefined> {
  const monitor = await parts.stores.monitors.findByKey(job.monitor);
  const infrastructure = monitor && parts.directory.infrastructureOf(monitor);
  const target = targetOf(infrastructure, job.target);
  if (!monitor || !infrastructure || !target || monitor.state !== 'active') return undefined;
  const { owner, probing } = monitor;
  const probe = createProbeContext({
    ...parts,
    owner,
    infrastructure,
    probing,
    signal,
    beat: () => beatOf(parts.stores.beats, monitor),
  });
  return probeTarget({ ...parts, onCheck }, { monitor, target, sort: job.sort }, probe);
}
