import { asAppError } from '../../errors.ts';
import { readListing } from './listing.ts';
import type { ListingAnswer, ListingJob } from './listing-pool.ts';

export function answer({ body, url }: ListingJob): ListingAnswer {
  try {
    return { listing: readListing(body, url) };
  } catch (thrown) {
    const { code, message } = asAppError(thrown);
    return { error: { code, message } };
  }
}
