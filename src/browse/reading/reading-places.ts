import { BusyError } from '../../errors.ts';
import { isTimeout, withDeadline } from '../../lib/concurrency/deadline.ts';
import { createLimiter, type LimiterEntry } from '../../lib/concurrency/limiter.ts';
import { countWaiting } from '../../lib/concurrency/waiting-jobs.ts';
import { sharePlaces } from './reader-count.ts';

/** Who wants a place to fetch and read a page. */
export interface PlaceWanted extends Pick<LimiterEntry, 'owner' | 'alwaysWaits'> {
  readonly signal: AbortSignal;
  /** The call reads pages already: it goes before those of the same owner that have begun with none. */
  readonly goesOn?: boolean;
}

/**
 * The places of pages that are fetched and read at once. A page takes one before it is fetched, so that what was fetched is read, and
 * what is fetched and waits for a reader is bounded.
 */
export interface ReadingPlaces {
  /** Resolves with what frees the place. BusyError where none is free in time; the signal's reason when that is first. */
  enter(wanted: PlaceWanted): Promise<() => void>;
}

export interface PlacesOptions {
  readonly readers: number;
  /** Most bytes of a page. */
  readonly pageBytes: number;
  /** Milliseconds that a page waits for its place. */
  readonly waitMs: number;
}

/** Pages that may wait, of all users and of one; nothing of them is fetched yet. */
const [MAX_WAITING, MAX_WAITING_PER_OWNER] = [4000, 1000];
const RETRY_SECONDS = 10;

export function createReadingPlaces({ readers, pageBytes, waitMs }: PlacesOptions): ReadingPlaces {
  const { all, perOwner } = sharePlaces(readers, pageBytes);
  const limiter = createLimiter({
    concurrency: all,
    concurrencyPerOwner: perOwner,
    maxWaiting: MAX_WAITING,
    maxWaitingPerOwner: MAX_WAITING_PER_OWNER,
    refuse: ({ own }) =>
      own >= MAX_WAITING_PER_OWNER
        ? busy(`${own} of your pages wait to be read already`)
        : busy('too many pages wait to be read already'),
  });
  return {
    async enter({ signal, goesOn = false, ...entry }) {
      const noLonger = countWaiting();
      let entering: Promise<() => void> | undefined;
      const enter = (until: AbortSignal) => {
        entering = limiter.enter({ ...entry, signal: until, priority: goesOn ? 1 : 0 });
        return entering;
      };
      try {
        return await withDeadline(signal, entry.alwaysWaits ? Infinity : waitMs, enter);
      } catch (error) {
        // A place that was given in the moment of giving up is free for others.
        entering?.then(
          (leave) => leave(),
          () => {},
        );
        signal.throwIfAborted();
        if (!isTimeout(error)) throw error;
        throw busy(`no page could be begun within ${Math.round(waitMs / 1000)} seconds`);
      } finally {
        noLonger();
      }
    },
  };
}

function busy(why: string): BusyError {
  const message = `Magpie is busy: ${why}. Ask again in ${RETRY_SECONDS} seconds, with fewer calls at once`;
  return new BusyError(message, { retryAfter: RETRY_SECONDS });
}
