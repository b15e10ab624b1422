import { MessageChannel, Worker } from 'node:worker_threads';
import { moduleUrl } from './module-url.ts';

/** A process that is to be started: its first module, by its path. */
export interface ProcessStart {
  readonly entry: string;
  readonly args: readonly string[];
  /** Options of Node. */
  readonly execArgv: readonly string[];
}

/** How a process ended: the last of what it wrote on standard error, the signal, and why it could not start. */
export interface ProcessEnd {
  readonly words: string;
  readonly signal: NodeJS.Signals | null;
  readonly cause?: unknown;
}

/** What the thread is asked about a process, and what it reports. */
export type HostOrder = { readonly message: unknown } | { readonly kill: true };
export type HostReport = { readonly message: unknown } | ProcessEnd;

/** A process of the thread. */
export interface HostedProcess {
  /** Nothing comes of it once the process has ended. */
  send(message: unknown): void;
  /** Ends it at once; until `onEnd` it keeps this process alive. */
  kill(): void;
}

interface Host {
  readonly worker: Worker;
  processes: number;
  /** Why it ended. */
  error?: unknown;
}

/** The thread, while it has processes. */
let present: Host | undefined;

/**
 * Starts a process out of a thread beside this one, which also reads and writes its messages: to start one holds a thread up
 * until the other process has had its first turn, and a long message until it is put together. The process has a lower
 * priority than this one, with all its threads. It keeps this one alive only once it is to be ended.
 */
export function startHosted<Message>(
  start: ProcessStart,
  onMessage: (message: Message) => void,
  onEnd: (end: ProcessEnd) => void,
): HostedProcess {
  present ??= startHost();
  const host = present;
  const { worker } = host;
  host.processes += 1;
  const { port1: port, port2 } = new MessageChannel();
  let isOver = false;
  const end = (how: ProcessEnd) => {
    if (isOver) return;
    isOver = true;
    worker.off('exit', onExit);
    port.close();
    host.processes -= 1;
    if (host.processes === 0) {
      if (present === host) present = undefined;
      void worker.terminate();
    }
    onEnd(how);
  };
  const onExit = () => end({ words: '', signal: null, cause: host.error ?? new Error(HOST_ENDED) });
  worker.once('exit', onExit);
  port.on('message', (report: HostReport) => {
    if ('message' in report) onMessage(report.message as Message);
    else end(report);
  });
  port.unref();
  worker.postMessage({ port: port2, start }, [port2]);
  const order = (one: HostOrder) => port.postMessage(one);
  return {
    send: (message) => order({ message }),
    kill() {
      if (isOver) return;
      port.ref();
      order({ kill: true });
    },
  };
}

const HOST_ENDED = 'the thread that starts processes has ended';

function startHost(): Host {
  const worker = new Worker(moduleUrl('./process-host-entry.ts', import.meta.url));
  const host: Host = { worker, processes: 0 };
  // As many listeners as it has processes.
  worker.setMaxListeners(0);
  worker.once('error', (error) => {
    host.error = error;
  });
  worker.once('exit', () => {
    if (present === host) present = undefined;
  });
  worker.unref();
  return host;
}
