import type { WatchedResult } from '../../lib/watching/page-watch.ts';
import type { MonitorTarget } from '../targets/target.ts';
import type { CheckCadence } from './check-cadence.ts';
import type { ProbeContext } from './probe-context.ts';

export interface CheckRule {
  /** `<check>/<problem>`, for example `certificate/expired`. An id must never change. */
  readonly id: string;
  /** CVSS score from 0 to 10. */
  readonly score: number;
  readonly title: string;
  readonly fix: string;
  readonly cwe?: readonly string[];
}

export interface CheckProblem {
  readonly rule: CheckRule;
  readonly description: string;
  /** Distinguishes problems with the same rule and target, for example by a port or a cookie's name. */
  readonly subject?: string;
  readonly score?: number;
  readonly scanners?: readonly string[];
}

/** A part of a target, for example a port, that the probe could not check. Alerts about it stay open. */
export interface CheckGap {
  readonly rules?: readonly CheckRule[];
  readonly subject?: string;
  /** Name of a failed scanner, set instead of `rules` and `subject`. Its earlier findings stay. */
  readonly scanner?: string;
  /** Reason for users, for example `port 8443 did not answer within 8 s`. */
  readonly why: string;
}

/** Result of a check that could not examine the target. Earlier findings stay, and measures of other names. */
export interface InconclusiveResult extends Pick<CheckResult, 'measures'> {
  readonly unseen: string;
  /** True if a problem of this machine is the cause. Messages then do not report the target as failed. */
  readonly isOwn?: true;
}

export interface CheckResult {
  readonly problems: readonly CheckProblem[];
  readonly gaps?: readonly CheckGap[];
  readonly measures?: Readonly<Record<string, number | string>>;
  /** Milliseconds until the next probe, if it should run early. */
  readonly againInMs?: number;
  readonly points?: Readonly<Record<string, number>>;
  readonly watched?: WatchedResult;
}

export interface MonitorCheck {
  readonly name: string;
  /** Increases when the check gets new rules. */
  readonly version: number;
  readonly sort: CheckCadence;
  readonly rules: readonly CheckRule[];
  /** True if problems may be temporary. Quick repeated probes must confirm them before an alert is raised. */
  readonly isRetried?: true;
  readonly limitMs?: number;
  wants(target: MonitorTarget): boolean;
  /** Throws if the check fails or is aborted. */
  run(target: MonitorTarget, probe: ProbeContext): Promise<CheckResult | InconclusiveResult>;
}

export function joinGapReasons(gaps: readonly CheckGap[]): string {
  return [...new Set(gaps.map(({ why }) => why))].join('; ');
}

/** Time limit in milliseconds: enough for two requests of a page with redirects and timeouts. */
const LIMIT = 45_000;

export function getTimeLimitMs({ sort, limitMs }: Pick<MonitorCheck, 'sort' | 'limitMs'>): number {
  return limitMs ?? (sort === 'scan' ? Infinity : LIMIT);
}

export function isInconclusiveResult(result: object): result is InconclusiveResult {
  return 'unseen' in result;
}

export function defineRules<K extends string>(
  check: string,
  rules: Readonly<Record<K, Omit<CheckRule, 'id'>>>,
): Readonly<Record<K, CheckRule>> {
  const named = Object.entries<Omit<CheckRule, 'id'>>(rules).map(([key, rule]) => [
    key,
    { id: `${check}/${key}`, ...rule },
  ]);
  return Object.fromEntries(named) as Record<K, CheckRule>;
}
