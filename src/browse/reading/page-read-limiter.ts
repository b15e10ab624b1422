import { BusyError } from '../../errors.ts';
import { isTimeout, withDeadline } from '../../lib/concurrency/deadline.ts';
import { createLimiter, type LimiterEntry } from '../../lib/concurrency/limiter.ts';
import { registerWaitingJob } from '../../lib/concurrency/waiting-jobs.ts';
import { countConcurrentPages } from './reader-plan.ts';

export interface PageReadRequest extends Pick<LimiterEntry, 'owner' | 'alwaysWaits'> {
  readonly signal: AbortSignal;
  readonly goesOn?: boolean;
}

export interface PageReadLimiterOptions {
  readonly readers: number;
  readonly pageBytes: number;
  readonly waitMs: number;
}

const [MAX_WAITING, MAX_WAITING_PER_OWNER] = [4000, 1000];
const RETRY_SECONDS = 10;

export function createPageReadLimiter({ readers, pageBytes, waitMs }: PageReadLimiterOptions) {
  const { all, perOwner } = countConcurrentPages(readers, pageBytes);
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
    /** Waits until a page may be read. Call the returned function after reading. Throws BusyError. */
    async enter({ signal, goesOn = false, ...entry }: PageReadRequest): Promise<() => void> {
      const noLonger = registerWaitingJob();
      let entering: Promise<() => void> | undefined;
      const enter = (until: AbortSignal) => {
        entering = limiter.enter({ ...entry, signal: until, priority: goesOn ? 1 : 0 });
        return entering;
      };
      try {
        return await withDeadline(signal, entry.alwaysWaits ? Infinity : waitMs, enter);
      } catch (error) {
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
