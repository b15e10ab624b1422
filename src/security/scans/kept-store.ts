import type { RawFinding } from '../findings/finding.ts';

/** What one content gave under one set of scanners: by scanner. */
export type KeptFindings = readonly { readonly scanner: string; readonly findings: readonly RawFinding[] }[];

/**
 * Findings by content, so that unchanged files are not searched again. Each owner's apart: otherwise one user would learn
 * that another has scanned the same content. Reads and writes take many files at once, since a scan asks for every file.
 */
export interface KeptStore {
  /** By key; keys of which nothing is kept are left out. `at` is the time of use, in milliseconds. */
  readFindings(owner: string, keys: readonly string[], at: number): Promise<Map<string, KeptFindings>>;
  /** Replaces what is kept under the same keys. */
  insertFindings(owner: string, entries: ReadonlyMap<string, KeptFindings>, at: number): Promise<void>;
  /** Removes what was not used for the longest time until the owner's are within the bounds. */
  trimFindings(owner: string): Promise<void>;
}
