export interface ControlCoverage {
  /** `whole`: the control passes if all checks finish without findings. `part`: checks can fail the control, but not pass it. */
  readonly reach: 'whole' | 'part';
  /** Check groups, check ids, or CWEs: `cwe:79` of any scanner, `foreign-cwe:79` of external scanners and custom rules only. */
  readonly by: readonly string[];
}

export interface Control {
  readonly id: string;
  readonly title: string;
  /** Full statement of the control. Undefined if the title is the full statement. */
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
  /** Author and licence of the catalogue's texts. */
  readonly license: string;
  readonly spellings: readonly string[];
}

/** A standard. Its controls are loaded on demand, because the longest standard has a thousand controls. */
export interface Catalogue extends StandardName {
  controls(): Promise<readonly Control[]>;
}
