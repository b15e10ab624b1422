export interface Coverage {
  /**
   * `whole`: the checks cover exactly what the control requires, so it passes if all finished and found nothing. `part`: they can
   * show that it fails, but never that it holds.
   */
  readonly reach: 'whole' | 'part';
  /**
   * Names of check groups, ids of checks (`source/sql-injection`, `certificate/*`), or weaknesses: `cwe:79` for any finding,
   * `foreign-cwe:79` for findings of external scanners and custom rules, which have no id here.
   */
  readonly by: readonly string[];
}

export interface Control {
  readonly id: string;
  readonly title: string;
  /** Full statement, if the title is only a part of it. */
  readonly text?: string;
  readonly group: string;
  readonly coverage?: Coverage;
}

export interface StandardName {
  /** Such as `pci-dss`. */
  readonly id: string;
  readonly title: string;
  /** Such as `4.0.1 (June 2024)`. */
  readonly edition: string;
  readonly source: string;
  /** Author and terms of the catalogue's texts. */
  readonly license: string;
  readonly spellings: readonly string[];
}

/** A standard whose controls are loaded on demand, since the longest has a thousand. */
export interface Catalogue extends StandardName {
  controls(): Promise<readonly Control[]>;
}
