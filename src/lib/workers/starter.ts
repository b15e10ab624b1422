import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compiledCodeEnvironment } from './compile-cache.ts';
import { moduleUrl } from './module-url.ts';

export interface StartOrder {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly detached: boolean;
  readonly isLower?: boolean;
  /** `line`: the stream is connected to the socket at `path`. `ignore`: its data are discarded. */
  readonly streams: readonly ('line' | 'ignore')[];
  readonly path: string;
}

export type StartReport =
  | { readonly pid: number }
  | { readonly failed: string; readonly code?: string | undefined }
  | { readonly exit: number | null; readonly signal: NodeJS.Signals | null };

export type StarterMessage = { readonly id: number } & (
  | { readonly order: StartOrder }
  | { readonly kill: true }
);
export type StarterReport = { readonly id: number; readonly report: StartReport };

/** Starts programs from a small process, because a large process copies much memory for each start. */
export function createProgramStarter() {
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
    start(order: StartOrder, hear: (report: StartReport) => void): () => void {
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
    close(): void {
      present?.disconnect();
      present = undefined;
    },
  };
}
