import { createHash } from 'node:crypto';
import { createYieldPoint } from '../../lib/concurrency/time-slices.ts';
import type { UserRules } from '../scanners/source/rules/own.ts';
import type { TreeFile } from '../trees/tree.ts';
import type { FileScanTask } from './file-job.ts';
import type { FileScanPool } from './file-scan-pool.ts';
import type { CachedFindings, FindingCache } from './finding-cache.ts';
import type { ScanOutcomes } from './outcomes.ts';
import type { FileScanner } from './scanner.ts';

export const MAX_SEARCHED_BYTES = 2_000_000;
const [BATCH_FILES, BATCH_BYTES] = [64, 500_000];
const MAX_KEYS = 512;
const PROGRESS_INTERVAL_MS = 100;

export interface ScanCandidate extends TreeFile {
  readonly commit?: string;
  content(): Promise<Uint8Array>;
}

export interface CandidateFileScan {
  readonly owner: string;
  readonly deep: boolean;
  readonly rules?: UserRules;
  readonly scanners: readonly FileScanner[];
  readonly desk: FileScanPool;
  readonly kept: FindingCache;
  code(): Promise<string>;
  readonly outcomes: ScanOutcomes;
  readonly signal: AbortSignal;
  done(count: number): void;
}

export interface FileSearchTotals {
  readonly files: number;
  readonly bytes: number;
  readonly kept: number;
  readonly large: number;
}

type Lookup = ScanCandidate & { readonly names: readonly string[]; readonly key: string };

export async function scanCandidateFiles(
  candidates: AsyncIterable<ScanCandidate> | Iterable<ScanCandidate>,
  search: CandidateFileScan,
): Promise<FileSearchTotals> {
  const { scanners, desk, signal } = search;
  const code = `${await search.code()}${search.rules ? ` ${search.rules.hash}` : ''}`;
  const total = { files: 0, bytes: 0, kept: 0, large: 0 };
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const running = new Set<Promise<void>>();
  let failure: { readonly thrown: unknown } | undefined;
  let reportedAt = 0;
  let done = 0;
  const report = (count: number) => {
    done += count;
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
    reportedAt = performance.now();
    search.done(done);
  };
  const send = async (batch: Lookup[]) => {
    while (running.size > desk.workers) await Promise.race(running);
    if (failure) return;
    const work = searchBatch(batch, search, both)
      .then(() => report(batch.length))
      .catch((thrown: unknown) => {
        failure ??= { thrown };
        stop.abort();
      })
      .finally(() => running.delete(work));
    running.add(work);
  };
  const flush = async (wanted: readonly Lookup[]) => {
    const keys = wanted.map(({ key }) => key);
    const known = await search.kept.readFindings(search.owner, keys, Date.now());
    let batch: Lookup[] = [];
    let bytes = 0;
    for (const file of wanted) {
      const before = known.get(file.key);
      if (before) {
        total.kept++;
        for (const { scanner, findings } of before) {
          const dated = file.commit === undefined ? findings : withCommit(findings, file.commit);
          search.outcomes.addFindings(scanner, dated, 0);
        }
        report(1);
        continue;
      }
      batch.push(file);
      bytes += file.bytes;
      if (batch.length < BATCH_FILES && bytes < BATCH_BYTES) continue;
      await send(batch);
      [batch, bytes] = [[], 0];
    }
    if (batch.length > 0) await send(batch);
    // Yields to the event loop, because a loop over cached findings would otherwise block the process.
    await new Promise(setImmediate);
  };

  try {
    let wanted: Lookup[] = [];
    let held = 0;
    const pause = createYieldPoint();
    for await (const candidate of candidates) {
      await pause();
      signal.throwIfAborted();
      if (failure) break;
      total.files++;
      total.bytes += candidate.bytes;
      const wanting = scanners.filter((scanner) => wants(scanner, candidate, search.outcomes));
      const eligible = wanting.filter(({ large }) => large || candidate.bytes <= MAX_SEARCHED_BYTES);
      if (eligible.length < wanting.length) total.large++;
      if (eligible.length === 0 || candidate.bytes === 0) {
        report(1);
        continue;
      }
      const names = eligible.map(({ name }) => name);
      wanted.push({ ...candidate, names, key: keyOf(candidate, names, code, search.deep) });
      held += candidate.commit === undefined ? 0 : candidate.bytes;
      if (wanted.length < MAX_KEYS && held < 8 * BATCH_BYTES) continue;
      await flush(wanted);
      [wanted, held] = [[], 0];
    }
    await flush(wanted);
    await Promise.all(running);
  } finally {
    stop.abort();
    await Promise.allSettled(running);
  }
  signal.throwIfAborted();
  if (failure) throw failure.thrown;
  search.done(done);
  return total;
}

function wants(scanner: FileScanner, { path, commit, bytes }: ScanCandidate, outcomes: ScanOutcomes) {
  if ((commit !== undefined && !scanner.past) || outcomes.ended.has(scanner.name)) return false;
  try {
    return scanner.wants(path) || (bytes <= MAX_SEARCHED_BYTES && scanner.mayWant?.(path) === true);
  } catch (thrown) {
    outcomes.addFailure(scanner.name, `${path}: ${thrown instanceof Error ? thrown.name : 'an error'}`);
    return false;
  }
}

async function searchBatch(batch: readonly Lookup[], search: CandidateFileScan, signal: AbortSignal) {
  const { outcomes, desk, deep, rules } = search;
  const tasks = await Promise.all(
    batch.map(async (file): Promise<FileScanTask> => {
      const names = file.names.filter((name) => !outcomes.ended.has(name));
      try {
        return { path: file.path, content: await file.content(), scanners: names };
      } catch (thrown) {
        signal.throwIfAborted();
        const why = thrown instanceof Error ? thrown.message : 'it cannot be read';
        outcomes.omissions.miss('unreadable', `${file.path}: ${why}`, 'scan again');
        return { path: file.path, content: new Uint8Array(), scanners: [] };
      }
    }),
  );
  const keep = new Map<string, CachedFindings>();
  const answers = await desk.search(tasks, { deep, rules }, signal);
  for (const [at, file] of batch.entries()) {
    const [task, answer] = [tasks[at], answers[at]];
    if (!task || !answer) continue;
    const sound = outcomes.addFile(file.path, answer, file.commit);
    if (!sound || task.scanners.length < file.names.length) continue;
    const found = answer.results.filter(({ findings }) => findings.length > 0);
    keep.set(
      file.key,
      found.map(({ scanner, findings }) => ({ scanner, findings })),
    );
  }
  await search.kept.insertFindings(search.owner, keep, Date.now());
}

const withCommit = <T>(findings: readonly T[], commit: string): (T & { commit: string })[] =>
  findings.map((one) => ({ ...one, commit }));

function keyOf({ blob, path }: ScanCandidate, names: readonly string[], code: string, deep: boolean): string {
  return createHash('sha256')
    .update(JSON.stringify([names, code, deep, blob, path]))
    .digest('base64url')
    .slice(0, 27);
}
