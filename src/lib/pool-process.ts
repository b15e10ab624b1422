import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { moduleUrl } from './module-url.ts';
import {
  clockLimit,
  createJobClock,
  type JobLimits,
  type PoolWorker,
  type ProcessMessage,
  START_TIMEOUT_MS,
  type WorkerOutcome,
} from './pool-worker.ts';
import { LAST_WORDS } from './process-watch.ts';

/** Share of a process's memory that JavaScript's own heap may have; buffers and WebAssembly are outside of it. */
const HEAP_SHARE = 0.75;
/** Characters of standard error that are kept. */
const MAX_WORDS_CHARS = 4000;

/**
 * A process that does the jobs of a module, and has `memoryBytes` at most; over `restBytes` it takes no further job. It has none of this process's environment,
 * and neither its standard input nor its standard output; it ends with this process, and keeps it alive only while it works.
 */
export function startProcess<Job, Answer>(
  file: URL,
  memoryBytes: number,
  restBytes = Number.POSITIVE_INFINITY,
): PoolWorker<Job, Answer> {
  const rest = Math.min(restBytes, memoryBytes / 2);
  const child = fork(
    fileURLToPath(moduleUrl('./process-entry.ts', import.meta.url)),
    [file.href, String(memoryBytes), String(rest)],
    {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: {},
      execArgv: [`--max-old-space-size=${Math.floor((HEAP_SHARE * memoryBytes) / 2 ** 20)}`],
    },
  );
  let [gone, ready, words] = [false, false, ''];
  let receive: (message: ProcessMessage<Answer>) => void = () => {};
  let lose: (why: 'time' | 'memory' | 'broken' | 'stopped', cause?: unknown) => void = () => {};
  const ended = new Promise<void>((resolve) => {
    // What it wrote on standard error is read when this is called.
    child.once('close', (_code, signal) => {
      gone = true;
      resolve();
      lose(reasonOf(words, signal));
    });
    child.once('error', (cause) => {
      gone = true;
      resolve();
      lose('broken', cause);
    });
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-MAX_WORDS_CHARS);
  });
  child.on('message', (message: ProcessMessage<Answer>) => {
    if ('ready' in message) ready = true;
    if ('answer' in message && message.spent) gone = true;
    receive(message);
  });
  child.unref();
  child.channel?.unref();
  (child.stderr as { unref?(): void } | null)?.unref?.();

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
        clock = setTimeout(() => resolve({ failed: 'time' }), clockLimit(limits.processorMs));
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
      // An error is one of a process that has ended, which `lose` is called for.
      if (child.connected) child.send({ job, processorMs: limits.processorMs } as object, () => {});
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
    async end() {
      gone = true;
      lose('stopped');
      // Without it the wait for its end would keep nothing alive.
      child.ref();
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Why a process ended. One that the system killed was the largest when memory ran out. */
function reasonOf(words: string, signal: NodeJS.Signals | null): 'time' | 'memory' | 'broken' {
  if (words.includes(LAST_WORDS.time)) return 'time';
  if (words.includes(LAST_WORDS.memory) || /heap out of memory|allocation failed/i.test(words))
    return 'memory';
  return signal === 'SIGKILL' ? 'memory' : 'broken';
}
