import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { ProgramInput } from '../../src/cli/io.ts';
import { keepSpareWorkers } from '../../src/lib/workers/spare-workers.ts';
import type { WaitTimes } from '../../src/wiring/waits.ts';
import { exitOf } from './exit-of.ts';
import { putDatabase } from './test-database.ts';
import type { TestWeb } from './web.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const MAIN = join(ROOT, 'src', 'main.ts');

// Workers of a server that has ended serve the next one of this process: to start them takes most of the time of short tests.
keepSpareWorkers();

/** A new data folder, removed by `remove`. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'magpie-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The environment of a Magpie that searches and reads nothing but the test's own web. */
export function environment(data: string, web?: TestWeb): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: data,
    MAGPIE_DATA: data,
    MAGPIE_USER: 'tester',
    MAGPIE_PORT: '0',
    MAGPIE_DISK_RESERVE: 'false',
    MAGPIE_ENGINES: 'searxng,local',
    MAGPIE_SEARXNG_URL: web?.url ?? 'http://127.0.0.1:9',
    MAGPIE_ALLOW_HOSTS: web?.host ?? '',
    // On a busy machine the test's own web takes longer than the web does.
    ...(web && { MAGPIE_SEARCH_TIMEOUT: '60000', MAGPIE_PAGE_TIMEOUT: '60000' }),
    MAGPIE_PACKAGE_FACTS: 'off',
    NO_COLOR: '1',
  };
}

export interface Running {
  readonly url: string;
  stderr(): string;
  /** SIGTERM, then the exit code. */
  stop(): Promise<number | null>;
}

export interface RunningProcess extends Running {
  readonly process: ChildProcess;
}

/**
 * `magpie serve` by the program's own `main` in this process, once it listens on its port. In a data folder that is empty it finds
 * the database that it would make itself, which takes most of the time of a start.
 */
export async function startMagpie(
  env: Record<string, string>,
  args: string[] = [],
  waits: WaitTimes = {},
): Promise<Running> {
  const { MAGPIE_DATA: data, DATABASE_URL: elsewhere } = env;
  if (data !== undefined && elsewhere === undefined && existsSync(data))
    await putDatabase(data).catch(() => {});
  const signals = new EventEmitter();
  const { promise: listening, resolve } = Promise.withResolvers<string>();
  const { ended, written } = startRun(['serve', ...args], env, { signals, waits }, ({ stderr }) => {
    const url = LISTENING.exec(stderr)?.[1];
    if (url) resolve(url);
  });
  const failed = ended.then((code) => {
    throw new Error(`magpie serve ended with ${code}: ${written.stderr}`);
  });
  const url = await Promise.race([listening, failed]);
  failed.catch(() => {});
  return {
    url,
    stderr: () => written.stderr,
    stop() {
      signals.emit('SIGTERM');
      return ended;
    },
  };
}

const LISTENING = /listening on (http:\/\/\S+)/;

/** `magpie stdio` by the program's own `main` in this process, and the pipes of its client; it ends when its standard input does. */
export interface RunningStdio {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  /** The exit code. */
  readonly ended: Promise<number>;
}

export function startStdio(
  env: Record<string, string>,
  flags: readonly string[] = [],
  waits: WaitTimes = {},
): RunningStdio {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const { ended } = startRun(['stdio', ...flags], env, { stdin, stdout, waits });
  return { stdin, stdout, ended };
}

/** `magpie serve` in its own process, for what only a process shows: signals, kills, pipes. */
export async function spawnServer(env: Record<string, string>, args: string[] = []): Promise<RunningProcess> {
  const child = spawn(process.execPath, [MAIN, 'serve', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', () => {
      const found = LISTENING.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`magpie serve ended with ${code}: ${text}`)));
  });
  return {
    url,
    process: child,
    stderr: () => text,
    async stop() {
      if (child.exitCode !== null) return child.exitCode;
      child.kill('SIGTERM');
      const [code] = await exitOf(child);
      return code;
    },
  };
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a run in this process gets besides its environment. */
export interface RunOptions {
  /** Its standard input: empty, and no terminal, when left out. */
  readonly stdin?: ProgramInput;
  /** Takes its standard output, which is then not kept as text. */
  readonly stdout?: Writable;
  /** Gives it Ctrl-C: `signals.emit('SIGINT')`. */
  readonly signals?: EventEmitter;
  /** How long it waits of its own accord; `SHORT_WAITS` where it is left out. */
  readonly waits?: WaitTimes;
}

/** For tests of monitors: what is due, and the inventory, is read often, and nothing is waited for long. */
export const MONITOR_WAITS: WaitTimes = {
  watchDelayMs: 50,
  monitor: {
    pollMs: 50,
    inventoryMs: 50,
    retryMs: 20,
    confirmMs: 100,
    retries: [500, 60_000, 60_000, 60_000],
    changesMs: 50,
  },
};

/** Hosts of tests need no rest between two pages, and other processes' wishes are seen soon. */
const SHORT_WAITS: WaitTimes = { crawlDelayMs: 20, mapDelayMs: 20, crawlBeatMs: 200 };

/** One command of the CLI, run to its end by the program's own `main` in this process. */
export async function runMagpie(
  args: string[],
  env: Record<string, string>,
  options: RunOptions = {},
): Promise<Finished> {
  const { ended, written } = startRun(args, env, options);
  return { code: await ended, ...written };
}

/** A run of `main` under way. What it has written so far is in `written`, and handed to `onWrite` with each piece. */
function startRun(
  args: string[],
  env: Record<string, string>,
  { stdin = Readable.from([]), stdout, signals = new EventEmitter(), waits }: RunOptions,
  onWrite: (written: { stdout: string; stderr: string }) => void = () => {},
) {
  const written = { stdout: '', stderr: '' };
  const append = (name: keyof typeof written, text: string) => {
    written[name] += text;
    onWrite(written);
  };
  const output = (name: keyof typeof written) =>
    new Writable({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        append(name, chunk.toString());
        done();
      },
    });
  // Loaded here, so that tests which start nothing do not load the program.
  const ended = import('../../src/cli/main.ts').then(({ main }) =>
    main(args, {
      stdin,
      stdout: stdout ?? output('stdout'),
      stderr: output('stderr'),
      env,
      platform: process.platform,
      node: process.execPath,
      signals,
      program: 'magpie',
      parentId: () => process.ppid,
      log: (line) => append('stderr', line),
      waits: { ...SHORT_WAITS, ...waits },
    }),
  );
  return { ended, written };
}

/** One command of the CLI in its own process, for what only a process shows. */
export async function spawnMagpie(
  args: string[],
  env: Record<string, string>,
  cwd?: string,
): Promise<Finished> {
  const child = spawn(process.execPath, [MAIN, ...args], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
