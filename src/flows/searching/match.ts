import type { Match } from '../../knowledge/types.ts';
import { documentUri, entryUri } from '../../lib/resource-uri.ts';

/** How the id of an uploaded file begins. */
export const FILE_PREFIX = 'doc://';

/** Address of what a match was found in, as a resource. */
export function uriOf({ passage }: Match): string {
  return passage.of.startsWith(FILE_PREFIX)
    ? documentUri(passage.of.slice(FILE_PREFIX.length))
    : entryUri(passage.of);
}
