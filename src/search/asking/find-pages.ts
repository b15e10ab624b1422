import { upstreamError } from '../../errors.ts';
import type { OpenInBrowser } from '../../lib/network/fetch.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import type { Logger } from '../../log.ts';
import { EngineError, type SearchEngine, type SearchQuery } from '../engine.ts';
import { fuseHitLists } from '../merging/merge.ts';
import { promoteLocalPage } from '../merging/promote-local-page.ts';
import type { PageStore } from '../page-store.ts';
import { createHitFilter } from '../questions/hit-filter.ts';
import { type ClassifiedQuestion, classifyQuestion } from '../questions/question.ts';
import type { EngineReport, SearchService } from '../types.ts';
import { createAllFailedError } from './all-failed.ts';
import {
  chooseEngines,
  type EngineChoice,
  hasResultPage,
  isForSubject,
  removeUnsupportedSites,
} from './choose.ts';
import { hasUsableAnswer, listDecisiveEngines } from './decisive-engines.ts';
import { createEngineAsker, EngineSuspendedError } from './engine-asker.ts';
import { type EngineClientOptions, parseRelatedHits } from './engine-client.ts';
import { type EngineOutcome, type EngineTask, gatherOutcomes } from './gather-outcomes.ts';
import type { EngineHealthLog } from './health.ts';
import { createPacer } from './pace.ts';
import { canStop, describeFewAnswers, hasTooFewResults, LOCAL_ENGINE, toLists } from './stopping-rules.ts';
import type { EngineSuspensions } from './suspensions.ts';

export interface BrowserAskerOptions {
  readonly open: OpenInBrowser;
  readonly suspensions: EngineSuspensions;
}

const MOST_OPENED = 2;
const WAITING_SHARE = 0.25;

export function createBrowserAsker({ open, suspensions }: BrowserAskerOptions) {
  const pacer = createPacer();
  return {
    /** Returns up to `MOST_OPENED` engines that failed and whose result page a browser can open. */
    choose(
      pages: readonly SearchEngine[],
      outcomes: readonly EngineOutcome[],
      query: SearchQuery,
    ): SearchEngine[] {
      const refused = new Set(outcomes.flatMap(({ name, ok }) => (ok ? [] : [name])));
      return pages
        .filter((engine) => refused.has(engine.name) && hasOpenAddress(engine, query))
        .sort((a, b) => Number(a.about.lastResort ?? false) - Number(b.about.lastResort ?? false))
        .slice(0, MOST_OPENED);
    },
    prepare(engine: SearchEngine, query: SearchQuery, timeoutMs: number): EngineTask {
      const { name, about } = engine;
      // A browser may get an answer from a suspended engine, so suspensions in the browser are separate.
      const paused = `${name} in a browser`;
      return {
        name,
        async ask(stake, signal) {
          const suspension = (await suspensions.listCurrent()).get(paused);
          if (suspension) throw new EngineSuspendedError(suspension);
          await pacer.waitForTurn(name, {
            pace: about.pace,
            patience: timeoutMs * WAITING_SHARE,
            stake,
            signal,
          });
          try {
            const html = await open(engine.request(query).url, { signal, timeoutMs });
            const hits = parseRelatedHits(engine, html, query);
            suspensions.recordAnswer(paused);
            return { hits, kept: false };
          } catch (error) {
            if (!(error instanceof EngineError) || error.kind === 'refused') throw error;
            const kind = error.kind === 'changed' || error.kind === 'unrelated' ? 'changed' : 'refused';
            const pause = suspensions.suspend(paused, kind, error.message, error.wait);
            throw pause ? new EngineSuspendedError(pause) : error;
          }
        },
      };
    },
  };
}

function hasOpenAddress(engine: SearchEngine, query: SearchQuery): boolean {
  if (!engine.about.resultPage || engine.visit?.request(query)) return false;
  return (engine.request(query).method ?? 'GET') === 'GET';
}

export interface FindPagesOptions extends EngineClientOptions {
  readonly engines: readonly SearchEngine[];
  /** True if the operator has chosen the engines. Then all of them are asked every question. */
  readonly askAll?: boolean;
  readonly local?: PageStore;
  readonly askLocal: boolean;
  readonly suspensions: EngineSuspensions;
  readonly timeoutMs: number;
  readonly openInBrowser?: OpenInBrowser | undefined;
  readonly remedies?: readonly string[];
  readonly health: EngineHealthLog;
  readonly log: Logger;
}

const MAX_PAGES = 10;
const MAX_CANDIDATES = 200;
const MAX_QUESTION_CHARS = 2000;
const LOCAL_WEIGHT = 0.5;
const MAX_LOCAL_WITHIN = 50;
const BESIDE_WEIGHT = 0.05;

export function createFindPages(options: FindPagesOptions): SearchService['findPages'] {
  const { engines, local, askLocal, timeoutMs, health } = options;
  const mayAskLocal = local !== undefined && askLocal;
  const asking = createAsking(options);
  const sources = Object.fromEntries(
    engines.flatMap(({ name, about: { source } }) => (source ? [[name, source]] : [])),
  );

  return async (text, { owner, limit, signal, patience = 1, ...filters }) => {
    if (engines.length === 0 && !mayAskLocal)
      throw upstreamError(
        'failed to fetch search results: no engine can be asked; name one in MAGPIE_ENGINES, and `local` needs MAGPIE_LOCAL_INDEX',
      );
    const plain = takeCharacters(text.toWellFormed(), MAX_QUESTION_CHARS);
    const question = classifyQuestion(plain, new Date().getUTCFullYear());
    const { language } = question;
    const query: SearchQuery = {
      text: plain,
      limit,
      ...filters,
      language: filters.language ?? (language || undefined),
    };
    const choice: EngineChoice = options.askAll
      ? allOf(engines, question, query)
      : chooseEngines(engines, question, query, await asking.readStanding());
    const topical = query.category !== undefined && choice.subject.size > 0;
    const accepts = createHitFilter(query, Date.now());
    const { outcomes, isOutage } = await asking.ask({
      ...{ owner, query, choice, topical, accepts, signal },
      timeoutMs: timeoutMs * patience,
    });
    health.note(outcomes);
    const weights = weightsOf(choice, topical);
    const merged = fuseHitLists(toLists(outcomes), MAX_CANDIDATES, { accepts, weights, sources });
    const ranked = topical ? merged : promoteLocalPage(merged, plain, LOCAL_ENGINE);
    const pages = ranked.slice(0, Math.min(limit, MAX_PAGES)).map(({ text: _, ...page }) => page);
    if (pages.length === 0 && isOutage) throw createAllFailedError(outcomes, options.remedies);
    const few = describeFewAnswers(outcomes);
    return {
      pages,
      engines: [...outcomes.map(report), ...choice.left.map(leftOut)],
      ...(isBesideTopic(query, choice) && { besideTopic: true }),
      ...(few && { fewAnswered: few }),
    };
  };
}

interface EngineQuestion {
  readonly owner: string;
  readonly query: SearchQuery;
  readonly choice: EngineChoice;
  readonly topical: boolean;
  readonly accepts: ReturnType<typeof createHitFilter>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

function createAsking(options: FindPagesOptions) {
  const { fetch, trusted, timeoutMs: usualMs, suspensions, local, askLocal, openInBrowser, log } = options;
  const asker = createEngineAsker({ fetch, trusted, timeoutMs: usualMs, suspensions });
  const browser = openInBrowser && createBrowserAsker({ open: openInBrowser, suspensions });

  function prepareLocal(owner: string, query: SearchQuery, withoutWeb: boolean): EngineTask[] {
    const beyond = query.timeRange !== undefined || query.category === 'images' || (query.page ?? 1) > 1;
    if (!local || !askLocal || (beyond && !withoutWeb)) return [];
    const most = query.site || query.excludeSite ? MAX_LOCAL_WITHIN : query.limit;
    const { page = 1 } = query;
    const hits = async () =>
      (await local.searchPages(owner, query.text, most * page)).slice(most * (page - 1));
    return [{ name: LOCAL_ENGINE, ask: async () => ({ hits: await hits(), kept: false }) }];
  }

  async function askInBrowser(
    outcomes: readonly EngineOutcome[],
    candidates: readonly SearchEngine[],
    { query, signal, timeoutMs }: EngineQuestion,
  ): Promise<readonly EngineOutcome[]> {
    const opened = browser?.choose(candidates, outcomes, query) ?? [];
    if (!browser || opened.length === 0) return outcomes;
    const again = await gatherOutcomes(
      opened.map((engine) => browser.prepare(engine, removeUnsupportedSites(engine, query), timeoutMs)),
      { signal, timeoutMs, log, canStop: () => false, hasTooFewResults: () => false, isOutage: () => false },
    );
    return outcomes.map((one) => again.find(({ name, ok }) => ok && name === one.name) ?? one);
  }

  return {
    readStanding: asker.readStanding,
    async ask(
      asked: EngineQuestion,
    ): Promise<{ readonly outcomes: readonly EngineOutcome[]; readonly isOutage: boolean }> {
      const { owner, query, choice, topical, accepts, signal, timeoutMs } = asked;
      const { limit } = query;
      const candidates = [...choice.asked, ...choice.reserve];
      const special = choice.asked.filter(({ name }) => choice.subject.has(name)).map(({ name }) => name);
      const counting = listDecisiveEngines(candidates, query, topical ? choice.subject : new Set());
      const isOutage = (all: readonly EngineOutcome[]) =>
        candidates.length > 0 &&
        !hasUsableAnswer(
          all.map((one) => acceptedOf(one, accepts)),
          counting,
        );
      const toAsk = (engine: SearchEngine): EngineTask => ({
        name: engine.name,
        isSuspended: choice.suspended.has(engine.name),
        ask: (stake, stop, patienceMs) =>
          asker.ask(engine, removeUnsupportedSites(engine, query), {
            owner,
            stake,
            signal: stop,
            timeoutMs,
            patienceMs,
          }),
      });
      const locally = prepareLocal(owner, query, candidates.length === 0);
      const gathered = await gatherOutcomes([...choice.asked.map(toAsk), ...locally], {
        reserve: choice.reserve.map(toAsk),
        ...{ signal, timeoutMs, log, isOutage },
        canStop: (sofar, progress) => canStop(sofar, { limit, special, topical, accepts, progress }),
        hasTooFewResults: (sofar) => hasTooFewResults(sofar, { limit, counting, accepts }),
      });
      const outcomes = isOutage(gathered) ? await askInBrowser(gathered, candidates, asked) : gathered;
      return { outcomes: outcomes.map((one) => acceptedOf(one, accepts)), isOutage: isOutage(outcomes) };
    },
  };
}

function acceptedOf(outcome: EngineOutcome, accepts: EngineQuestion['accepts']): EngineOutcome {
  const isKept = fuseHitLists(toLists([outcome]), 1, { accepts }).length > 0;
  return isKept || outcome.hits.length === 0 ? outcome : { ...outcome, hits: [] };
}

function allOf(
  engines: readonly SearchEngine[],
  question: ClassifiedQuestion,
  query: SearchQuery,
): EngineChoice {
  const subject = engines.filter((engine) => isForSubject(engine, question, query.category));
  return {
    asked: engines.filter((engine) => hasResultPage(engine, query)),
    reserve: [],
    left: [],
    subject: new Set(subject.map(({ name }) => name)),
    suspended: new Set(),
  };
}

function weightsOf({ asked, reserve, subject }: EngineChoice, topical: boolean): Record<string, number> {
  if (asked.length === 0) return {};
  if (!topical) return { [LOCAL_ENGINE]: LOCAL_WEIGHT };
  const others = [...asked, ...reserve].filter(({ name }) => !subject.has(name));
  return Object.fromEntries(
    [...others.map(({ name }) => name), LOCAL_ENGINE].map((name) => [name, BESIDE_WEIGHT]),
  );
}

function isBesideTopic({ category = 'general' }: SearchQuery, { subject }: EngineChoice): boolean {
  return category !== 'general' && subject.size === 0;
}

function report({ name, ok, reason, ms, hits, kept }: EngineOutcome): EngineReport {
  return { name, ok, reason, ms, hits: hits.length, cached: kept };
}

function leftOut({ name, reason }: EngineChoice['left'][number]): EngineReport {
  return { name, ok: false, reason, ms: 0, hits: 0 };
}
