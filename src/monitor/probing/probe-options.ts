import type { MaintenanceWindow } from '../alerts/maintenance.ts';

export interface Expectations {
  /** Expected status codes and ranges: `200-299, 401`. */
  readonly status?: string | undefined;
  readonly contains?: readonly string[] | undefined;
  readonly lacks?: readonly string[] | undefined;
  /** Conditions that a JSON answer must meet: `$.state == "ok"`. */
  readonly json?: readonly string[] | undefined;
  /** Maximum time in milliseconds until the whole answer is received, redirects included. */
  readonly responseMs?: number | undefined;
}

export interface UnmetExpectation {
  /** Text that identifies the condition: `contains "Welcome"`. */
  readonly subject: string;
  /** Words that continue a sentence after the address: `answers with status 404, and 200-299 is expected`. */
  readonly what: string;
}

/** Options of a monitor besides threshold, interval and webhook. Stored as JSON, so that a new option needs no new column. */
export interface ProbeOptions {
  readonly expect?: Expectations | undefined;
  /** Number of retries that must find a failure again before it raises an alert. The first retry comes after a second. */
  readonly retries?: number | undefined;
  /** Milliseconds between retries, from the second one on. */
  readonly retryMs?: number | undefined;
  /** Time in milliseconds that a heartbeat may be late. */
  readonly graceMs?: number | undefined;
  readonly maintenance?: readonly MaintenanceWindow[] | undefined;
  readonly group?: string | undefined;
  /** Name on the status page. Default: the monitor's id. */
  readonly name?: string | undefined;
}

export const [DEFAULT_RETRIES, DEFAULT_RETRY_MS] = [1, 10_000];

/** Changes to options. An option that is left out keeps its value; null removes it. */
export type ProbeOptionChanges = { readonly [K in keyof ProbeOptions]?: ProbeOptions[K] | null };

export function mergeProbeOptions(before: ProbeOptions, given: ProbeOptionChanges): ProbeOptions {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const all = { ...before, ...Object.fromEntries(set) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}
