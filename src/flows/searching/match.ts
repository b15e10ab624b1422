import type { PassageMatch } from '../../knowledge/types.ts';
import { documentUri, entryUri } from '../../lib/resource-uri.ts';

export const FILE_PREFIX = 'doc://';
const NO_CLOSE_MATCH = 'No close match: the nearest texts may have nothing to do with the question.';

/** Returns a note if all matches are weak. The note lists words of the question that no searched text has. */
export function describeWeakMatches(
  matches: readonly Pick<PassageMatch, 'weak' | 'missing' | 'missingOf'>[],
): string | undefined {
  if (matches.length === 0 || !matches.every(({ weak }) => weak)) return undefined;
  const words = (matches[0]?.missing ?? []).filter((one) =>
    matches.every(({ missing }) => missing?.includes(one)),
  );
  const list = words.map((one) => JSON.stringify(one)).join(' or ');
  const subject = matches[0]?.missingOf ? ` of ${JSON.stringify(matches[0].missingOf)}` : '';
  return list === '' ? NO_CLOSE_MATCH : `${NO_CLOSE_MATCH} No searched text says ${list}${subject}.`;
}

export function getMatchUri({ passage }: PassageMatch): string {
  return passage.of.startsWith(FILE_PREFIX)
    ? documentUri(passage.of.slice(FILE_PREFIX.length))
    : entryUri(passage.of);
}
