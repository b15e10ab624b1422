/** How much of a control Magpie's checks cover, and which checks they are. */
export interface Coverage {
  /**
   * `whole`: the checks cover exactly what the control is about, so it passes where all of them ran to their end and found
   * nothing. `part`: they cover a part of it, and can show that it fails, never that it holds.
   */
  readonly reach: 'whole' | 'part';
  /**
   * Names in mapping.ts, ids of checks (`source/sql-injection`, `certificate/*`), or weaknesses: `cwe:79` of any finding,
   * `foreign-cwe:79` of findings of external scanners and own rules, which have no name here.
   */
  readonly by: readonly string[];
}

/** One thing that a standard asks for. */
export interface Control {
  /** As the standard numbers it. */
  readonly id: string;
  readonly title: string;
  /** The statement, where the title is not all of it. */
  readonly text?: string;
  /** The chapter or family that it is in. */
  readonly group: string;
  /** Left out where no check of Magpie covers it. */
  readonly coverage?: Coverage;
}

/** A standard as lists name it, without its controls. */
export interface StandardName {
  /** `pci-dss`. */
  readonly id: string;
  readonly title: string;
  /** `4.0.1 (June 2024)`. */
  readonly edition: string;
  /** Where the standard is published. */
  readonly source: string;
  /** Whose words the catalogue has, and under which terms. */
  readonly license: string;
  /** Other names that callers may use for it. */
  readonly spellings: readonly string[];
}

/** A standard whose controls are read when they are needed: the longest have a thousand. */
export interface Catalogue extends StandardName {
  controls(): Promise<readonly Control[]>;
}
