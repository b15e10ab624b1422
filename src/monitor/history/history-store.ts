import type { LatencyHistogram } from './latency.ts';

export interface ProbeObservation {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly up: boolean;
  /** Time before the probe that the result covers, in milliseconds; see `computeCoveredTime`. */
  readonly forMs: number;
  readonly ms?: number | undefined;
  readonly why?: string | undefined;
  /** Time of the last probe before a long gap. An incident from before ends there, since its further course is unknown. */
  readonly lostAt?: number | undefined;
}

export interface PeriodSums {
  readonly target: string;
  /** Hours or days since the epoch, in UTC. */
  readonly at: number;
  readonly looks: number;
  readonly upMs: number;
  readonly downMs: number;
  /** Response times of successful probes. A day gets its own only after its end; until then its hours hold them. */
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

/** Stores sums of probes, hours for 8 days and days for 90, and incidents. Methods are atomic; space is bounded. */
export interface HistoryStore {
  recordProbe(key: number, target: string, look: ProbeObservation): Promise<void>;
  /** Lists the days from `sinceDay` on, in days since the epoch. */
  listUptime(key: number, sinceDay: number): Promise<Uptime[]>;
  listHours(key: number, sinceHour: number, target?: string): Promise<PeriodSums[]>;
  listDays(key: number, sinceDay: number, target?: string): Promise<PeriodSums[]>;
  listIncidents(key: number, limit: number): Promise<StoredIncident[]>;
  listOpenIncidents(key: number): Promise<string[]>;
  /** Ends the open incidents of targets that are no longer watched, or of all if `targets` is left out. */
  endIncidents(key: number, at: number, targets?: readonly string[]): Promise<void>;
}

export const [KEPT_HOURS, KEPT_DAYS] = [192, 90];
export const MAX_INCIDENTS_PER_MONITOR = 500;

/** Maximum number of intervals that a probe's result covers, and time that the first probe covers. */
const [MOST_INTERVALS, FIRST_MS] = [1.5, 1000];

/** Returns the milliseconds that a result covers: since the last probe, at most 1.5 intervals. The rest is unknown. */
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

/** Names of the measures that hold the response time, for all kinds of targets. The first one that exists counts. */
const LATENCIES = ['total_ms', 'response_ms', 'connect_ms', 'ping_ms', 'dns_ms'];

export function findResponseMs(measures: Readonly<Record<string, number | string>>): number | undefined {
  const ms = LATENCIES.map((name) => measures[name]).find((value) => typeof value === 'number');
  return typeof ms === 'number' ? ms : undefined;
}
