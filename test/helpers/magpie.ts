import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestWeb } from './web.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const MAIN = join(ROOT, 'src', 'main.ts');

/** A data folder of its own, removed by `remove`. */
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
    MAGPIE_ENGINES: 'searxng,local',
    MAGPIE_SEARXNG_URL: web?.url ?? 'http://127.0.0.1:9',
    MAGPIE_ALLOW_HOSTS: web?.host ?? '',
    NO_COLOR: '1',
  };
}

export interface Running {
  readonly url: string;
  readonly process: ChildProcess;
  stderr(): string;
  /** SIGTERM, then the exit code. */
  stop(): Promise<number | null>;
}

/** `magpie serve` in a process of its own, once it listens. */
export async function startMagpie(env: Record<string, string>, args: string[] = []): Promise<Running> {
  const child = spawn(process.execPath, [MAIN, 'serve', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', () => {
      const found = /listening on (http:\/\/\S+)/.exec(text)?.[1];
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
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One command of the CLI, run to its end. */
export async function runMagpie(args: string[], env: Record<string, string>): Promise<Finished> {
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
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
