import { createHmac, randomBytes } from 'node:crypto';
import { badRequestError } from '../../errors.ts';
import { readHistory } from '../history/history.ts';
import type { DayUptime, MonitorHistory } from '../history/history-types.ts';
import type { MonitorFacts } from '../service-types.ts';
import type { MonitorStores, StoredMonitor } from '../store.ts';
import type { MonitorDirectory } from '../targets/directory.ts';
import type { StoredStatusPage } from './status-page-store.ts';
import type {
  ServiceGroup,
  ServiceIncident,
  ServiceState,
  StatusPage,
  StatusPageService,
  StatusPageSettingChanges,
  StatusPageSettings,
} from './status-page-types.ts';

export interface StatusPageParts {
  readonly stores: MonitorStores;
  readonly directory: MonitorDirectory;
  read(monitor: StoredMonitor): Promise<MonitorFacts>;
}

const SLUG = /^[a-z0-9](?:[a-z0-9-]{1,58}[a-z0-9])?$/;
const [MIN_SLUG_CHARACTERS, MAX_TITLE_CHARACTERS] = [3, 100];
const [SLUG_BYTES, SALT_BYTES] = [16, 16];
const DEFAULT_TITLE = 'Status';

export function createStatusPageManager({ stores, directory, read }: StatusPageParts) {
  async function pagedOf(monitor: StoredMonitor, now: number): Promise<StatusPageMonitor> {
    const infrastructure = directory.infrastructureOf(monitor);
    const targets = (infrastructure?.targets ?? [])
      .filter(({ kind }) => kind !== 'repository')
      .map(({ name }) => name);
    const [monitored, history] = [
      await read(monitor),
      await readHistory(stores.history, monitor.key, targets, now),
    ];
    return { key: monitor.key, monitor: monitored, history, isNamed: infrastructure?.source === 'inventory' };
  }

  return {
    async getPage(owner: string) {
      const page = await stores.pages.findPage(owner);
      return page && settingsOf(page);
    },
    /** Creates or changes the public status page. Throws AppError `bad_request` if its slug is in use. */
    async setPage(owner: string, given: StatusPageSettingChanges) {
      checkPage(given);
      const before = await stores.pages.findPage(owner);
      const page: StoredStatusPage = {
        owner,
        slug: given.slug ?? before?.slug ?? randomBytes(SLUG_BYTES).toString('hex'),
        title: given.title ?? before?.title ?? DEFAULT_TITLE,
        addresses: given.addresses ?? before?.addresses ?? false,
        salt: before?.salt ?? randomBytes(SALT_BYTES).toString('hex'),
      };
      if (!(await stores.pages.putPage(page))) {
        throw badRequestError(`the slug ${page.slug} is taken: choose another`);
      }
      return settingsOf(page);
    },
    removePage: (owner: string) => stores.pages.removePage(owner),
    /** Finds a public status page. `read` builds the page, and `mark` changes with the page's settings. */
    async findStatusPage(slug: string) {
      const page = SLUG.test(slug) ? await stores.pages.findBySlug(slug) : undefined;
      if (!page) return undefined;
      return {
        mark: JSON.stringify(page),
        async read() {
          const now = Date.now();
          const monitors: StatusPageMonitor[] = [];
          // Reads the monitors one by one, so that a page with a hundred monitors does not block other calls.
          for (const one of await stores.monitors.listMonitors(page.owner)) {
            monitors.push(await pagedOf(one, now));
          }
          return buildStatusPage(page, monitors, now);
        },
      };
    },
  };
}

function settingsOf({ slug, title, addresses }: StoredStatusPage): StatusPageSettings {
  return { slug, title, addresses };
}

function checkPage({ slug, title }: StatusPageSettingChanges): void {
  if (slug !== undefined && (slug.length < MIN_SLUG_CHARACTERS || !SLUG.test(slug))) {
    throw badRequestError('slug takes 3 to 60 lower-case letters, digits and hyphens');
  }
  if (title !== undefined && (title.trim() === '' || title.length > MAX_TITLE_CHARACTERS)) {
    throw badRequestError(`title takes 1 to ${MAX_TITLE_CHARACTERS} characters`);
  }
}

/** Builds a user's public status page, without any other data of the monitors. */

const DAY_MS = 86_400_000;
const [DAYS, MAX_INCIDENTS] = [90, 30];
const REF_DIGITS = 12;

export interface StatusPageMonitor {
  readonly key: number;
  readonly monitor: MonitorFacts;
  readonly history: MonitorHistory;
  /** True if the id is a name from the inventory, not an address. */
  readonly isNamed: boolean;
}

export function buildStatusPage(
  page: StoredStatusPage,
  monitors: readonly StatusPageMonitor[],
  now: number,
): StatusPage {
  const all = monitors
    .toSorted((a, b) => a.key - b.key)
    .map((one, at) => ({ ...one, service: serviceOf(page, one, at + 1, now) }));
  const grouped = Map.groupBy(all, ({ monitor }) => monitor.probing.group);
  const groups = [...grouped]
    .map(([name, members]): ServiceGroup => {
      const services = members.map(({ service }) => service);
      return { name, services, state: worstOf(services.map(({ state }) => state)) };
    })
    .sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
  return {
    title: page.title,
    state: worstOf(groups.map(({ state }) => state)),
    asOf: now,
    groups,
    incidents: incidentsOf(page, all, now),
  };
}

function serviceOf(
  { salt, addresses }: StoredStatusPage,
  { key, monitor, history, isNamed }: StatusPageMonitor,
  place: number,
  now: number,
): StatusPageService {
  const hidden = isNamed ? monitor.id : `Service ${place}`;
  return {
    ref: createHmac('sha256', salt).update(String(key)).digest('hex').slice(0, REF_DIGITS),
    name: monitor.probing.name ?? (addresses ? monitor.id : hidden),
    address: addresses ? monitor.targets.map(({ name }) => name).join(', ') : undefined,
    state: stateOf(monitor),
    maintenanceUntil: monitor.state === 'active' ? monitor.maintenanceUntil : undefined,
    windows: history.windows,
    days: daysOf(history.days, now),
  };
}

function stateOf({ state, targets, maintenanceUntil }: MonitorFacts): ServiceState {
  const seen = targets.filter(({ up }) => up !== undefined);
  if (state === 'active' && maintenanceUntil !== undefined) return 'maintenance';
  if (state !== 'active' || seen.length === 0) return 'unknown';
  const down = seen.filter(({ up }) => up === false).length;
  if (down === 0) return 'up';
  return down === seen.length ? 'down' : 'partly';
}

function worstOf(states: readonly ServiceState[]): ServiceState {
  const known = states.filter((state) => state !== 'unknown' && state !== 'maintenance');
  if (known.length === 0) return states.includes('maintenance') ? 'maintenance' : 'unknown';
  if (known.every((state) => state === 'up')) return 'up';
  return known.every((state) => state === 'down') ? 'down' : 'partly';
}

function daysOf(days: readonly DayUptime[], now: number): StatusPageService['days'] {
  const today = Math.floor(now / DAY_MS);
  const known = new Map(days.map(({ start, uptime }) => [Math.floor(start / DAY_MS), uptime]));
  return Array.from({ length: DAYS }, (_, at) => {
    const day = today - DAYS + 1 + at;
    return { day: new Date(day * DAY_MS).toISOString().slice(0, 10), uptime: known.get(day) };
  });
}

function incidentsOf(
  { addresses }: StoredStatusPage,
  all: readonly (StatusPageMonitor & { readonly service: StatusPageService })[],
  now: number,
): ServiceIncident[] {
  return all
    .flatMap(({ service, history }) =>
      history.incidents.map(({ from, to, why }) => ({
        service: service.name,
        from,
        to,
        why: addresses ? why : undefined,
      })),
    )
    .filter(({ from, to }) => (to ?? now) >= now - DAYS * DAY_MS && from <= now)
    .sort((a, b) => b.from - a.from)
    .slice(0, MAX_INCIDENTS);
}
