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
