import { AppError } from '../errors.ts';
import type { UrlGuard } from '../lib/url-guard.ts';
import type { Logger } from '../log.ts';
import { createChanges } from './changes.ts';
import type { Check } from './check.ts';
import { type FirstLookWatch, firstLook } from './first-look.ts';
import { createGroupCommit } from './group-commit.ts';
import { checkReach, findInfrastructure, seekInfrastructure } from './infrastructure.ts';
import type { Listing } from './listing.ts';
import { type LookParts, look } from './look.ts';
import type { Notice, Sender } from './notice.ts';
import { leavesOthers } from './others.ts';
import { createOutbox, TAKEN_AWAY } from './outbox.ts';
import { checkWebhook, takesSlackBody } from './own-webhook.ts';
import type { Pump } from './pump.ts';
import type { Resolver } from './resolver.ts';
import type { Job, Schedule } from './schedule.ts';
import { type Monitored, statusOf } from './status.ts';
import {
  type AlertStore,
  type MessageStore,
  type MonitorOptions,
  type MonitorStore,
  OWN,
  type StoredMonitor,
} from './store.ts';
import { resumeAll, resumingAtTakeover } from './takeover.ts';
import type { Infrastructure } from './target.ts';
import { createTelling } from './telling.ts';
import { brieflyTold, toldOf } from './told.ts';
import { createVisit, type Patience, type RepositoryScan } from './visit.ts';
import { createWatching } from './watching.ts';

/** What happens, for whoever counts it. */
export interface MonitorEvents {
  onCheck: LookParts['onCheck'];
  onAlert(event: Notice['event']): void;
  onSent(channel: string, outcome: 'sent' | 'failed' | 'dead'): void;
}

/** Options as they are asked for: what is left out stays; a webhook that is null is taken away. */
export type WantedOptions = Partial<Omit<MonitorOptions, 'webhook'>> & { readonly webhook?: string | null };

/** The room: watches infrastructures. Every call takes the owner; others' monitors are not there. */
export interface Monitor {
  /**
   * Watches an infrastructure from now on, or with other options. AppError
   * `bad_request` for an unknown id or option, `forbidden` for a private address, `too_large` for too many.
   */
  start(owner: string, id: string, options: WantedOptions, signal: AbortSignal): Promise<Monitored>;
  /** Waits a moment for the first look of what was just started, by whichever process; see `firstLook`. */
  firstLook(owner: string, id: string, watch: FirstLookWatch): Promise<Monitored>;
  /** AppError `not_found`, as below. */
  get(owner: string, id: string): Monitored;
  list(owner: string): Monitored[];
  /** As every surface tells it. */
  readonly told: typeof toldOf;
  readonly brieflyTold: typeof brieflyTold;
  /** What an id stands for, watched or not; undefined where it is no infrastructure of the owner's. */
  infrastructure(owner: string, id: string): Infrastructure | undefined;
  /** Ends the watching, and the alerts that stand: nobody would see them clear. What was found stays. */
  stop(owner: string, id: string): Monitored;
  /** For a while: alerts that stand do so until it is resumed. */
  pause(owner: string, id: string): Monitored;
  /** As it was before a pause or a stop. */
  resume(owner: string, id: string): Monitored;
  /** Forgets it, with all it found; whoever was told of an alert that stands is told that it is over. */
  remove(owner: string, id: string): void;
  /** Sends notices that were given up once more; those that a later one has overtaken stay, and are counted. */
  resend(owner: string, id: string): { readonly again: number; readonly outdated: number };
  /** Called when a monitor has changed or was removed, by whichever process; ends by the function. */
  onChange(listener: (owner: string, id: string) => void): () => void;
  /** What the posts to an owner's own webhooks are signed with, as Standard Webhooks write it: `whsec_...`. */
  webhookSecret(owner: string): string;
  /** Whether posts to such a webhook are: not where Slack's body is what it takes. */
  signs(webhook: string): boolean;
  /**
   * Looks at what is due from now on, and sends notices; not as long as `isLeft` to another process. Called again after it
   * has thrown, as for a busy database, it begins anew.
   */
  work(events?: MonitorEvents, isLeft?: () => boolean): void;
  close(): Promise<void>;
}

export interface CreateMonitorOptions {
  readonly store: MonitorStore;
  readonly alerts: AlertStore;
  readonly messages: MessageStore;
  readonly schedule: Schedule;
  readonly checks: readonly Check[];
  readonly listing: Listing;
  /** Judges every connection; lets through what the inventory names, for its own entry. */
  readonly guard: UrlGuard;
  readonly resolver: Resolver;
  readonly scan: RepositoryScan;
  readonly userAgent: string;
  /** Where the operator is told, by the name of the channel. */
  readonly senders: Readonly<Record<string, Sender>>;
  /** For a monitor's own address, signed with its owner's key. */
  ownSender(owner: string, url: string): Sender;
  ownSecret(owner: string): Buffer;
  readonly defaults: { readonly threshold: number; readonly intervalMs: number };
  /** Milliseconds between two looks of the other sorts; never less than the monitor's own. */
  readonly surveyMs: number;
  readonly scanMs: number;
  /** Monitors of one owner. */
  readonly most: number;
  readonly log: Logger;
  /** Milliseconds before each new attempt to send a notice. */
  readonly retries?: readonly number[];
  /** How long an answer is waited for. */
  readonly patience?: Patience;
}

const DAY = 86_400_000;
/** Days that uptime is told for, and alerts and notices given up that a status has. */
const [UPTIME_DAYS, ALERTS, DEAD] = [30, 100, 100];
const NO_EVENTS: MonitorEvents = { onCheck() {}, onAlert() {}, onSent() {} };

export function createMonitor(options: CreateMonitorOptions): Monitor {
  const { store, alerts, messages, schedule, checks, listing, guard, senders, defaults, most, log } = options;
  const group = createGroupCommit((work) => store.atomically(work));
  const changes = createChanges(store, log);
  let told: MonitorEvents = NO_EVENTS;
  const channels = Object.keys(senders);
  const telling = createTelling({ alerts, messages, channels, onAlert: (event) => told.onAlert(event) });
  const watching = createWatching({ ...options, telling });
  let outbox: Pump | undefined;

  function find(owner: string, id: string): StoredMonitor {
    const named = store.get(owner, id) ?? store.get(owner, canonical(owner, id));
    if (named) return named;
    throw new AppError(
      'not_found',
      `there is no monitor of ${JSON.stringify(id.slice(0, 200))}: startMonitoring makes one`,
    );
  }

  function canonical(owner: string, id: string): string {
    return infrastructureOf(owner, id)?.id ?? id;
  }

  const infrastructureOf = (owner: string, id: string) => seekInfrastructure(id, owner, listing.current());

  /** What a monitor is of. The name of an entry that is gone may read like a public host's: it is not that host. */
  function watchedBy({ owner, id }: StoredMonitor): Infrastructure | undefined {
    const found = infrastructureOf(owner, id);
    return found?.id === id ? found : undefined;
  }

  function begin(monitor: StoredMonitor, infrastructure: Infrastructure): void {
    watching.begin(monitor, infrastructure);
    outbox?.wake();
  }

  function end(owner: string, id: string, state: 'paused' | 'stopped'): Monitored {
    const monitor = find(owner, id);
    watching.end(monitor, state);
    outbox?.wake();
    return room.get(owner, monitor.id);
  }

  const resume = () => resumeAll({ store, listing, find: watchedBy, begin, log });

  function isWatched(monitor: StoredMonitor, name: string, check: Check): boolean {
    const target = watchedBy(monitor)?.targets.find((one) => one.name === name);
    return target !== undefined && check.wants(target);
  }

  async function run(job: Job, signal: AbortSignal): Promise<void> {
    const monitor = store.byKey(job.monitor);
    const infrastructure = monitor && watchedBy(monitor);
    const target = infrastructure?.targets.find(({ name }) => name === job.target);
    if (!monitor || !infrastructure || !target || monitor.state !== 'active') return;
    const visit = createVisit({ ...options, owner: monitor.owner, infrastructure, signal });
    const { onCheck } = told;
    try {
      await look(
        { onCheck, isWatched, store, alerts, telling, group, checks, log },
        monitor,
        target,
        job.sort,
        visit,
      );
    } finally {
      outbox?.wake();
    }
  }

  const room: Monitor = {
    async start(owner, id, wanted, signal) {
      const infrastructure = findInfrastructure(id, owner, listing.current());
      await checkReach(infrastructure, guard, signal);
      if (typeof wanted.webhook === 'string') await checkWebhook(wanted.webhook, guard, signal);
      const before = store.get(owner, infrastructure.id);
      if (!before && store.list(owner).length >= most) {
        throw new AppError('too_large', `you have ${most} monitors, the most there may be: remove one first`);
      }
      const webhook = wanted.webhook === undefined ? before?.webhook : (wanted.webhook ?? undefined);
      const monitor = store.put(
        owner,
        infrastructure.id,
        {
          threshold: wanted.threshold ?? before?.threshold ?? defaults.threshold,
          intervalMs: wanted.intervalMs ?? before?.intervalMs ?? defaults.intervalMs,
          webhook,
        },
        Date.now(),
      );
      if (wanted.webhook === null) messages.giveUp(monitor.key, OWN, TAKEN_AWAY);
      begin(monitor, infrastructure);
      return room.get(owner, infrastructure.id);
    },
    async firstLook(owner, id, watch) {
      const monitor = find(owner, id);
      const infrastructure = watchedBy(monitor);
      if (infrastructure) await firstLook(options, monitor, infrastructure, watch);
      return room.get(owner, monitor.id);
    },
    get(owner, id) {
      const monitor = find(owner, id);
      const { key } = monitor;
      const now = Date.now();
      return statusOf({
        monitor,
        now,
        infrastructure: watchedBy(monitor),
        listingTrouble: listing.trouble(),
        results: store.results(key),
        checksOf: (target) =>
          checks
            .filter((check) => check.wants(target))
            .map(({ name, sort }) => ({ name, everyMs: watching.everyMs(sort, monitor.intervalMs) })),
        uptime: store.uptime(key, Math.floor(now / DAY) - UPTIME_DAYS + 1),
        upcoming: schedule.upcoming(key),
        openAlerts: alerts.openCount(key),
        alerts: alerts.list(key, ALERTS),
        deliveries: messages.deliveries(key),
        deadLetters: messages.dead(key, DEAD),
      });
    },
    list: (owner) => store.list(owner).map(({ id }) => room.get(owner, id)),
    told: toldOf,
    brieflyTold,
    infrastructure: infrastructureOf,
    stop: (owner, id) => end(owner, id, 'stopped'),
    pause: (owner, id) => end(owner, id, 'paused'),
    resume(owner, id) {
      const monitor = find(owner, id);
      const infrastructure = watchedBy(monitor);
      if (!infrastructure) throw new AppError('bad_request', `${monitor.id} is in the inventory no more`);
      begin(store.put(owner, monitor.id, monitor, Date.now()), infrastructure);
      return room.get(owner, monitor.id);
    },
    remove(owner, id) {
      watching.remove(find(owner, id));
      outbox?.wake();
    },
    resend(owner, id) {
      const { key } = find(owner, id);
      const done = messages.resend(key, Date.now());
      store.touch(key);
      outbox?.wake();
      return done;
    },
    webhookSecret: (owner) => `whsec_${options.ownSecret(owner).toString('base64')}`,
    signs: (webhook) => !takesSlackBody(webhook),
    onChange: changes.listen,
    work(events = NO_EVENTS, isLeft = () => false) {
      if (outbox) return;
      told = events;
      const isOthers = resumingAtTakeover(isLeft, resume);
      // Before anything is taken; what it throws leaves this undone, to be called again.
      isOthers();
      outbox = createOutbox({
        ...options,
        store: messages,
        ownSender({ monitor, owner, webhook }) {
          const own = monitor === undefined ? webhook : store.byKey(monitor)?.webhook;
          return own === undefined ? undefined : options.ownSender(owner, own);
        },
        isLeft: isOthers,
        onSent: events.onSent,
      });
      schedule.work(run, leavesOthers(store, listing, watchedBy), isOthers);
      listing.watch(() => {
        if (!isOthers()) resume();
      });
    },
    async close() {
      changes.close();
      await listing.close();
      await schedule.close();
      await outbox?.close();
    },
  };
  return room;
}
