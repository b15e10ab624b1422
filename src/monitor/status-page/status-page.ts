import { createHmac } from 'node:crypto';
import type { DayHistory, MonitorHistory } from '../history/history-types.ts';
import type { Monitored } from '../types.ts';
import type { StoredPage } from './page-store.ts';
import type { Service, ServiceGroup, ServiceIncident, ServiceState, StatusPage } from './page-types.ts';

/** Makes the public page of what is known of a user's monitors: only what is written here gets out. */

const DAY_MS = 86_400_000;
/** Days of bars, and incidents. */
const [DAYS, MAX_INCIDENTS] = [90, 30];
/** Hexadecimal digits of a reference. */
const REF_DIGITS = 12;

/** A monitor with what it needs for the page. */
export interface PagedMonitor {
  readonly key: number;
  readonly monitor: Monitored;
  readonly history: MonitorHistory;
  /** Its id is a name of the operator's inventory, and no address. */
  readonly isNamed: boolean;
}

export function statusPageOf(page: StoredPage, monitors: readonly PagedMonitor[], now: number): StatusPage {
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
  { salt, addresses }: StoredPage,
  { key, monitor, history, isNamed }: PagedMonitor,
  place: number,
  now: number,
): Service {
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

/** What findings and alerts say stays private: only whether it answers as expected gets out. */
function stateOf({ state, targets, maintenanceUntil }: Monitored): ServiceState {
  const seen = targets.filter(({ up }) => up !== undefined);
  // What is down in a maintenance window is meant to be.
  if (state === 'active' && maintenanceUntil !== undefined) return 'maintenance';
  if (state !== 'active' || seen.length === 0) return 'unknown';
  const down = seen.filter(({ up }) => up === false).length;
  if (down === 0) return 'up';
  return down === seen.length ? 'down' : 'partly';
}

/** A whole is down where all of it is, and partly where any is not up; what is unknown or in maintenance counts only where all is. */
function worstOf(states: readonly ServiceState[]): ServiceState {
  const known = states.filter((state) => state !== 'unknown' && state !== 'maintenance');
  if (known.length === 0) return states.includes('maintenance') ? 'maintenance' : 'unknown';
  if (known.every((state) => state === 'up')) return 'up';
  return known.every((state) => state === 'down') ? 'down' : 'partly';
}

function daysOf(days: readonly DayHistory[], now: number): Service['days'] {
  const today = Math.floor(now / DAY_MS);
  const known = new Map(days.map(({ start, uptime }) => [Math.floor(start / DAY_MS), uptime]));
  return Array.from({ length: DAYS }, (_, at) => {
    const day = today - DAYS + 1 + at;
    return { day: new Date(day * DAY_MS).toISOString().slice(0, 10), uptime: known.get(day) };
  });
}

function incidentsOf(
  { addresses }: StoredPage,
  all: readonly (PagedMonitor & { readonly service: Service })[],
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
