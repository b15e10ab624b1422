import { AppError } from '../../errors.ts';
import type { Minds } from '../tree.ts';
import type { LocalRepository, LocalStore } from './local-repository.ts';
import { noSuchRef } from './missing-ref.ts';
import { parseRefName } from './ref-name.ts';
import type { TreeLimits } from './selection.ts';
import { openStoreTree, type StoppableTree } from './store-tree.ts';

export interface LocalTreeOptions {
  readonly local: LocalRepository & LocalStore;
  /** As the caller knows the folder. */
  readonly shown: string;
  /** What HEAD names when left out. */
  readonly branch?: string;
  /** The last commit that it shares with HEAD, where there is one. */
  readonly forked?: boolean | undefined;
  readonly limits: TreeLimits;
  readonly deep: boolean;
  readonly minds?: Minds | undefined;
  readonly signal: AbortSignal;
}

/** A branch, tag or commit of a repository on this machine, out of its objects; AppError `not_found`. */
export async function openLocalTree(options: LocalTreeOptions): Promise<StoppableTree> {
  const { local, shown, branch, signal } = options;
  if (local.objects !== true) {
    throw new AppError(
      'forbidden',
      `the commits of ${shown} are not read, since ${local.objects}: scan the folder as it stands, without branch`,
    );
  }
  for (const candidate of candidatesOf(branch)) {
    const { ok, out } = await local.store.run(
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${candidate}^{commit}`],
      signal,
    );
    if (!ok) continue;
    // Git 2.30 and older repeat the option.
    const named = lastLine(out);
    const shared = options.forked ? await local.store.run(['merge-base', 'HEAD', named], signal) : undefined;
    const commit = shared?.ok ? lastLine(shared.out) : named;
    return openStoreTree({ ...options, store: local.store, commit, prefix: local.prefix });
  }
  const { out } = await local.store.run(
    ['for-each-ref', '--format=%(refname:lstrip=2)', '--count=5000', 'refs/heads', 'refs/tags'],
    signal,
  );
  const names = out.toString().split('\n').filter(Boolean);
  throw new AppError(
    'not_found',
    branch === undefined || names.length === 0
      ? `${shown} has no commit yet`
      : noSuchRef(shown, branch, names),
  );
}

function lastLine(out: Buffer): string {
  return out.toString().trim().split('\n').at(-1) ?? '';
}

/** Here an id may be shortened, since all that it could mean is at hand. */
function candidatesOf(branch: string | undefined): readonly string[] {
  if (branch === undefined) return ['HEAD'];
  const { candidates } = parseRefName(branch);
  if (branch === 'HEAD') return [branch];
  const remote = branch.startsWith('refs/')
    ? []
    : [`refs/remotes/origin/${branch}`, `refs/remotes/${branch}`];
  return [...candidates, ...remote, ...(/^[0-9a-f]{7,40}$/i.test(branch) ? [branch] : [])];
}
