import type { Match } from '../knowledge/types.ts';
import { documentUri, entryUri } from '../lib/resource-uri.ts';

/** How the id of an uploaded file begins. */
export const FILE_PREFIX = 'doc://';

/**
 * Closeness below which a match has likely nothing to do with the question. Of the passages that answer a question of
 * Cranfield, MED, CACM and LoCoMo none stands below it; of first matches for questions on something else, 49 (CACM) to
 * 100 (LoCoMo) in 100 do.
 */
export const WEAK = 0.15;

/** Address of what a match was found in, as a resource. */
export function uriOf({ passage }: Match): string {
  return passage.of.startsWith(FILE_PREFIX)
    ? documentUri(passage.of.slice(FILE_PREFIX.length))
    : entryUri(passage.of);
}
