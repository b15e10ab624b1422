import { Cron } from 'croner';
import { badRequestError } from '../../errors.ts';
import { attempt } from '../../lib/attempt.ts';

export type MaintenanceWindow = OnceMaintenance | RepeatedMaintenance;

/** A maintenance window that does not repeat. Times are in milliseconds since 1970. */
export interface OnceMaintenance {
  readonly from: number;
  readonly to: number;
}

export interface RepeatedMaintenance {
  /** Cron expression of the start times: minute, hour, day, month and weekday. */
  readonly cron: string;
  readonly minutes: number;
  /** IANA name of the time zone. Default: UTC. */
  readonly zone?: string | undefined;
}

const MINUTE_MS = 60_000;
const CRON = 'minute, hour, day of the month, month and weekday, as in "0 2 * * sun"';

export function validateMaintenanceWindows(windows: readonly MaintenanceWindow[], now: number): void {
  const fail = (what: string) => badRequestError(`maintenance ${what}`);
  for (const window of windows) {
    if ('from' in window) {
      if (!(window.from < window.to)) throw fail('takes a from that is before its to');
      continue;
    }
    const { cron, zone = 'UTC' } = window;
    if (!attempt(() => new Intl.DateTimeFormat('en', { timeZone: zone })))
      throw fail(`has the zone ${JSON.stringify(zone)}: it takes a name such as Europe/Berlin`);
    const first = firstAfter(window, now);
    if (first === undefined) throw fail(`has the cron ${JSON.stringify(cron)}: it takes ${CRON}`);
    if (first === null) throw fail(`has the cron ${JSON.stringify(cron)}, which never comes`);
  }
}

/** Returns when the current maintenance ends (milliseconds since 1970), or undefined if there is none. */
export function findMaintenanceEnd(windows: readonly MaintenanceWindow[], now: number): number | undefined {
  const ends = windows.flatMap((window) => {
    const { from, to } = 'from' in window ? window : occurrenceAt(window, now);
    return from <= now && now < to ? [to] : [];
  });
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

/** Caches the current or next occurrence of each repeated window: computing one takes a millisecond. */
const occurrences = new Map<string, OnceMaintenance & { readonly foundAt: number }>();
const MAX_OCCURRENCES = 1000;

function occurrenceAt(window: RepeatedMaintenance, now: number): OnceMaintenance {
  const key = JSON.stringify([window.cron, window.minutes, window.zone]);
  const known = occurrences.get(key);
  if (known && known.foundAt <= now && now < known.to) return known;
  const lengthMs = window.minutes * MINUTE_MS;
  const from = firstAfter(window, now - lengthMs) ?? Infinity;
  const found = { from, to: from + lengthMs, foundAt: now };
  occurrences.delete(key);
  occurrences.set(key, found);
  const [oldest] = occurrences.keys();
  if (occurrences.size > MAX_OCCURRENCES && oldest !== undefined) occurrences.delete(oldest);
  return found;
}

function firstAfter({ cron, zone = 'UTC' }: RepeatedMaintenance, after: number): number | null | undefined {
  const next = attempt(() => new Cron(cron, { timezone: zone, mode: '5-part' }).nextRun(new Date(after)));
  return next === null ? null : next?.getTime();
}
