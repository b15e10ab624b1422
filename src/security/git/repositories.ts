import { join, resolve } from 'node:path';
import { AppError } from '../../errors.ts';
import { createUrlGuard, type UrlGuard } from '../../lib/url-guard.ts';
import type { OpenTree, TreeOpener, TreeRequest } from '../tree.ts';
import { fetchInto, TIP } from './fetch.ts';
import { openFolderTree } from './folder-tree.ts';
import { allowedFolder, shownPath } from './folders.ts';
import { requireGit } from './git-version.ts';
import { findRepository, openLocalStore } from './local-repository.ts';
import { openLocalTree } from './local-tree.ts';
import { type FolderLocation, parseLocation, type RemoteLocation } from './location.ts';
import { broken } from './process.ts';
import { parseRefName } from './ref-name.ts';
import { openRoute } from './route.ts';
import type { TreeLimits } from './selection.ts';
import { createStore } from './store.ts';
import { openStoreTree, type StoppableTree } from './store-tree.ts';
import { parseTokens } from './tokens.ts';
import { createWorkFolders } from './work-folders.ts';

export interface RepositoriesOptions {
  /** For work folders, the keys of ssh hosts, and nothing else. */
  readonly folder: string;
  /** Folders of this machine that may be scanned by all. */
  readonly roots: readonly string[];
  /** Hosts besides public ones, as for the guarded fetch; plain http only to these. */
  readonly allowHosts: readonly string[];
  /** `host=token` or `host=user:token`. */
  readonly tokens?: readonly string[];
  /** Private key for ssh. */
  readonly sshKey?: string;
  /** Socket of the ssh agent, where Magpie runs for the one who started it. */
  readonly sshAgent?: string;
  readonly limits?: Partial<RepositoryLimits>;
  /** Where git and ssh are looked for. */
  readonly searchPath?: string;
}

export interface RepositoryLimits extends TreeLimits {
  /** Bytes that a fetch may bring. */
  readonly fetchBytes: number;
  /** Milliseconds that a fetch may take. */
  readonly fetchMs: number;
}

/** A tree of 200,000 files of 10 MB at most, 2 GB together; a fetch of 2 GB in 15 minutes. */
export const REPOSITORY_LIMITS: RepositoryLimits = {
  files: 200_000,
  fileBytes: 10 * 2 ** 20,
  treeBytes: 2 * 2 ** 30,
  entries: 2_000_000,
  fetchBytes: 2 * 2 ** 30,
  fetchMs: 15 * 60_000,
};

const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

/** Repositories from anywhere, each as a tree in a work folder of its own. */
export interface Repositories {
  readonly open: TreeOpener;
  /** Ends and removes all that is open. */
  close(): Promise<void>;
}

/** AppError `bad_request` for tokens without shape. */
export function createRepositories(options: RepositoriesOptions): Repositories {
  const limits = { ...REPOSITORY_LIMITS, ...options.limits };
  const searchPath = options.searchPath ?? SEARCH_PATH;
  const guardFor = (hosts: readonly string[]) =>
    createUrlGuard({ allowHosts: [...options.allowHosts, ...hosts] });
  const usual = guardFor([]);
  const tokens = parseTokens(options.tokens ?? []);
  const work = createWorkFolders(join(options.folder, 'scans'));
  const ssh = {
    knownHosts: resolve(options.folder, 'known_hosts'),
    keyFile: options.sshKey,
    agent: options.sshAgent,
  };
  const life = new AbortController();
  let gitIsGood = false;

  async function needGit(folder: string, signal: AbortSignal): Promise<void> {
    if (!gitIsGood) await requireGit(folder, searchPath, signal);
    gitIsGood = true;
  }

  async function fetched(at: RemoteLocation, request: Request, folder: string): Promise<StoppableTree> {
    const guard = request.listed === true ? guardFor([`${at.host}:${at.port}`]) : usual;
    requireSafe(at, guard);
    const { signal, progress, branch, history: deep } = request;
    const deadline = AbortSignal.timeout(limits.fetchMs);
    const both = AbortSignal.any([signal, deadline]);
    const { fetchBytes: maxBytes, fileBytes } = limits;
    try {
      await needGit(folder, both);
      const store = await createStore({ folder, searchPath });
      const route = await openRoute(at, { guard, tokens, ssh, maxBytes, signal: both });
      try {
        const hasToken = tokens.has(at.host) || tokens.has(`${at.host}:${at.port}`);
        const hasCredential = at.protocol === 'ssh' ? options.sshKey !== undefined : hasToken;
        const how = { store, route, at, deep, fileBytes, maxBytes, hasCredential, signal: both, progress };
        await fetchInto({ ...how, branch });
      } finally {
        await route.close();
      }
      const { ok, out } = await store.run(['rev-parse', '--verify', '--quiet', `${TIP}^{commit}`], both);
      if (!ok) throw broken(`${JSON.stringify(branch ?? 'HEAD')} names no commit`);
      const tree = await openStoreTree({
        store,
        commit: out.toString().trim(),
        prefix: '',
        limits,
        deep,
        minds: request.minds,
        signal: both,
      });
      // One commit alone says nothing of how its repository is signed.
      const { signatures: _, ...shallow } = tree;
      return deep ? tree : shallow;
    } catch (error) {
      if (!deadline.aborted || signal.aborted) throw error;
      throw new AppError(
        'timeout',
        `${at.shown} did not arrive within ${limits.fetchMs / 1000} s: scan a folder that holds it, scan without deep_scan, or the operator raises MAGPIE_SCAN_TIMEOUT`,
        { cause: error },
      );
    }
  }

  /** Plain http lets anybody on the way write the code that is scanned, and read the token. */
  function requireSafe({ protocol, host, port, shown }: RemoteLocation, guard: UrlGuard): void {
    if (protocol !== 'http' || guard.judge(new URL(`http://${host}:${port}/`)) === 'open') return;
    throw new AppError(
      'bad_request',
      `${shown} is plain http, which is taken only from hosts in MAGPIE_ALLOW_HOSTS: use https`,
    );
  }

  async function local(at: FolderLocation, request: Request, workFolder: string): Promise<StoppableTree> {
    const { branch, history: deep, anyFolder, signal } = request;
    const { folder, ceiling } = await allowedFolder(at.path, options.roots, anyFolder);
    const place = await findRepository(folder, ceiling);
    const how = { limits, deep, signal, minds: request.minds };
    if (!place) {
      if (branch === undefined) return openFolderTree({ ...how, folder, progress: request.progress });
      throw new AppError('bad_request', `${shownPath(at.path)} is not under git: leave branch out`);
    }
    await needGit(workFolder, signal);
    const found = { ...place, ...(await openLocalStore(place, workFolder, searchPath)) };
    if (branch === undefined && place.top !== undefined) {
      return openFolderTree({ ...how, folder, local: found, progress: request.progress });
    }
    return openLocalTree({
      ...how,
      local: found,
      shown: shownPath(at.path),
      branch,
    });
  }

  return {
    async open(asked, { signal, progress }): Promise<OpenTree> {
      const at = parseLocation(asked.repository);
      if (asked.branch !== undefined) parseRefName(asked.branch);
      const request = { ...asked, progress, signal: AbortSignal.any([signal, life.signal]) };
      request.signal.throwIfAborted();
      const folder = await work.make();
      try {
        const tree = await (at.kind === 'remote' ? fetched(at, request, folder) : local(at, request, folder));
        return {
          ...tree,
          async close() {
            tree.stop();
            await work.remove(folder);
          },
        };
      } catch (error) {
        await work.remove(folder);
        throw error;
      }
    },
    async close() {
      life.abort(new AppError('unavailable', 'Magpie is shutting down: scan again later'));
      await work.close();
    },
  };
}

interface Request extends TreeRequest {
  readonly signal: AbortSignal;
  progress(message: string): void;
}
