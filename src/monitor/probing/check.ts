import type { Target } from '../targets/target.ts';
import type { CheckCadence } from './check-cadence.ts';
import type { ProbeContext } from './probe-context.ts';

export interface Rule {
  /** Id of the form `<check>/<problem>`; the id of a rule never changes. */
  readonly id: string;
  /** Severity on the CVSS scale, 0 to 10. */
  readonly score: number;
  readonly title: string;
  readonly fix: string;
  readonly cwe?: readonly string[];
}

export interface Problem {
  readonly rule: Rule;
  readonly description: string;
  /** Distinguishes two problems of one rule at one target, such as by port or cookie. */
  readonly subject?: string;
  readonly score?: number;
  readonly scanners?: readonly string[];
}

/** A port or other part of a target that this probe could not check. Alerts about this part are neither raised nor cleared. */
export interface CheckGap {
  /** Rules that this probe could not decide. Default: every rule of the check. */
  readonly rules?: readonly Rule[];
  readonly subject?: string;
  /** Name of a scanner that failed in this run, given instead of `rules` and `subject`. Its previous findings stay. */
  readonly scanner?: string;
  /** Reason in plain words: `port 8443 did not answer within 8 s`. */
  readonly why: string;
}

/** Result of a check that could not examine the target at all. The target's previous findings stay. */
export interface UnseenResult {
  /** Reason in plain words: `the page refuses the connection`. */
  readonly unseen: string;
  /** True if the cause is this machine, not the target. Users then read that the check failed. */
  readonly isOwn?: true;
}

export interface CheckResult {
  readonly problems: readonly Problem[];
  readonly gaps?: readonly CheckGap[];
  /** Measured milliseconds, days, counts or words, by name. */
  readonly measures?: Readonly<Record<string, number | string>>;
  /** Time in milliseconds to the next probe, if it should come sooner than the interval. */
  readonly againInMs?: number;
  /** Points of each HTTP Observatory test, positive or negative. */
  readonly points?: Readonly<Record<string, number>>;
}

export interface Check {
  readonly name: string;
  /** Version of the check's rules, increased when rules are added. */
  readonly version: number;
  readonly sort: CheckCadence;
  readonly rules: readonly Rule[];
  /** True if problems may pass quickly. A problem then raises an alert only if retries, at shorter intervals, find it again. */
  readonly isRetried?: true;
  readonly limitMs?: number;
  wants(target: Target): boolean;
  /** Runs the check. Returns `UnseenResult` if there is nothing to check. Throws if the check fails or the probe is aborted. */
  run(target: Target, probe: ProbeContext): Promise<CheckResult | UnseenResult>;
}

export function joinGapReasons(gaps: readonly CheckGap[]): string {
  return [...new Set(gaps.map(({ why }) => why))].join('; ');
}

/** Default time limit of a check in milliseconds. It is enough for two requests of a page with their redirects and timeouts. */
const LIMIT = 45_000;

/** Returns a check's time limit at one target in milliseconds. For a scan it is the limit that the operator sets. */
export function getTimeLimitMs({ sort, limitMs }: Pick<Check, 'sort' | 'limitMs'>): number {
  return limitMs ?? (sort === 'scan' ? Infinity : LIMIT);
}

export function isUnseenResult(result: object): result is UnseenResult {
  return 'unseen' in result;
}

export function defineRules<K extends string>(
  check: string,
  rules: Readonly<Record<K, Omit<Rule, 'id'>>>,
): Readonly<Record<K, Rule>> {
  const named = Object.entries<Omit<Rule, 'id'>>(rules).map(([key, rule]) => [
    key,
    { id: `${check}/${key}`, ...rule },
  ]);
  return Object.fromEntries(named) as Record<K, Rule>;
}
