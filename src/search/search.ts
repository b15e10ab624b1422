import { AppError } from '../errors.ts';
import { defined } from '../lib/defined.ts';
import type { GuardedFetch } from '../lib/fetch.ts';
import type { Logger } from '../log.ts';
import { allFailed } from './all-failed.ts';
import { createAsker } from './ask.ts';
import { canonicalUrl } from './canonical-url.ts';
import { askable, type Choice, chooseEngines, hasPage, isOfSubject } from './choose.ts';
import type { SearchEngine, SearchQuery } from './engine.ts';
import { takeCharacters } from './excerpt.ts';
import { type Asked, gather, type Outcome } from './gather.ts';
import { fuse } from './merge.ts';
import { withOwnPage } from './own-page.ts';
import type { PageStore } from './page-store.ts';
import { type Question, readQuestion } from './question.ts';
import { createMemorySuspensionStore, type SuspensionStore } from './suspension-store.ts';
import { createSuspensions, type Suspensions } from './suspensions.ts';
import type { EngineHealth, EngineReport, Search } from './types.ts';
import { withinFilters } from './within.ts';

export interface SearchOptions {
  readonly fetch: GuardedFetch;
  readonly engines: readonly SearchEngine[];
  /** Every engine is asked every question: the operator has named them. Else they are chosen by the question. */
  readonly askAll?: boolean;
  /** host:port of engines that the operator placed on a private network. */
  readonly trusted: readonly string[];
  /** The local index: every page that a user has read. It needs no network. */
  readonly local?: PageStore;
  /** Whether `local` is among the engines asked; it remembers pages either way. */
  readonly askLocal: boolean;
  /** Where suspensions of engines are kept; in memory by default. */
  readonly suspensions?: SuspensionStore;
  /** Opens an engine's result page in a browser of this machine; resolves with the HTML of the page as it was rendered. */
  readonly openInBrowser?:
    | ((
        url: string,
        options: { readonly signal: AbortSignal; readonly timeoutMs: number },
      ) => Promise<string>)
    | undefined;
  /** Milliseconds that the engines have together. */
  readonly timeoutMs: number;
  readonly log: Logger;
}

/** Pages of an answer. */
const MAX_PAGES = 10;
/** Pages of the merged list among which one that only the local index has may be brought forward. */
const MAX_CANDIDATES = 200;
/** Characters of a question that are passed on. */
const MAX_QUESTION_CHARS = 2000;
const LOCAL = 'local';
/**
 * A page that only the local index names stands below every page of the web: it has some word of the question
 * and was read once, which alone says little. What both name rises, and one with all the words is brought forward.
 */
const LOCAL_WEIGHT = 0.5;
/** Local pages that are read when most of them may lie outside the asked site. */
const MAX_LOCAL_WITHIN = 50;
/**
 * Where the caller has named a subject, engines that do not know it only fill the list: at this weight ten of them
 * that agree on a page stay below the tenth page of one that knows it.
 */
const BESIDE_WEIGHT = 0.05;

/**
 * Enough is in when this many engines gave hits, their merged list is full, and for as many of its pages as
 * are read in full two engines agree: another list would move pages, and seldom bring better leading ones.
 */
const ENOUGH_ENGINES = 3;
const ENOUGH_AGREED = 3;
/**
 * This many with a full list are enough where the others only wait for their turn: a turn can take seconds,
 * and engines under way mere tenths of one.
 */
const ENOUGH_ANSWERS = 2;

/** The search room: the engines behind one `find`, and the owner's local index. */
export function createSearch(options: SearchOptions): Search {
  const { fetch, engines, trusted, local, askLocal, timeoutMs, log } = options;
  const store = options.suspensions ?? createMemorySuspensionStore();
  const suspensions = createSuspensions({ store, log });
  const asker = createAsker({ fetch, trusted, timeoutMs, suspensions });
  const health = createHealth(engines, suspensions);
  const mayAskLocal = local && askLocal;

  const sources = Object.fromEntries(
    engines.flatMap(({ name, about: { source } }) => (source ? [[name, source]] : [])),
  );

  const withWeb =
    (owner: string, query: SearchQuery, limit: number) =>
    (engine: SearchEngine): Asked => ({
      name: engine.name,
      ask: (stake, signal) =>
        asker.ask(engine, askable(engine, query), { owner, stake, signal, timeoutMs: limit }),
    });

  /** The local index: no page in it has a date or is a picture, and it has further pages of results where it is asked alone. */
  function askedLocally(owner: string, query: SearchQuery, withoutWeb: boolean): Asked[] {
    const beyond = query.timeRange !== undefined || query.category === 'images' || (query.page ?? 1) > 1;
    if (!mayAskLocal || (beyond && !withoutWeb)) return [];
    const most = query.site || query.excludeSite ? MAX_LOCAL_WITHIN : query.limit;
    const { page = 1 } = query;
    const hits = async () =>
      (await local.searchPages(owner, query.text, most * page)).slice(most * (page - 1));
    return [{ name: LOCAL, ask: async () => ({ hits: await hits(), kept: false }) }];
  }

  return {
    async findPages(text, { owner, limit, signal, patience = 1, ...filters }) {
      if (engines.length === 0 && !mayAskLocal) throw noEngine();
      const plain = takeCharacters(text.toWellFormed(), MAX_QUESTION_CHARS);
      const question = readQuestion(plain, new Date().getUTCFullYear());
      const { language } = question;
      // The language that the caller names, or else that of the question's words.
      const query: SearchQuery = {
        text: plain,
        limit,
        ...filters,
        language: filters.language ?? (language || undefined),
      };
      const choice: Choice = options.askAll
        ? allOf(engines, question, query)
        : chooseEngines(engines, question, query, await asker.readStanding());
      const special = choice.asked.filter(({ name }) => choice.subject.has(name)).map(({ name }) => name);
      // The caller has named a subject that engines here know.
      const topical = query.category !== undefined && choice.subject.size > 0;
      const accepts = withinFilters(query, Date.now());
      const time = timeoutMs * patience;
      const web = choice.asked.map(withWeb(owner, query, time));
      const outcomes = await gather([...web, ...askedLocally(owner, query, web.length === 0)], {
        reserve: choice.reserve.map(withWeb(owner, query, time)),
        signal,
        timeoutMs: time,
        log,
        enough: (sofar, onlyWaiting) => isEnough(sofar, { limit, special, topical, accepts, onlyWaiting }),
      });
      health.note(outcomes);
      const weights = weightsOf(choice, topical);
      const merged = fuse(lists(outcomes), MAX_CANDIDATES, { accepts, weights, sources });
      const ranked = topical ? merged : withOwnPage(merged, plain, LOCAL);
      const pages = ranked.slice(0, Math.min(limit, MAX_PAGES)).map(({ text: _, ...page }) => page);
      // The local index having nothing says nothing about the web.
      const answered = outcomes.some(({ ok, name }) => ok && (name !== LOCAL || choice.asked.length === 0));
      if (pages.length === 0 && !answered) throw allFailed(outcomes);
      return {
        pages,
        engines: [...outcomes.map(report), ...choice.left.map(leftOut)],
        ...(isBesideTopic(query, choice) && { besideTopic: true }),
      };
    },
    async rememberPages(owner, pages) {
      await local?.savePages(
        owner,
        pages.map((page) => ({ ...page, url: canonicalUrl(page.url) ?? page.url })),
      );
    },
    async recallPage(owner, url) {
      return local?.getPage(owner, canonicalUrl(url) ?? url);
    },
    async recallVersion(owner, url, at) {
      return local?.getVersion(owner, canonicalUrl(url) ?? url, at);
    },
    readHealth: health.read,
    searchPages: async (owner, query, limit) => (local ? local.searchPages(owner, query, limit) : []),
    async forgetPage(owner, url) {
      const canonical = canonicalUrl(url) ?? url;
      return (await local?.deletePages(owner, [...new Set([url, canonical])])) !== 0;
    },
    keepsPages: local !== undefined,
    async listRecentPages(owner, limit, cursor) {
      return local ? local.listPages(owner, limit, cursor) : { pages: [] };
    },
  };
}

/** What the console shows of the engines: as many entries as there are engines, and nothing of a question. */
function createHealth(engines: readonly SearchEngine[], suspensions: Pick<Suspensions, 'listCurrent'>) {
  const last = new Map<string, NonNullable<EngineHealth['last']>>();
  return {
    note(outcomes: readonly Outcome[]): void {
      for (const { name, ok, reason, ms, hits, kept } of outcomes) {
        if (!kept && name !== LOCAL) last.set(name, { at: Date.now(), ok, reason, ms, hits: hits.length });
      }
    },
    async read(): Promise<EngineHealth[]> {
      const paused = await suspensions.listCurrent();
      return engines.map(({ name }) =>
        defined({
          name,
          pausedUntil: paused.get(name)?.until,
          pausedWhy: paused.get(name)?.reason,
          last: last.get(name),
        }),
      );
    },
  };
}

interface EnoughFor {
  readonly limit: number;
  /** Engines for the question's own subject: one of them is waited for. */
  readonly special: readonly string[];
  /** The caller has named the subject: its engines are waited for until their own list is full. */
  readonly topical: boolean;
  readonly accepts: ReturnType<typeof withinFilters>;
  readonly onlyWaiting: boolean;
}

function isEnough(
  outcomes: readonly Outcome[],
  { limit, special, topical, accepts, onlyWaiting }: EnoughFor,
): boolean {
  if (topical && !special.every((name) => outcomes.some((outcome) => outcome.name === name))) {
    const own = outcomes.filter(({ name, hits }) => special.includes(name) && hits.length > 0);
    return own.length >= ENOUGH_ANSWERS && fuse(lists(own), limit, { accepts }).length >= limit;
  }
  const web = outcomes.filter(({ name, hits }) => name !== LOCAL && hits.length > 0);
  if (web.length < (onlyWaiting ? ENOUGH_ANSWERS : ENOUGH_ENGINES)) return false;
  const pages = fuse(lists(web), limit, { accepts });
  if (pages.length < limit) return false;
  if (onlyWaiting) return true;
  if (special.length > 0 && !outcomes.some(({ name }) => special.includes(name))) return false;
  return pages.filter((page) => page.engines.length > 1).length >= Math.min(ENOUGH_AGREED, limit);
}

/** All engines, for an operator who has named them. */
function allOf(engines: readonly SearchEngine[], question: Question, query: SearchQuery): Choice {
  const subject = engines.filter((engine) => isOfSubject(engine, question, query.category));
  return {
    asked: engines.filter((engine) => hasPage(engine, query)),
    reserve: [],
    left: [],
    subject: new Set(subject.map(({ name }) => name)),
  };
}

/** What the ranks of engines count; 1 for those not named. */
function weightsOf({ asked, reserve, subject }: Choice, topical: boolean): Record<string, number> {
  if (asked.length === 0) return {};
  if (!topical) return { [LOCAL]: LOCAL_WEIGHT };
  const others = [...asked, ...reserve].filter(({ name }) => !subject.has(name));
  return Object.fromEntries([...others.map(({ name }) => name), LOCAL].map((name) => [name, BESIDE_WEIGHT]));
}

/** No engine that was to be asked knows the subject that the caller has named. */
function isBesideTopic({ category = 'general' }: SearchQuery, { subject }: Choice): boolean {
  return category !== 'general' && subject.size === 0;
}

function lists(outcomes: readonly Outcome[]) {
  return outcomes.map(({ name, hits }) => ({ engine: name, hits }));
}

function report({ name, ok, reason, ms, hits, kept }: Outcome): EngineReport {
  return {
    name,
    ok,
    reason,
    ms,
    hits: hits.length,
    cached: kept,
  };
}

function leftOut({ name, reason }: Choice['left'][number]): EngineReport {
  return { name, ok: false, reason, ms: 0, hits: 0 };
}

function noEngine(): AppError {
  return new AppError(
    'upstream',
    'failed to fetch search results: no engine can be asked; name one in MAGPIE_ENGINES, and `local` needs MAGPIE_LOCAL_INDEX',
  );
}
