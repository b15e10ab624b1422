export interface ControlCoverage {
  /** `whole`: the control passes if all checks finish without findings. `part`: checks can only fail it. */
  readonly reach: 'whole' | 'part';
  /** Check groups, check ids, or CWEs: `cwe:79` of any scanner, `foreign-cwe:79` of external and custom rules only. */
  readonly by: readonly string[];
}

export interface Control {
  readonly id: string;
  readonly title: string;
  readonly text?: string;
  readonly group: string;
  readonly coverage?: ControlCoverage;
}

export interface StandardName {
  readonly id: string;
  readonly title: string;
  readonly edition: string;
  readonly source: string;
  readonly license: string;
  readonly spellings: readonly string[];
}

/** Controls are loaded on demand, because the longest standard has a thousand. */
export interface Catalogue extends StandardName {
  controls(): Promise<readonly Control[]>;
}
