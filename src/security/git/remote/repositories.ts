import { join, resolve } from 'node:path';
import { AppError } from '../../../errors.ts';
import { createUrlGuard, type UrlGuard } from '../../../lib/network/url-guard.ts';
import type { OpenTree, TreeOpener, TreeRequest } from '../../trees/tree.ts';
import { requireGit } from '../git-version.ts';
import { openFolderTree } from '../local/folder-tree.ts';
import { allowedFolder, shownPath } from '../local/folders.ts';
import { findRepository, openLocalStore } from '../local/local-repository.ts';
import { openLocalTree } from '../local/local-tree.ts';
import { createWorkFolders } from '../local/work-folders.ts';
import { broken } from '../process.ts';
import type { TreeLimits } from '../selection.ts';
import { createStore } from '../store.ts';
import { openStoreTree, type StoppableTree } from '../store-tree.ts';
import { fetchInto, TIP } from './fetch.ts';
import { type FolderLocation, parseLocation, type RemoteLocation } from './location.ts';
import { parseRefName } from './ref-name.ts';
import { openRoute } from './route.ts';
import { parseTokens } from './tokens.ts';

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
  /** Folders in which git and ssh are searched for. */
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

/** Repositories from anywhere, each as a tree in its own work folder. */
export interface Repositories {
  readonly open: TreeOpener;
  /** Ends and removes all that is open. */
  close(): Promise<void>;
}

/** Opens a tree with the help of a work folder. */
type Opener<At> = (at: At, request: Request, workFolder: string) => Promise<StoppableTree>;

interface Request extends TreeRequest {
  readonly signal: AbortSignal;
  progress(message: string): void;
}

/** What all trees are opened with. */
interface Setup {
  readonly limits: RepositoryLimits;
  readonly searchPath: string;
  /** AppError `unavailable` where git is missing or too old; asked once. */
  needGit(folder: string, signal: AbortSignal): Promise<void>;
}

/** AppError `bad_request` for tokens without shape. */
export function createRepositories(options: RepositoriesOptions): Repositories {
  const setup = createSetup(options);
  const openRemote = createRemoteOpener(options, setup);
  const openLocal = createLocalOpener(options, setup);
  const work = createWorkFolders(join(options.folder, 'scans'));
  const life = new AbortController();
  return {
    async open(asked, { signal, progress }): Promise<OpenTree> {
      const at = parseLocation(asked.repository);
      const called = asked.forkedFrom === undefined ? 'branch' : 'what is compared with';
      if (asked.branch !== undefined) parseRefName(asked.branch, called);
      const request = { ...asked, progress, signal: AbortSignal.any([signal, life.signal]) };
      request.signal.throwIfAborted();
      const folder = await work.makeFolder();
      try {
        const opening =
          at.kind === 'remote' ? openRemote(at, request, folder) : openLocal(at, request, folder);
        const tree = await opening;
        return {
          ...tree,
          async close() {
            tree.stop();
            await work.removeFolder(folder);
          },
        };
      } catch (error) {
        await work.removeFolder(folder);
        throw error;
      }
    },
    async close() {
      life.abort(new AppError('unavailable', 'Magpie is shutting down: scan again later'));
      await work.close();
    },
  };
}

function createSetup({ limits, searchPath = SEARCH_PATH }: RepositoriesOptions): Setup {
  let gitIsGood = false;
  return {
    limits: { ...REPOSITORY_LIMITS, ...limits },
    searchPath,
    async needGit(folder, signal) {
      if (!gitIsGood) await requireGit(folder, searchPath, signal);
      gitIsGood = true;
    },
  };
}

function createRemoteOpener(options: RepositoriesOptions, setup: Setup): Opener<RemoteLocation> {
  const { limits, searchPath, needGit } = setup;
  const guardFor = (hosts: readonly string[]) =>
    createUrlGuard({ allowHosts: [...options.allowHosts, ...hosts] });
  const usual = guardFor([]);
  const tokens = parseTokens(options.tokens ?? []);
  const ssh = {
    knownHosts: resolve(options.folder, 'known_hosts'),
    keyFile: options.sshKey,
    agent: options.sshAgent,
  };

  function hasCredential(at: RemoteLocation): boolean {
    if (at.protocol === 'ssh') return options.sshKey !== undefined;
    return tokens.has(at.host) || tokens.has(`${at.host}:${at.port}`);
  }

  /** The store of what was fetched, and the commit that was asked for. */
  async function fetchCommit(at: RemoteLocation, request: Request, folder: string, guard: UrlGuard) {
    const { signal, progress, branch, history: deep } = request;
    const { fetchBytes: maxBytes, fileBytes } = limits;
    await needGit(folder, signal);
    const store = await createStore({ folder, searchPath });
    const route = await openRoute(at, { guard, tokens, ssh, maxBytes, signal });
    try {
      const how = { store, route, at, deep, fileBytes, maxBytes, hasCredential: hasCredential(at), signal };
      await fetchInto({ ...how, progress, branch });
    } finally {
      await route.close();
    }
    const { ok, out } = await store.run(['rev-parse', '--verify', '--quiet', `${TIP}^{commit}`], signal);
    if (!ok) throw broken(`${JSON.stringify(branch ?? 'HEAD')} names no commit`);
    return { store, commit: out.toString().trim() };
  }

  return async (at, request, folder) => {
    const guard = request.listed === true ? guardFor([`${at.host}:${at.port}`]) : usual;
    requireSafe(at, guard);
    const { history: deep, minds } = request;
    // Not `withDeadline`: the work ends only once its processes have.
    const deadline = AbortSignal.timeout(limits.fetchMs);
    const signal = AbortSignal.any([request.signal, deadline]);
    try {
      const { store, commit } = await fetchCommit(at, { ...request, signal }, folder, guard);
      const tree = await openStoreTree({ store, commit, prefix: '', limits, deep, minds, signal });
      // One commit alone says nothing of how its repository is signed.
      const { signatures: _, ...shallow } = tree;
      return deep ? tree : shallow;
    } catch (error) {
      if (!deadline.aborted || request.signal.aborted) throw error;
      throw new AppError(
        'timeout',
        `${at.shown} could not be fetched within ${limits.fetchMs / 1000} s: scan a folder that holds it, scan without deep_scan, or the operator raises MAGPIE_SCAN_TIMEOUT`,
        { cause: error },
      );
    }
  };
}

/** Over plain http anyone on the way can change the code that is scanned, and read the token. */
function requireSafe({ protocol, host, port, shown }: RemoteLocation, guard: UrlGuard): void {
  if (protocol !== 'http' || guard.judge(new URL(`http://${host}:${port}/`)) === 'open') return;
  throw new AppError(
    'bad_request',
    `${shown} is plain http, which is accepted only from hosts in MAGPIE_ALLOW_HOSTS: use https`,
  );
}

function createLocalOpener({ roots }: RepositoriesOptions, setup: Setup): Opener<FolderLocation> {
  const { limits, searchPath, needGit } = setup;
  return async (
    at,
    { branch, forkedFrom, history: deep, anyFolder, folders = [], signal, minds, progress },
    workFolder,
  ) => {
    const { folder, ceiling } = await allowedFolder(at.path, [...roots, ...folders], anyFolder);
    const place = await findRepository(folder, ceiling);
    const how = { limits, deep, signal, minds };
    if (!place) {
      if (branch === undefined) return openFolderTree({ ...how, folder, progress });
      const out = forkedFrom === undefined ? 'leave branch out' : 'there is nothing earlier to compare with';
      throw new AppError('bad_request', `${shownPath(at.path)} is not under git: ${out}`);
    }
    await needGit(workFolder, signal);
    const local = { ...place, ...(await openLocalStore(place, workFolder, searchPath)) };
    if (branch === undefined && place.top !== undefined) {
      return openFolderTree({ ...how, folder, local, progress });
    }
    return openLocalTree({ ...how, local, shown: shownPath(at.path), branch, forkedFrom });
  };
}
