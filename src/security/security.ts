import { randomBytes } from 'node:crypto';
import { AppError, asAppError } from '../errors.ts';
import { HEARTBEAT_MS, isGone, RUNNER } from '../lib/runner.ts';
import { visible, visibleJson } from '../lib/visible.ts';
import type { Logger } from '../log.ts';
import { type Baseline, knownOf, readBaseline } from './baseline.ts';
import { cyclonedxOf } from './cyclonedx.ts';
import { createFileDesk } from './file-scan.ts';
import type { Component, Finding } from './finding.ts';
import { hideTokens } from './hide.ts';
import { type RunParts, runScan } from './run.ts';
import { sarifOf } from './sarif.ts';
import {
  countsOf,
  type FindingQuery,
  type Progress,
  type Scan,
  type ScanRequest,
  withoutCredentials,
} from './scan.ts';
import type { KeptStore, ScanStore, StoredScan } from './scan-store.ts';
import type { FileScanner, TreeScanner } from './scanner.ts';
import type { Tree, TreeOpener } from './tree.ts';
import { createTurns } from './turns.ts';
import { type Vulnerability, vulnerabilityOf } from './vulnerability.ts';

/** What of a scan is the call's own business, and not kept. */
export interface ScanTerms {
  /** Any folder of this machine may be named. */
  readonly anyFolder?: boolean;
  /** The operator has listed this very repository; see `TreeRequest`. */
  readonly listed?: boolean;
  /** Findings known before do not count. */
  readonly baseline?: Baseline | undefined;
  /** Reads on in the tree that was scanned, so that it is fetched once; the scan fails by what it throws. */
  readonly use?: (tree: Tree, signal: AbortSignal) => Promise<void>;
}

export interface Watch {
  readonly signal: AbortSignal;
  progress(progress: Progress): void;
}

/** The room: scans repositories, and keeps what was found. Every call takes the owner; others' scans are not there. */
export interface Security {
  /**
   * Scans and waits for the end. Throws what the fetching throws (`bad_request`, `not_found`, `forbidden`, `upstream`,
   * `too_large`), `rate_limited` when too many wait, `timeout` over the limit, and the signal's reason.
   */
  scan(owner: string, request: ScanRequest, terms: ScanTerms, watch: Watch): Promise<Scan>;
  /** The same in the background: the scan as it is queued. Throws `rate_limited` only. */
  start(owner: string, request: ScanRequest, terms?: ScanTerms): Scan;
  /** AppError `not_found`, as below. */
  get(owner: string, id: string): Scan;
  /** Newest first. */
  list(owner: string): Scan[];
  /** Worst first, suppressed ones last. */
  findings(owner: string, id: string, query?: FindingQuery): Finding[];
  components(owner: string, id: string): Component[];
  /**
   * Opens what a scan would look at, for as long as `use` takes, with the commits before it where it is `deep`; throws
   * what the fetching throws, and the signal's reason.
   */
  look<T>(
    owner: string,
    request: Pick<ScanRequest, 'repository' | 'branch' | 'deep'>,
    terms: Pick<ScanTerms, 'anyFolder'>,
    signal: AbortSignal,
    use: (tree: Tree, signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** The findings in the contract's shape. */
  vulnerabilities(owner: string, id: string, query?: FindingQuery): Vulnerability[];
  /** A completed scan as SARIF 2.1.0. AppError `bad_request` for one that has not completed. */
  sarif(owner: string, id: string): string;
  /** A completed scan's packages as CycloneDX 1.6, with what is known of them. AppError `bad_request` as above. */
  cyclonedx(owner: string, id: string): string;
  /** What is known already: the findings of an earlier scan, or of a file written from one. AppError `bad_request`. */
  baseline(owner: string, id: string): Baseline;
  baselineFrom(text: string, fileName: string): Baseline;
  /** Ends it if it runs, and forgets it. */
  remove(owner: string, id: string): Promise<void>;
  /** Scans under way fail, saying that Magpie was ended. */
  close(): Promise<void>;
}

export interface SecurityOptions {
  readonly store: ScanStore;
  readonly kept: KeptStore;
  readonly openTree: TreeOpener;
  readonly fileScanners: readonly FileScanner[];
  /** Module that exports them as `fileScanners`, for the worker threads. */
  readonly scannerModule: URL;
  readonly treeScanners: readonly TreeScanner[];
  readonly log: Logger;
  readonly atOnce: number;
  /** Milliseconds of one scan. */
  readonly timeoutMs: number;
  /** Scans kept for one owner. */
  readonly keep: number;
  /** Milliseconds that a scanner has for one file. */
  readonly fileMs?: number;
}

const FILE_MS = 10_000;
/** Scans that wait: of all, and of one owner. */
const [WAITING, OWN_WAITING] = [20, 10];

interface Run {
  readonly owner: string;
  readonly stop: AbortController;
  readonly ended: Promise<Scan>;
  progress: Progress;
}

export function createSecurity(options: SecurityOptions): Security {
  const { store, log, fileMs = FILE_MS } = options;
  const desk = createFileDesk({ module: options.scannerModule, fileMs });
  const parts: RunParts = { ...options, desk, fileMs };
  const turns = createTurns({ atOnce: options.atOnce, waiting: WAITING, waitingPerOwner: OWN_WAITING });
  const runs = new Map<string, Run>();
  for (const scan of store.unfinished()) endIfGone(scan);

  function endIfGone(scan: StoredScan): boolean {
    const over = scan.state === 'completed' || scan.state === 'failed';
    if (over || runs.has(scan.id) || !isGone(scan.runner, Date.now() - scan.beatAt)) return false;
    store.fail(scan.id, 'the process that ran it was ended before the scan was', Date.now());
    return true;
  }

  function begin(owner: string, request: ScanRequest, terms: ScanTerms, watch?: Watch): Run & { id: string } {
    const stop = new AbortController();
    const signal = watch ? AbortSignal.any([stop.signal, watch.signal]) : stop.signal;
    const turn = turns.take(owner, signal);
    const id = randomBytes(12).toString('hex');
    const shown = { ...request, repository: withoutCredentials(request.repository) };
    try {
      store.add(owner, id, shown, RUNNER, Date.now(), options.keep);
    } catch (thrown) {
      turn.then((leave) => leave(), ignore);
      stop.abort();
      throw thrown;
    }
    const run: Run = {
      owner,
      stop,
      progress: { message: 'waiting for its turn' },
      ended: work(),
    };
    runs.set(id, run);
    run.ended.catch(ignore);
    return { ...run, id };

    async function work(): Promise<Scan> {
      // Only then is the run in the map, whatever comes next.
      await Promise.resolve();
      const beat = setInterval(() => tell(id, run), HEARTBEAT_MS);
      try {
        const leave = await turn;
        try {
          store.start(id, Date.now());
          const limit = AbortSignal.timeout(options.timeoutMs);
          const result = await runScan(parts, {
            ...terms,
            owner,
            request,
            anyFolder: terms.anyFolder === true,
            signal: AbortSignal.any([signal, limit]),
            progress(progress) {
              run.progress = { ...progress, message: visible(hideTokens(progress.message)) };
              watch?.progress(run.progress);
            },
          });
          await store.complete(id, { ...result, counts: countsOf(result.findings) }, Date.now());
        } finally {
          leave();
        }
      } catch (thrown) {
        const error = failureOf(thrown, signal, options.timeoutMs);
        if (error.code === 'internal') log.error({ err: thrown, scan: id }, error.message);
        store.fail(id, error.message, Date.now());
        throw error;
      } finally {
        clearInterval(beat);
        runs.delete(id);
      }
      return room.get(owner, id);
    }
  }

  function tell(id: string, { progress }: Run): void {
    try {
      store.beat(id, progress.message, Date.now());
    } catch (err) {
      log.warn({ err, scan: id }, 'a scan could not give a sign of life');
    }
  }

  function find(owner: string, id: string): StoredScan {
    const scan = store.get(owner, id);
    if (scan && endIfGone(scan)) return store.get(owner, id) ?? scan;
    if (scan) return scan;
    throw new AppError(
      'not_found',
      `there is no scan ${JSON.stringify(id.slice(0, 80))}: it takes the scan_id that scan gave; the oldest scans are dropped`,
    );
  }

  function completed(owner: string, id: string): Scan {
    const scan = find(owner, id);
    if (scan.state === 'completed') return scan;
    throw new AppError('bad_request', `the scan ${id} is ${scan.state}: it takes one that has completed`);
  }

  function seen({ owner: _, runner: __, beatAt: ___, ...scan }: StoredScan): Scan {
    const progress = runs.get(scan.id)?.progress;
    return progress && (scan.state === 'queued' || scan.state === 'running') ? { ...scan, progress } : scan;
  }

  const room: Security = {
    scan: (owner, request, terms, watch) => begin(owner, request, terms, watch).ended,
    start(owner, request, terms = {}) {
      const { id } = begin(owner, request, terms);
      return room.get(owner, id);
    },
    get: (owner, id) => seen(find(owner, id)),
    list: (owner) =>
      store.list(owner).map((scan) => seen(endIfGone(scan) ? (store.get(owner, scan.id) ?? scan) : scan)),
    findings(owner, id, query = {}) {
      return store.findings(owner, find(owner, id).id, query);
    },
    async look(owner, { repository, branch, deep }, { anyFolder = false }, signal, use) {
      const leave = await turns.take(owner, signal);
      try {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]);
        const request = { repository, history: deep, anyFolder, branch };
        const tree = await options.openTree(request, { signal: limit, progress: ignore });
        return await use(tree, limit).finally(() => tree.close());
      } finally {
        leave();
      }
    },
    components: (owner, id) => store.components(owner, find(owner, id).id),
    vulnerabilities: (owner, id, query) => room.findings(owner, id, query).map(vulnerabilityOf),
    sarif: (owner, id) =>
      visibleJson(JSON.stringify(sarifOf(completed(owner, id), room.findings(owner, id)))),
    cyclonedx(owner, id) {
      const scan = completed(owner, id);
      return visibleJson(
        JSON.stringify(cyclonedxOf(scan, store.components(owner, id), room.findings(owner, id))),
      );
    },
    baselineFrom: readBaseline,
    baseline(owner, id) {
      completed(owner, id);
      return { fingerprints: knownOf(store.findings(owner, id, {})), reason: `known from scan ${id}` };
    },
    async remove(owner, id) {
      find(owner, id);
      const run = runs.get(id);
      run?.stop.abort();
      await run?.ended.catch(ignore);
      store.remove(owner, id);
    },
    async close() {
      const under = [...runs.values()];
      for (const { stop } of under) stop.abort(new AppError('unavailable', 'Magpie was ended while it ran'));
      await Promise.allSettled(under.map(({ ended }) => ended));
      await desk.close();
    },
  };
  return room;
}

/** Any end but the good one, in public words. */
function failureOf(thrown: unknown, signal: AbortSignal, limit: number): AppError {
  if (signal.aborted) {
    const reason: unknown = signal.reason;
    if (reason instanceof AppError) return reason;
    if (reason instanceof DOMException && reason.name === 'TimeoutError') return asAppError(reason);
    return new AppError('cancelled', 'the scan was cancelled', { cause: thrown });
  }
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError') {
    const why = `the scan took over ${limit / 1000} seconds: scan a part of the repository, or raise MAGPIE_SCAN_TIMEOUT`;
    return new AppError('timeout', why, { cause: thrown });
  }
  return asAppError(thrown);
}

function ignore(): void {}
