import type { Knowledge, PassageMatch, QueryOptions } from '../../knowledge/types.ts';
import { type AskedTime, timeAskedFor } from '../../lib/time/time-words.ts';

export interface TimedMatches {
  readonly found: readonly PassageMatch[];
  /** The time that the question names, such as `last month`. */
  readonly period: AskedTime | undefined;
  /** True if the matches were saved in that time. Otherwise, no match of that time is close. */
  readonly fits: boolean;
}

/** Searches first among the entries of the time that a question names, and then among all. */
export async function findInAskedTime(
  knowledge: Pick<Knowledge, 'findPassages'>,
  owner: string,
  question: string,
  options: QueryOptions,
  signal: AbortSignal,
): Promise<TimedMatches> {
  const { filter = {}, speaker, asOf = Date.now() * 1000 } = options;
  const hasTime = filter.since !== undefined || filter.until !== undefined;
  const period = hasTime ? undefined : timeAskedFor(question, asOf / 1000);
  if (period) {
    const within = { ...filter, since: period.since * 1000, until: period.until * 1000 };
    const words = period.isWholeQuestion && speaker === undefined ? '' : question;
    const found = await knowledge.findPassages(owner, words, { ...options, filter: within }, signal);
    if (found.some(({ weak }) => !weak)) return { found, period, fits: true };
  }
  const found = await knowledge.findPassages(owner, question, options, signal);
  return { found, period, fits: false };
}
