import { AppError, asAppError } from '../errors.ts';
import type { UrlGuard } from '../lib/url-guard.ts';
import type { Logger } from '../log.ts';
import { type Check, SORTS, type Sort } from './check.ts';
import { createGroupCommit } from './group-commit.ts';
import { checkReach, findInfrastructure } from './infrastructure.ts';
import type { Inventory } from './inventory.ts';
import { type LookParts, look } from './look.ts';
import type { Notice, Sender } from './notice.ts';
import { createOutbox } from './outbox.ts';
import type { Pump } from './pump.ts';
import type { Resolver } from './resolver.ts';
import type { Job, Plan, Schedule } from './schedule.ts';
import { type Monitored, statusOf } from './status.ts';
import type { AlertStore, MonitorOptions, MonitorState, MonitorStore, StoredMonitor } from './store.ts';
import type { Infrastructure } from './target.ts';
import { createVisit, type RepositoryScan } from './visit.ts';

/** What happens, for whoever counts it. */
export interface MonitorEvents {
  onCheck: LookParts['onCheck'];
  onAlert(event: Notice['event']): void;
  onSent(channel: string, outcome: 'sent' | 'failed' | 'dead'): void;
}

/** The room: watches infrastructures. Every call takes the owner; others' monitors are not there. */
export interface Monitor {
  /**
   * Watches an infrastructure from now on, or with other options: what is left out stays as it was. AppError
   * `bad_request` for an unknown id or option, `forbidden` for a private address, `too_large` for too many.
   */
  start(owner: string, id: string, options: Partial<MonitorOptions>, signal: AbortSignal): Promise<Monitored>;
  /** AppError `not_found`, as below. */
  get(owner: string, id: string): Monitored;
  list(owner: string): Monitored[];
  /** What an id stands for, watched or not; undefined where it is no infrastructure of the owner's. */
  infrastructure(owner: string, id: string): Infrastructure | undefined;
  /** Ends the watching; what was found stays. */
  stop(owner: string, id: string): Monitored;
  /** The same, to be resumed. */
  pause(owner: string, id: string): Monitored;
  /** As it was before a pause or a stop. */
  resume(owner: string, id: string): Monitored;
  /** Forgets it, with all it found. */
  remove(owner: string, id: string): void;
  /** Called when a monitor's state, findings or alerts have changed, by whichever process; ends by the function. */
  onChange(listener: (owner: string, id: string) => void): () => void;
  /** What the posts to an owner's own webhooks are signed with, as Standard Webhooks write it: `whsec_...`. */
  webhookSecret(owner: string): string;
  /** Looks at what is due in this process from now on, and sends notices. */
  work(events?: MonitorEvents): void;
  close(): Promise<void>;
}

export interface CreateMonitorOptions {
  readonly store: MonitorStore;
  readonly alerts: AlertStore;
  readonly schedule: Schedule;
  readonly checks: readonly Check[];
  readonly inventory: Inventory;
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
}

const DAY = 86_400_000;
/** Days that uptime is told for, alerts that a status has, and milliseconds between two looks for changes. */
const [UPTIME_DAYS, ALERTS, CHANGES] = [30, 100, 500];
/** Channel of a monitor's own webhook. */
const OWN = 'own';
const NO_EVENTS: MonitorEvents = { onCheck() {}, onAlert() {}, onSent() {} };

export function createMonitor(options: CreateMonitorOptions): Monitor {
  const { store, alerts, schedule, checks, inventory, guard, senders, defaults, most, log } = options;
  const group = createGroupCommit((work) => store.atomically(work));
  const listeners = new Set<(owner: string, id: string) => void>();
  let mark = store.changedSince(0).mark;
  let changes: NodeJS.Timeout | undefined;
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

  function infrastructureOf(owner: string, id: string): Infrastructure | undefined {
    try {
      return findInfrastructure(id, owner, inventory);
    } catch {
      return undefined;
    }
  }

  function everyMs(sort: Sort, intervalMs: number): number {
    const least = { watch: 0, survey: options.surveyMs, scan: options.scanMs };
    return Math.max(intervalMs, least[sort]);
  }

  function plans({ targets }: Infrastructure, intervalMs: number): Plan[] {
    return SORTS.flatMap((sort) =>
      targets
        .filter((target) => checks.some((check) => check.sort === sort && check.wants(target)))
        .map(({ name }) => ({ target: name, sort, everyMs: everyMs(sort, intervalMs) })),
    );
  }

  function begin(monitor: StoredMonitor, infrastructure: Infrastructure): void {
    store.atomically(() =>
      store.keepTargets(monitor.key, new Set(infrastructure.targets.map(({ name }) => name)), Date.now()),
    );
    schedule.plan(monitor.key, plans(infrastructure, monitor.intervalMs));
  }

  function change(owner: string, id: string, state: MonitorState): Monitored {
    const monitor = find(owner, id);
    store.setState(monitor.key, state);
    schedule.plan(monitor.key, []);
    return room.get(owner, monitor.id);
  }

  /** After a start: the inventory may have other targets now, or other intervals. */
  function resumeAll(): void {
    for (const monitor of store.active()) {
      const infrastructure = infrastructureOf(monitor.owner, monitor.id);
      if (infrastructure) {
        if (monitor.trouble !== undefined) store.setTrouble(monitor.key, undefined);
        begin(monitor, infrastructure);
      } else {
        store.setTrouble(monitor.key, `${monitor.id} is in the inventory no more`);
        schedule.plan(monitor.key, []);
        log.warn({ infrastructure: monitor.id }, 'a monitor is left: its entry is in the inventory no more');
      }
    }
  }

  async function run(job: Job, signal: AbortSignal, events: MonitorEvents): Promise<void> {
    const monitor = store.byKey(job.monitor);
    const infrastructure = monitor && infrastructureOf(monitor.owner, monitor.id);
    const target = infrastructure?.targets.find(({ name }) => name === job.target);
    if (!monitor || !infrastructure || !target || monitor.state !== 'active') return;
    const { resolver, userAgent, scan } = options;
    const { owner } = monitor;
    const visit = createVisit({ guard, resolver, userAgent, scan, owner, infrastructure, signal });
    const channelsOf = ({ webhook }: StoredMonitor) => [...Object.keys(senders), ...(webhook ? [OWN] : [])];
    try {
      await look({ ...events, store, alerts, group, checks, channelsOf }, monitor, target, job.sort, visit);
    } finally {
      outbox?.wake();
    }
  }

  function tellChanges(): void {
    try {
      const news = store.changedSince(mark);
      mark = news.mark;
      for (const { owner, id } of news.monitors) for (const listener of listeners) listener(owner, id);
    } catch (err) {
      log.warn({ err }, 'changes of monitors cannot be read');
    }
  }

  const room: Monitor = {
    async start(owner, id, wanted, signal) {
      const infrastructure = findInfrastructure(id, owner, inventory);
      await checkReach(infrastructure, guard, signal);
      if (wanted.webhook !== undefined) await checkWebhook(wanted.webhook, guard, signal);
      const before = store.get(owner, infrastructure.id);
      if (!before && store.list(owner).length >= most) {
        throw new AppError('too_large', `you have ${most} monitors, the most there may be: remove one first`);
      }
      const webhook = wanted.webhook ?? before?.webhook;
      const monitor = store.put(
        owner,
        infrastructure.id,
        {
          threshold: wanted.threshold ?? before?.threshold ?? defaults.threshold,
          intervalMs: wanted.intervalMs ?? before?.intervalMs ?? defaults.intervalMs,
          ...(webhook !== undefined && { webhook }),
        },
        Date.now(),
      );
      begin(monitor, infrastructure);
      return room.get(owner, infrastructure.id);
    },
    get(owner, id) {
      const monitor = find(owner, id);
      const { key } = monitor;
      return statusOf({
        monitor,
        infrastructure: infrastructureOf(owner, monitor.id),
        results: store.results(key),
        checksOf: (target) =>
          checks
            .filter((check) => check.wants(target))
            .map(({ name, sort }) => ({ name, everyMs: everyMs(sort, monitor.intervalMs) })),
        uptime: store.uptime(key, Math.floor(Date.now() / DAY) - UPTIME_DAYS + 1),
        upcoming: schedule.upcoming(key),
        openAlerts: alerts.openCount(key),
        alerts: alerts.list(key, ALERTS),
        deliveries: alerts.deliveries(key),
      });
    },
    list: (owner) => store.list(owner).map(({ id }) => room.get(owner, id)),
    infrastructure: infrastructureOf,
    stop: (owner, id) => change(owner, id, 'stopped'),
    pause: (owner, id) => change(owner, id, 'paused'),
    resume(owner, id) {
      const monitor = find(owner, id);
      const infrastructure = findInfrastructure(monitor.id, owner, inventory);
      begin(store.put(owner, monitor.id, monitor, Date.now()), infrastructure);
      return room.get(owner, monitor.id);
    },
    remove: (owner, id) => store.remove(find(owner, id).key),
    webhookSecret: (owner) => `whsec_${options.ownSecret(owner).toString('base64')}`,
    onChange(listener) {
      listeners.add(listener);
      changes ??= setInterval(tellChanges, CHANGES).unref();
      return () => void listeners.delete(listener);
    },
    work(events = NO_EVENTS) {
      if (outbox) return;
      resumeAll();
      outbox = createOutbox({
        store: alerts,
        sender({ channel, monitor }) {
          if (channel !== OWN) return senders[channel];
          const own = store.byKey(monitor);
          return own?.webhook === undefined ? undefined : options.ownSender(own.owner, own.webhook);
        },
        log,
        onSent: events.onSent,
        ...(options.retries && { retries: options.retries }),
      });
      schedule.work((job, signal) => run(job, signal, events));
    },
    async close() {
      clearInterval(changes);
      await schedule.close();
      await outbox?.close();
    },
  };
  return room;
}

/** A monitor's own webhook is at a public address: AppError `bad_request` names the option. */
async function checkWebhook(url: string, guard: UrlGuard, signal: AbortSignal): Promise<void> {
  try {
    await guard.check(url, signal);
  } catch (error) {
    const { code, message } = asAppError(error);
    if (code === 'bad_request' || code === 'forbidden') {
      throw new AppError('bad_request', `monitoring_options.webhook takes a public URL: ${message}`, {
        cause: error,
      });
    }
  }
}
