import type { Target } from '../targets/target.ts';
import type { ProbeContext } from './probe-context.ts';
import type { Sort } from './sort.ts';

/** What can be wrong, documented once: its words, and how bad it is. */
export interface Rule {
  /** `<check>/<problem>`; never changes. */
  readonly id: string;
  /** On the CVSS scale, 0 to 10. */
  readonly score: number;
  readonly title: string;
  readonly fix: string;
  readonly cwe?: readonly string[];
}

/** What is wrong with a target. */
export interface Problem {
  readonly rule: Rule;
  /** What was seen there. */
  readonly description: string;
  /** Distinguishes two problems of one rule at one target: a port, a cookie. */
  readonly subject?: string;
  /** In place of the rule's. */
  readonly score?: number;
  /** Names of the scanners that found it, in a repository. */
  readonly scanners?: readonly string[];
}

/**
 * A part of a target that could not be checked this time. What was found there before stands, and nothing is raised
 * or cleared by it.
 */
export interface Gap {
  /** What could not be decided; every rule of the check when left out. */
  readonly rules?: readonly Rule[];
  /** As the problems there have it. */
  readonly subject?: string;
  /** In place of both: what a scanner finds that failed this time. */
  readonly scanner?: string;
  /** In plain words: `port 8443 did not answer within 8 s`. */
  readonly why: string;
}

/** What a check returns that could see nothing: what was found before stands. */
export interface Unseen {
  /** Why, in plain words: `the page refuses the connection`. */
  readonly unseen: string;
  /** The cause is this machine, and not the target: users are shown it as trouble. */
  readonly isOwn?: true;
}

export interface CheckResult {
  readonly problems: readonly Problem[];
  readonly gaps?: readonly Gap[];
  /** Figures: milliseconds, days, a count; or a word. */
  readonly measures?: Readonly<Record<string, number | string>>;
  /** Milliseconds after which it is worth another probe, where that is sooner than its interval. */
  readonly againInMs?: number;
  /** What each test of the HTTP Observatory takes off or adds, in its points. */
  readonly points?: Readonly<Record<string, number>>;
}

/** One thing that is checked. */
export interface Check {
  readonly name: string;
  /** Grows with its rules. */
  readonly version: number;
  readonly sort: Sort;
  readonly rules: readonly Rule[];
  /**
   * Its problems are failures that may pass: they raise an alert once the monitor's retries have found them too (the first of
   * these is its own), and are probed for more often as long as they last.
   */
  readonly isRetried?: true;
  /** Milliseconds after which it is broken off. Left out: see `limitOf`. */
  readonly limitMs?: number;
  wants(target: Target): boolean;
  /**
   * `Unseen` when there is nothing to check, as with headers of a site that is down. Throws when the check
   * itself is broken, or the probe's signal is aborted.
   */
  run(target: Target, probe: ProbeContext): Promise<CheckResult | Unseen>;
}

/** Why there are gaps, each reason once; empty where there are none. */
export function whyOf(gaps: readonly Gap[]): string {
  return [...new Set(gaps.map(({ why }) => why))].join('; ');
}

/** Enough for a page that is asked twice, with everything that follows it. */
const LIMIT = 45_000;

/** Milliseconds that a check may take at one target; a scan has the time of its whole look, which the operator sets. */
export function limitOf({ sort, limitMs }: Pick<Check, 'sort' | 'limitMs'>): number {
  return limitMs ?? (sort === 'scan' ? Infinity : LIMIT);
}

/** Whether a check has seen nothing. */
export function isUnseen(result: object): result is Unseen {
  return 'unseen' in result;
}

/** The rules of a check, their ids made of its name and their key. */
export function rulesOf<K extends string>(
  check: string,
  rules: Readonly<Record<K, Omit<Rule, 'id'>>>,
): Readonly<Record<K, Rule>> {
  const named = Object.entries<Omit<Rule, 'id'>>(rules).map(([key, rule]) => [
    key,
    { id: `${check}/${key}`, ...rule },
  ]);
  return Object.fromEntries(named) as Record<K, Rule>;
}
