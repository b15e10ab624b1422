import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { enableStarterProcess } from '../../src/lib/workers/process-host.ts';
import { startProgram } from '../../src/lib/workers/program.ts';
import { freePort } from './free-port.ts';

// Started by a small process, as in a server: from the worker of many test files, which is large, each git takes 40 ms of copying its memory.
enableStarterProcess();

const ENV = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Mag Pie',
  GIT_AUTHOR_EMAIL: 'mag@example.org',
  GIT_COMMITTER_NAME: 'Mag Pie',
  GIT_COMMITTER_EMAIL: 'mag@example.org',
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'init.defaultBranch',
  GIT_CONFIG_VALUE_0: 'main',
  // Newer versions of git tidy up in the background after a commit, and would read what a test writes there meanwhile.
  GIT_CONFIG_KEY_1: 'maintenance.auto',
  GIT_CONFIG_VALUE_1: 'false',
};

/** Runs git as a user would, with none of this machine's configuration; gives what it prints. */
export async function git(
  cwd: string,
  args: readonly string[],
  input: string | Buffer = '',
): Promise<string> {
  const child = await startProgram({ command: 'git', args, cwd, env: ENV });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [out, said, code] = await Promise.all([text(child.stdout), text(child.stderr), child.ended]);
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${said}`);
  return out.trim();
}

/** A file of a commit: content, or another one's id; a regular file unless `mode` says else. */
export interface Entry {
  readonly path: string;
  readonly data?: string | Buffer;
  readonly id?: string;
  readonly mode?: string;
}

/** Makes a bare repository whose main branch is those commits, each of which replaces the files of the one before. */
export async function bareRepository(
  folder: string,
  commits: readonly (readonly Entry[])[],
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  await git(folder, ['init', '-q', '--bare']);
  const parts: (string | Buffer)[] = [];
  for (const [index, entries] of commits.entries()) {
    parts.push(
      `commit refs/heads/main\ncommitter M <m@example.org> ${1_700_000_000 + index} +0000\ndata 0\n`,
    );
    parts.push('deleteall\n');
    for (const { path, data = '', id, mode = '100644' } of entries) {
      const name = /^[\w./-]+$/.test(path) ? path : `"${quoted(path)}"`;
      if (id !== undefined) parts.push(`M ${mode} ${id} ${name}\n`);
      else parts.push(`M ${mode} inline ${name}\ndata ${Buffer.byteLength(data)}\n`, data, '\n');
    }
  }
  await git(
    folder,
    ['fast-import', '--quiet', '--force'],
    Buffer.concat(parts.map((part) => Buffer.from(part))),
  );
  return folder;
}

/** As git quotes paths: octal escapes for what is no plain ASCII. */
function quoted(path: string): string {
  return [...Buffer.from(path, 'utf8')]
    .map((byte) =>
      byte < 32 || byte > 126 || byte === 34 || byte === 92
        ? `\\${byte.toString(8).padStart(3, '0')}`
        : String.fromCharCode(byte),
    )
    .join('');
}

/** Makes a work tree with one commit of those files. */
export async function workTree(folder: string, write: () => void): Promise<string> {
  mkdirSync(folder, { recursive: true });
  await git(folder, ['init', '-q']);
  write();
  await git(folder, ['add', '-A']);
  await git(folder, ['commit', '-q', '-m', 'first']);
  return folder;
}

/** Repositories under `root` over http, by git's own CGI program. */
export interface GitSite {
  readonly url: string;
  readonly host: string;
  readonly asked: { readonly path: string; readonly authorization: string | undefined }[];
  /** Answers in git's place where it gives true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  close(): Promise<void>;
}

export async function startGitSite(root: string): Promise<GitSite> {
  const asked: GitSite['asked'] = [];
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', authorization: request.headers.authorization });
    if (!site.intercept(request, response))
      backend(root, request, response).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const site: GitSite = {
    url: `http://${host}`,
    host,
    asked,
    intercept: () => false,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return site;
}

async function backend(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const child = await startProgram({
    command: 'git',
    args: ['http-backend'],
    cwd: root,
    env: {
      ...ENV,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method ?? 'GET',
      PATH_INFO: decodeURIComponent(path),
      QUERY_STRING: query,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  child.stdin.on('error', () => {});
  child.stderr.resume();
  request.pipe(child.stdin);
  response.on('close', child.kill);
  let head = Buffer.alloc(0);
  const onHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    child.stdout.off('data', onHead);
    const headers = Object.fromEntries(
      head
        .toString('latin1', 0, end)
        .split('\r\n')
        .map((line) => line.split(/: */, 2) as [string, string]),
    );
    const { Status: status = '200', ...rest } = headers;
    response.writeHead(Number.parseInt(status, 10), rest);
    response.write(head.subarray(end + 4));
    child.stdout.pipe(response);
  };
  child.stdout.on('data', onHead);
}

/** Repositories under `root` over git's own protocol. */
export async function startGitDaemon(root: string): Promise<{ readonly port: number; close(): void }> {
  const port = await freePort();
  const child = spawn(
    'git',
    [
      'daemon',
      '--export-all',
      '--listen=127.0.0.1',
      `--port=${port}`,
      `--base-path=${root}`,
      '--verbose',
      root,
    ],
    { env: ENV, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await once(child.stderr, 'data');
  return { port, close: () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL') };
}

/** The path of one of git's own folders of data. */
export function inGit(folder: string, ...names: string[]): string {
  return join(folder, '.git', ...names);
}
