import { MessageChannel, type MessagePort, SHARE_ENV, Worker } from 'node:worker_threads';
import { moduleUrl } from './module-url.ts';
import type { StartOrder, StartReport } from './starter.ts';

/** A process of ours that is to be started: its first module, by its path, which opens a `ParentChannel`. */
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

/** What the thread is to start: a process of ours, by itself or by the small process; or any program, by the latter. */
export type HostStart = { readonly port: MessagePort } & (
  | { readonly start: ProcessStart; readonly beside: boolean }
  | { readonly program: StartOrder }
);

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

/** The thread, once it has been needed: to start it takes longer than to start a process. */
let present: Host | undefined;
/** Servers of this process. */
let servers = 0;

/**
 * From here on processes are started by a small one (`starter.ts`), which is worth its memory in a server alone. On Linux only,
 * since elsewhere to start a process copies nothing. Returns what ends that.
 */
export function startBeside(): () => void {
  if (process.platform !== 'linux') return () => {};
  servers += 1;
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    servers -= 1;
    if (present) endStarter(present);
  };
}

/** Whether `startProgramBeside` can be called. */
export function startsBeside(): boolean {
  return servers > 0;
}

/** Starts a program by the small process; `hear` is called with what comes of it. */
export function startProgramBeside(program: StartOrder, hear: (report: StartReport) => void): void {
  openPort<StartReport>(
    { program },
    (report, over) => {
      if (!('pid' in report)) over();
      hear(report);
    },
    (why) => hear({ failed: why.message }),
  );
}

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
  const port = openPort<HostReport>(
    { start, beside: servers > 0 },
    (report, over) => {
      if ('message' in report) return onMessage(report.message as Message);
      over();
      onEnd(report);
    },
    (cause) => onEnd({ words: '', signal: null, cause }),
  );
  const order = (one: HostOrder) => port.postMessage(one);
  return {
    send: (message) => order({ message }),
    kill() {
      port.ref();
      order({ kill: true });
    },
  };
}

/** Begins something in the thread; `hear` gets its reports, and calls `over` at the last one; else the thread was lost. */
function openPort<Report>(
  what: Omit<HostStart, 'port'>,
  hear: (report: Report, over: () => void) => void,
  lose: (cause: Error) => void,
): MessagePort {
  present ??= startHost();
  const host = present;
  const { worker } = host;
  host.processes += 1;
  const { port1: port, port2 } = new MessageChannel();
  let isOver = false;
  const over = () => {
    isOver = true;
    worker.off('exit', onExit);
    port.close();
    host.processes -= 1;
    endStarter(host);
  };
  const onExit = () => {
    over();
    lose(host.error instanceof Error ? host.error : new Error('the thread that starts processes has ended'));
  };
  worker.once('exit', onExit);
  port.on('message', (report: Report) => {
    if (!isOver) hear(report, over);
  });
  port.unref();
  worker.postMessage({ ...what, port: port2 }, [port2]);
  return port;
}

/** Ends the small process of a thread that has no processes, where no server needs it. */
function endStarter(host: Host): void {
  if (host.processes === 0 && servers === 0) host.worker.postMessage('end starter');
}

function startHost(): Host {
  const worker = new Worker(moduleUrl('./process-host-entry.ts', import.meta.url), { env: SHARE_ENV });
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
