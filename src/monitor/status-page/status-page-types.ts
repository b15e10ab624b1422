import type { HistoryWindow } from '../history/history-types.ts';

/** State of a service: `unknown` if there are no current probes, `maintenance` during a maintenance window. */
export type ServiceState = 'up' | 'partly' | 'down' | 'maintenance' | 'unknown';

export interface PublicService {
  /** Identifies the monitor in the URLs of status badges, without showing its name. */
  readonly ref: string;
  readonly name: string;
  /** Address of the service. Present only if the user has chosen to show addresses. */
  readonly address?: string;
  readonly state: ServiceState;
  /** End of the current maintenance window, in milliseconds since the epoch. */
  readonly maintenanceUntil?: number;
  readonly windows: readonly HistoryWindow[];
  /** The last 90 days in UTC, oldest first. A day without data has no `uptime`. */
  readonly days: readonly { readonly day: string; readonly uptime?: number }[];
}

export interface ServiceGroup {
  readonly name?: string;
  readonly state: ServiceState;
  readonly services: readonly PublicService[];
}

export interface ServiceIncident {
  readonly service: string;
  /** Start of the incident, in milliseconds since the epoch. */
  readonly from: number;
  readonly to?: number;
  /** Reason of the failure. Present only if the user has chosen to show addresses. */
  readonly why?: string;
}

export interface StatusPage {
  readonly title: string;
  readonly state: ServiceState;
  /** Time at which the page was built, in milliseconds since the epoch. */
  readonly asOf: number;
  readonly groups: readonly ServiceGroup[];
  /** Incidents of the last 90 days, newest first. */
  readonly incidents: readonly ServiceIncident[];
}

export interface StatusPageSettings {
  readonly slug: string;
  readonly title: string;
  readonly addresses: boolean;
}

/** Settings of a status page to change. A setting that is left out keeps its value. A new page gets a random slug. */
export type StatusPageSettingChanges = {
  readonly [K in keyof StatusPageSettings]?: StatusPageSettings[K] | undefined;
};
