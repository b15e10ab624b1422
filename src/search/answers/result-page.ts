import type { EngineFacts, Retention, SearchEngine, SearchQuery } from '../engine.ts';

/** Returns settings of a result page that keeps cookies and answers robots with one of `statuses`. */
export function refuseRobots(...statuses: number[]): Pick<SearchEngine, 'cookies' | 'pauses' | 'refusals'> {
  const refusals = Object.fromEntries(
    statuses.map((status) => [status, 'it refuses what seems to be a robot']),
  );
  return { cookies: true, pauses: statuses, refusals };
}

/** Returns the facts about a result page. All privacy policies were read on the same day. */
export function describeResultPage(keeps: Retention, privacy: string, source: string): EngineFacts {
  return {
    limits: 'A page for people: it publishes no number and may refuse a program at any time.',
    atLimit: 'A captcha, 403 or 429.',
    keeps,
    privacy,
    sources: [source],
    checked: '2026-11-27',
  };
}

export function partOf({ category }: SearchQuery): 'news' | 'images' | undefined {
  return category === 'news' || category === 'images' ? category : undefined;
}
