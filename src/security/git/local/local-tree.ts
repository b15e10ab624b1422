import { AppError } from '../../../errors.ts';
import type { Minds } from '../../trees/tree.ts';
import { noSuchRef } from '../remote/missing-ref.ts';
import { parseRefName } from '../remote/ref-name.ts';
import type { TreeLimits } from '../selection.ts';
import { openStoreTree, type StoppableTree } from '../store-tree.ts';
import type { LocalRepository, LocalStore } from './local-repository.ts';

export interface LocalTreeOptions {
  readonly local: LocalRepository & LocalStore;
  /** As the caller knows the folder. */
  readonly shown: string;
  /** What HEAD names when left out. */
  readonly branch?: string;
  /** The last commit that it shares with this one is meant, where there is one. */
  readonly forkedFrom?: string | undefined;
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
  const named = await findCommit(options, branch);
  if (named !== undefined) {
    const commit = await sharedWith(options, named);
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

async function findCommit(
  { local, signal }: LocalTreeOptions,
  branch: string | undefined,
): Promise<string | undefined> {
  for (const candidate of candidatesOf(branch)) {
    const { ok, out } = await local.store.run(
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${candidate}^{commit}`],
      signal,
    );
    // Git 2.30 and older repeat the option.
    if (ok) return lastLine(out);
  }
  return undefined;
}

/** The commit, or the last one that it shares with what it is compared with. */
async function sharedWith(options: LocalTreeOptions, commit: string): Promise<string> {
  const { local, forkedFrom, signal } = options;
  const other = forkedFrom === undefined ? undefined : await findCommit(options, forkedFrom);
  if (other === undefined) return commit;
  const shared = await local.store.run(['merge-base', other, commit], signal);
  return shared.ok ? lastLine(shared.out) : commit;
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
