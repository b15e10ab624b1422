import type { SearchEngine, SearchQuery } from '../engine.ts';

/** Returns settings of a result page that keeps cookies and answers robots with one of `statuses`. */
export function refuseRobots(...statuses: number[]): Pick<SearchEngine, 'cookies' | 'pauses' | 'refusals'> {
  const refusals = Object.fromEntries(
    statuses.map((status) => [status, 'it refuses what seems to be a robot']),
  );
  return { cookies: true, pauses: statuses, refusals };
}

export function partOf({ category }: SearchQuery): 'news' | 'images' | undefined {
  return category === 'news' || category === 'images' ? category : undefined;
}
