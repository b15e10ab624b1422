import type { Store } from './store.ts';

/** Newest commits that are read. */
const MAX_COMMITS = '50';

/** Commits that were read, and how many of them carry a signature of any signer. */
export interface Signatures {
  readonly seen: number;
  readonly signed: number;
}

/**
 * Counts signatures by the headers of commits. Git's own check is not asked, because a repository's settings say which
 * program it runs.
 */
export async function signaturesOf(
  store: Pick<Store, 'run'>,
  commit: string,
  signal: AbortSignal,
): Promise<Signatures> {
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
