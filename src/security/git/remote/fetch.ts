import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, tooLargeError, upstreamError } from '../../../errors.ts';
import type { GitExit } from '../process.ts';
import { writeConfig } from '../store.ts';
import { fetchFailure, isMissingRefMessage } from './fetch-failure.ts';
import { type GitFetchTarget, missingRef } from './missing-ref.ts';
import { parseRefName } from './ref-name.ts';

export interface GitFetchOptions extends GitFetchTarget {
  /** If true, fetches the full history of `branch`, or of all branches and tags if `branch` is undefined. */
  readonly deep: boolean;
  readonly fileBytes: number;
  readonly maxBytes: number;
  readonly hasCredential: boolean;
  progress(message: string): void;
}

export const FETCHED_REF = 'refs/magpie/tip';

/** Fetches a branch, tag or commit into the store. `FETCHED_REF` then names the commit. Throws AppError. */
export async function fetchInto(options: GitFetchOptions): Promise<void> {
  const { branch, route, store } = options;
  const candidates = branch === undefined ? ['HEAD'] : parseRefName(branch);
  let end: GitExit = { ok: false, stderr: '' };
  for (const candidate of candidates) {
    end = await fetchOne(options, candidate);
    if (end.ok || !isMissingRefMessage(end.stderr)) break;
  }
  if (!end.ok) {
    const refusal = route.refusal();
    if (refusal) throw refusal;
    if (isMissingRefMessage(end.stderr)) throw await missingRef(options);
    throw fetchFailure({ ...options, said: end.stderr });
  }
  // Overwrites the configuration without the remote of a partial fetch, so git fetches nothing later.
  await writeConfig(store.gitDir, 'sha1');
}

async function fetchOne(options: GitFetchOptions, candidate: string): Promise<GitExit> {
  const { store, route, deep, signal, fileBytes } = options;
  const all = deep && candidate === 'HEAD';
  const args = [
    'fetch',
    '--progress',
    '--force',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-gc',
    '--no-recurse-submodules',
    `--filter=blob:limit=${fileBytes}`,
    ...(deep ? [] : ['--depth=1']),
    '--end-of-options',
    'origin',
    `+${candidate}:${FETCHED_REF}`,
    ...(all ? ['+refs/heads/*:refs/magpie/heads/*', '+refs/tags/*:refs/magpie/tags/*'] : []),
  ];
  const growth = watchFetchSize(options);
  try {
    const end = await store.run(args, AbortSignal.any([signal, growth.signal]), {
      config: [...route.config, ['remote.origin.url', route.url]],
      env: route.env,
      hear: createGitProgressParser(options.progress),
    });
    if (!end.ok && route.isOverMaxBytes()) throw growth.tooLarge();
    return end;
  } catch (error) {
    signal.throwIfAborted();
    if (growth.signal.aborted) throw growth.signal.reason;
    throw error instanceof AppError ? error : fetchFailure({ ...options, said: String(error) });
  } finally {
    growth.stop();
  }
}

const PHASES: Readonly<Record<string, string>> = {
  'remote: Counting objects': 'the other side counts objects',
  'remote: Compressing objects': 'the other side packs objects',
  'Receiving objects': 'receiving objects',
  'Resolving deltas': 'unpacking objects',
};
const LINE =
  /(remote: Counting objects|remote: Compressing objects|Receiving objects|Resolving deltas): +(\d{1,3})%/g;

/** Parses git's progress messages. Reports each tenth of a phase, for example `receiving objects: 40 %`. */
function createGitProgressParser(report: (message: string) => void): (piece: string) => void {
  let last = '';
  let rest = '';
  return (piece) => {
    const text = rest + piece;
    rest = text.slice(-80);
    for (const [, phase = '', percent = '0'] of text.matchAll(LINE)) {
      const message = `${PHASES[phase]}: ${Math.floor(Number(percent) / 10) * 10} %`;
      if (message === last) continue;
      last = message;
      report(message);
    }
  };
}

const CHECK_INTERVAL_MS = 200;
/** Maximum number of received bytes that are not written to disk, such as the server's list of branches. */
const MAX_UNWRITTEN_BYTES = 96 * 2 ** 20;

/**
 * Watches the size of the pack file on disk, which can differ from the number of received bytes. `signal`
 * aborts with AppError `too_large` above the size limit, and with `upstream` if the data is not a repository.
 */
function watchFetchSize({ store, route, at, maxBytes }: GitFetchOptions) {
  const controller = new AbortController();
  const tooLarge = () =>
    tooLargeError(
      `${at.shown} is over ${Math.floor(maxBytes / 2 ** 20)} MB: scan a folder that holds it, or the operator raises MAGPIE_SCAN_FETCH_BYTES`,
    );
  let timer: NodeJS.Timeout | undefined;
  const measure = async () => {
    const written = await sizeOf(join(store.gitDir, 'objects', 'pack'));
    if (written > maxBytes) controller.abort(tooLarge());
    else if (route.bytes() > written + MAX_UNWRITTEN_BYTES) {
      controller.abort(upstreamError(`${at.shown} keeps sending data that is not a repository`));
    } else if (!stopped) timer = setTimeout(measure, CHECK_INTERVAL_MS);
  };
  let stopped = false;
  timer = setTimeout(measure, CHECK_INTERVAL_MS);
  return {
    signal: controller.signal,
    tooLarge,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = names.map((name) =>
    stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
