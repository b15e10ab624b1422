import { fileURLToPath } from 'node:url';
import { moduleUrl } from './module-url.ts';
import {
  createJobClock,
  elapsedLimitMs,
  type JobLimits,
  type PoolWorker,
  type ProcessMessage,
  START_TIMEOUT_MS,
  type WorkerOutcome,
} from './pool-worker.ts';
import { startHostedProcess } from './process-host.ts';
import { LIMIT_EXIT_MESSAGES } from './process-watch.ts';

/** Share of a process's memory for the JavaScript heap. Buffers and WebAssembly need the rest. */
const HEAP_SHARE = 0.75;

/** Starts a process limited to `memoryBytes`. It is replaced if it uses over `restBytes` after a job. */
export function startProcess<Job, Answer>(
  file: URL,
  memoryBytes: number,
  restBytes = Number.POSITIVE_INFINITY,
): PoolWorker<Job, Answer> {
  const rest = Math.min(restBytes, memoryBytes / 2);
  let [gone, ready, words] = [false, false, ''];
  const begunMs = performance.now();
  let startMs: number | undefined;
  let receive: (message: ProcessMessage<Answer>) => void = () => {};
  let lose: (why: 'time' | 'memory' | 'broken' | 'stopped', cause?: unknown) => void = () => {};
  const { promise: ended, resolve: setEnded } = Promise.withResolvers<void>();
  const child = startHostedProcess<ProcessMessage<Answer>>(
    {
      entry: fileURLToPath(moduleUrl('./process-entry.ts', import.meta.url)),
      args: [file.href, String(memoryBytes), String(rest)],
      execArgv: [`--max-old-space-size=${Math.floor((HEAP_SHARE * memoryBytes) / 2 ** 20)}`],
    },
    (message) => {
      if ('ready' in message) [ready, startMs] = [true, performance.now() - begunMs];
      if ('answer' in message && message.spent) gone = true;
      receive(message);
    },
    (end) => {
      gone = true;
      words = end.words;
      setEnded();
      lose(end.cause === undefined ? reasonOf(words, end.signal) : 'broken', end.cause);
    },
  );

  return {
    async work(job, limits: JobLimits, stop) {
      if (gone) return ready ? { failed: 'broken' } : { failed: 'start', cause: new Error(words) };
      const { promise, resolve } = Promise.withResolvers<WorkerOutcome<Answer>>();
      const onStop = () => resolve({ failed: 'stopped' });
      const spent = createJobClock(limits.processorMs);
      let clock = setTimeout(
        () => resolve({ failed: 'start', cause: new Error('the process did not start in time') }),
        START_TIMEOUT_MS,
      );
      const begin = () => {
        spent.begin();
        clearTimeout(clock);
        clock = setTimeout(() => resolve({ failed: 'time' }), elapsedLimitMs(limits.processorMs));
      };
      lose = (failed, cause = new Error(words)) =>
        resolve(ready || failed === 'stopped' ? { failed } : { failed: 'start', cause });
      receive = (message) => {
        if ('answer' in message) {
          limits.onEnd?.(message.cpuMs, message.heldBytes);
          resolve({ answer: message.answer });
        } else if ('news' in message) limits.onNews?.(message.news);
        else begin();
      };
      stop.addEventListener('abort', onStop, { once: true });
      if (ready) begin();
      child.send({ job, processorMs: limits.processorMs });
      const outcome = await promise;
      clearTimeout(clock);
      stop.removeEventListener('abort', onStop);
      lose = () => {};
      receive = () => {};
      const charge = 'failed' in outcome ? spent.charge() : undefined;
      const tooLarge = 'failed' in outcome && outcome.failed === 'memory';
      if (charge !== undefined) limits.onEnd?.(charge, tooLarge ? memoryBytes : 0);
      return outcome;
    },
    usable: () => !gone,
    startMs: () => startMs,
    async end() {
      gone = true;
      lose('stopped');
      child.kill();
      await ended;
    },
  };
}

/** Returns why a process ended. SIGKILL counts as `memory`, because Linux sends it if memory runs out. */
function reasonOf(words: string, signal: NodeJS.Signals | null): 'time' | 'memory' | 'broken' {
  if (words.includes(LIMIT_EXIT_MESSAGES.time)) return 'time';
  if (words.includes(LIMIT_EXIT_MESSAGES.memory) || /heap out of memory|allocation failed/i.test(words))
    return 'memory';
  return signal === 'SIGKILL' ? 'memory' : 'broken';
}
