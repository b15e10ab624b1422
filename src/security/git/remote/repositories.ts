import { join, resolve } from 'node:path';
import { AppError, badRequestError, unavailableError } from '../../../errors.ts';
import { createUrlGuard, type UrlGuard } from '../../../lib/network/url-guard.ts';
import type { OpenFileTree, TreeOpener, TreeRequest } from '../../trees/tree.ts';
import { openFileOrImageTree } from '../images/file-tree.ts';
import { openFolderTree } from '../local/folder-tree.ts';
import { quotePathForError, resolveAllowedPlace } from '../local/folders.ts';
import { findRepository, openLocalStore } from '../local/local-repository.ts';
import { openLocalTree } from '../local/local-tree.ts';
import { createWorkFolders } from '../local/work-folders.ts';
import { brokenRepositoryError, requireGit } from '../process.ts';
import { createGitStore } from '../store.ts';
import { openStoreTree, type StoppableTree } from '../store-tree.ts';
import { FETCHED_REF, fetchInto } from './fetch.ts';
import { type FolderLocation, parseLocation, type RemoteLocation } from './location.ts';
import { parseRefName } from './ref-name.ts';
import { openGitRoute } from './route.ts';
import { parseGitTokens } from './tokens.ts';

export interface RepositoriesOptions {
  readonly folder: string;
  readonly roots: readonly string[];
  readonly allowHosts: readonly string[];
  readonly tokens?: readonly string[];
  readonly sshKey?: string;
  /** Socket of the ssh agent. Set only if Magpie serves one user, because the agent has that user's keys. */
  readonly sshAgent?: string;
  readonly limits?: Partial<RepositoryLimits>;
  readonly searchPath?: string;
}

export type RepositoryLimits = typeof REPOSITORY_LIMITS;

const REPOSITORY_LIMITS = {
  files: 200_000,
  fileBytes: 10 * 2 ** 20,
  treeBytes: 2 * 2 ** 30,
  entries: 2_000_000,
  fetchBytes: 2 * 2 ** 30,
  fetchMs: 15 * 60_000,
};

const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

type RepositoryOpener<At> = (at: At, request: Request, workFolder: string) => Promise<StoppableTree>;

interface Request extends TreeRequest {
  readonly signal: AbortSignal;
  progress(message: string): void;
}

type Setup = ReturnType<typeof createSetup>;

export function createRepositoryAccess(options: RepositoriesOptions): {
  readonly open: TreeOpener;
  close(): Promise<void>;
} {
  const setup = createSetup(options);
  const openRemote = createRemoteOpener(options, setup);
  const openLocal = createLocalOpener(options, setup);
  const work = createWorkFolders(join(options.folder, 'scans'));
  const life = new AbortController();
  return {
    async open(asked, { signal, progress }): Promise<OpenFileTree> {
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
      life.abort(unavailableError('Magpie is shutting down: scan again later'));
      await work.close();
    },
  };
}

function createSetup({ limits, searchPath = SEARCH_PATH }: RepositoriesOptions) {
  let gitIsGood = false;
  return {
    limits: { ...REPOSITORY_LIMITS, ...limits },
    searchPath,
    /** Throws AppError `unavailable` if git is missing or too old. The next call repeats a failed check. */
    async needGit(folder: string, signal: AbortSignal) {
      if (!gitIsGood) await requireGit(folder, searchPath, signal);
      gitIsGood = true;
    },
  };
}

function createRemoteOpener(options: RepositoriesOptions, setup: Setup): RepositoryOpener<RemoteLocation> {
  const { limits, searchPath, needGit } = setup;
  const guardFor = (hosts: readonly string[]) =>
    createUrlGuard({ allowHosts: [...options.allowHosts, ...hosts] });
  const usual = guardFor([]);
  const tokens = parseGitTokens(options.tokens ?? []);
  const ssh = {
    knownHosts: resolve(options.folder, 'known_hosts'),
    keyFile: options.sshKey,
    agent: options.sshAgent,
  };

  function hasCredential(at: RemoteLocation): boolean {
    if (at.protocol === 'ssh') return options.sshKey !== undefined;
    return tokens.has(at.host) || tokens.has(`${at.host}:${at.port}`);
  }

  async function fetchCommit(at: RemoteLocation, request: Request, folder: string, guard: UrlGuard) {
    const { signal, progress, branch, history: deep } = request;
    const { fetchBytes: maxBytes, fileBytes } = limits;
    await needGit(folder, signal);
    const store = await createGitStore({ folder, searchPath });
    const route = await openGitRoute(at, { guard, tokens, ssh, maxBytes, signal });
    try {
      const how = { store, route, at, deep, fileBytes, maxBytes, hasCredential: hasCredential(at), signal };
      await fetchInto({ ...how, progress, branch });
    } finally {
      await route.close();
    }
    const { ok, out } = await store.run(
      ['rev-parse', '--verify', '--quiet', `${FETCHED_REF}^{commit}`],
      signal,
    );
    if (!ok) throw brokenRepositoryError(`${JSON.stringify(branch ?? 'HEAD')} names no commit`);
    return { store, commit: out.toString().trim() };
  }

  return async (at, request, folder) => {
    const guard = request.listed === true ? guardFor([`${at.host}:${at.port}`]) : usual;
    // Anyone on the network can change plain http. The operator can allow a host.
    if (at.protocol === 'http' && guard.judge(new URL(`http://${at.host}:${at.port}/`)) !== 'open')
      throw badRequestError(
        `${at.shown} is plain http, which is accepted only from hosts in MAGPIE_ALLOW_HOSTS: use https`,
      );
    const { history: deep, minds } = request;
    // The deadline ends the git processes through the signal. A race with a timer would leave them running.
    const deadline = AbortSignal.timeout(limits.fetchMs);
    const signal = AbortSignal.any([request.signal, deadline]);
    try {
      const { store, commit } = await fetchCommit(at, { ...request, signal }, folder, guard);
      const tree = await openStoreTree({ store, commit, prefix: '', limits, deep, minds, signal });
      // `signatures` counts the signed commits of the history, so it is removed without a fetched history.
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

function createLocalOpener({ roots }: RepositoriesOptions, setup: Setup): RepositoryOpener<FolderLocation> {
  const { limits, searchPath, needGit } = setup;
  return async (
    at,
    { branch, forkedFrom, history: deep, anyFolder, folders = [], signal, minds, progress },
    workFolder,
  ) => {
    const allowed = await resolveAllowedPlace(at.path, [...roots, ...folders], anyFolder);
    const { place: folder, ceiling } = allowed;
    if (allowed.isFile) {
      if (branch !== undefined)
        throw badRequestError(`${quotePathForError(at.path)} is a file, which has no branches`);
      return openFileOrImageTree({
        file: folder,
        workFolder,
        limits,
        unpackMs: limits.fetchMs,
        minds,
        signal,
        progress,
      });
    }
    const place = await findRepository(folder, ceiling);
    const how = { limits, deep, signal, minds };
    if (!place) {
      if (branch === undefined) return openFolderTree({ ...how, folder, progress });
      const out = forkedFrom === undefined ? 'leave branch out' : 'there is nothing earlier to compare with';
      throw badRequestError(`${quotePathForError(at.path)} is not under git: ${out}`);
    }
    await needGit(workFolder, signal);
    const local = { ...place, ...(await openLocalStore(place, workFolder, searchPath)) };
    if (branch === undefined && place.top !== undefined) {
      return openFolderTree({ ...how, folder, local, progress });
    }
    return openLocalTree({ ...how, local, shown: quotePathForError(at.path), branch, forkedFrom });
  };
}
