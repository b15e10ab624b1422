/** How far Magpie's checks go for a control, and which they are. */
export interface Coverage {
  /**
   * `whole`: the checks look for just what the control is about, so that it passes where all of them ran to their end and
   * found nothing. `part`: they see a part of it, and can show that it fails, never that it holds.
   */
  readonly reach: 'whole' | 'part';
  /** Names in mapping.ts, ids of checks (`source/sql-injection`, `certificate/*`), or `cwe:79`. */
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
  /** Left out where nothing that Magpie looks at tells of it. */
  readonly coverage?: Coverage;
}

/** A standard as it is named in lists, without its controls. */
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
  /** Other names by which it is asked for. */
  readonly spellings: readonly string[];
}

/** A standard whose controls are read when they are needed: the longest have a thousand. */
export interface Catalogue extends StandardName {
  controls(): Promise<readonly Control[]>;
}
