export interface ControlCoverage {
  /** `whole`: the control passes if checks find nothing. `part`: checks can only make the control fail. */
  readonly reach: 'whole' | 'part';
  /** Check groups, check ids or CWEs (`cwe:79`). `foreign-cwe:79` does not match Magpie's own findings. */
  readonly by: readonly string[];
}

export interface ComplianceControl {
  readonly id: string;
  readonly title: string;
  readonly text?: string;
  readonly group: string;
  readonly coverage?: ControlCoverage;
}

export interface ComplianceStandardInfo {
  readonly id: string;
  readonly title: string;
  readonly edition: string;
  readonly source: string;
  readonly license: string;
  readonly spellings: readonly string[];
}

/** A standard. Its controls are loaded on demand, because a standard may have a thousand controls. */
export interface ControlCatalogue extends ComplianceStandardInfo {
  controls(): Promise<readonly ComplianceControl[]>;
}
