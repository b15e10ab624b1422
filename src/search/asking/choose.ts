import type { QueryFilter, SearchCategory, SearchEngine, SearchQuery } from '../engine.ts';
import type { ClassifiedQuestion } from '../questions/question.ts';
import { isWebEngine } from './decisive-engines.ts';
import type { EngineWaitLookup } from './engine-asker.ts';

export interface EngineChoice {
  readonly asked: readonly SearchEngine[];
  readonly reserve: readonly SearchEngine[];
  readonly left: readonly { readonly name: string; readonly reason: string }[];
  readonly subject: ReadonlySet<string>;
  readonly suspended: ReadonlySet<string>;
}

/** Maximum number of API services that are asked at once, so that few services learn the question. */
const SERVICES_AT_ONCE = 3;
/** If at least this many APIs or user-run engines are asked, engines with only HTML pages are a reserve. */
const ENOUGH_SERVICES = 2;
/** Maximum number of engines with only HTML pages that are asked at once. */
const PAGES_AT_ONCE = 5;
const PAGES_BESIDE_SUBJECT = 2;

/** If a query has one of these filters, engines without it are left out: few of their hits would fit. */
const STRICT: Readonly<Partial<Record<QueryFilter, string>>> = {
  site: 'left out: it cannot search within one site',
  sites: 'left out: it cannot search within several sites',
  timeRange: 'left out: it cannot search within a time',
};

export function chooseEngines(
  engines: readonly SearchEngine[],
  question: ClassifiedQuestion,
  query: SearchQuery,
  waitLookup: EngineWaitLookup = () => 0,
): EngineChoice {
  const candidates = fitting(engines, question, query.category);
  const good = candidates.filter((engine) => lack(engine, query) === undefined);
  const asked = good.length > 0 ? good : candidates.filter((engine) => hasResultPage(engine, query));
  const left = candidates.flatMap((engine) => {
    const reason = asked.includes(engine) ? undefined : lack(engine, query);
    return reason ? [{ name: engine.name, reason }] : [];
  });
  const subject = asked.filter((engine) => isForSubject(engine, question, query.category));
  return {
    ...inTurn(asked, query.category ? subject : [], waitLookup),
    left,
    subject: new Set(subject.map(({ name }) => name)),
    suspended: new Set(asked.filter((one) => waitLookup(one) === Infinity).map(({ name }) => name)),
  };
}

export function isForSubject(
  engine: SearchEngine,
  question: ClassifiedQuestion,
  named: SearchCategory | undefined,
): boolean {
  if (named === 'general') return false;
  return named ? engine.about.categories.includes(named) : isForQuestionCategory(engine, question);
}

export function isForQuestionCategory({ about }: SearchEngine, { categories }: ClassifiedQuestion): boolean {
  return !isGeneral(about.categories) && about.categories.some((category) => categories.has(category));
}

function fitting(
  engines: readonly SearchEngine[],
  question: ClassifiedQuestion,
  named: SearchCategory | undefined,
): readonly SearchEngine[] {
  if (named) {
    const has = ({ about }: SearchEngine) => about.categories.includes(named);
    if (named === 'images' && engines.some(has)) return engines.filter(has);
    const fit = engines.filter((engine) => has(engine) || isGeneral(engine.about.categories));
    if (fit.length > 0) return fit;
  }
  if (!engines.some(({ about }) => isGeneral(about.categories))) return engines;
  return engines.filter(
    (engine) => isGeneral(engine.about.categories) || isForQuestionCategory(engine, question),
  );
}

/** Removes host filters that the engine does not support. The caller must filter the hits. */
export function removeUnsupportedSites(
  { about }: SearchEngine,
  { site, excludeSite, ...query }: SearchQuery,
): SearchQuery {
  const takes = (filter: QueryFilter) => about.takes.includes(filter);
  const within = site && takes(site.length > 1 ? 'sites' : 'site');
  return { ...query, ...(within && { site }), ...(excludeSite && takes('excludeSite') && { excludeSite }) };
}

function filtersOf({ site = [], timeRange }: SearchQuery): QueryFilter[] {
  return [
    ...(site.length > 0 ? (['site'] as const) : []),
    ...(site.length > 1 ? (['sites'] as const) : []),
    ...(timeRange ? (['timeRange'] as const) : []),
  ];
}

function lack({ about }: SearchEngine, query: SearchQuery): string | undefined {
  const filter = filtersOf(query).find((one) => STRICT[one] !== undefined && !about.takes.includes(one));
  if (filter) return STRICT[filter];
  return hasResultPage({ about }, query) ? undefined : 'left out: it has no further page';
}

export function hasResultPage({ about }: Pick<SearchEngine, 'about'>, { page = 1 }: SearchQuery): boolean {
  return page <= (about.pages ?? 1);
}

function inTurn(
  engines: readonly SearchEngine[],
  subject: readonly SearchEngine[],
  standing: EngineWaitLookup,
): Pick<EngineChoice, 'asked' | 'reserve'> {
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

function inOrder(
  engines: readonly SearchEngine[],
  subject: readonly SearchEngine[],
  standing: EngineWaitLookup,
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

function isService(engine: SearchEngine): boolean {
  return isWebEngine(engine) && !engine.about.resultPage && !engine.about.own;
}

function isPage({ about }: SearchEngine): boolean {
  return isGeneral(about.categories) && about.resultPage === true;
}

function isGeneral(categories: readonly SearchCategory[]): boolean {
  return categories.includes('general');
}
