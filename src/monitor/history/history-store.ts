import type { TargetIncident } from './history-types.ts';
import type { LatencyHistogram } from './latency.ts';

export interface ProbeObservation {
  readonly at: number;
  readonly up: boolean;
  readonly forMs: number;
  readonly ms?: number | undefined;
  readonly why?: string | undefined;
  /** Time of the last probe before a gap of more than 1.5 intervals. An open incident ends at this time. */
  readonly lostAt?: number | undefined;
}

export interface PeriodSums {
  readonly target: string;
  /** Number of whole hours or days since 1970 (UTC). */
  readonly at: number;
  readonly looks: number;
  readonly upMs: number;
  readonly downMs: number;
  /** Response times. Empty for the current day, whose response times are stored only by the hour. */
  readonly times: LatencyHistogram;
}

export type TargetUptime = Pick<PeriodSums, 'target' | 'upMs' | 'downMs'>;

export interface StoredIncident extends TargetIncident {
  readonly id: number;
}

export interface UptimeStore {
  recordProbe(key: number, target: string, look: ProbeObservation): Promise<void>;
  listUptime(key: number, sinceDay: number): Promise<TargetUptime[]>;
  listHours(key: number, sinceHour: number, target?: string): Promise<PeriodSums[]>;
  listDays(key: number, sinceDay: number, target?: string): Promise<PeriodSums[]>;
  listIncidents(key: number, limit: number): Promise<StoredIncident[]>;
  listOpenIncidents(key: number): Promise<string[]>;
  /** Ends the open incidents of targets that are not in `targets`. Without `targets`, ends all. */
  endIncidents(key: number, at: number, targets?: readonly string[]): Promise<void>;
}

export const [KEPT_HOURS, KEPT_DAYS] = [192, 90];
export const MAX_INCIDENTS_PER_MONITOR = 500;

/** A result covers the time since the last probe, at most 1.5 intervals. The first result covers 1 s. */
const [MOST_INTERVALS, FIRST_MS] = [1.5, 1000];

/** Returns how many ms a result covers (`forMs`) and, after a gap, the time of the last probe (`lostAt`). */
export function computeCoveredTime(at: number, lastAt: number | undefined, intervalMs: number) {
  if (lastAt === undefined) return { forMs: FIRST_MS };
  const most = MOST_INTERVALS * intervalMs;
  const since = Math.max(0, at - lastAt);
  return since > most ? { forMs: most, lostAt: lastAt } : { forMs: since };
}

const LATENCIES = ['total_ms', 'response_ms', 'connect_ms', 'ping_ms', 'dns_ms'];

export function findResponseMs(measures: Readonly<Record<string, number | string>>): number | undefined {
  const ms = LATENCIES.map((name) => measures[name]).find((value) => typeof value === 'number');
  return typeof ms === 'number' ? ms : undefined;
}
