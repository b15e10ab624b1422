import names from './parameter-names.json' with { type: 'json' };
import { didYouMean } from './text/did-you-mean.ts';

/** Names of Magpie's parameters in other servers and APIs, in lower case, without `-` and `_`. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = names;

/** Returns ` (did you mean timeRange?)` if an unknown parameter resembles a known one, else ''. */
export function didYouMeanParameter(word: string, known: readonly string[], before = ''): string {
  const bare = word.toLowerCase().replace(/[-_]/g, '');
  const meant = known.find((name) => OTHER_NAMES[name]?.includes(bare));
  return meant === undefined ? didYouMean(word, known, before) : ` (did you mean ${before}${meant}?)`;
}
