export type WindowName = '24h' | '7d' | '30d' | '90d';

/** Uptime in a period. `known` is the share of the period that probes cover, from 0 to 1. */
export interface HistoryWindow {
  readonly name: WindowName;
  /** Time in which the target was up, as a share (0 to 1) of the time that probes cover. Undefined without probes. */
  readonly uptime?: number;
  readonly known: number;
  readonly looks: number;
  /** Percentiles of the response time in milliseconds, with an error of at most 4.5%. */
  readonly p50?: number;
  readonly p95?: number;
  readonly p99?: number;
}

/** A day in UTC. `start` is the start of the day in milliseconds since the epoch. */
export interface DayHistory {
  readonly start: number;
  readonly uptime?: number;
  readonly known: number;
}

export interface Incident {
  readonly target: string;
  readonly from: number;
  readonly to?: number;
  readonly why: string;
}

/** An hour in UTC. `start` is the start of the hour in milliseconds since the epoch. */
export interface HourHistory {
  readonly start: number;
  readonly p50: number;
}

export interface MonitorHistory {
  /** Hours among the last 24 in which the target answered, oldest first. */
  readonly hours: readonly HourHistory[];
  readonly windows: readonly HistoryWindow[];
  /** Days among the last 90 that have probes, oldest first. */
  readonly days: readonly DayHistory[];
  readonly targets: readonly {
    readonly name: string;
    readonly windows: readonly HistoryWindow[];
    readonly days: readonly DayHistory[];
  }[];
  /** Incidents of all targets, newest first. */
  readonly incidents: readonly Incident[];
}

export interface WindowDescription {
  readonly window: WindowName;
  readonly uptime?: number;
  readonly known: number;
  readonly looks: number;
  readonly p50_ms?: number;
  readonly p95_ms?: number;
  readonly p99_ms?: number;
}

export interface DayDescription {
  /** Date in UTC, such as `2026-11-22`. */
  readonly day: string;
  readonly uptime?: number;
  readonly known: number;
}

export interface HistoryDescription {
  readonly windows: WindowDescription[];
  readonly days?: DayDescription[];
  /** History of each target. Left out if there is only one target or if only a summary is requested. */
  readonly targets?: {
    readonly name: string;
    readonly windows: WindowDescription[];
    readonly days?: DayDescription[];
  }[];
  readonly incidents: {
    readonly target: string;
    readonly from: string;
    readonly to?: string;
    readonly seconds: number;
    readonly why: string;
  }[];
}
