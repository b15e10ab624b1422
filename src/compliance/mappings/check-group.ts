/** Checks that belong together, so that standards with the same requirement use the same checks. */
export interface CheckGroup {
  readonly title: string;
  /** Rules (`source/sql-injection`, `secrets/*`), monitoring (`certificate/*`), `dependencies/*`, and `practice/tests`. */
  readonly checks: readonly string[];
  /** Rules that match a family in `checks` by name but find something else. */
  readonly except?: readonly string[];
  /** CWE numbers. Findings of external scanners and custom rules with one of them count too. */
  readonly cwe?: readonly number[];
}

export const infrastructureRuleIds = (...names: string[]): string[] =>
  names.map((name) => `infrastructure/${name}`);
export const sourceRuleIds = (...names: string[]): string[] => names.map((name) => `source/${name}`);
