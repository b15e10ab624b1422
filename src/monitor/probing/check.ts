import type { Target } from '../targets/target.ts';
import type { CheckCadence } from './check-cadence.ts';
import type { ProbeContext } from './probe-context.ts';

export interface Rule {
  /** Id of the rule in the form `<check>/<problem>`, such as `certificate/expired`. The id never changes. */
  readonly id: string;
  /** Severity of a problem by this rule, on the CVSS scale from 0 to 10. */
  readonly score: number;
  readonly title: string;
  readonly fix: string;
  readonly cwe?: readonly string[];
}

export interface Problem {
  readonly rule: Rule;
  readonly description: string;
  /** Distinguishes problems of the same rule at one target, for example by a port number or the name of a cookie. */
  readonly subject?: string;
  readonly score?: number;
  readonly scanners?: readonly string[];
}

/** A part of a target, such as a port, that this probe could not check. Alerts about this part stay unchanged. */
export interface CheckGap {
  /** Rules that could not be applied. Default: all rules of the check. */
  readonly rules?: readonly Rule[];
  readonly subject?: string;
  /** Name of a scanner that failed. All of its earlier findings stay, and `rules` and `subject` are not used. */
  readonly scanner?: string;
  /** Reason as words for users, such as `port 8443 did not answer within 8 s`. */
  readonly why: string;
}

/** Result of a check that could examine nothing of the target. The target's earlier findings stay. */
export interface UnseenResult {
  /** Reason as words for users, such as `the page refuses the connection`. */
  readonly unseen: string;
  /** True if this machine is the cause. Users then read that the check failed, not that the target is down. */
  readonly isOwn?: true;
}

export interface CheckResult {
  readonly problems: readonly Problem[];
  readonly gaps?: readonly CheckGap[];
  /** Measured values by name: milliseconds, days, counts or words. */
  readonly measures?: Readonly<Record<string, number | string>>;
  /** Milliseconds until the next probe, if it should run before the usual interval ends. */
  readonly againInMs?: number;
  /** Points of each HTTP Observatory test, positive or negative. */
  readonly points?: Readonly<Record<string, number>>;
}

export interface Check {
  readonly name: string;
  /** Version of the check's set of rules. The version increases when rules are added. */
  readonly version: number;
  readonly sort: CheckCadence;
  readonly rules: readonly Rule[];
  /** True if problems may be temporary. A problem then raises an alert only if quick repetitions of the probe find it again. */
  readonly isRetried?: true;
  readonly limitMs?: number;
  wants(target: Target): boolean;
  /** Runs the check. Returns `UnseenResult` if the check can examine nothing. Throws if the check fails or is aborted. */
  run(target: Target, probe: ProbeContext): Promise<CheckResult | UnseenResult>;
}

export function joinGapReasons(gaps: readonly CheckGap[]): string {
  return [...new Set(gaps.map(({ why }) => why))].join('; ');
}

/** Default time limit of a check in milliseconds: enough for two requests of a page with redirects and timeouts. */
const LIMIT = 45_000;

/** Returns a check's time limit at one target in milliseconds. A scan has none here, because the operator sets its limit. */
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
