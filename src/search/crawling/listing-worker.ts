import { catchJobError } from '../../lib/workers/job-error.ts';
import { readListing } from './listing.ts';
import type { ListingAnswer, ListingJob } from './listing-pool.ts';

export function handleJob({ body, url }: ListingJob): Promise<ListingAnswer> {
  return catchJobError(() => readListing(body, url));
}
