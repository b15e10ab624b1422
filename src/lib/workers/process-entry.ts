import { readFileSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { levelPriorities } from './lower-priority.ts';
import { openParentChannel } from './parent-channel.ts';
import type { JobHandler, ProcessJob, ProcessMessage } from './pool-worker.ts';
import { watchProcess } from './process-watch.ts';

/** The first module of a pool's process: loads the module that does the work, then takes one job after the other. */
const isLinux = process.platform === 'linux';
const [file = '', memory = '', rest = ''] = process.argv.slice(2);
const [memoryBytes, restBytes] = [Number(memory), Number(rest)];

// A signal to the whole group is for the server, which finishes what runs and then ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
levelPriorities();

const watch = watchProcess(memoryBytes);
const loading = import(file) as Promise<{ readonly answer: JobHandler<unknown, unknown> }>;
/** Bytes that this process has had at once since `forgetPeak`, or where that does nothing, since its start. */
function peakBytes(): number {
  const kilobytes = isLinux && /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1];
  return Number(kilobytes || process.resourceUsage().maxRSS) * 1024;
}

function forgetPeak(): void {
  if (!isLinux) return;
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // A kernel may lack it: a job that takes less than one before it is then charged what it left.
  }
}

/** Keeps what was compiled since the last time: most processes of a pool are killed, and would keep nothing at their end. */
const keepNewCode = () => module.flushCompileCache?.();

const work = async ({ job, processorMs }: ProcessJob<unknown>) => {
  const { answer } = await loading;
  watch.begin(processorMs);
  const before = process.cpuUsage();
  forgetPeak();
  const peakBefore = peakBytes();
  const found = await answer(job, (news) => send({ news }), watch.step);
  // Memory that a large job took is not given back before this process ends: the machine shall have it, and the next job all of its own.
  const left = process.memoryUsage.rss();
  const spent = left > restBytes;
  const { user, system } = process.cpuUsage(before);
  // A peak that an earlier job made says nothing about this one.
  const peak = peakBytes();
  const heldBytes = Math.max(0, (peak > peakBefore ? peak : left) - idleBytes);
  send({ answer: found, spent, cpuMs: (user + system) / 1000, heldBytes }, () => {
    watch.end();
    keepNewCode();
  });
};
const channel = openParentChannel((message) => void work(message as ProcessJob<unknown>));
const send = (message: ProcessMessage<unknown>, sent?: () => void) => channel.send(message, sent);
await loading;
const idleBytes = process.memoryUsage.rss();
send({ ready: true });
keepNewCode();
