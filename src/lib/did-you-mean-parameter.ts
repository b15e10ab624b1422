import names from './parameter-names.json' with { type: 'json' };
import { didYouMean } from './text/did-you-mean.ts';

/** Names that other servers and APIs use for Magpie's parameters, in lower case, without `-` and `_`. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = names;

/** Suggests a known parameter, for example ` (did you mean timeRange?)`. Returns '' if none is similar. */
export function didYouMeanParameter(word: string, known: readonly string[], before = ''): string {
  const bare = word.toLowerCase().replace(/[-_]/g, '');
  const meant = known.find((name) => OTHER_NAMES[name]?.includes(bare));
  return meant === undefined ? didYouMean(word, known, before) : ` (did you mean ${before}${meant}?)`;
}
