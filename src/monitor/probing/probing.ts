import type { MaintenanceWindow } from '../alerts/maintenance.ts';

/** What one probe of a monitor decides: what is expected of an answer, and how its problems become alerts. */

/** What an answer has to be; what is left out is not asked. */
export interface Expectations {
  /** Codes and ranges: `200-299, 401`. */
  readonly status?: string | undefined;
  /** Texts that have to stand in the answer, letter by letter. */
  readonly contains?: readonly string[] | undefined;
  /** Texts that must not. */
  readonly lacks?: readonly string[] | undefined;
  /** Conditions of a JSON answer: `$.state == "ok"`. */
  readonly json?: readonly string[] | undefined;
  /** Milliseconds in which it has to be there as a whole, redirects included. */
  readonly responseMs?: number | undefined;
}

/** What an answer is not, though it is expected. */
export interface Fault {
  /** Names the condition, unlike others of its kind: `contains "Welcome"`. */
  readonly subject: string;
  /** In plain words after the address: `answers with status 404, and 200-299 is expected`. */
  readonly what: string;
}

/** Options of a monitor beside threshold, interval and webhook; kept as JSON, so that a later one needs no new column. */
export interface Probing {
  readonly expect?: Expectations | undefined;
  /** How often a failure has to be found again before it raises an alert; once at first, a second later. */
  readonly retries?: number | undefined;
  /** Milliseconds between those of the second one on. */
  readonly retryMs?: number | undefined;
  /** Milliseconds after its interval that a heartbeat may come. */
  readonly graceMs?: number | undefined;
  /** Times in which no alert is raised. */
  readonly maintenance?: readonly MaintenanceWindow[] | undefined;
  /** The group that it belongs to. */
  readonly group?: string | undefined;
  /** What it is called on the status page, in place of its id. */
  readonly name?: string | undefined;
}

/** What is done where nothing is said. */
export const [DEFAULT_RETRIES, DEFAULT_RETRY_MS] = [1, 10_000];

/** Options as they are given: what is left out stays, null takes the option away. */
export type GivenProbing = { readonly [K in keyof Probing]?: Probing[K] | null };

/** The options of before with those that are given. */
export function withProbing(before: Probing, given: GivenProbing): Probing {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const all = { ...before, ...Object.fromEntries(set) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}
