import { AppError, asAppError } from '../errors.ts';
import { redactSecrets } from '../lib/redact.ts';
import { HEARTBEAT_MS, isGone, RUNNER } from '../lib/runner.ts';
import type { Logger } from '../log.ts';
import type { Job, JobStore } from './job.ts';

/** Jobs under way at once, of one owner and of all; jobs that failed that are kept for one owner. */
const [OWN, ALL, KEEP] = [5, 20, 50];

/** What a job does: its results are kept when it resolves. */
export type Work = (signal: AbortSignal, progress: (message: string) => void) => Promise<void>;

/** Checks that nobody waits for. */
export interface Background {
  /** Begins one. AppError `rate_limited` when too many are under way. */
  start(owner: string, id: string, scope: string, work: Work): Job;
  /** One without results; undefined where there is none, or it has them. */
  get(owner: string, id: string): Job | undefined;
  /** Ends it, if this process has it in hand, and forgets it. */
  remove(owner: string, id: string): boolean;
  /** What is under way fails, saying that Magpie was ended. */
  close(): Promise<void>;
}

interface Run {
  readonly owner: string;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** A process that is gone leaves jobs that the next one to look at them calls failed. */
export function createBackground(store: JobStore, log: Logger): Background {
  const runs = new Map<string, Run>();

  async function run(owner: string, id: string, { signal }: AbortController, work: Work): Promise<void> {
    let message = '';
    const beat = setInterval(() => tell(id, message), HEARTBEAT_MS);
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      const worked = work(signal, (said) => {
        if (message === '') tell(id, said);
        message = said;
      });
      // Work that does not heed its signal holds up nobody.
      await Promise.race([worked, stopped]);
      store.remove(owner, id);
    } catch (thrown) {
      const error = asAppError(signal.aborted ? signal.reason : thrown);
      if (error.code === 'internal') log.error({ err: thrown, check: id }, error.message);
      store.fail(id, error.message);
    } finally {
      clearInterval(beat);
      signal.removeEventListener('abort', stop);
      runs.delete(id);
    }
  }

  function tell(id: string, message: string): void {
    try {
      store.beat(id, redactSecrets(message), Date.now());
    } catch (err) {
      log.warn({ err, check: id }, 'a check could not give a sign of life');
    }
  }

  const background: Background = {
    start(owner, id, scope, work) {
      const own = [...runs.values()].filter((one) => one.owner === owner).length;
      if (own >= OWN || runs.size >= ALL) {
        const why = own >= OWN ? `${own} of your checks are under way` : `${runs.size} checks are under way`;
        throw new AppError('rate_limited', `${why}: try again when one has ended`, { retryAfter: 30 });
      }
      store.add(owner, { id, scope, createdAt: Date.now(), runner: RUNNER }, KEEP);
      const stop = new AbortController();
      // The run is in the map before its work begins.
      const ended = Promise.resolve().then(() => run(owner, id, stop, work));
      ended.catch((err: unknown) => log.error({ err, check: id }, 'the end of a check could not be kept'));
      runs.set(id, { owner, stop, ended });
      return { id, scope, createdAt: Date.now(), state: 'running', progress: '' };
    },
    get(owner, id) {
      const job = store.get(owner, id);
      if (!job) return undefined;
      const { runner, beatAt, ...shown } = job;
      if (job.state === 'failed' || runs.has(id) || !isGone(runner, Date.now() - beatAt)) return shown;
      const reason = 'the process that made it was ended before the check was';
      store.fail(id, reason);
      return { ...shown, state: 'failed', reason };
    },
    remove(owner, id) {
      const run = runs.get(id);
      if (run?.owner === owner) run.stop.abort(new AppError('cancelled', 'the check was removed'));
      return store.remove(owner, id);
    },
    async close() {
      const under = [...runs.values()];
      for (const { stop } of under) stop.abort(new AppError('unavailable', 'Magpie was ended while it ran'));
      await Promise.allSettled(under.map(({ ended }) => ended));
    },
  };
  return background;
}
