import type { SearchEngine, SearchQuery } from '../engine.ts';

/** The outcome of an engine, as far as needed to decide if the web was searched. */
interface EngineResult {
  readonly name: string;
  readonly ok: boolean;
  readonly hits: readonly unknown[];
}

/** True if an engine searches the whole web. An encyclopaedia, which is also asked for definitions, does not. */
export function answersForWeb({ about }: Pick<SearchEngine, 'about'>): boolean {
  return about.categories.includes('general') && !about.categories.includes('definitions');
}

/** True if the query is limited to the engine's own site, so that its answer is complete. */
function isSiteOf({ about }: Pick<SearchEngine, 'about'>, { site = [] }: SearchQuery): boolean {
  const own = new URL(about.website).hostname.replace(/^www\./, '');
  return site.length > 0 && site.every((host) => host === own || host.endsWith(`.${own}`));
}

/**
 * Returns the names of the engines whose empty answer is believed: those of the whole web, those of the topic that the caller
 * named (`topic`), and the one of the site that is searched. Returns all names if there are none of these.
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
 * True if the engines in `decisiveEngines` have answered, even without hits. A single empty answer while most others refused does
 * not count, because a refusal can look like an empty answer.
 */
export function hasAnswer(outcomes: readonly EngineResult[], counting: ReadonlySet<string>): boolean {
  const own = outcomes.filter(({ name }) => counting.has(name));
  const answered = own.filter(({ ok }) => ok);
  if (answered.some(({ hits }) => hits.length > 0)) return true;
  return answered.length > 1 || (answered.length === 1 && own.length <= 2);
}
