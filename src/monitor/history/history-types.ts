export type WindowName = '24h' | '7d' | '30d' | '90d';

export interface HistoryWindow {
  readonly name: WindowName;
  readonly uptime?: number;
  readonly known: number;
  readonly looks: number;
  /** Percentiles of the response time in milliseconds, with an error of at most 4.5%. */
  readonly p50?: number;
  readonly p95?: number;
  readonly p99?: number;
}

export interface DayUptime {
  readonly start: number;
  readonly uptime?: number;
  readonly known: number;
}

export interface TargetIncident {
  readonly target: string;
  readonly from: number;
  readonly to?: number;
  readonly why: string;
}

export interface HourLatency {
  readonly start: number;
  readonly p50: number;
}

export interface MonitorHistory {
  readonly hours: readonly HourLatency[];
  readonly windows: readonly HistoryWindow[];
  readonly days: readonly DayUptime[];
  readonly targets: readonly {
    readonly name: string;
    readonly windows: readonly HistoryWindow[];
    readonly days: readonly DayUptime[];
  }[];
  readonly incidents: readonly TargetIncident[];
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
  readonly day: string;
  readonly uptime?: number;
  readonly known: number;
}

export interface HistoryDescription {
  readonly windows: WindowDescription[];
  readonly days?: DayDescription[];
  /** `targets` is missing in a summary, and for a monitor with a single target. */
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
