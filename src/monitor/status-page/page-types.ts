import type { HistoryWindow } from '../history/history-types.ts';

/** What everyone may see of a user's monitors, once the user has switched it on. */

/** How a service stands, in one word; `unknown` where it is not probed at present, `maintenance` in one of its windows. */
export type ServiceState = 'up' | 'partly' | 'down' | 'maintenance' | 'unknown';

/** A monitor, as everyone may see it. */
export interface Service {
  /** Names it in the addresses of its badges, and says nothing of it. */
  readonly ref: string;
  readonly name: string;
  /** Only where its owner shows addresses. */
  readonly address?: string;
  readonly state: ServiceState;
  /** When the maintenance window ends that it is in; milliseconds since the epoch. */
  readonly maintenanceUntil?: number;
  readonly windows: readonly HistoryWindow[];
  /** The last 90 days of UTC, oldest first; without `uptime` where nothing is known. */
  readonly days: readonly { readonly day: string; readonly uptime?: number }[];
}

export interface ServiceGroup {
  /** Left out for those in no group. */
  readonly name?: string;
  readonly state: ServiceState;
  readonly services: readonly Service[];
}

export interface ServiceIncident {
  readonly service: string;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to?: number;
  /** Only where the owner shows addresses. */
  readonly why?: string;
}

export interface StatusPage {
  readonly title: string;
  readonly state: ServiceState;
  /** Milliseconds since the epoch. */
  readonly asOf: number;
  readonly groups: readonly ServiceGroup[];
  /** Of 90 days, newest first. */
  readonly incidents: readonly ServiceIncident[];
}

/** As its owner has set it. */
export interface PageSettings {
  readonly slug: string;
  readonly title: string;
  readonly addresses: boolean;
}

/** What is left out stays; without a slug at first, one that no one can guess is made. */
export type GivenPage = { readonly [K in keyof PageSettings]?: PageSettings[K] | undefined };
