import type { RawFinding } from '../findings/finding.ts';

export type CachedFindings = readonly {
  readonly scanner: string;
  readonly findings: readonly RawFinding[];
}[];

/** Caches findings by content, for each owner separately. A shared cache would reveal what others scanned. */
export interface FindingCache {
  /** Returns cached findings by key. Stores `at` (milliseconds since 1970) as their time of last use. */
  readFindings(owner: string, keys: readonly string[], at: number): Promise<Map<string, CachedFindings>>;
  insertFindings(owner: string, entries: ReadonlyMap<string, CachedFindings>, at: number): Promise<void>;
  trimFindings(owner: string): Promise<void>;
}
