import type { RawFinding } from '../findings/finding.ts';

export type KeptFindings = readonly { readonly scanner: string; readonly findings: readonly RawFinding[] }[];

/**
 * Cache of findings by file content, so that unchanged files are not searched again. Each owner has its own entries: otherwise
 * one user would learn that another has scanned the same content. Calls take many files at once, since a scan asks for every
 * file.
 */
export interface KeptStore {
  /** Returns the findings of the keys that are cached. `at` is stored as the time of use, in milliseconds. */
  readFindings(owner: string, keys: readonly string[], at: number): Promise<Map<string, KeptFindings>>;
  insertFindings(owner: string, entries: ReadonlyMap<string, KeptFindings>, at: number): Promise<void>;
  /** Removes the owner's least recently used entries until the rest is within the limits. */
  trimFindings(owner: string): Promise<void>;
}
