import type { Match } from '../../knowledge/types.ts';
import { documentUri, entryUri } from '../../lib/resource-uri.ts';

export const FILE_PREFIX = 'doc://';

export function getMatchUri({ passage }: Match): string {
  return passage.of.startsWith(FILE_PREFIX)
    ? documentUri(passage.of.slice(FILE_PREFIX.length))
    : entryUri(passage.of);
}
