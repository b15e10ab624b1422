import type { UrlGuard } from '../lib/url-guard.ts';
import type { Logger } from '../log.ts';
import { createBeats } from './beats.ts';
import { createChanges } from './changes.ts';
import { createChanging } from './changing.ts';
import type { Check } from './check.ts';
import { describeMonitor, summarizeMonitor } from './description.ts';
import { createDirectory } from './directory.ts';
import { awaitFirstProbe } from './first-probe.ts';
import { groupsOf } from './groups.ts';
import { readHistory } from './history.ts';
import { targetOf } from './infrastructure.ts';
import type { Listing } from './listing.ts';
import type { Sender } from './notification.ts';
import { createNotifier } from './notifier.ts';
import { createOwnNetwork } from './own-network.ts';
import { isSigned } from './own-webhook.ts';
import { createPaging } from './paging.ts';
import type { Timeouts } from './probe-context.ts';
import { createReading } from './reading.ts';
import { createResultBatcher } from './record-result.ts';
import type { Resolver } from './resolver.ts';
import type { Schedule } from './schedule.ts';
import type { MonitorStores } from './store.ts';
import { createTransact } from './transactions.ts';
import type { Monitor, MonitorEvents, RepositoryScan } from './types.ts';
import { createWatching } from './watching.ts';
import { createWorking } from './working.ts';

export interface CreateMonitorOptions {
  readonly stores: MonitorStores;
  /** On the same stores. */
  readonly schedule: Schedule;
  readonly checks: readonly Check[];
  readonly listing: Listing;
  /** Judges every connection; lets through what the inventory names, for its own entry. */
  readonly guard: UrlGuard;
  readonly resolver: Resolver;
  readonly scan: RepositoryScan;
  readonly userAgent: string;
  /** Where the operator is notified, by the name of the channel. */
  readonly senders: Readonly<Record<string, Sender>>;
  /** For a monitor's own address, signed with its owner's key. */
  ownSender(owner: string, url: string): Sender;
  /** Whether users may have mail sent there. */
  mayMail?(to: string): boolean;
  ownSecret(owner: string): Buffer;
  readonly defaults: { readonly threshold: number; readonly intervalMs: number };
  /** Milliseconds between two probes of the other sorts; never less than the monitor's own. */
  readonly surveyMs: number;
  readonly scanMs: number;
  /** Monitors of one owner. */
  readonly maxMonitors: number;
  readonly log: Logger;
  /** Milliseconds before each new attempt to send a notification. */
  readonly retries?: readonly number[];
  /** How long an answer is waited for. */
  readonly timeouts?: Timeouts;
  /** Milliseconds before the probe that confirms that a problem is gone. */
  readonly confirmMs?: number;
  /** Milliseconds between two reads of the changes by other processes. */
  readonly changesMs?: number;
}

/** Targets whose history is read without being asked for: that of thousands takes a second. */
const MAX_UNASKED_TARGETS = 20;
const NO_EVENTS: MonitorEvents = { onCheck() {}, onAlert() {}, onNetwork() {}, onSent() {} };

/** Composes the room of its parts. */
export function createMonitor(options: CreateMonitorOptions): Monitor {
  const { stores, schedule, checks, listing, senders, log } = options;
  let events = NO_EVENTS;
  const transact = createTransact(stores, (event) => events.onAlert(event));
  const directory = createDirectory(listing);
  const notifier = createNotifier(Object.keys(senders));
  const watching = createWatching({ ...options, notifier });
  const results = createResultBatcher(transact, {
    notifier,
    hasOneWriter: stores.hasOneWriter,
    confirmMs: options.confirmMs,
    isWatched(monitor, name, check) {
      const target = targetOf(directory.infrastructureOf(monitor), name);
      return target !== undefined && check.wants(target);
    },
  });
  const network = createOwnNetwork({ ...options, onNetwork: (isUp) => events.onNetwork(isUp) });
  const working = createWorking({ ...options, transact, directory, watching, results, network });
  const read = createReading({ ...options, directory, watching, network });
  const changing = createChanging({ ...options, transact, directory, watching, read, wake: working.wake });
  const changes = createChanges(stores.monitors, log, options.changesMs);

  return {
    ...changing,
    async waitForFirstProbe(owner, id, watch) {
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
    getMonitor: async (owner, id) => read(await directory.findMonitor(stores.monitors, owner, id)),
    listMonitors: async (owner) => Promise.all((await stores.monitors.listMonitors(owner)).map(read)),
    async readHistory(owner, id, isAsked = false) {
      const monitor = await directory.findMonitor(stores.monitors, owner, id);
      const targets = directory.infrastructureOf(monitor)?.targets ?? [];
      const names = targets.filter(({ kind }) => kind !== 'repository').map(({ name }) => name);
      if (!isAsked && names.length > MAX_UNASKED_TARGETS) return undefined;
      return readHistory(stores.history, monitor.key, names, Date.now());
    },
    ...createPaging({ stores, directory, read }),
    groupsOf,
    takeHeartbeat: createBeats(stores.beats, working.wake),
    describeMonitor,
    summarizeMonitor,
    findInfrastructure: directory.findInfrastructure,
    webhookSecret: (owner) => `whsec_${options.ownSecret(owner).toString('base64')}`,
    signsWebhook: isSigned,
    onChange: changes.listen,
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
