export interface ControlCoverage {
  /** `whole`: it passes if all checks finish without finding. `part`: they can show that it fails, not that it holds. */
  readonly reach: 'whole' | 'part';
  /** Check groups, ids of checks, or weaknesses: `cwe:79` of any finding, `foreign-cwe:79` of external and custom rules. */
  readonly by: readonly string[];
}

export interface Control {
  readonly id: string;
  readonly title: string;
  /** Full statement, if the title is only a part of it. */
  readonly text?: string;
  readonly group: string;
  readonly coverage?: ControlCoverage;
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
