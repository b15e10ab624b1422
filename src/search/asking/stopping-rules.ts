import { fuse } from '../merging/merge.ts';
import type { withinFilters } from '../questions/within.ts';
import type { FoundPages } from '../types.ts';
import type { Outcome, Progress } from './gather.ts';

/** The name of the local index among the engines. */
export const LOCAL = 'local';

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
/** Fewer engines with hits than these cannot agree on anything, and less of the list is too little: more are asked. */
const LEAST_ENGINES = 2;
const LEAST_SHARE = 0.5;
/** Failures from which on an answer says how few engines have answered. */
const TOLD_FAILURES = 2;

interface AnswerSoFar {
  readonly limit: number;
  /** Engines for the question's own subject: one of them is waited for. */
  readonly special: readonly string[];
  /** The caller has named the subject: its engines are waited for until their own list is full. */
  readonly topical: boolean;
  readonly accepts: ReturnType<typeof withinFilters>;
  readonly progress: Progress;
}

/** Two full answers suffice where the others wait for their turn or are late; three that agree do else. */
export function canStop(
  outcomes: readonly Outcome[],
  { limit, special, topical, accepts, progress }: AnswerSoFar,
): boolean {
  if (topical && !special.every((name) => outcomes.some((outcome) => outcome.name === name))) {
    const own = outcomes.filter(({ name, hits }) => special.includes(name) && hits.length > 0);
    return own.length >= ENOUGH_ANSWERS && fuse(toLists(own), limit, { accepts }).length >= limit;
  }
  const web = outcomes.filter(({ name, hits }) => name !== LOCAL && hits.length > 0);
  if (web.length < (progress === 'under way' ? ENOUGH_ENGINES : ENOUGH_ANSWERS)) return false;
  const pages = fuse(toLists(web), limit, { accepts });
  if (pages.length < limit) return false;
  if (progress === 'only waiting') return true;
  if (special.length > 0 && !outcomes.some(({ name }) => special.includes(name))) return false;
  if (progress === 'late') return true;
  return pages.filter((page) => page.engines.length > 1).length >= Math.min(ENOUGH_AGREED, limit);
}

/** Whether too few engines of the web had something, or all together too few pages. */
export function hasTooLittle(
  outcomes: readonly Outcome[],
  {
    limit,
    counting,
    accepts,
  }: Pick<AnswerSoFar, 'limit' | 'accepts'> & { readonly counting: ReadonlySet<string> },
): boolean {
  const own = outcomes.filter(({ name, hits }) => counting.has(name) && hits.length > 0);
  if (own.length < LEAST_ENGINES) return true;
  return fuse(toLists(own), limit, { accepts }).length < limit * LEAST_SHARE;
}

/** What an answer says of engines that failed, where most of them did or one alone is left. */
export function describeFewAnswers(outcomes: readonly Outcome[]): FoundPages['fewAnswered'] {
  const asked = outcomes.filter(({ name, dropped }) => name !== LOCAL && !dropped);
  const failed = asked.filter(({ ok }) => !ok).length;
  const withHits = asked.filter(({ hits }) => hits.length > 0);
  const alone = withHits.length === 1 ? withHits[0]?.name : undefined;
  if (failed < TOLD_FAILURES || (failed * 2 <= asked.length && alone === undefined)) return undefined;
  return { failed, asked: asked.length, ...(alone !== undefined && { alone }) };
}

/** The lists that are merged. */
export function toLists(outcomes: readonly Outcome[]) {
  return outcomes.map(({ name, hits }) => ({ engine: name, hits }));
}
