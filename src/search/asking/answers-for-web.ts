import type { SearchEngine, SearchQuery } from '../engine.ts';

/** How an engine's part ended, as far as it says whether the web was searched. */
interface EngineResult {
  readonly name: string;
  readonly ok: boolean;
  readonly hits: readonly unknown[];
}

/** Whether an engine searches the web at large: an encyclopaedia, which is also asked for definitions, does not. */
export function answersForWeb({ about }: Pick<SearchEngine, 'about'>): boolean {
  return about.categories.includes('general') && !about.categories.includes('definitions');
}

/** Whether the engine's own site is the one that is searched: its answer is then the whole one. */
function isSiteOf({ about }: Pick<SearchEngine, 'about'>, { site = [] }: SearchQuery): boolean {
  const own = new URL(about.website).hostname.replace(/^www\./, '');
  return site.length > 0 && site.every((host) => host === own || host.endsWith(`.${own}`));
}

/**
 * Of the engines that may take part those whose empty answer counts: engines of the web, those of the topic that the
 * caller has named, and that of the site that is searched. All of them where there is none of these.
 */
export function engineNamesThatCount(
  engines: readonly SearchEngine[],
  query: SearchQuery,
  topic: ReadonlySet<string>,
): ReadonlySet<string> {
  const count = engines.filter((one) => answersForWeb(one) || topic.has(one.name) || isSiteOf(one, query));
  return new Set((count.length > 0 ? count : engines).map(({ name }) => name));
}

/**
 * Whether the engines whose answer counts have answered, if only with nothing. One that finds nothing while most
 * others refuse has not: an empty answer is also how a refusal looks.
 */
export function hasAnswer(outcomes: readonly EngineResult[], counting: ReadonlySet<string>): boolean {
  const own = outcomes.filter(({ name }) => counting.has(name));
  const answered = own.filter(({ ok }) => ok);
  if (answered.some(({ hits }) => hits.length > 0)) return true;
  return answered.length > 1 || (answered.length === 1 && own.length <= 2);
}
