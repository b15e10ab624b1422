import { forbiddenError, notFoundError } from '../../../errors.ts';
import { missingRefMessage } from '../remote/missing-ref.ts';
import { parseRefName } from '../remote/ref-name.ts';
import type { TreeOptions } from '../selection.ts';
import { openStoreTree, type StoppableTree } from '../store-tree.ts';
import type { LocalRepository, LocalStore } from './local-repository.ts';

export interface LocalTreeOptions extends TreeOptions {
  readonly local: LocalRepository & LocalStore;
  readonly shown: string;
  readonly branch?: string;
  /** Branch or commit from which `branch` was forked. If set, the files are read from their merge base. */
  readonly forkedFrom?: string | undefined;
}

/** Opens the files of a branch, tag or commit in a local repository. Throws AppError `not_found`. */
export async function openLocalTree(options: LocalTreeOptions): Promise<StoppableTree> {
  const { local, shown, branch, signal } = options;
  if (local.objects !== true) {
    throw forbiddenError(
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
  throw notFoundError(
    branch === undefined || names.length === 0
      ? `${shown} has no commit yet`
      : missingRefMessage(shown, branch, names),
  );
}

async function findCommit({ local, signal }: LocalTreeOptions, branch: string | undefined) {
  for (const candidate of candidatesOf(branch)) {
    const { ok, out } = await local.store.run(
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${candidate}^{commit}`],
      signal,
    );
    // Up to git 2.30, `rev-parse` also prints the option `--end-of-options` in a line before the result.
    if (ok) return lastLine(out);
  }
  return undefined;
}

async function sharedWith(options: LocalTreeOptions, commit: string): Promise<string> {
  const { local, forkedFrom, signal } = options;
  const other = forkedFrom === undefined ? undefined : await findCommit(options, forkedFrom);
  if (other === undefined) return commit;
  const shared = await local.store.run(['merge-base', other, commit], signal);
  return shared.ok ? lastLine(shared.out) : commit;
}

const lastLine = (out: Buffer): string => out.toString().trim().split('\n').at(-1) ?? '';

function candidatesOf(branch: string | undefined): readonly string[] {
  if (branch === undefined) return ['HEAD'];
  const candidates = parseRefName(branch);
  if (branch === 'HEAD') return [branch];
  const remote = branch.startsWith('refs/')
    ? []
    : [`refs/remotes/origin/${branch}`, `refs/remotes/${branch}`];
  return [...candidates, ...remote, ...(/^[0-9a-f]{7,40}$/i.test(branch) ? [branch] : [])];
}
