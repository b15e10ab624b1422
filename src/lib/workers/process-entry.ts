import { readFileSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { Socket } from 'node:net';
import { equalizeThreadPriorities } from './lower-priority.ts';
import type { JobHandler, ProcessJob, ProcessMessage } from './pool-worker.ts';
import { startProcessWatch } from './process-watch.ts';
import { openSocketMessages } from './socket-messages.ts';

const CHANNEL_FD = 3;

function openParentChannel(onMessage: (message: unknown) => void): {
  send(message: unknown, sent?: () => void): void;
} {
  if (process.send) {
    process.once('disconnect', () => process.exit());
    process.on('message', onMessage);
    return { send: (message, sent = () => {}) => process.send?.(message, sent) };
  }
  const socket = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
  socket.on('error', () => {});
  socket.once('close', () => process.exit());
  return openSocketMessages(socket, onMessage);
}

const isLinux = process.platform === 'linux';
const [file = '', memory = '', rest = ''] = process.argv.slice(2);
const [memoryBytes, restBytes] = [Number(memory), Number(rest)];

// Ignores signals, for example from Ctrl-C. The server ends this process later, after its jobs.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
equalizeThreadPriorities();

const watch = startProcessWatch(memoryBytes);
const loading = import(file) as Promise<{ readonly handleJob: JobHandler<unknown, unknown> }>;
function peakBytes(): number {
  const kilobytes = isLinux && /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1];
  return Number(kilobytes || process.resourceUsage().maxRSS) * 1024;
}

function forgetPeak(): void {
  if (!isLinux) return;
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Some kernels cannot reset the memory peak. `peakBytes` may then return the peak of an earlier job.
  }
}

/** Saves the cache of compiled code. Most worker processes are killed, so there is no later chance. */
const keepNewCode = () => module.flushCompileCache?.();

const work = async ({ job, processorMs }: ProcessJob<unknown>) => {
  const { handleJob } = await loading;
  watch.begin(processorMs);
  const before = process.cpuUsage();
  forgetPeak();
  const peakBefore = peakBytes();
  const found = await handleJob(job, (news) => send({ news }), watch.step);
  // `spent` asks the parent to replace this process if it still holds too much memory after the job.
  const left = process.memoryUsage.rss();
  const spent = left > restBytes;
  const { user, system } = process.cpuUsage(before);
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
