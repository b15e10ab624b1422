export interface ControlCoverage {
  /** `whole`: without findings, the control passes. `part`: checks can fail the control, but not pass it. */
  readonly reach: 'whole' | 'part';
  /** Check groups, check ids or CWEs, such as `cwe:79`. `foreign-cwe:79` leaves out Magpie's own findings. */
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

/** A standard, whose controls are loaded on demand, because some standards have a thousand. */
export interface ControlCatalogue extends ComplianceStandardInfo {
  controls(): Promise<readonly ComplianceControl[]>;
}
