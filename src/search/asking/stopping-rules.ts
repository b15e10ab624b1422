import { fuseHitLists } from '../merging/merge.ts';
import type { createHitFilter } from '../questions/hit-filter.ts';
import type { FoundPages } from '../types.ts';
import type { EngineOutcome, SearchProgress } from './gather-outcomes.ts';

export const LOCAL_ENGINE = 'local';
const ENOUGH_ENGINES = 3;
const ENOUGH_AGREED = 3;
/** If this many engines have enough hits, the search does not wait for late engines or rate limits. */
const ENOUGH_ANSWERS = 2;
/** More engines are asked below this number of engines with hits, or this share of the wanted hits. */
const LEAST_ENGINES = 2;
const LEAST_SHARE = 0.5;
const TOLD_FAILURES = 2;

interface AnswerSoFar {
  readonly limit: number;
  /** Names of engines for the question's subject. A search usually waits for the answer of one of them. */
  readonly special: readonly string[];
  readonly topical: boolean;
  readonly accepts: ReturnType<typeof createHitFilter>;
  readonly progress: SearchProgress;
}

export function canStop(
  outcomes: readonly EngineOutcome[],
  { limit, special, topical, accepts, progress }: AnswerSoFar,
): boolean {
  if (topical && !special.every((name) => outcomes.some((outcome) => outcome.name === name))) {
    const own = outcomes.filter(({ name, hits }) => special.includes(name) && hits.length > 0);
    return own.length >= ENOUGH_ANSWERS && fuseHitLists(toLists(own), limit, { accepts }).length >= limit;
  }
  const web = outcomes.filter(({ name, hits }) => name !== LOCAL_ENGINE && hits.length > 0);
  if (web.length < (progress === 'under way' ? ENOUGH_ENGINES : ENOUGH_ANSWERS)) return false;
  const pages = fuseHitLists(toLists(web), limit, { accepts });
  if (pages.length < limit) return false;
  if (progress === 'only waiting') return true;
  if (special.length > 0 && !outcomes.some(({ name }) => special.includes(name))) return false;
  if (progress === 'late') return true;
  return pages.filter((page) => page.engines.length > 1).length >= Math.min(ENOUGH_AGREED, limit);
}

export function hasTooFewResults(
  outcomes: readonly EngineOutcome[],
  {
    limit,
    counting,
    accepts,
  }: Pick<AnswerSoFar, 'limit' | 'accepts'> & { readonly counting: ReadonlySet<string> },
): boolean {
  const own = outcomes.filter(({ name, hits }) => counting.has(name) && hits.length > 0);
  if (own.length < LEAST_ENGINES) return true;
  return fuseHitLists(toLists(own), limit, { accepts }).length < limit * LEAST_SHARE;
}

/** Counts failed engines if most failed or only one has hits. Returns undefined if fewer than two failed. */
export function describeFewAnswers(outcomes: readonly EngineOutcome[]): FoundPages['fewAnswered'] {
  const asked = outcomes.filter(({ name, dropped }) => name !== LOCAL_ENGINE && !dropped);
  const failed = asked.filter(({ ok }) => !ok).length;
  const withHits = asked.filter(({ hits }) => hits.length > 0);
  const alone = withHits.length === 1 ? withHits[0]?.name : undefined;
  if (failed < TOLD_FAILURES || (failed * 2 <= asked.length && alone === undefined)) return undefined;
  return { failed, asked: asked.length, ...(alone !== undefined && { alone }) };
}

export function toLists(outcomes: readonly EngineOutcome[]) {
  return outcomes.map(({ name, hits }) => ({ engine: name, hits }));
}
