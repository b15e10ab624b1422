import type { SearchEngine, SearchQuery } from '../engine.ts';

/** True for engines that search the whole web, but not for encyclopaedias (category `definitions`). */
export function isWebEngine({ about }: Pick<SearchEngine, 'about'>): boolean {
  return about.categories.includes('general') && !about.categories.includes('definitions');
}

function isSiteOf({ about }: Pick<SearchEngine, 'about'>, { site = [] }: SearchQuery): boolean {
  const own = new URL(about.website).hostname.replace(/^www\./, '');
  return site.length > 0 && site.every((host) => host === own || host.endsWith(`.${own}`));
}

export function listDecisiveEngines(
  engines: readonly SearchEngine[],
  query: SearchQuery,
  topic: ReadonlySet<string>,
): ReadonlySet<string> {
  const count = engines.filter((one) => isWebEngine(one) || topic.has(one.name) || isSiteOf(one, query));
  return new Set((count.length > 0 ? count : engines).map(({ name }) => name));
}

/** True if a decisive engine has hits, or if enough decisive engines have found nothing. */
export function hasUsableAnswer(
  outcomes: readonly { readonly name: string; readonly ok: boolean; readonly hits: readonly unknown[] }[],
  decisiveEngines: ReadonlySet<string>,
): boolean {
  const own = outcomes.filter(({ name }) => decisiveEngines.has(name));
  const answered = own.filter(({ ok }) => ok);
  if (answered.some(({ hits }) => hits.length > 0)) return true;
  return answered.length > 1 || (answered.length === 1 && own.length <= 2);
}
