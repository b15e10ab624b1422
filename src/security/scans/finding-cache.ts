import type { RawFinding } from '../findings/finding.ts';

export type CachedFindings = readonly {
  readonly scanner: string;
  readonly findings: readonly RawFinding[];
}[];

/** Caches findings by content, separately per owner: otherwise one user would learn what another has scanned. */
export interface FindingCache {
  /** Returns the findings of the keys that are cached. `at` is stored as the time of use, in milliseconds. */
  readFindings(owner: string, keys: readonly string[], at: number): Promise<Map<string, CachedFindings>>;
  insertFindings(owner: string, entries: ReadonlyMap<string, CachedFindings>, at: number): Promise<void>;
  /** Removes the owner's least recently used entries until the rest is within the limits. */
  trimFindings(owner: string): Promise<void>;
}
