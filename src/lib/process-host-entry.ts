import { fork } from 'node:child_process';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { lowerPriority } from './lower-priority.ts';
import type { HostOrder, HostReport, ProcessStart } from './process-host.ts';

/** The thread that starts processes and passes their messages on; see process-host.ts. */

/** Characters of standard error that are kept. */
const MAX_WORDS_CHARS = 4000;

parentPort?.on('message', ({ port, start }: { readonly port: MessagePort; readonly start: ProcessStart }) => {
  const report = (one: HostReport) => port.postMessage(one);
  try {
    host(start, port, report);
  } catch (cause) {
    report({ words: '', signal: null, cause });
  }
});

function host({ entry, args, execArgv }: ProcessStart, port: MessagePort, report: (one: HostReport) => void) {
  const child = fork(entry, args, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {},
    execArgv: [...execArgv],
  });
  // The server answers others while it works. This thread keeps its priority, since the server waits for its locks.
  if (child.pid !== undefined) lowerPriority(child.pid);
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-MAX_WORDS_CHARS);
  });
  child.on('message', (message) => report({ message }));
  // What it wrote on standard error is read when this is called.
  child.once('close', (_code, signal) => report({ words, signal }));
  child.once('error', (cause) => report({ words, signal: null, cause }));
  port.on('message', (order: HostOrder) => {
    if ('kill' in order) child.kill('SIGKILL');
    // An error is one of a process that has ended, which is reported.
    else if (child.connected) child.send(order.message as object, () => {});
  });
}
