import type { MaintenanceWindow } from '../alerts/maintenance.ts';

export interface Expectations {
  /** Expected status codes and ranges, such as `200-299, 401`. */
  readonly status?: string | undefined;
  readonly contains?: readonly string[] | undefined;
  readonly lacks?: readonly string[] | undefined;
  /** Conditions that a JSON answer must meet, such as `$.state == "ok"`. */
  readonly json?: readonly string[] | undefined;
  /** Maximum milliseconds until the whole answer is received, redirects included. */
  readonly responseMs?: number | undefined;
}

export interface UnmetExpectation {
  /** The expectation that is not met, such as `contains "Welcome"`. The text distinguishes problems of one target. */
  readonly subject: string;
  /** Words that continue a sentence after the address: `answers with status 404, and 200-299 is expected`. */
  readonly what: string;
}

/** Further options of a monitor. They are stored as JSON, so that the database needs no new column for a new option. */
export interface ProbeOptions {
  readonly expect?: Expectations | undefined;
  /** Number of repeated probes that must find a failure again before an alert is raised. The first runs after a second. */
  readonly retries?: number | undefined;
  /** Milliseconds before the second repeated probe and before each further one. */
  readonly retryMs?: number | undefined;
  /** Milliseconds by which a heartbeat may be late before its job counts as down. */
  readonly graceMs?: number | undefined;
  readonly maintenance?: readonly MaintenanceWindow[] | undefined;
  readonly group?: string | undefined;
  /** Name of the monitor on the public status page. Default: the monitor's id. */
  readonly name?: string | undefined;
}

export const [DEFAULT_RETRIES, DEFAULT_RETRY_MS] = [1, 10_000];

/** Changes to options. An option that is left out keeps its value. Null removes the option. */
export type ProbeOptionChanges = { readonly [K in keyof ProbeOptions]?: ProbeOptions[K] | null };

export function mergeProbeOptions(before: ProbeOptions, given: ProbeOptionChanges): ProbeOptions {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const all = { ...before, ...Object.fromEntries(set) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}
