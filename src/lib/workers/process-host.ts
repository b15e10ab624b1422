import { MessageChannel, type MessagePort, SHARE_ENV, Worker } from 'node:worker_threads';
import { moduleUrl } from './module-url.ts';
import type { StartOrder, StartReport } from './starter.ts';

/** Describes a process to start. `entry`: path of its main module, which connects to the parent process. */
export interface ProcessStart {
  readonly entry: string;
  readonly args: readonly string[];
  readonly execArgv: readonly string[];
}

export interface ProcessEnd {
  readonly words: string;
  readonly signal: NodeJS.Signals | null;
  readonly cause?: unknown;
}

export type ProcessHostStart = { readonly port: MessagePort } & (
  | { readonly start: ProcessStart; readonly beside: boolean }
  | { readonly program: StartOrder }
);

export type ProcessHostOrder = { readonly message: unknown } | { readonly kill: true };
export type ProcessHostReport = { readonly message: unknown } | ProcessEnd;

interface Host {
  readonly worker: Worker;
  processes: number;
  error?: unknown;
}

/** Thread that starts processes. It is reused, because a new thread starts more slowly than a process. */
let present: Host | undefined;
let servers = 0;

/** On Linux, starts processes from a small helper process. Returns a function that ends the helper. */
export function enableStarterProcess(): () => void {
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

export const isStarterProcessEnabled = (): boolean => servers > 0;

export function startProgramByStarter(program: StartOrder, hear: (report: StartReport) => void): void {
  openPort<StartReport>(
    { program },
    (report, over) => {
      if (!('pid' in report)) over();
      hear(report);
    },
    (why) => hear({ failed: why.message }),
  );
}

/** Starts a process from a separate thread, because starting blocks the thread that does it. */
export function startHostedProcess<Message>(
  start: ProcessStart,
  onMessage: (message: Message) => void,
  onEnd: (end: ProcessEnd) => void,
) {
  const port = openPort<ProcessHostReport>(
    { start, beside: servers > 0 },
    (report, over) => {
      if ('message' in report) return onMessage(report.message as Message);
      over();
      onEnd(report);
    },
    (cause) => onEnd({ words: '', signal: null, cause }),
  );
  const order = (one: ProcessHostOrder) => port.postMessage(one);
  return {
    send: (message: unknown) => order({ message }),
    kill(): void {
      port.ref();
      order({ kill: true });
    },
  };
}

function openPort<Report>(
  what: Omit<ProcessHostStart, 'port'>,
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

function endStarter(host: Host): void {
  if (host.processes === 0 && servers === 0) host.worker.postMessage('end starter');
}

function startHost(): Host {
  const worker = new Worker(moduleUrl('./process-host-entry.ts', import.meta.url), { env: SHARE_ENV });
  const host: Host = { worker, processes: 0 };
  // Each process adds a listener. Without this call, Node.js would warn about many listeners.
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
