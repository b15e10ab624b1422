/** What is shown of the past of a monitor. */

export type WindowName = '24h' | '7d' | '30d' | '90d';

/** What was seen over a time. `known` is the share of it for which looks speak, `uptime` the share of that in which it was up. */
export interface HistoryWindow {
  readonly name: WindowName;
  /** 0 to 1; undefined where nothing is known. */
  readonly uptime?: number;
  readonly known: number;
  readonly looks: number;
  /** Milliseconds of an answer under which 50, 95 and 99 of 100 were, to within 4.5%. */
  readonly p50?: number;
  readonly p95?: number;
  readonly p99?: number;
}

/** A day of UTC, from its start in milliseconds since the epoch. */
export interface DayHistory {
  readonly start: number;
  readonly uptime?: number;
  readonly known: number;
}

/** A time in which a target was down; without `to` it still is. */
export interface Incident {
  readonly target: string;
  readonly from: number;
  readonly to?: number;
  readonly why: string;
}

/** An hour of UTC, from its start in milliseconds since the epoch. */
export interface HourHistory {
  readonly start: number;
  /** Milliseconds of an answer under which half of them were. */
  readonly p50: number;
}

/** Over all targets together, and of each. */
export interface MonitorHistory {
  /** Of the last 24 hours those that had answers, oldest first. */
  readonly hours: readonly HourHistory[];
  readonly windows: readonly HistoryWindow[];
  /** Of the last 90 days those that anything is known of, oldest first. */
  readonly days: readonly DayHistory[];
  readonly targets: readonly {
    readonly name: string;
    readonly windows: readonly HistoryWindow[];
    readonly days: readonly DayHistory[];
  }[];
  /** Newest first. */
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
  /** `2026-11-22`, of UTC. */
  readonly day: string;
  readonly uptime?: number;
  readonly known: number;
}

export interface HistoryDescription {
  readonly windows: WindowDescription[];
  /** Where details are asked for. */
  readonly days?: DayDescription[];
  /** Left out where there is one target and no details are asked for. */
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
