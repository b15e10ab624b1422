import type { Category, Filter, SearchEngine, SearchQuery } from '../engine.ts';
import type { Question } from '../questions/question.ts';
import { answersForWeb } from './answers-for-web.ts';
import type { Standing } from './ask.ts';

/** Which engines are asked, and which were left out for a reason that the caller should hear. */
export interface Choice {
  readonly asked: readonly SearchEngine[];
  /** Asked in place of those that fail or bring too little, in this order: services before result pages. */
  readonly reserve: readonly SearchEngine[];
  readonly left: readonly { readonly name: string; readonly reason: string }[];
  /** Names of the engines for the question's own subject, among those asked and those in reserve. */
  readonly subject: ReadonlySet<string>;
  /** Names of suspended engines among those asked: the choice of the others has made up for them. */
  readonly suspended: ReadonlySet<string>;
}

/** Services with an official interface that one search asks at once: a question goes to few. */
const SERVICES_AT_ONCE = 3;
/** Services beside which result pages are not asked, and only stand in reserve: two can agree on what is right. */
const ENOUGH_SERVICES = 2;
/**
 * Result pages that one search asks at once where there are too few services: as many as its answer needs with one of
 * them slow. The others are in reserve, so that no site is asked more often than it must be.
 */
const PAGES_AT_ONCE = 5;
/** Of these, pages that know nothing of the subject that the caller named: they only fill the list. */
const PAGES_BESIDE_SUBJECT = 2;

/** Filters that an engine cannot make up for: without them its hits are mostly beside the question. */
const STRICT: Readonly<Partial<Record<Filter, string>>> = {
  site: 'left out: it cannot search within one site',
  sites: 'left out: it cannot search within several sites',
  timeRange: 'left out: it cannot search within a time',
};

/**
 * General engines always take part, those for a category where the question is about it; a set without any
 * general engine is asked whole. A category that the query names goes before its words: its engines take part, and general
 * ones for what these lack; of `images` its engines alone. Of these, engines that do not take a `site` or `timeRange` that was asked for are left out, and
 * those without the page that was asked for, unless none would remain; what has no such page is never asked for it.
 */
export function chooseEngines(
  engines: readonly SearchEngine[],
  question: Question,
  query: SearchQuery,
  standing: Standing = () => 0,
): Choice {
  const candidates = fitting(engines, question, query.category);
  const good = candidates.filter((engine) => lack(engine, query) === undefined);
  const asked = good.length > 0 ? good : candidates.filter((engine) => hasPage(engine, query));
  const left = candidates.flatMap((engine) => {
    const reason = asked.includes(engine) ? undefined : lack(engine, query);
    return reason ? [{ name: engine.name, reason }] : [];
  });
  const subject = asked.filter((engine) => isOfSubject(engine, question, query.category));
  return {
    ...inTurn(asked, query.category ? subject : [], standing),
    left,
    subject: new Set(subject.map(({ name }) => name)),
    suspended: new Set(asked.filter((one) => standing(one) === Infinity).map(({ name }) => name)),
  };
}

/** Whether the engine knows the subject: the one that the caller has named, or else that of the question's words. */
export function isOfSubject(engine: SearchEngine, question: Question, named: Category | undefined): boolean {
  if (named === 'general') return false;
  return named ? engine.about.categories.includes(named) : isSpecial(engine, question);
}

/** Whether the engine was chosen for a category of the question, and not for everything. */
export function isSpecial({ about }: SearchEngine, { categories }: Question): boolean {
  return !isGeneral(about.categories) && about.categories.some((category) => categories.has(category));
}

function fitting(
  engines: readonly SearchEngine[],
  question: Question,
  named: Category | undefined,
): readonly SearchEngine[] {
  if (named) {
    const has = ({ about }: SearchEngine) => about.categories.includes(named);
    if (named === 'images' && engines.some(has)) return engines.filter(has);
    const fit = engines.filter((engine) => has(engine) || isGeneral(engine.about.categories));
    if (fit.length > 0) return fit;
  }
  if (!engines.some(({ about }) => isGeneral(about.categories))) return engines;
  return engines.filter((engine) => isGeneral(engine.about.categories) || isSpecial(engine, question));
}

/** A query without the hosts that the engine has no words for: `withinFilters` sees to these. */
export function askable({ about }: SearchEngine, { site, excludeSite, ...query }: SearchQuery): SearchQuery {
  const takes = (filter: Filter) => about.takes.includes(filter);
  const within = site && takes(site.length > 1 ? 'sites' : 'site');
  return {
    ...query,
    ...(within && { site }),
    ...(excludeSite && takes('excludeSite') && { excludeSite }),
  };
}

function filtersOf({ site = [], timeRange }: SearchQuery): Filter[] {
  return [
    ...(site.length > 0 ? (['site'] as const) : []),
    ...(site.length > 1 ? (['sites'] as const) : []),
    ...(timeRange ? (['timeRange'] as const) : []),
  ];
}

/** Why an engine cannot take the query. */
function lack({ about }: SearchEngine, query: SearchQuery): string | undefined {
  const filter = filtersOf(query).find((one) => STRICT[one] !== undefined && !about.takes.includes(one));
  if (filter) return STRICT[filter];
  return hasPage({ about }, query) ? undefined : 'left out: it has no further page';
}

/** Whether it has the page of results that is asked for. */
export function hasPage({ about }: Pick<SearchEngine, 'about'>, { page = 1 }: SearchQuery): boolean {
  return page <= (about.pages ?? 1);
}

/**
 * Of the services of the web, and then of the public sites' result pages, those that know the subject, and then those
 * that may be asked soonest; suspended ones are asked too, which costs no request and lets the caller hear of it.
 */
function inTurn(
  engines: readonly SearchEngine[],
  subject: readonly SearchEngine[],
  standing: Standing,
): Pick<Choice, 'asked' | 'reserve'> {
  const services = inOrder(engines.filter(isService), subject, standing);
  const first = [...services.ours, ...services.others].slice(0, SERVICES_AT_ONCE);
  const own = engines.filter(({ about }) => about.own);
  const knowing = [...first, ...own].filter((one) => subject.length === 0 || subject.includes(one));
  const reserved = (enough: boolean, most: number) => (enough ? 0 : most);

  const pages = inOrder(engines.filter(isPage), subject, standing);
  const ours = pages.ours.slice(0, reserved(knowing.length >= ENOUGH_SERVICES, PAGES_AT_ONCE));
  const beside = reserved(
    first.length + own.length >= ENOUGH_SERVICES,
    subject.length > 0 ? PAGES_BESIDE_SUBJECT : PAGES_AT_ONCE,
  );
  const others = pages.others.slice(0, Math.min(beside, Math.max(0, PAGES_AT_ONCE - ours.length)));
  const now = new Set([...first, ...ours, ...others]);
  const reserve = [services, pages]
    .flatMap((group) => [...group.ours, ...group.others])
    .filter((one) => !now.has(one));
  return { asked: engines.filter((engine) => !reserve.includes(engine)), reserve };
}

/** Those that are not suspended, soonest first and the last resorts last: those that know the subject, and the others. */
function inOrder(
  engines: readonly SearchEngine[],
  subject: readonly SearchEngine[],
  standing: Standing,
): Readonly<Record<'ours' | 'others', readonly SearchEngine[]>> {
  const waits = new Map(engines.map((engine) => [engine, standing(engine)]));
  const late = ({ about }: SearchEngine) => (about.lastResort ? 1 : 0);
  const turns = engines
    .filter((engine) => waits.get(engine) !== Infinity)
    .toSorted((a, b) => late(a) - late(b) || (waits.get(a) ?? 0) - (waits.get(b) ?? 0));
  return {
    ours: turns.filter((one) => subject.includes(one)),
    others: turns.filter((one) => !subject.includes(one)),
  };
}

/** A service with an official interface that searches the whole web and that the user does not run. */
function isService(engine: SearchEngine): boolean {
  return answersForWeb(engine) && !engine.about.resultPage && !engine.about.own;
}

function isPage({ about }: SearchEngine): boolean {
  return isGeneral(about.categories) && about.resultPage === true;
}

function isGeneral(categories: readonly Category[]): boolean {
  return categories.includes('general');
}
