import type { PageWatch } from '../../lib/watching/page-watch.ts';
import type { MaintenanceWindow } from '../alerts/maintenance.ts';

export interface ProbeExpectations {
  readonly status?: string | undefined;
  readonly contains?: readonly string[] | undefined;
  readonly lacks?: readonly string[] | undefined;
  readonly json?: readonly string[] | undefined;
  /** Maximum milliseconds for the whole answer, including redirects. */
  readonly responseMs?: number | undefined;
}

export interface UnmetExpectation {
  /** The expectation that is not met, for example `contains "Welcome"`. */
  readonly subject: string;
  /** Message that follows the address, for example `answers with status 404, and 200-299 is expected`. */
  readonly what: string;
}

/** Further options of a monitor, stored as JSON, so that a new option needs no new column. */
export interface ProbeOptions {
  readonly expect?: ProbeExpectations | undefined;
  /** Number of repeated probes that must fail before an alert. The first one runs one second later. */
  readonly retries?: number | undefined;
  readonly retryMs?: number | undefined;
  /** Milliseconds by which a heartbeat may be late before its job counts as down. */
  readonly graceMs?: number | undefined;
  readonly page?: PageWatch | undefined;
  readonly maintenance?: readonly MaintenanceWindow[] | undefined;
  readonly group?: string | undefined;
  /** Name on the public status page. Default: the monitor's id. */
  readonly name?: string | undefined;
}

export const [DEFAULT_RETRIES, DEFAULT_RETRY_MS] = [1, 10_000];

/** Changes of options. A missing option keeps its value, and null removes the option. */
export type ProbeOptionChanges = { readonly [K in keyof ProbeOptions]?: ProbeOptions[K] | null };

export function mergeProbeOptions(before: ProbeOptions, given: ProbeOptionChanges): ProbeOptions {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const all = { ...before, ...Object.fromEntries(set) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}
