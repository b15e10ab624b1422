import groups from './check-groups.json' with { type: 'json' };

export interface CheckGroup {
  readonly title: string;
  readonly note?: string;
  /** Ids of rules (`source/sql-injection`, `secrets/*`), service checks, package checks and practices. */
  readonly checks: readonly string[];
  /** Ids that match a pattern in `checks` but are left out, because they detect a different problem. */
  readonly except?: readonly string[];
  /** CWE numbers. Findings of external scanners and custom rules with these numbers belong to the group. */
  readonly cwe?: readonly number[];
}

export const CHECK_GROUPS: Readonly<Record<string, CheckGroup>> = groups;
