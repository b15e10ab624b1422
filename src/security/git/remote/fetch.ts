import { AppError } from '../../../errors.ts';
import type { GitEnd } from '../process.ts';
import { followProgress } from '../progress.ts';
import { type Store, writeConfig } from '../store.ts';
import { fetchFailure, isMissingRef } from './fetch-failure.ts';
import type { RemoteLocation } from './location.ts';
import { missingRef } from './missing-ref.ts';
import { parseRefName } from './ref-name.ts';
import type { Route } from './route.ts';
import { watchGrowth } from './watch-growth.ts';

export interface FetchOptions {
  readonly store: Store;
  readonly route: Route;
  readonly at: RemoteLocation;
  /** Branch, tag or commit; by default the default branch. */
  readonly branch?: string;
  /** If true, all commits of `branch` are fetched, or of all branches and tags. */
  readonly deep: boolean;
  /** Maximum size of one content; larger ones are not requested if the server can leave them out. */
  readonly fileBytes: number;
  readonly maxBytes: number;
  readonly hasCredential: boolean;
  readonly signal: AbortSignal;
  progress(message: string): void;
}

/** Ref in the store that names the fetched commit. */
export const TIP = 'refs/magpie/tip';

/** Fetches into the store, where `FETCHED_REF` then names the requested commit. Throws the AppErrors of `TreeOpener`. */
export async function fetchInto(options: FetchOptions): Promise<void> {
  const { branch, route, store } = options;
  const candidates = branch === undefined ? ['HEAD'] : parseRefName(branch).candidates;
  let end: GitEnd = { ok: false, said: '' };
  for (const candidate of candidates) {
    end = await fetchOne(options, candidate);
    if (end.ok || !isMissingRef(end.said)) break;
  }
  if (!end.ok) {
    const refusal = route.refusal();
    if (refusal) throw refusal;
    if (isMissingRef(end.said)) throw await missingRef(options);
    throw fetchFailure({ ...options, said: end.said });
  }
  // A partial fetch adds the remote to the configuration; nothing may be fetched from it later.
  await writeConfig(store.gitDir, 'sha1');
}

async function fetchOne(options: FetchOptions, candidate: string): Promise<GitEnd> {
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
    `+${candidate}:${TIP}`,
    ...(all ? ['+refs/heads/*:refs/magpie/heads/*', '+refs/tags/*:refs/magpie/tags/*'] : []),
  ];
  const growth = watchGrowth(options);
  try {
    const end = await store.run(args, AbortSignal.any([signal, growth.signal]), {
      config: [...route.config, ['remote.origin.url', route.url]],
      env: route.env,
      hear: followProgress(options.progress),
    });
    if (!end.ok && route.exhausted()) throw growth.tooLarge();
    return end;
  } catch (error) {
    signal.throwIfAborted();
    if (growth.signal.aborted) throw growth.signal.reason;
    throw error instanceof AppError ? error : fetchFailure({ ...options, said: String(error) });
  } finally {
    growth.stop();
  }
}
