import { setImmediate } from 'node:timers/promises';
import { unavailableError } from '../../errors.ts';
import type { JobKind, JobQueue, JobWorker } from './job-queue.ts';
import { PROCESS_RUNNER_ID } from './runner.ts';

interface LocalKind {
  readonly worker: JobWorker;
  readonly jobs: Map<
    string,
    { readonly owner: string; readonly stop: AbortController; ended: Promise<void>; runs: boolean }
  >;
}

export function createLocalJobs(): JobQueue {
  const handled = new Map<string, LocalKind>();
  let closed = false;

  function kindOf({ name }: JobKind): LocalKind {
    const found = handled.get(name);
    if (!found) throw new TypeError(`nothing handles jobs of the kind ${name}`);
    return found;
  }

  async function begin({ worker, jobs }: LocalKind, id: string, place: Promise<() => void>): Promise<void> {
    const job = jobs.get(id);
    let leave: () => void;
    try {
      leave = await place;
    } catch (reason) {
      jobs.delete(id);
      return worker.drop?.(id, reason);
    }
    try {
      if (!job) return;
      job.runs = true;
      await worker.run({ id, runner: PROCESS_RUNNER_ID, signal: job.stop.signal, isDoneAgain: () => false });
    } finally {
      jobs.delete(id);
      leave();
    }
  }

  return {
    handle(kind, worker) {
      handled.set(kind.name, { worker, jobs: new Map() });
    },
    async send(kind, { id, owner }, store) {
      if (closed) throw unavailableError('Magpie is shutting down');
      const all = kindOf(kind);
      const others = [...all.jobs.values()];
      const own = others.filter((one) => one.owner === owner);
      const refusal = kind.refuse?.({
        waiting: others.filter(({ runs }) => !runs).length,
        ownWaiting: own.filter(({ runs }) => !runs).length,
        ownRunning: own.filter(({ runs }) => runs).length,
      });
      if (refusal) throw refusal;
      const stop = new AbortController();
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      all.jobs.set(id, { owner, stop, ended, runs: false });
      const place = all.worker.places.enter({ owner, signal: stop.signal });
      place.catch(() => {});
      try {
        // Waits until the limiter accepts or refuses the job, because `store` must not save a refused job.
        await Promise.race([place, setImmediate()]);
        await store();
      } catch (error) {
        all.jobs.delete(id);
        place.then((leave) => leave()).catch(() => {});
        stop.abort(error);
        resolve();
        throw error;
      }
      begin(all, id, place).then(resolve, () => resolve());
    },
    async cancel(kind, id, reason) {
      const job = handled.get(kind.name)?.jobs.get(id);
      job?.stop.abort(reason);
      await job?.ended;
    },
    isPending: async (kind, id) => handled.get(kind.name)?.jobs.has(id) === true,
    async close() {
      closed = true;
      const open = [...handled.values()].flatMap(({ jobs }) => [...jobs.values()]);
      for (const { stop } of open) stop.abort(unavailableError('Magpie was stopped while it ran'));
      await Promise.all(open.map(({ ended }) => ended));
    },
  };
}
