import { didYouMean } from './text/likely.ts';

/** What a parameter is called by other servers and APIs, without case, hyphens and underscores. */
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

/** ` (did you mean timeRange?)`: of the known parameters the one that others call so, else the one that is spelt alike; '' for none. */
export function didYouMeanParameter(word: string, known: readonly string[], before = ''): string {
  const bare = word.toLowerCase().replace(/[-_]/g, '');
  const meant = known.find((name) => OTHER_NAMES[name]?.includes(bare));
  return meant === undefined ? didYouMean(word, known, before) : ` (did you mean ${before}${meant}?)`;
}
