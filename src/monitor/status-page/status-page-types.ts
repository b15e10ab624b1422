import type { HistoryWindow } from '../history/history-types.ts';

/** `unknown`: no recent probe. `maintenance`: a maintenance window is open. */
export type ServiceState = 'up' | 'partly' | 'down' | 'maintenance' | 'unknown';

export interface StatusPageService {
  readonly ref: string;
  readonly name: string;
  readonly address?: string;
  readonly state: ServiceState;
  readonly maintenanceUntil?: number;
  readonly windows: readonly HistoryWindow[];
  readonly days: readonly { readonly day: string; readonly uptime?: number }[];
}

export interface ServiceGroup {
  readonly name?: string;
  readonly state: ServiceState;
  readonly services: readonly StatusPageService[];
}

export interface ServiceIncident {
  readonly service: string;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to?: number;
  /** Why the service failed. It is set only if the user has chosen to show addresses. */
  readonly why?: string;
}

export interface StatusPage {
  readonly title: string;
  readonly state: ServiceState;
  /** Milliseconds since the epoch. */
  readonly asOf: number;
  readonly groups: readonly ServiceGroup[];
  readonly incidents: readonly ServiceIncident[];
}

export interface StatusPageSettings {
  readonly slug: string;
  readonly title: string;
  readonly addresses: boolean;
}

/** Changes of the settings. Missing settings keep their value, and a new page gets a random slug. */
export type StatusPageSettingChanges = {
  readonly [K in keyof StatusPageSettings]?: StatusPageSettings[K] | undefined;
};
