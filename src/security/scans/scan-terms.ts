import type { FindingBaseline } from '../findings/baseline.ts';
import type { GivenContents } from '../trees/contents-tree.ts';
import type { ScanTerms } from '../types.ts';
import { type ScanRequest, withoutCredentials } from './scan.ts';

/** Matches Git URLs that any machine can fetch. Does not match paths of folders and `file:` URLs. */
const REMOTE = /^(?:(?:https?|ssh|git):\/\/|[^/\\\s@:]+@[^/\\\s:]+:)/i;
/** Matches the user name in an ssh URL (`ssh://git@host`), which is stored separately from the request. */
const LOGIN = /^(ssh:\/\/)[\w.-]{1,60}@/i;

interface StoredTerms {
  readonly repository?: string | undefined;
  readonly contents?: GivenContents | undefined;
  readonly baseline?: { readonly fingerprints: readonly string[]; readonly reason: string } | undefined;
  readonly since?: string | undefined;
  readonly verify?: boolean | undefined;
}

/** Returns a scan's options as JSON, or undefined if only this process can run the scan, as for a folder. */
export function serializeScanTerms(request: ScanRequest, terms: ScanTerms): string | undefined {
  const { contents, baseline, since, verify, rules, use, listed, vex, assistantsIn } = terms;
  if (rules || use || listed || vex || assistantsIn) return undefined;
  if (contents ? 'text' in contents : !isRemote(request.repository)) return undefined;
  const stored: StoredTerms = {
    repository: LOGIN.test(request.repository) ? request.repository : undefined,
    contents,
    baseline: baseline && { ...baseline, fingerprints: [...baseline.fingerprints] },
    since,
    verify,
  };
  return JSON.stringify(stored);
}

export function restoreScanTerms(request: ScanRequest, text: string) {
  const {
    repository = request.repository,
    contents,
    baseline,
    since,
    verify,
  } = JSON.parse(text) as StoredTerms;
  const known: FindingBaseline | undefined = baseline && {
    ...baseline,
    fingerprints: new Set(baseline.fingerprints),
  };
  const terms: ScanTerms = {
    ...(contents && { contents }),
    ...(known && { baseline: known }),
    ...(since !== undefined && { since }),
    ...(verify !== undefined && { verify }),
  };
  return { request: { ...request, repository }, terms };
}

function isRemote(repository: string): boolean {
  const bare = repository.replace(LOGIN, '$1');
  return REMOTE.test(repository) && withoutCredentials(bare) === bare;
}
