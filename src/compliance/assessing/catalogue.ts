export interface ControlCoverage {
  /** `whole`: the control passes if all checks finish without findings. `part`: checks can only show that the control fails. */
  readonly reach: 'whole' | 'part';
  /** Check groups, check ids, or weaknesses: `cwe:79` from any scanner, `foreign-cwe:79` from external and custom rules. */
  readonly by: readonly string[];
}

export interface Control {
  readonly id: string;
  readonly title: string;
  /** Full statement of the control. It is set if the title is only a part of the statement. */
  readonly text?: string;
  readonly group: string;
  readonly coverage?: ControlCoverage;
}

export interface StandardName {
  /** Id of the standard, such as `pci-dss`. */
  readonly id: string;
  readonly title: string;
  /** Edition of the standard, such as `4.0.1 (June 2024)`. */
  readonly edition: string;
  readonly source: string;
  /** Author and terms of the catalogue's texts. */
  readonly license: string;
  readonly spellings: readonly string[];
}

/** A standard. Its controls are loaded on demand, because the longest standard has a thousand controls. */
export interface Catalogue extends StandardName {
  controls(): Promise<readonly Control[]>;
}
