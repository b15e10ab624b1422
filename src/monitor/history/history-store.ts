import type { LatencyHistogram } from './latency.ts';

export interface ProbeObservation {
  /** Time of the probe, in milliseconds since the epoch. */
  readonly at: number;
  readonly up: boolean;
  /** Milliseconds before the probe for which its result counts; see `computeCoveredTime`. */
  readonly forMs: number;
  readonly ms?: number | undefined;
  readonly why?: string | undefined;
  /** Time of the last probe before a long gap. An open incident ends then, because the state during the gap is unknown. */
  readonly lostAt?: number | undefined;
}

export interface PeriodSums {
  readonly target: string;
  /** Start of the period, in hours or days since the epoch, in UTC. */
  readonly at: number;
  readonly looks: number;
  readonly upMs: number;
  readonly downMs: number;
  /** Response times of successful probes. Those of a day are stored after the day ends; until then its hours contain them. */
  readonly times: LatencyHistogram;
}

export interface Uptime {
  readonly target: string;
  readonly upMs: number;
  readonly downMs: number;
}

export interface StoredIncident {
  readonly id: number;
  readonly target: string;
  readonly from: number;
  readonly to?: number;
  readonly why: string;
}

/** Stores sums of probes per hour (8 days) and per day (90 days), and incidents. Methods are atomic; the size is limited. */
export interface HistoryStore {
  recordProbe(key: number, target: string, look: ProbeObservation): Promise<void>;
  /** Lists the uptime of each day from `sinceDay` on, in days since the epoch. */
  listUptime(key: number, sinceDay: number): Promise<Uptime[]>;
  listHours(key: number, sinceHour: number, target?: string): Promise<PeriodSums[]>;
  listDays(key: number, sinceDay: number, target?: string): Promise<PeriodSums[]>;
  listIncidents(key: number, limit: number): Promise<StoredIncident[]>;
  listOpenIncidents(key: number): Promise<string[]>;
  /** Ends the open incidents of targets that are not in `targets`, or of all targets if `targets` is left out. */
  endIncidents(key: number, at: number, targets?: readonly string[]): Promise<void>;
}

export const [KEPT_HOURS, KEPT_DAYS] = [192, 90];
export const MAX_INCIDENTS_PER_MONITOR = 500;

/** Maximum number of intervals for which a probe's result counts, and milliseconds for which the first result counts. */
const [MOST_INTERVALS, FIRST_MS] = [1.5, 1000];

/** Returns the milliseconds before a probe for which its result counts: back to the previous probe, but at most 1.5 intervals. */
export function computeCoveredTime(
  at: number,
  lastAt: number | undefined,
  intervalMs: number,
): { readonly forMs: number; readonly lostAt?: number } {
  if (lastAt === undefined) return { forMs: FIRST_MS };
  const most = MOST_INTERVALS * intervalMs;
  const since = Math.max(0, at - lastAt);
  return since > most ? { forMs: most, lostAt: lastAt } : { forMs: since };
}

/** Names of the measures that contain a response time, for all kinds of targets. The first measure that exists is used. */
const LATENCIES = ['total_ms', 'response_ms', 'connect_ms', 'ping_ms', 'dns_ms'];

export function findResponseMs(measures: Readonly<Record<string, number | string>>): number | undefined {
  const ms = LATENCIES.map((name) => measures[name]).find((value) => typeof value === 'number');
  return typeof ms === 'number' ? ms : undefined;
}
