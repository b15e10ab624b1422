/** Checks that belong together, so that standards with the same requirement use the same checks. */
export interface CheckGroup {
  readonly title: string;
  /** Ids of rules (`source/sql-injection`, `secrets/*`), monitoring (`certificate/*`), packages, and practices. */
  readonly checks: readonly string[];
  /** Rules to leave out: a family in `checks` includes them by name, but they find something else. */
  readonly except?: readonly string[];
  /** CWE numbers. Findings with one of them from external scanners and custom rules count too. */
  readonly cwe?: readonly number[];
}

export const infrastructureRuleIds = (...names: string[]): string[] =>
  names.map((name) => `infrastructure/${name}`);
export const sourceRuleIds = (...names: string[]): string[] => names.map((name) => `source/${name}`);
