import type { GitStore } from './store.ts';

const MAX_COMMITS = '50';

export interface CommitSignatureCounts {
  readonly seen: number;
  readonly signed: number;
}

/** Counts signed commits among the newest 50. Does not verify signatures, as git would run a program. */
export async function countSignedCommits(
  store: Pick<GitStore, 'run'>,
  commit: string,
  signal: AbortSignal,
): Promise<CommitSignatureCounts> {
  const { ok, out } = await store.run(['rev-list', '--header', `--max-count=${MAX_COMMITS}`, commit], signal);
  const commits = ok
    ? out
        .toString('latin1')
        .split('\0')
        .filter((one) => one.trim() !== '')
    : [];
  const signed = commits.filter((one) => /^gpgsig(?:-sha256)? /m.test(headersOf(one)));
  return { seen: commits.length, signed: signed.length };
}

function headersOf(commit: string): string {
  const end = commit.indexOf('\n\n');
  return end < 0 ? commit : commit.slice(0, end);
}
