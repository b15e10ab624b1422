import { omitUndefined } from '../../lib/omit-undefined.ts';
import type { FindingBaseline } from '../findings/baseline.ts';
import type { VexStatement } from '../findings/vex.ts';
import type { UserRules } from '../scanners/source/rules/own.ts';
import type { GivenContents } from '../trees/contents-tree.ts';
import type { FileTree } from '../trees/tree.ts';
import { type ScanProgress, type ScanRequest, withoutCredentials } from './scan.ts';

export interface ScanTerms {
  readonly anyFolder?: boolean;
  /** Folders of the caller's workspace, which may be scanned with their subfolders. */
  readonly folders?: readonly string[];
  readonly contents?: GivenContents;
  /** Working folders of AI assistants. If set, this machine's assistants are scanned in place of a repository. */
  readonly assistantsIn?: readonly string[];
  readonly listed?: boolean;
  readonly baseline?: FindingBaseline;
  /** VEX statements about vulnerabilities. Findings that a statement calls harmless are suppressed. */
  readonly vex?: readonly VexStatement[] | undefined;
  /** A branch, tag or commit whose findings are suppressed. In a local repository, its merge base with HEAD is used. */
  readonly since?: string | undefined;
  readonly rules?: UserRules;
  /** If true, each found token is sent to the service that issued it, to check whether the token is valid. */
  readonly verify?: boolean;
  /** Called with the fetched files before they are removed. If the function throws, the scan fails. */
  readonly use?: (tree: FileTree, signal: AbortSignal) => Promise<void>;
}

export interface ScanProgressWatch {
  readonly signal: AbortSignal;
  progress(progress: ScanProgress): void;
}

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
  const { repository = request.repository, baseline, ...others } = JSON.parse(text) as StoredTerms;
  const known = baseline && { ...baseline, fingerprints: new Set(baseline.fingerprints) };
  const terms: ScanTerms = omitUndefined({ ...others, baseline: known });
  return { request: { ...request, repository }, terms };
}

function isRemote(repository: string): boolean {
  const bare = repository.replace(LOGIN, '$1');
  return REMOTE.test(repository) && withoutCredentials(bare) === bare;
}
