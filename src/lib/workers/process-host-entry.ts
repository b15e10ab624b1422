import { fork } from 'node:child_process';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { attempt } from '../attempt.ts';
import { compiledCodeEnvironment } from './compile-cache.ts';
import { lowerPriority } from './lower-priority.ts';
import type { ProcessHostOrder, ProcessHostReport, ProcessHostStart, ProcessStart } from './process-host.ts';
import { openSocketMessages } from './socket-messages.ts';
import { openSocketServer, type SocketServer, waitForSocketClose } from './socket-server.ts';
import { createProgramStarter, type StartReport } from './starter.ts';

const MAX_WORDS_CHARS = 4000;
const starter = createProgramStarter();

parentPort?.on('message', (what: ProcessHostStart | 'end starter') => {
  if (what === 'end starter') {
    starter.close();
    return;
  }
  const { port } = what;
  if ('program' in what) {
    starter.start(what.program, (report) => port.postMessage(report));
    return;
  }
  const report = (one: ProcessHostReport) => port.postMessage(one);
  start(what, report).catch((cause: unknown) => report({ words: '', signal: null, cause }));
});

async function start(
  { start, beside, port }: Extract<ProcessHostStart, { readonly start: unknown }>,
  report: (one: ProcessHostReport) => void,
): Promise<void> {
  const line = beside ? await openSocketServer(2) : undefined;
  if (line) await hostBeside(start, line, port, report);
  else host(start, port, report);
}

function host(
  { entry, args, execArgv }: ProcessStart,
  port: MessagePort,
  report: (one: ProcessHostReport) => void,
) {
  const child = fork(entry, args, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: compiledCodeEnvironment(),
    execArgv: [...execArgv],
  });
  if (child.pid !== undefined) lowerPriority(child.pid);
  const words = lastWords(child.stderr);
  child.on('message', (message) => report({ message }));
  // Waits for `close`: at `exit`, some of standard error may not have been read.
  child.once('close', (_code, signal) => report({ words: words(), signal }));
  child.once('error', (cause) => report({ words: words(), signal: null, cause }));
  port.on('message', (order: ProcessHostOrder) => {
    if ('kill' in order) child.kill('SIGKILL');
    // Ignores a failure to send: the process has then ended, and `close` reports that.
    else if (child.connected) child.send(order.message as object, () => {});
  });
}

async function hostBeside(
  { entry, args, execArgv }: ProcessStart,
  line: SocketServer,
  port: MessagePort,
  report: (one: ProcessHostReport) => void,
): Promise<void> {
  const { promise: ended, resolve: setEnded } = Promise.withResolvers<StartReport>();
  let pid: number | undefined;
  const waiting: ProcessHostOrder[] = [];
  let obey: (order: ProcessHostOrder) => void = (order) => waiting.push(order);
  port.on('message', (order: ProcessHostOrder) => obey(order));
  const kill = starter.start(
    {
      command: process.execPath,
      args: [...execArgv, entry, ...args],
      env: compiledCodeEnvironment(),
      detached: false,
      isLower: true,
      streams: ['ignore', 'ignore', 'line', 'line'],
      path: line.path,
    },
    (heard) => {
      if ('pid' in heard) {
        pid = heard.pid;
        return;
      }
      // A process that could not be started will never connect to the socket, so the socket is closed.
      if (!('exit' in heard)) line.close();
      setEnded(heard);
    },
  );
  const lines = await line.sockets.catch(() => undefined);
  const [errors, channel] = lines ?? [];
  const words = lastWords(errors);
  if (errors && channel) {
    const frames = openSocketMessages(channel, (message) => report({ message }));
    obey = (order) => ('kill' in order ? kill() : frames.send(order.message));
    waiting.forEach(obey);
  }
  const how = await ended;
  if (!('exit' in how)) {
    // If the starter process has failed, it cannot end its child process, so the child is ended here.
    if (pid !== undefined) endProcess(pid);
    for (const socket of lines ?? []) socket.destroy();
    const cause = Object.assign(new Error('failed' in how ? how.failed : ''), how);
    return report({ words: words(), signal: null, cause });
  }
  if (errors && channel) await Promise.all([waitForSocketClose(errors), waitForSocketClose(channel)]);
  report({ words: words(), signal: how.signal });
}

function endProcess(pid: number): void {
  attempt(() => process.kill(pid, 'SIGKILL'));
}

function lastWords(stream: NodeJS.ReadableStream | null | undefined): () => string {
  let words = '';
  stream?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-MAX_WORDS_CHARS);
  });
  return () => words;
}
