import { type AppError, badRequestError, notFoundError } from '../errors.ts';
import { JOB_GIVEN_UP_MESSAGE } from '../lib/concurrency/job-queue.ts';
import { makeOnce } from '../lib/concurrency/once.ts';
import { isRunnerDead } from '../lib/concurrency/runner.ts';
import { escapeInvisibleJson } from '../lib/text/escape-invisible.ts';
import { type FindingBaseline, readBaseline, selectBaselineFingerprints } from './findings/baseline.ts';
import { readVex } from './findings/vex.ts';
import { vulnerabilityOf } from './findings/vulnerability.ts';
import { checkRules, readRules } from './own-rules/own-rules.ts';
import { REPORTS, type ReportFormat } from './reports/report-formats.ts';
import { createFileScanPool, type FileScanPool } from './scans/file-scan-pool.ts';
import type { RunParts } from './scans/run.ts';
import type { FindingQuery, ScanRequest, SecurityScan } from './scans/scan.ts';
import { createScanQueue, type ScanQueue, type ScanQueueOptions } from './scans/scan-queue.ts';
import type { ScanStore, StoredScan } from './scans/scan-store.ts';
import type { ScanProgressWatch, ScanTerms } from './scans/scan-terms.ts';
import { hashScannerCode } from './scans/scanner-code.ts';
import { nameOfContents, openContents } from './trees/contents-tree.ts';
import type { FileTree } from './trees/tree.ts';

export interface SecurityOptions
  extends Omit<ScanQueueOptions, 'parts'>,
    Omit<RunParts, 'desk' | 'code' | 'fileMs'> {
  readonly scannerModule: URL;
  readonly fileMs?: number;
  /** Worker pool for file scanners. The service's `close` closes the pool. Default: a new pool. */
  readonly desk?: FileScanPool | undefined;
  code?(): Promise<string>;
}

const MAX_FILE_MS = 10_000;

/** The scan service. Owners can use only their own scans. Other scans cause AppError `not_found`. */
export type SecurityService = ReturnType<typeof createSecurity>;

export function createSecurity(options: SecurityOptions) {
  const { store, log, fileMs = MAX_FILE_MS } = options;
  const code = options.code ?? makeOnce(() => hashScannerCode(options.scannerModule));
  const desk = options.desk ?? createFileScanPool({ module: options.scannerModule, fileMs });
  const queue = createScanQueue({ ...options, parts: { ...options, code, desk, fileMs } });
  const scans = createScanReader(store, queue, options.shared !== undefined);
  const swept = scans.failGone().catch((err: unknown) => {
    log.warn({ err }, 'scans of processes that have ended could not be marked as failed');
  });
  return {
    ...createReports(store, scans),
    /** Reads rules from a YAML file or folder. Throws AppError `bad_request` with file, line and rule of each mistake. */
    readRules,
    /** Reads rules like `readRules` and tests each rule with the samples in its file. */
    checkRules,
    /** Runs a scan to its end. Throws fetch errors, AppError `timeout`, or `rate_limited` for a full queue. */
    async scan(owner: string, request: ScanRequest, terms: ScanTerms, watch: ScanProgressWatch) {
      const { id, ended } = await queue.addScan(owner, asked(request, terms), terms, watch);
      await ended;
      return scans.read(owner, id);
    },
    async startScan(owner: string, request: ScanRequest, terms: ScanTerms = {}) {
      const { id } = await queue.addScan(owner, asked(request, terms), terms);
      return scans.read(owner, id);
    },
    readScan: scans.read,
    listScans: scans.list,
    /** Passes a repository to `use`, with history if `deep`. Rejects if fetching or `use` fails. */
    readTree<T>(
      owner: string,
      { repository, branch, deep }: Pick<ScanRequest, 'repository' | 'branch' | 'deep'>,
      { anyFolder = false, folders }: Pick<ScanTerms, 'anyFolder' | 'folders'>,
      signal: AbortSignal,
      use: (tree: FileTree, signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      return queue.runInTurn(
        owner,
        async () => {
          const limit = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]);
          const asked = { repository, history: deep, anyFolder, folders, branch };
          const tree = await options.openTree(asked, { signal: limit, progress() {} });
          return use(tree, limit).finally(() => tree.close());
        },
        signal,
      );
    },
    async removeScan(owner: string, id: string) {
      await scans.read(owner, id);
      await queue.stopScan(id);
      await store.removeScan(owner, id);
    },
    /** Stops scans that only this process can run, and stores them as failed because of the shutdown. */
    async close() {
      await queue.close();
      await swept;
      await desk.close();
    },
  };
}

/** Sets `repository` to the name of the text, package or assistants. Throws AppError `bad_request`. */
function asked(request: ScanRequest, { contents, assistantsIn }: ScanTerms): ScanRequest {
  if (assistantsIn) return { ...request, repository: "this machine's assistants", deep: true };
  if (!contents) return request;
  openContents(contents);
  return { ...request, repository: nameOfContents(contents) };
}

const PROCESS_ENDED = 'the process that ran the scan was stopped before the scan was finished';
const NODE_ENDED =
  'the node that ran the scan was stopped before the scan was finished, and no other node has its text or folder: start the scan again';
/** Milliseconds after which a stored scan that is missing in the shared queue counts as lost. */
const HANDING_MS = 60_000;

function createScanReader(
  store: ScanStore,
  queue: Pick<ScanQueue, 'progressOf' | 'failureOf' | 'isLeft'>,
  hasNodes: boolean,
) {
  async function endOf({ id, runner, beatAt, isShared }: StoredScan): Promise<string | undefined> {
    const silentMs = Date.now() - beatAt;
    if (isShared)
      return silentMs > HANDING_MS && !(await queue.isLeft(id)) ? JOB_GIVEN_UP_MESSAGE : undefined;
    if (!isRunnerDead(runner, silentMs)) return undefined;
    return hasNodes ? NODE_ENDED : PROCESS_ENDED;
  }

  async function settle(scan: StoredScan): Promise<StoredScan> {
    if (!isUnfinished(scan)) return scan;
    const failure = queue.failureOf(scan.id);
    if (failure) {
      const { reason, endedAt } = failure;
      return { ...scan, reason, endedAt, state: 'failed', progress: undefined };
    }
    const reason = await endOf(scan);
    if (reason === undefined) return scan;
    await store.failScan(scan.id, reason, Date.now(), { silentSince: scan.beatAt });
    return (await store.readScan(scan.owner, scan.id)) ?? scan;
  }

  function shown({ owner: _, runner: __, beatAt: ___, isShared: ____, ...scan }: StoredScan): SecurityScan {
    const progress = isUnfinished(scan) ? queue.progressOf(scan.id) : undefined;
    return progress ? { ...scan, progress } : scan;
  }

  return {
    async read(owner: string, id: string) {
      const scan = await store.readScan(owner, id);
      if (!scan) throw notFound(id);
      return shown(await settle(scan));
    },
    async list(owner: string) {
      const scans = await store.listScans(owner);
      return (await Promise.all(scans.map(settle))).map(shown);
    },
    /** Returns a completed scan with all its findings. Throws AppError `bad_request` before the scan is completed. */
    async readCompleted(owner: string, id: string) {
      const contents = await store.readContents(owner, id);
      if (!contents) throw notFound(id);
      const { state } = await settle(contents.scan);
      if (contents.scan.state === 'completed') return contents;
      throw badRequestError(`the scan ${id} is ${state}: only a completed scan is accepted`);
    },
    async failGone() {
      for (const scan of await store.listUnfinished()) await settle(scan);
    },
  };
}

function createReports(store: ScanStore, { readCompleted }: ReturnType<typeof createScanReader>) {
  /** Returns findings, worst first, then suppressed findings. Returns none before the scan is completed. */
  async function listFindings(owner: string, id: string, query: FindingQuery = {}) {
    const findings = await store.listFindings(owner, id, query);
    if (!findings) throw notFound(id);
    return findings;
  }
  return {
    listFindings,
    async listVulnerabilities(owner: string, id: string, query?: FindingQuery) {
      return (await listFindings(owner, id, query)).map(vulnerabilityOf);
    },
    async listComponents(owner: string, id: string) {
      const components = await store.listComponents(owner, id);
      if (!components) throw notFound(id);
      return components;
    },
    /** Returns a completed scan as JSON in a standard format. Throws AppError `bad_request` before the scan is completed. */
    async writeReport(owner: string, id: string, format: ReportFormat) {
      const { scan, findings, components } = await readCompleted(owner, id);
      return escapeInvisibleJson(JSON.stringify(REPORTS[format](scan, findings, components)));
    },
    /** Creates a baseline from the findings of a completed scan. Throws AppError `bad_request` before the scan is completed. */
    async baselineOfScan(owner: string, id: string): Promise<FindingBaseline> {
      const { findings } = await readCompleted(owner, id);
      return { fingerprints: selectBaselineFingerprints(findings), reason: `known from scan ${id}` };
    },
    baselineOfFile: readBaseline,
    readVex,
  };
}

const isUnfinished = ({ state }: Pick<SecurityScan, 'state'>): boolean =>
  state === 'queued' || state === 'running';

function notFound(id: string): AppError {
  const shown = JSON.stringify(id.slice(0, 80));
  return notFoundError(
    `there is no scan ${shown}: scan_id takes the id that scan returned; the oldest scans are removed`,
  );
}
