import groups from './check-groups.json' with { type: 'json' };

/** Checks that belong together, so that standards with the same requirement use the same checks. */
export interface CheckGroup {
  readonly title: string;
  /** Why the group includes or leaves out some checks, for readers of the table. */
  readonly note?: string;
  /** Ids of rules (`source/sql-injection`, `secrets/*`), monitoring (`certificate/*`), packages, and practices. */
  readonly checks: readonly string[];
  /** Rules to leave out: a family in `checks` includes them by name, but they find something else. */
  readonly except?: readonly string[];
  /** CWE numbers. Findings with one of them from external scanners and custom rules count too. */
  readonly cwe?: readonly number[];
}

/** All check groups by name. Tables in `mappings/` assign groups to controls; tests compare both with the existing rules. */
export const CHECK_GROUPS: Readonly<Record<string, CheckGroup>> = groups;
