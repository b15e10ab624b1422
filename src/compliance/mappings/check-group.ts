/** Checks that belong together, so that standards with the same demand name the same checks. */
export interface CheckGroup {
  /** What was checked, as reports name it. */
  readonly title: string;
  /**
   * Rules of scanners (`source/sql-injection`, `secrets/*`), problems that monitor checks find (`certificate/*`), vulnerable
   * packages (`dependencies/*`), and practices of repositories (`practice/tests`).
   */
  readonly checks: readonly string[];
  /** Rules that a family among `checks` does not stand for: they have its name, and find something else. */
  readonly except?: readonly string[];
  /**
   * Weaknesses of findings that count as well where the rule is not one of Magpie's: those of external scanners and of rules
   * of your own. Numbers of CWE.
   */
  readonly cwe?: readonly number[];
}

export const infrastructure = (...names: string[]): string[] => names.map((name) => `infrastructure/${name}`);
export const source = (...names: string[]): string[] => names.map((name) => `source/${name}`);
