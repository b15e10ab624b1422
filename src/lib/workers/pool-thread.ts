import { Worker } from 'node:worker_threads';
import { moduleUrl } from './module-url.ts';
import {
  createJobClock,
  elapsedLimitMs,
  type JobLimits,
  type PoolWorker,
  START_TIMEOUT_MS,
  type ThreadMessage,
  type WorkerOutcome,
} from './pool-worker.ts';

const MIN_CHECK_MS = 20;
const CHECK_INTERVAL_MS = 100;

/** Starts a thread without a heap limit, because a thread above its limit can end the server. */
export function startThread<Job, Answer>(file: URL): PoolWorker<Job, Answer> {
  const worker = new Worker(moduleUrl('./thread-entry.ts', import.meta.url), {
    workerData: { file: file.href },
  });
  let gone = false;
  /** Total processor time of the thread in ms after its start or its last job. Undefined before the start. */
  let idleMs: number | undefined;
  let receive: (message: ThreadMessage<Answer>) => void = () => {};
  let lose: (why: 'broken' | 'stopped') => void = () => {};
  let error: unknown;
  worker.on('error', (thrown) => {
    error = thrown;
  });
  worker.once('exit', () => {
    gone = true;
    lose('broken');
  });
  worker.on('message', (message: ThreadMessage<Answer>) => {
    if ('cpuMs' in message) idleMs = message.cpuMs;
    receive(message);
  });
  // Lets this process end while the thread is idle. Adding a listener later would undo the call.
  worker.unref();

  function watch({ processorMs, isOver }: JobLimits, from: number, over: () => void): () => void {
    let ended = false;
    let timer: NodeJS.Timeout;
    const check = async () => {
      const usage = await worker.cpuUsage().catch(() => undefined);
      if (ended || !usage) return;
      const now = (usage.user + usage.system) / 1000;
      if (now - from >= processorMs || isOver?.(now)) over();
      else wait(processorMs - (now - from));
    };
    // Waits as long as the remaining limit: 50 ms of processor time cannot be used up in less than 50 ms.
    const wait = (leftMs: number) => {
      const ms = Math.max(MIN_CHECK_MS, isOver ? Math.min(leftMs, CHECK_INTERVAL_MS) : leftMs);
      timer = setTimeout(check, Math.min(ms, 0x7fffffff));
    };
    const clock = setTimeout(over, elapsedLimitMs(processorMs));
    wait(processorMs);
    return () => {
      ended = true;
      clearTimeout(timer);
      clearTimeout(clock);
    };
  }

  return {
    async work(job, limits, stop) {
      const lost = (): WorkerOutcome<Answer> =>
        idleMs === undefined ? { failed: 'start', cause: error } : { failed: 'broken' };
      if (gone) return lost();
      const { promise, resolve } = Promise.withResolvers<WorkerOutcome<Answer>>();
      const onTime = () => resolve({ failed: 'time' });
      const onStop = () => resolve({ failed: 'stopped' });
      const spent = createJobClock(limits.processorMs);
      const start = setTimeout(
        () => resolve({ failed: 'start', cause: new Error('the thread did not start in time') }),
        START_TIMEOUT_MS,
      );
      let unwatch = () => {};
      let begunMs = 0;
      const begin = (from: number) => {
        begunMs = from;
        spent.begin();
        clearTimeout(start);
        unwatch = watch(limits, from, onTime);
      };
      lose = (why) => resolve(why === 'stopped' ? { failed: why } : lost());
      receive = (message) => {
        if ('answer' in message)
          resolve(
            message.cpuMs - begunMs >= limits.processorMs ? { failed: 'time' } : { answer: message.answer },
          );
        else if ('news' in message) limits.onNews?.(message.news);
        else begin(message.cpuMs);
      };
      stop.addEventListener('abort', onStop, { once: true });
      if (idleMs !== undefined) begin(idleMs);
      worker.postMessage(job);
      const outcome = await promise;
      clearTimeout(start);
      unwatch();
      stop.removeEventListener('abort', onStop);
      lose = () => {};
      receive = () => {};
      const charge = 'answer' in outcome ? (idleMs ?? begunMs) - begunMs : spent.charge();
      if (charge !== undefined) limits.onEnd?.(charge);
      return outcome;
    },
    usable: () => !gone,
    startMs: () => (idleMs === undefined ? undefined : 0),
    async end() {
      gone = true;
      lose('stopped');
      await worker.terminate();
    },
  };
}
