import type { RawFinding } from '../findings/finding.ts';

export type CachedFindings = readonly {
  readonly scanner: string;
  readonly findings: readonly RawFinding[];
}[];

/** Caches findings by content, separately for each owner. A shared cache would reveal what other users have scanned. */
export interface FindingCache {
  /** Returns the cached findings by key. `at`, in milliseconds, is stored as the time of their last use. */
  readFindings(owner: string, keys: readonly string[], at: number): Promise<Map<string, CachedFindings>>;
  insertFindings(owner: string, entries: ReadonlyMap<string, CachedFindings>, at: number): Promise<void>;
  /** Removes the owner's least recently used entries until the remaining entries are within the limits. */
  trimFindings(owner: string): Promise<void>;
}
