import { type AppError, notFoundError } from '../../../errors.ts';
import { editDistance } from '../../../lib/text/edit-distance.ts';
import type { GitStore } from '../store.ts';
import type { RemoteLocation } from './location.ts';
import type { GitRoute } from './route.ts';

const MAX_OFFERED_NAMES = 5;
const MAX_COMPARED_NAMES = 5000;

export interface GitFetchTarget {
  readonly store: GitStore;
  readonly route: GitRoute;
  readonly at: RemoteLocation;
  readonly branch?: string;
  readonly signal: AbortSignal;
}

export async function missingRef({ store, route, at, branch, signal }: GitFetchTarget): Promise<AppError> {
  const { ok, out } = await store.run(
    ['ls-remote', '--symref', '--end-of-options', 'origin', 'HEAD', 'refs/heads/*', 'refs/tags/*'],
    signal,
    { config: [...route.config, ['remote.origin.url', route.url]], env: route.env },
  );
  const lines = out.toString().split('\n');
  const usual = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(out.toString())?.[1];
  const names = [
    ...new Set(lines.flatMap((line) => /\trefs\/(?:heads|tags)\/([^^\s]+)$/.exec(line)?.[1] ?? [])),
  ];
  if (!ok && names.length === 0) {
    return notFoundError(`${at.shown} has no ${branch ?? 'branch'}, and does not say what it has`);
  }
  if (branch === undefined || names.length === 0) {
    return notFoundError(
      names.length === 0
        ? `${at.shown} has no commit: it is empty, or not a git repository`
        : `${at.shown} has no default branch: name one of ${named(names)}`,
    );
  }
  return notFoundError(missingRefMessage(at.shown, branch, names, usual));
}

export function missingRefMessage(shown: string, name: string, names: readonly string[], usual?: string) {
  const commit = /^[0-9a-f]{7,64}$/i.test(name)
    ? '; a commit is named by its full id, and must be on a branch or tag'
    : '';
  const main = usual === undefined ? '' : `, its default branch is ${safe(usual)}`;
  return `${shown} has no branch or tag ${JSON.stringify(name)}${commit}${main}; the nearest are ${named(nearest(name, names))}`;
}

function nearest(name: string, names: readonly string[]): string[] {
  const scored = names
    .slice(0, MAX_COMPARED_NAMES)
    .map((one) => [editDistance(name.toLowerCase(), one.toLowerCase()), one] as const);
  return scored.sort(([a], [b]) => a - b).map(([, one]) => one);
}

const named = (names: readonly string[]): string => names.slice(0, MAX_OFFERED_NAMES).map(safe).join(', ');

const safe = (name: string): string => JSON.stringify(name.length > 60 ? `${name.slice(0, 57)}...` : name);
