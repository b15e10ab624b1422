import { AppError } from '../../errors.ts';
import type { GuardedFetch } from '../../lib/network/fetch.ts';
import type { Logger } from '../../log.ts';
import type { SearchEngine, SearchQuery } from '../engine.ts';
import type { PageStore } from '../local-index/page-store.ts';
import { takeCharacters } from '../merging/excerpt.ts';
import { fuse } from '../merging/merge.ts';
import { withOwnPage } from '../merging/own-page.ts';
import { type Question, readQuestion } from '../questions/question.ts';
import { withinFilters } from '../questions/within.ts';
import type { EngineReport, Search } from '../types.ts';
import { allFailed } from './all-failed.ts';
import { engineNamesThatCount, hasAnswer } from './answers-for-web.ts';
import { createAsker } from './ask.ts';
import { createBrowserAsker, type OpenInBrowser } from './ask-in-browser.ts';
import { askable, type Choice, chooseEngines, hasPage, isOfSubject } from './choose.ts';
import { type EngineTask, gather, type Outcome } from './gather.ts';
import type { Health } from './health.ts';
import { canStop, describeFewAnswers, hasTooLittle, LOCAL, toLists } from './stopping-rules.ts';
import type { Suspensions } from './suspensions.ts';

export interface FindPagesOptions {
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
  readonly suspensions: Suspensions;
  /** Milliseconds that the engines have together. */
  readonly timeoutMs: number;
  /** Opens a result page in a browser of this machine: asked once more so, where all result pages have refused. */
  readonly openInBrowser?: OpenInBrowser | undefined;
  /** As in `Search`: a search that no engine answered names them. */
  readonly remedies?: readonly string[];
  readonly health: Health;
  readonly log: Logger;
}

/** Pages of an answer. */
const MAX_PAGES = 10;
/** Pages of the merged list among which one that only the local index has may be brought forward. */
const MAX_CANDIDATES = 200;
/** Characters of a question that are passed on. */
const MAX_QUESTION_CHARS = 2000;
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

/** The search of the web, and of the owner's local index beside it. */
export function createFindPages(options: FindPagesOptions): Search['findPages'] {
  const { engines, local, askLocal, timeoutMs, health } = options;
  const mayAskLocal = local !== undefined && askLocal;
  const asking = createAsking(options);
  const sources = Object.fromEntries(
    engines.flatMap(({ name, about: { source } }) => (source ? [[name, source]] : [])),
  );

  return async (text, { owner, limit, signal, patience = 1, ...filters }) => {
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
      : chooseEngines(engines, question, query, await asking.readStanding());
    // The caller has named a subject that engines here know.
    const topical = query.category !== undefined && choice.subject.size > 0;
    const accepts = withinFilters(query, Date.now());
    const { outcomes, isOutage } = await asking.ask({
      ...{ owner, query, choice, topical, accepts, signal },
      timeoutMs: timeoutMs * patience,
    });
    health.note(outcomes);
    const weights = weightsOf(choice, topical);
    const merged = fuse(toLists(outcomes), MAX_CANDIDATES, { accepts, weights, sources });
    const ranked = topical ? merged : withOwnPage(merged, plain, LOCAL);
    const pages = ranked.slice(0, Math.min(limit, MAX_PAGES)).map(({ text: _, ...page }) => page);
    if (pages.length === 0 && isOutage) throw allFailed(outcomes, options.remedies);
    const few = describeFewAnswers(outcomes);
    return {
      pages,
      engines: [...outcomes.map(report), ...choice.left.map(leftOut)],
      ...(isBesideTopic(query, choice) && { besideTopic: true }),
      ...(few && { fewAnswered: few }),
    };
  };
}

/** One question as it is put to the engines. */
interface EngineQuestion {
  readonly owner: string;
  readonly query: SearchQuery;
  readonly choice: Choice;
  readonly topical: boolean;
  readonly accepts: ReturnType<typeof withinFilters>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** The asking of the chosen engines, of the local index, and where all result pages refuse, of some in a browser. */
function createAsking(options: FindPagesOptions) {
  const { fetch, trusted, timeoutMs: usualMs, suspensions, local, askLocal, openInBrowser, log } = options;
  const asker = createAsker({ fetch, trusted, timeoutMs: usualMs, suspensions });
  const browser = openInBrowser && createBrowserAsker({ open: openInBrowser, suspensions });

  /** The local index: no page in it has a date or is a picture, and it has further pages of results where it is asked alone. */
  function prepareLocal(owner: string, query: SearchQuery, withoutWeb: boolean): EngineTask[] {
    const beyond = query.timeRange !== undefined || query.category === 'images' || (query.page ?? 1) > 1;
    if (!local || !askLocal || (beyond && !withoutWeb)) return [];
    const most = query.site || query.excludeSite ? MAX_LOCAL_WITHIN : query.limit;
    const { page = 1 } = query;
    const hits = async () =>
      (await local.searchPages(owner, query.text, most * page)).slice(most * (page - 1));
    return [{ name: LOCAL, ask: async () => ({ hits: await hits(), kept: false }) }];
  }

  /** The outcomes with those of result pages that were asked again through the browser. */
  async function askInBrowser(
    outcomes: readonly Outcome[],
    candidates: readonly SearchEngine[],
    { query, signal, timeoutMs }: EngineQuestion,
  ): Promise<readonly Outcome[]> {
    const opened = browser?.choose(candidates, outcomes, query) ?? [];
    if (!browser || opened.length === 0) return outcomes;
    const again = await gather(
      opened.map((engine) => browser.prepare(engine, askable(engine, query), timeoutMs)),
      { signal, timeoutMs, log, canStop: () => false, hasTooLittle: () => false, isOutage: () => false },
    );
    return outcomes.map((one) => again.find(({ name, ok }) => ok && name === one.name) ?? one);
  }

  return {
    readStanding: asker.readStanding,
    /** How each engine's part ended; `isOutage` where none whose answer counts has answered. */
    async ask(
      asked: EngineQuestion,
    ): Promise<{ readonly outcomes: readonly Outcome[]; readonly isOutage: boolean }> {
      const { owner, query, choice, topical, accepts, signal, timeoutMs } = asked;
      const { limit } = query;
      const candidates = [...choice.asked, ...choice.reserve];
      const special = choice.asked.filter(({ name }) => choice.subject.has(name)).map(({ name }) => name);
      const counting = engineNamesThatCount(candidates, query, topical ? choice.subject : new Set());
      // Without an engine to be asked the local index alone answers.
      const isOutage = (all: readonly Outcome[]) =>
        candidates.length > 0 &&
        !hasAnswer(
          all.map((one) => acceptedOf(one, accepts)),
          counting,
        );
      const toAsk = (engine: SearchEngine): EngineTask => ({
        name: engine.name,
        isSuspended: choice.suspended.has(engine.name),
        ask: (stake, stop, patienceMs) =>
          asker.ask(engine, askable(engine, query), { owner, stake, signal: stop, timeoutMs, patienceMs }),
      });
      const locally = prepareLocal(owner, query, candidates.length === 0);
      const gathered = await gather([...choice.asked.map(toAsk), ...locally], {
        reserve: choice.reserve.map(toAsk),
        ...{ signal, timeoutMs, log, isOutage },
        canStop: (sofar, progress) => canStop(sofar, { limit, special, topical, accepts, progress }),
        hasTooLittle: (sofar) => hasTooLittle(sofar, { limit, counting, accepts }),
      });
      const outcomes = isOutage(gathered) ? await askInBrowser(gathered, candidates, asked) : gathered;
      return { outcomes: outcomes.map((one) => acceptedOf(one, accepts)), isOutage: isOutage(outcomes) };
    },
  };
}

/** The outcome as one without hits where none of its hits is within the filters, which its engine did not keep to. */
function acceptedOf(outcome: Outcome, accepts: EngineQuestion['accepts']): Outcome {
  const isKept = fuse(toLists([outcome]), 1, { accepts }).length > 0;
  return isKept || outcome.hits.length === 0 ? outcome : { ...outcome, hits: [] };
}

/** All engines, for an operator who has named them. */
function allOf(engines: readonly SearchEngine[], question: Question, query: SearchQuery): Choice {
  const subject = engines.filter((engine) => isOfSubject(engine, question, query.category));
  return {
    asked: engines.filter((engine) => hasPage(engine, query)),
    reserve: [],
    left: [],
    subject: new Set(subject.map(({ name }) => name)),
    suspended: new Set(),
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
