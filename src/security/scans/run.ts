import { asAppError, forbiddenError } from '../../errors.ts';
import type { MachineEnvironment } from '../../lib/assistants/machine.ts';
import { waitUnlessAborted } from '../../lib/concurrency/deadline.ts';
import { createYieldPoint } from '../../lib/concurrency/time-slices.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { countUnscannedFiles, type UnscannedFiles } from '../../lib/unscanned-languages.ts';
import { type FindingBaseline, joinBaselines, selectBaselineFingerprints } from '../findings/baseline.ts';
import type { Finding, SoftwareComponent } from '../findings/finding.ts';
import { buildFindingKey, fingerprintsOf } from '../findings/fingerprint.ts';
import { hideTokens } from '../findings/hide.ts';
import { hideSecretsInForeignFindings } from '../findings/hide-foreign.ts';
import { mergeFindings, worstFirst } from '../findings/merge.ts';
import { withPatches } from '../findings/patches.ts';
import { createRuleNameChecker, type RuleNameChecker } from '../findings/rule-name-checker.ts';
import {
  type JudgedFinding,
  SUPPRESSION_SCANNER_NAME,
  suppressFindings,
} from '../findings/suppress-findings.ts';
import { createVexJudge } from '../findings/vex.ts';
import { packageReferenceOf } from '../reports/package-references.ts';
import type { UserRules } from '../scanners/source/rules/own.ts';
import { maskSettings } from '../trees/assistants/mask-settings.ts';
import { openContents } from '../trees/contents-tree.ts';
import { findLfsPointers } from '../trees/lfs.ts';
import type { FileTree, OpenFileTree, ReadPredicate, TreeOpener } from '../trees/tree.ts';
import type { TokenVerifier } from '../verifying/verify.ts';
import type { FileScanPool } from './file-scan-pool.ts';
import type { FindingCache } from './finding-cache.ts';
import type { ScanOmissions } from './omissions.ts';
import { createOutcomes, type ScanOutcomes } from './outcomes.ts';
import { type ScanRequest, type ScanResult, withoutCredentials } from './scan.ts';
import {
  type FileSearchTotals,
  MAX_SEARCHED_BYTES,
  type ScanCandidate,
  scanCandidateFiles,
} from './scan-candidate-files.ts';
import { scanFileGroups } from './scan-file-groups.ts';
import type { ScanProgressWatch, ScanTerms } from './scan-terms.ts';
import type { FileScanner, TreeScanner, UnreadableFileKinds } from './scanner.ts';
import { findScriptExtensions } from './script-extensions.ts';

const MAX_RESULTS = 50_000;

export interface RunParts {
  readonly openTree: TreeOpener;
  readonly fileScanners: readonly FileScanner[];
  readonly treeScanners: readonly TreeScanner[];
  readonly machine?: MachineEnvironment | undefined;
  readonly desk: FileScanPool;
  readonly kept: FindingCache;
  code(): Promise<string>;
  readonly fileMs: number;
  readonly verify?: TokenVerifier;
}

export interface ScanRunOptions extends ScanTerms, ScanProgressWatch {
  readonly owner: string;
  readonly request: ScanRequest;
  readonly anyFolder: boolean;
  readonly forkedFrom?: string;
}

/** Runs a scan. Throws if fetching fails or the signal aborts. The report lists failed scanners. */
export async function runScan(parts: RunParts, options: ScanRunOptions): Promise<ScanResult> {
  const { since } = options;
  if (since === undefined) return runOne(parts, options);
  const known = await knownAt(since, parts, options);
  return runOne(parts, { ...options, baseline: joinBaselines(known, options.baseline) });
}

async function knownAt(since: string, parts: RunParts, options: ScanRunOptions): Promise<FindingBaseline> {
  const { use: _, baseline: __, ...rest } = options;
  const { findings } = await runOne(parts, {
    ...rest,
    verify: false,
    request: { ...options.request, branch: since },
    forkedFrom: options.request.branch ?? 'HEAD',
    progress: ({ message, ...count }) => options.progress({ ...count, message: `${since}: ${message}` }),
  });
  return { fingerprints: selectBaselineFingerprints(findings), reason: `known at ${since}` };
}

async function runOne(parts: RunParts, options: ScanRunOptions): Promise<ScanResult> {
  const { request, anyFolder, signal, progress } = options;
  if (options.assistantsIn) return scanAssistants(parts, options, options.assistantsIn);
  if (options.contents) return searchAndUse(openContents(options.contents), parts, options);
  progress({ message: `fetching ${withoutCredentials(request.repository)}` });
  const tree = await parts.openTree(
    {
      repository: request.repository,
      history: request.deep,
      anyFolder,
      folders: options.folders,
      listed: options.listed === true,
      minds: createReadPredicate(parts, request.dependencies),
      branch: request.branch,
      forkedFrom: options.forkedFrom,
    },
    { signal, progress: (message) => progress({ message }) },
  );
  const dependencies = request.dependencies || tree.isImage === true;
  // Closes the tree also after an abort, without waiting for scanners that ignore the signal.
  return searchAndUse(tree, parts, { ...options, request: { ...request, dependencies } }).finally(() =>
    tree.close(),
  );
}

/** Scans this machine's assistants. External scanners are not used, as they could run code or send files. */
async function scanAssistants(parts: RunParts, options: ScanRunOptions, folders: readonly string[]) {
  const { machine } = parts;
  if (!machine) throw forbiddenError('assistants of this machine are not scanned here');
  const { openAssistantsTree } = await import('../trees/assistants/assistants-tree.ts');
  const tree = await openAssistantsTree({
    machine,
    folders,
    minds: createReadPredicate({ ...parts, treeScanners: [] }, false),
    signal: options.signal,
    progress: (message) => options.progress({ message }),
  });
  return searchAndUse(tree, { ...parts, treeScanners: [] }, options);
}

async function searchAndUse(tree: OpenFileTree, parts: RunParts, options: ScanRunOptions) {
  const result = await searchTree(tree, parts, options);
  await options.use?.(tree, options.signal);
  return result;
}

async function searchTree(tree: OpenFileTree, parts: RunParts, options: ScanRunOptions): Promise<ScanResult> {
  const { owner, request, signal, progress, baseline } = options;
  const outcomes = createOutcomes(parts.fileMs);
  for (const { name } of parts.fileScanners) outcomes.addScanner(name);
  const components: SoftwareComponent[] = [];
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const [searched] = await Promise.all([
    searchCurrent(tree, parts, outcomes, { ...options, signal: both }),
    scanFileGroups(tree, fileScanOf(parts, outcomes, { ...options, signal: both })),
    scanTree(tree, parts, outcomes, components, { ...options, signal: both }),
  ]).finally(() => stop.abort());
  if (request.deep) await searchPast(tree, parts, outcomes, options);
  if (searched.large > 0) {
    const what = `${formatCount(searched.large, 'file')} over ${MAX_SEARCHED_BYTES / 1e6} MB, searched for secrets alone`;
    outcomes.omissions.miss('large-files', what);
  }
  const minds = createReadPredicate(parts, request.dependencies);
  await reportLfsPointers(tree, minds, outcomes.omissions, signal);
  reportFilesWithoutRules(tree, await findScriptExtensions(tree, signal), outcomes);
  const wanted = await countFilesByScanner(tree, parts.fileScanners, outcomes, (name) =>
    parts.desk.lacks(name, signal),
  );

  signal.throwIfAborted();
  progress({ message: 'weighing what was found' });
  const merged = mergeFindings(outcomes.findings().map(withoutRepeatedPast));
  const foreign = new Set([...parts.treeScanners.map(({ name }) => name), SUPPRESSION_SCANNER_NAME]);
  const hidden = await hideSecretsInForeignFindings(
    tree,
    await suppressFindings(tree, merged, namesFor(parts, options.rules), signal, Date.now()),
    foreign,
    signal,
  );
  const masked = tree.assistants ? hidden.map(maskedInSettings) : hidden;
  masked.sort(countingFirst);
  const judged = options.verify ? await verified(tree, parts, masked, options) : masked;
  if (judged.length > MAX_RESULTS) {
    outcomes.omissions.leave(
      `${judged.length - MAX_RESULTS} of ${judged.length} findings, the least severe ones`,
    );
    judged.length = MAX_RESULTS;
  }
  const prints = fingerprintsOf(judged);
  const judgeByVex = createVexJudge(options.vex ?? []);
  const findings = judged.map((one, at): Finding => {
    const fingerprint = prints[at] ?? '';
    const known = baseline?.fingerprints.has(fingerprint) ? baseline : undefined;
    const harmless = one.package && judgeByVex(one, packageReferenceOf(one.package));
    const suppressed =
      one.suppressed ??
      (harmless !== undefined ? { by: 'vex' as const, reason: harmless } : undefined) ??
      (known && { by: 'baseline' as const, reason: known.reason });
    return { ...one, fingerprint, suppressed };
  });
  findings.sort(countingFirst);
  const patched = await withPatches(findings, tree);
  await parts.kept.trimFindings(owner);
  return {
    findings: patched,
    components: components.slice(0, MAX_RESULTS).map(shownComponent),
    report: {
      commit: tree.commit,
      files: searched.files,
      bytes: searched.bytes,
      kept: searched.kept,
      left: [...tree.left, ...outcomes.omissions.left],
      gaps: [...tree.gaps, ...outcomes.omissions.gaps],
      assistants: tree.assistants,
      scanners: outcomes.scanners().map((one) => ({ ...one, files: wanted.get(one.name) })),
    },
  };
}

/** Masks possible secrets in settings of assistants. These settings contain tokens and logins as arguments. */
function maskedInSettings(one: JudgedFinding): JudgedFinding {
  if (!/\.(?:jsonc?|toml)$/.test(one.path)) return one;
  const { excerpt, description } = one;
  return {
    ...one,
    description: maskSettings(description),
    ...(excerpt !== undefined && { excerpt: maskSettings(excerpt) }),
  };
}

async function verified(
  tree: FileTree,
  { verify }: RunParts,
  findings: JudgedFinding[],
  { signal, progress }: ScanRunOptions,
): Promise<JudgedFinding[]> {
  if (!verify) return findings;
  progress({ message: 'asking services whether tokens are live' });
  return (await verify(tree, findings, signal)).sort(countingFirst);
}

function countingFirst<T extends Parameters<typeof worstFirst>[0] & Pick<Finding, 'suppressed'>>(a: T, b: T) {
  return Number(a.suppressed !== undefined) - Number(b.suppressed !== undefined) || worstFirst(a, b);
}

function namesFor({ fileScanners, treeScanners }: RunParts, rules: UserRules | undefined): RuleNameChecker {
  const own = rules?.catalogue.map(({ id }) => id) ?? [];
  return createRuleNameChecker(
    [...fileScanners, ...treeScanners].map(({ name }) => name),
    own,
  );
}

function shownComponent(one: SoftwareComponent): SoftwareComponent {
  return { ...one, path: hideTokens(one.path), version: hideTokens(one.version) };
}

function fileScanOf(parts: RunParts, outcomes: ScanOutcomes, options: ScanRunOptions) {
  const { owner, request, rules, signal } = options;
  return { ...parts, scanners: parts.fileScanners, owner, deep: request.deep, rules, outcomes, signal };
}

async function searchCurrent(
  tree: FileTree,
  parts: RunParts,
  outcomes: ScanOutcomes,
  options: ScanRunOptions,
): Promise<FileSearchTotals> {
  const total = tree.files.length;
  const candidates = tree.files.map((file): ScanCandidate => ({ ...file, content: () => tree.read(file) }));
  return scanCandidateFiles(candidates, {
    ...fileScanOf(parts, outcomes, options),
    done: (done) => options.progress({ message: `searched ${done} of ${total} files`, done, total }),
  });
}

async function searchPast(tree: FileTree, parts: RunParts, outcomes: ScanOutcomes, options: ScanRunOptions) {
  const { signal, progress } = options;
  progress({ message: 'searching the history' });
  await scanCandidateFiles(pastOf(tree, signal), {
    ...fileScanOf(parts, outcomes, options),
    done: (done) => progress({ message: `searched ${done} contents of the history`, done }),
  });
}

async function* pastOf(tree: FileTree, signal: AbortSignal): AsyncGenerator<ScanCandidate> {
  for await (const { path, bytes, blob, commit, content } of tree.history(signal)) {
    yield { path, bytes, blob, commit, content: async () => content };
  }
}

async function scanTree(
  tree: FileTree,
  { treeScanners }: RunParts,
  outcomes: ScanOutcomes,
  components: SoftwareComponent[],
  { request, signal, progress }: ScanRunOptions,
): Promise<void> {
  const wanted = treeScanners.filter(({ dependencies }) => !dependencies || request.dependencies);
  for (const { name } of wanted) outcomes.addScanner(name);
  await Promise.all(
    wanted.map(async (scanner) => {
      const started = performance.now();
      try {
        const scan = scanner.scan({
          tree,
          options: { deep: request.deep },
          signal,
          progress: (message) => progress({ message }),
          uses: (used) => {
            const room = MAX_RESULTS - components.length;
            for (const one of used.slice(0, room)) components.push(one);
            const over = used.length - room;
            if (over > 0)
              outcomes.omissions.miss(
                'limits',
                `${over} packages over the first ${MAX_RESULTS} are not listed`,
              );
          },
          miss: outcomes.omissions.miss,
          leave: outcomes.omissions.leave,
          fail: (reason) => outcomes.addFailure(scanner.name, reason),
        });
        outcomes.addFindings(
          scanner.name,
          await waitUnlessAborted(scan, signal),
          performance.now() - started,
        );
      } catch (thrown) {
        signal.throwIfAborted();
        outcomes.addFailure(scanner.name, asAppError(thrown).message);
      }
    }),
  );
}

/** Removes findings in the history that are also in current files. Keeps the newest of equal findings. */
function withoutRepeatedPast<T extends ReturnType<ScanOutcomes['findings']>[number]>({
  scanner,
  findings,
}: T) {
  const seen = new Set(findings.filter(({ commit }) => commit === undefined).map(buildFindingKey));
  return {
    scanner,
    findings: findings.filter((finding) => {
      if (finding.commit === undefined) return true;
      const key = buildFindingKey(finding);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    }),
  };
}

function createReadPredicate(
  {
    fileScanners,
    treeScanners,
  }: { readonly fileScanners: readonly FileScanner[]; readonly treeScanners: readonly TreeScanner[] },
  dependencies: boolean,
): ReadPredicate {
  const named = treeScanners.filter((one) => dependencies || !one.dependencies);
  return (path, as) => {
    try {
      if (named.some((one) => one.names?.(path))) return true;
      return as === 'file' && fileScanners.some((one) => one.wants(path));
    } catch {
      // If `wants` throws, the file is read, so that its scan reports the error.
      return true;
    }
  };
}

async function countFilesByScanner(
  { files }: Pick<FileTree, 'files'>,
  scanners: readonly FileScanner[],
  outcomes: ScanOutcomes,
  lacksOf: (scanner: string) => Promise<UnreadableFileKinds>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const pause = createYieldPoint();
  for (const scanner of scanners) {
    await pause();
    try {
      const wanted = files.map(({ path }) => path).filter((path) => scanner.wants(path));
      counts.set(scanner.name, wanted.length);
      if (!scanner.left || wanted.length === 0) continue;
      for (const what of scanner.left(wanted, await lacksOf(scanner.name)))
        outcomes.omissions.miss('languages', what);
    } catch (thrown) {
      outcomes.addFailure(scanner.name, asAppError(thrown).message);
    }
  }
  return counts;
}

const READ_BY: Readonly<Record<UnscannedFiles['kind'], readonly string[]>> = {
  language: ['semgrep'],
  script: ['semgrep'],
  configuration: ['semgrep', 'checkov', 'trivy'],
};

/** Reports files for which no scanner has rules. `scripts` maps `bin/run` to the extension `py`. */
function reportFilesWithoutRules(
  { files }: Pick<FileTree, 'files'>,
  scripts: ReadonlyMap<string, string>,
  { omissions, scanners }: ScanOutcomes,
): void {
  const paths = files.map(({ path }) => {
    const ending = scripts.get(path);
    return ending === undefined ? path : `${path}.${ending}`;
  });
  const ran = new Set(scanners().flatMap(({ name, ok }) => (ok ? [name] : [])));
  for (const { name, kind, files: count } of countUnscannedFiles(paths)) {
    const what = `${formatCount(count, 'file')} of ${name}, for which no scanner of ours has rules but those for secrets`;
    const read = READ_BY[kind].some((program) => ran.has(program));
    if (kind === 'script' || read) omissions.leave(what);
    else omissions.miss(kind === 'language' ? 'unread-code' : 'unread-configuration', what);
  }
}

async function reportLfsPointers(
  tree: Pick<FileTree, 'files' | 'read'>,
  minds: ReadPredicate,
  { miss }: ScanOmissions,
  signal: AbortSignal,
): Promise<void> {
  const { count, first } = await findLfsPointers(tree, (path) => minds(path, 'file'), signal);
  if (count === 0) return;
  const what = `${formatCount(count, 'file')} that git-lfs keeps elsewhere, of which only pointers are here: ${first}`;
  miss('lfs', `${what}${count > 1 ? ' and others' : ''}`);
}
