import type { Latency } from './latency.ts';

/** What one look has seen of a target. */
export interface Look {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly up: boolean;
  /** Milliseconds before it that it speaks for; see `spokenFor`. */
  readonly forMs: number;
  /** Milliseconds that an answer took. */
  readonly ms?: number | undefined;
  /** Why it is down. */
  readonly why?: string | undefined;
  /** When the last look before a long time without any was made: what was down then is not known to have been so afterwards. */
  readonly lostAt?: number | undefined;
}

/** What the looks of an hour or of a day came to. */
export interface Period {
  readonly target: string;
  /** Hours or days since the epoch, of UTC. */
  readonly at: number;
  readonly looks: number;
  readonly upMs: number;
  readonly downMs: number;
  /** Of looks that found it up. Of a day only once it is over: until then its hours have them. */
  readonly times: Latency;
}

export interface Uptime {
  readonly target: string;
  readonly upMs: number;
  readonly downMs: number;
}

/** A time in which a target was down. */
export interface StoredIncident {
  readonly id: number;
  readonly target: string;
  readonly from: number;
  /** Undefined while it goes on. */
  readonly to?: number;
  readonly why: string;
}

/**
 * What looks have seen, summed up: hours for eight days, days for 90, incidents. Each method is one atomic step, and space is
 * bounded for each target, whatever its interval.
 */
export interface HistoryStore {
  /** Counts it in its hour and its day, and begins or ends an incident. */
  countLook(key: number, target: string, look: Look): Promise<void>;
  /** Of days since the epoch, from `sinceDay` on. */
  listUptime(key: number, sinceDay: number): Promise<Uptime[]>;
  /** By target and time; of one target, or of all. */
  listHours(key: number, sinceHour: number, target?: string): Promise<Period[]>;
  listDays(key: number, sinceDay: number, target?: string): Promise<Period[]>;
  /** Newest first. */
  listIncidents(key: number, limit: number): Promise<StoredIncident[]>;
  /** Targets that are down, as far as is known. */
  listOpenIncidents(key: number): Promise<string[]>;
  /** Ends the open incidents of what is no longer watched; of all targets where `targets` is left out. */
  endIncidents(key: number, at: number, targets?: readonly string[]): Promise<void>;
}

/** Hours and days that are kept. */
export const [KEPT_HOURS, KEPT_DAYS] = [192, 90];
/** Incidents that are kept of one monitor. */
export const KEPT_INCIDENTS = 500;

/** Intervals that a look may speak for, and milliseconds of the first one, which has none before it. */
const [MOST_INTERVALS, FIRST_MS] = [1.5, 1000];

/**
 * Milliseconds before a look that it speaks for: since the last one, and one and a half intervals at most. Times in which no
 * one looked, as with the machine off, in a pause or without a network, are unknown, and count neither as up nor as down.
 */
export function spokenFor(
  at: number,
  lastAt: number | undefined,
  intervalMs: number,
): { readonly forMs: number; readonly lostAt?: number } {
  if (lastAt === undefined) return { forMs: FIRST_MS };
  const most = MOST_INTERVALS * intervalMs;
  const since = Math.max(0, at - lastAt);
  return since > most ? { forMs: most, lostAt: lastAt } : { forMs: since };
}

/** What of a look's measures is how long an answer took, whatever kind of target it is; the first that is there. */
const LATENCIES = ['total_ms', 'response_ms', 'connect_ms', 'ping_ms', 'dns_ms'];

/** Milliseconds that an answer took; undefined where none is measured. */
export function latencyOf(measures: Readonly<Record<string, number | string>>): number | undefined {
  const ms = LATENCIES.map((name) => measures[name]).find((value) => typeof value === 'number');
  return typeof ms === 'number' ? ms : undefined;
}
