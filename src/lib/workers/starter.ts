import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compiledCodeEnvironment } from './compile-cache.ts';
import { moduleUrl } from './module-url.ts';

/** A program that the starter is to start. */
export interface StartOrder {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  /** In its own process group. */
  readonly detached: boolean;
  /** Whether it has a lower priority than the server. */
  readonly isLower?: boolean;
  /** Where each of its standard streams, and what follows them, leads: to a socket of the line, in this order, or nowhere. */
  readonly streams: readonly ('line' | 'ignore')[];
  /** Where the line is. */
  readonly path: string;
}

/** What is heard of a program: that it started, that it did not, or how it ended. */
export type StartReport =
  | { readonly pid: number }
  | { readonly failed: string; readonly code?: string | undefined }
  | { readonly exit: number | null; readonly signal: NodeJS.Signals | null };

export type StarterMessage = { readonly id: number } & (
  | { readonly order: StartOrder }
  | { readonly kill: true }
);
export type StarterReport = { readonly id: number; readonly report: StartReport };

/**
 * A small process that starts others: to start one copies the tables of all memory of the process that starts it, and holds
 * up every thread of that which needs memory meanwhile. It ends with this one.
 */
export interface Starter {
  /** `hear` is called with what comes of it. Returns what kills it. */
  start(order: StartOrder, hear: (report: StartReport) => void): () => void;
  /** Ends it; it is started again when it is needed. */
  close(): void;
}

/** The process is started when it is needed, and again where it was killed. */
export function createStarter(): Starter {
  let present: ChildProcess | undefined;
  let last = 0;
  const hearing = new Map<number, (report: StartReport) => void>();
  const tell = ({ id, report }: StarterReport) => {
    const hear = hearing.get(id);
    if (!('pid' in report)) hearing.delete(id);
    hear?.(report);
  };
  const open = (): ChildProcess => {
    const child = fork(fileURLToPath(moduleUrl('./starter-entry.ts', import.meta.url)), [], {
      stdio: 'ignore',
      env: compiledCodeEnvironment(),
      execArgv: ['--max-semi-space-size=1', '--max-old-space-size=64'],
    });
    const lose = (why: string) => {
      if (present !== child) return;
      present = undefined;
      for (const id of [...hearing.keys()]) tell({ id, report: { failed: why } });
    };
    child.on('message', tell);
    child.once('error', (error) => lose(error.message));
    child.once('exit', () => lose('the process that starts others has ended'));
    return child;
  };
  return {
    start(order, hear) {
      present ??= open();
      const child = present;
      const id = ++last;
      hearing.set(id, hear);
      const send = (message: StarterMessage) => {
        if (child.connected) child.send(message, () => {});
      };
      send({ id, order });
      return () => send({ id, kill: true });
    },
    close() {
      present?.disconnect();
      present = undefined;
    },
  };
}
