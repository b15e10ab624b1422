import { didYouMean } from './text/did-you-mean.ts';

/** Names of Magpie's parameters in other servers and APIs, in lower case, without `-` and `_`. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  q: ['url', 'uri', 'link', 'address', 'query', 'question', 'text', 'prompt', 'input', 'searchquery'],
  topK: ['limit', 'count', 'maxresults', 'numresults'],
  numofpages: ['limit', 'count', 'maxresults', 'numresults', 'results'],
  paging: ['page', 'pageno', 'offset', 'cursor', 'part', 'startindex'],
  timeRange: ['freshness', 'recency', 'age', 'days'],
  site: ['domain', 'domains', 'includedomains', 'includesites'],
  excludeSite: ['excludedomains', 'excludesites'],
  language: ['hl', 'locale', 'searchlang'],
  region: ['country', 'gl', 'cc'],
  topic: ['category', 'categories'],
  inputwindowwords: ['maxwords', 'maxtokens', 'maxlength', 'maxchars', 'maxcharacters'],
  section: ['heading', 'anchor'],
  extract: ['schema', 'jsonschema'],
  crawl: ['depth', 'maxdepth'],
  map: ['sitemap'],
};

/** Returns ` (did you mean timeRange?)` if an unknown parameter resembles a known one, else ''. */
export function didYouMeanParameter(word: string, known: readonly string[], before = ''): string {
  const bare = word.toLowerCase().replace(/[-_]/g, '');
  const meant = known.find((name) => OTHER_NAMES[name]?.includes(bare));
  return meant === undefined ? didYouMean(word, known, before) : ` (did you mean ${before}${meant}?)`;
}
