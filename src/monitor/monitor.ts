import type { UrlGuard } from '../lib/network/url-guard.ts';
import type { Logger } from '../log.ts';
import type { Sender } from './alerts/notification.ts';
import { createNotifier } from './alerts/notifier.ts';
import { isSigned } from './alerts/own-webhook.ts';
import { createResultBatcher } from './alerts/record-result.ts';
import { createChanges } from './changes.ts';
import { createChanging } from './changing.ts';
import { describeMonitor, summarizeMonitor } from './description.ts';
import { readHistory } from './history/history.ts';
import type { Check } from './probing/check.ts';
import { awaitFirstProbe } from './probing/first-probe.ts';
import type { Timeouts } from './probing/probe-context.ts';
import type { Resolver } from './probing/resolver.ts';
import { createReading } from './reading.ts';
import { createBeats } from './scheduling/beats.ts';
import type { Schedule } from './scheduling/schedule.ts';
import type { MonitorStores } from './store.ts';
import { createDirectory } from './targets/directory.ts';
import { groupsOf } from './targets/groups.ts';
import { targetOf } from './targets/infrastructure.ts';
import type { Listing } from './targets/listing.ts';
import { createOwnNetwork } from './targets/own-network.ts';
import { createPaging } from './targets/paging.ts';
import { createTransact } from './transactions.ts';
import type { Monitor, MonitorEvents, RepositoryScan } from './types.ts';
import { createWatching } from './watching.ts';
import { createWorking } from './working.ts';

export interface CreateMonitorOptions {
  readonly stores: MonitorStores;
  readonly schedule: Schedule;
  readonly checks: readonly Check[];
  readonly listing: Listing;
  /** Guards every connection. Allows an inventory entry's own hosts for that entry. */
  readonly guard: UrlGuard;
  readonly resolver: Resolver;
  readonly scan: RepositoryScan;
  readonly userAgent: string;
  readonly senders: Readonly<Record<string, Sender>>;
  /** Creates the sender for a monitor's own webhook, signed with its owner's key. */
  ownSender(owner: string, url: string): Sender;
  mayMail?(to: string): boolean;
  ownSecret(owner: string): Buffer;
  readonly defaults: { readonly threshold: number; readonly intervalMs: number };
  /** Interval of `survey` checks in milliseconds. The monitor's interval is used if it is longer. */
  readonly surveyMs: number;
  readonly scanMs: number;
  readonly maxMonitors: number;
  readonly log: Logger;
  /** Delays before each new attempt to send a notification, in milliseconds. */
  readonly retries?: readonly number[];
  readonly timeouts?: Timeouts;
  /** Milliseconds before the probe that confirms that a problem is gone. */
  readonly confirmMs?: number;
  /** Milliseconds between two reads of the changes by other processes. */
  readonly changesMs?: number;
}

/** Maximum number of targets whose history is read by default. That of thousands takes a second. */
const MAX_UNASKED_TARGETS = 20;
const NO_EVENTS: MonitorEvents = { onCheck() {}, onAlert() {}, onNetwork() {}, onSent() {} };

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
