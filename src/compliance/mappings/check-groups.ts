import groups from './check-groups.json' with { type: 'json' };

export interface CheckGroup {
  readonly title: string;
  readonly note?: string;
  /** Ids of rules (`source/sql-injection`, `secrets/*`), service checks, package checks and practices. */
  readonly checks: readonly string[];
  /** Ids to leave out of `checks`: a pattern there matches them, but they detect a different problem. */
  readonly except?: readonly string[];
  /** Findings of external scanners and custom rules with these CWE numbers count too. */
  readonly cwe?: readonly number[];
}

export const CHECK_GROUPS: Readonly<Record<string, CheckGroup>> = groups;
