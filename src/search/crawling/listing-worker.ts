import { catchJobError } from '../../lib/workers/job-error.ts';
import { readSitemapOrFeed } from './listing.ts';
import type { ListingAnswer, SitemapOrFeedJob } from './listing-pool.ts';

export function handleJob({ body, url }: SitemapOrFeedJob): Promise<ListingAnswer> {
  return catchJobError(() => readSitemapOrFeed(body, url));
}
