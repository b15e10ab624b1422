import type { Target } from '../targets/target.ts';
import type { CheckCadence } from './check-cadence.ts';
import type { ProbeContext } from './probe-context.ts';

export interface Rule {
  /** `<check>/<problem>`, such as `certificate/expired`. It never changes. */
  readonly id: string;
  /** CVSS score from 0 to 10. */
  readonly score: number;
  readonly title: string;
  readonly fix: string;
  readonly cwe?: readonly string[];
}

export interface Problem {
  readonly rule: Rule;
  readonly description: string;
  /** Distinguishes problems of one rule at one target, such as a port number or a cookie's name. */
  readonly subject?: string;
  readonly score?: number;
  readonly scanners?: readonly string[];
}

/** A part of a target, such as a port, that this probe could not check. Its alerts stay unchanged. */
export interface CheckGap {
  readonly rules?: readonly Rule[];
  readonly subject?: string;
  /** Name of a failed scanner. Its earlier findings stay; `rules` and `subject` do not apply. */
  readonly scanner?: string;
  /** Words for users, such as `port 8443 did not answer within 8 s`. */
  readonly why: string;
}

/** The check could not examine the target. The earlier findings stay. */
export interface UnseenResult {
  readonly unseen: string;
  /** True if this machine is the cause. Users then read that the check failed, not that the target is down. */
  readonly isOwn?: true;
}

export interface CheckResult {
  readonly problems: readonly Problem[];
  readonly gaps?: readonly CheckGap[];
  readonly measures?: Readonly<Record<string, number | string>>;
  /** Milliseconds until the next probe, if it should run early. */
  readonly againInMs?: number;
  readonly points?: Readonly<Record<string, number>>;
}

export interface Check {
  readonly name: string;
  /** Increases when rules are added. */
  readonly version: number;
  readonly sort: CheckCadence;
  readonly rules: readonly Rule[];
  /** Its problems may be temporary, so an alert is raised only if quick repetitions of the probe confirm them. */
  readonly isRetried?: true;
  readonly limitMs?: number;
  wants(target: Target): boolean;
  /** Throws if the check fails or is aborted. */
  run(target: Target, probe: ProbeContext): Promise<CheckResult | UnseenResult>;
}

export function joinGapReasons(gaps: readonly CheckGap[]): string {
  return [...new Set(gaps.map(({ why }) => why))].join('; ');
}

/** Milliseconds: enough for two requests of a page with redirects and timeouts. */
const LIMIT = 45_000;

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
