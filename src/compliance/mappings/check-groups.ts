import groups from './check-groups.json' with { type: 'json' };

/** Checks for one kind of requirement. Standards with this requirement refer to the group by its name. */
export interface CheckGroup {
  readonly title: string;
  /** Why the group includes or leaves out some checks, for readers of the table. */
  readonly note?: string;
  /** Ids of rules (`source/sql-injection`, `secrets/*`), service checks (`certificate/*`), package checks and practices. */
  readonly checks: readonly string[];
  /** Rules to leave out: their ids match a family in `checks`, but they detect a different problem. */
  readonly except?: readonly string[];
  /** CWE numbers. Findings of external scanners and custom rules with these numbers count too. */
  readonly cwe?: readonly number[];
}

/** All check groups by name. Tables in `mappings/` assign them to controls. Tests compare both with the existing rules. */
export const CHECK_GROUPS: Readonly<Record<string, CheckGroup>> = groups;
