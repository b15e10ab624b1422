import { AppError } from '../../../errors.ts';
import type { GitExit } from '../process.ts';
import { createGitProgressParser } from '../progress.ts';
import { type GitStore, writeConfig } from '../store.ts';
import { fetchFailure, isMissingRefMessage } from './fetch-failure.ts';
import type { RemoteLocation } from './location.ts';
import { missingRef } from './missing-ref.ts';
import { parseRefName } from './ref-name.ts';
import type { GitRoute } from './route.ts';
import { watchFetchSize } from './watch-fetch-size.ts';

export interface GitFetchOptions {
  readonly store: GitStore;
  readonly route: GitRoute;
  readonly at: RemoteLocation;
  readonly branch?: string;
  /** If true, fetches the full history of `branch`. Without `branch`, fetches all branches and tags. */
  readonly deep: boolean;
  readonly fileBytes: number;
  readonly maxBytes: number;
  readonly hasCredential: boolean;
  readonly signal: AbortSignal;
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
  // Removes the remote that a partial fetch adds, so that git cannot fetch missing objects later.
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
