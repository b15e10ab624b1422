import { type AppError, unavailableError, upstreamError } from '../../errors.ts';
import { redactSecrets } from '../../lib/secrets/redact.ts';
import { startProgram } from '../../lib/workers/program.ts';
import { environmentOf, type GitSurroundings } from './remote/environment.ts';

export interface GitExit {
  readonly ok: boolean;
  /** The last 16,000 characters that git wrote to standard error. */
  readonly stderr: string;
}

export type GitProcess = Awaited<ReturnType<typeof startGit>>;

export interface GitCall extends GitSurroundings {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly hear?: (piece: string) => void;
}

const MAX_STDERR_CHARACTERS = 16_000;

/**
 * Starts git. `ended` resolves when git has ended, and rejects with AppError `unavailable` if git is not installed.
 * The package simple-git is not used, because it buffers all output and cannot write input.
 */
export async function startGit(call: GitCall) {
  const { signal } = call;
  signal.throwIfAborted();
  const program = await startProgram({
    command: 'git',
    args: call.args,
    cwd: call.cwd,
    env: environmentOf(call),
  }).catch((cause: Error) => {
    throw notInstalled(cause);
  });
  const { stdin, stdout, stderr, group, kill } = program;
  let said = '';
  stderr.setEncoding('latin1').on('data', (piece: string) => {
    said = (said + piece).slice(-MAX_STDERR_CHARACTERS);
    call.hear?.(piece);
  });
  // If git ends early, the streams emit errors, which are ignored: the exit code shows the failure.
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {});
  if (signal.aborted) kill();
  signal.addEventListener('abort', kill, { once: true });
  const ended = program.ended
    .then(
      (code): GitExit => ({ ok: code === 0, stderr: said }),
      (cause: Error) => {
        throw notInstalled(cause);
      },
    )
    .finally(() => signal.removeEventListener('abort', kill));
  ended.catch(() => {});
  return { stdin, stdout, group, ended, kill };
}

/** Runs git until it ends. Throws the reason of an aborted signal, and the same errors as `startGit`. */
export async function runGit(call: GitCall, maxBytes = 1 << 20): Promise<GitExit & { readonly out: Buffer }> {
  const process = await startGit(call);
  process.stdin.end();
  const chunks: Buffer[] = [];
  let bytes = 0;
  process.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) process.kill();
    else chunks.push(chunk);
  });
  const end = await process.ended;
  call.signal.throwIfAborted();
  return { ...end, out: Buffer.concat(chunks) };
}

export async function* readRecords(
  { stdout, kill }: GitProcess,
  separator: number,
  maxBytes = 1 << 16,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of stdout as AsyncIterable<Buffer>) {
      const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      let from = 0;
      for (let end = data.indexOf(separator); end >= 0; end = data.indexOf(separator, from)) {
        yield data.subarray(from, end);
        from = end + 1;
      }
      rest = data.subarray(from);
      if (rest.length > maxBytes) throw brokenRepositoryError('a name in it is endless');
    }
  } finally {
    kill();
  }
}

export function brokenRepositoryError(why: string, said = ''): AppError {
  const cause = said ? new Error(redactSecrets(said)) : undefined;
  return upstreamError(`the repository cannot be read: ${why}`, { cause });
}

function notInstalled(cause: Error): AppError {
  const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
  return unavailableError(
    missing
      ? 'git is not installed where Magpie runs: install it, set MAGPIE_SCANNER_PATH to where it is, or scan a folder without git'
      : 'git could not be started; the log has the details',
    { cause },
  );
}

/** First git version that reads settings from environment variables (`GIT_CONFIG_COUNT`). */
const MIN_VERSION = [2, 31] as const;

export async function requireGit(folder: string, searchPath: string, signal: AbortSignal): Promise<void> {
  const around = { searchPath, home: folder, gitDir: folder, cwd: folder, signal };
  const { out } = await runGit({ ...around, args: ['version'] });
  const [, major = '0', minor = '0'] = /^git version (\d+)\.(\d+)/.exec(out.toString()) ?? [];
  const newer = Number(major) - MIN_VERSION[0] || Number(minor) - MIN_VERSION[1];
  if (newer >= 0) return;
  throw unavailableError(
    `git ${major}.${minor} is too old: Magpie needs ${MIN_VERSION.join('.')} or newer; install it, or set MAGPIE_SCANNER_PATH to its folder`,
  );
}

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a path as UTF-8. In an invalid path, each byte above ASCII becomes an escape such as `\xE9`. */
export function decodePath(bytes: Uint8Array): string {
  try {
    return STRICT.decode(bytes);
  } catch {
    const text = Buffer.from(bytes).toString('latin1');
    return text.replace(/[\u0080-\u00ff]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  }
}
