import type { RawFinding } from '../findings/finding.ts';
import { type FileFinding, hideSecrets, hideTokens } from '../findings/hide.ts';
import type { OwnRules } from '../scanners/source/rules/own.ts';
import { linesOf } from '../trees/lines.ts';
import { scanPieces } from './pieces.ts';
import type { FileScanner, Lacks } from './scanner.ts';

/** What a worker is sent: files, and which scanners read each. */
export interface FileJob {
  /** Module whose `fileScanners` are meant, as a URL. */
  readonly module: string;
  readonly deep: boolean;
  readonly rules?: OwnRules;
  readonly files: readonly {
    readonly path: string;
    readonly content: Uint8Array;
    readonly scanners: readonly string[];
  }[];
  /** Where the worker stands, seen from outside while it works: see `PLACE`. */
  readonly place: Int32Array<SharedArrayBuffer>;
}

/** Files that one scanner reads together. */
export interface TogetherJob {
  readonly module: string;
  /** The scanner's name. */
  readonly together: string;
  readonly rules?: OwnRules;
  readonly files: readonly { readonly path: string; readonly content: Uint8Array }[];
  readonly place: Int32Array<SharedArrayBuffer>;
}

/** The other question that a worker is asked: what a scanner lacks. */
export interface LacksJob {
  readonly module: string;
  readonly lacks: string;
}

/**
 * Cells of `place`: the file's number and the scanner's number for that file, -1 between, and the worker's processor time
 * when it began there, in milliseconds.
 */
export const PLACE = { file: 0, scanner: 1, since: 2 } as const;

/** Milliseconds of processor time that this thread has used. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** What one scanner said of one file. */
export interface FileResult {
  readonly file: number;
  readonly scanner: string;
  readonly ms: number;
  readonly findings: readonly RawFinding[];
  /** There were more than are kept of one file. */
  readonly more?: true;
  /** What of the file it did not read. */
  readonly left?: string | undefined;
  /** It threw. */
  readonly failed?: string;
}

/** What a worker answers; `failed` when it could not begin. */
export type FileAnswer =
  | { readonly results: readonly FileResult[] }
  | { readonly together: FoundInWorker }
  | { readonly lacks: Lacks }
  | { readonly failed: string };

/** What came of files that were read together. */
export interface FoundInWorker {
  readonly findings: readonly RawFinding[];
  readonly refuted: readonly RawFinding[];
  /** Files from which nothing was followed. */
  readonly left: number;
  /** Classes into which data was not followed. */
  readonly cut?: readonly string[];
  readonly ms: number;
  readonly failed?: string;
}

/** Most findings of one scanner in one file, and characters of one kept text of them. */
const MAX_FINDINGS_PER_SCANNER = 1000;
const MAX_REASON_CHARACTERS = 200;

/** Runs the scanners of a job's files, one after the other. */
export async function scanFiles(job: FileJob, fileScanners: readonly FileScanner[]): Promise<FileResult[]> {
  const byName = new Map(fileScanners.map((scanner) => [scanner.name, scanner]));
  const results: FileResult[] = [];
  for (const [file, { path, content, scanners }] of job.files.entries()) {
    const text = textOf(content);
    if (text === undefined) continue;
    const found: Found[] = [];
    let known = fileScanners.every((one) => !one.masks || scanners.includes(one.name) || !one.wants(path));
    for (const [number, name] of scanners.entries()) {
      const scanner = byName.get(name);
      if (!scanner) continue;
      Atomics.store(job.place, PLACE.since, Math.floor(processorMs()));
      Atomics.store(job.place, PLACE.scanner, number);
      Atomics.store(job.place, PLACE.file, file);
      const started = performance.now();
      const ms = () => performance.now() - started;
      try {
        let left: string | undefined;
        const leave = (what: string) => {
          left ??= what;
        };
        const options = { deep: job.deep, rules: job.rules, leave };
        const findings = await scanPieces(scanner, { path, text }, options);
        found.push({ scanner: name, findings, ms: ms(), left });
      } catch (thrown) {
        if (scanner.masks) known = false;
        results.push({ file, scanner: name, findings: [], ms: ms(), failed: reasonOf(thrown) });
      }
      Atomics.store(job.place, PLACE.file, -1);
    }
    results.push(...masked(file, found, text, known));
  }
  return results;
}

/** Runs a scanner on files that it reads together. */
export async function scanTogether(
  job: TogetherJob,
  fileScanners: readonly FileScanner[],
): Promise<FoundInWorker> {
  const started = performance.now();
  const files = job.files.flatMap(({ path, content }) => {
    const text = textOf(content);
    return text === undefined ? [] : [{ path, text }];
  });
  // As the job counts them, which has files besides that are not text.
  const numbers = new Map(job.files.map(({ path }, at) => [path, at]));
  const begin = (path: string) => {
    Atomics.store(job.place, PLACE.since, Math.floor(processorMs()));
    Atomics.store(job.place, PLACE.scanner, 0);
    Atomics.store(job.place, PLACE.file, numbers.get(path) ?? -1);
  };
  const ms = () => performance.now() - started;
  try {
    const together = fileScanners.find(({ name }) => name === job.together)?.together;
    const found = await together?.scan(files, { deep: true, rules: job.rules }, begin);
    Atomics.store(job.place, PLACE.file, -1);
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    const findings: RawFinding[] = [];
    for (const [path, own] of Map.groupBy(found?.findings ?? [], (one) => one.path))
      findings.push(...(await maskedAlone(own, path, texts.get(path) ?? '', fileScanners)));
    const { refuted = [], left = 0, cut = [] } = found ?? {};
    return { findings, refuted, left, cut, ms: ms() };
  } catch (thrown) {
    return { findings: [], refuted: [], left: 0, ms: ms(), failed: reasonOf(thrown) };
  }
}

/** Findings of one file, none of which shows a secret that a scanner of single files knows of it. */
async function maskedAlone(
  own: readonly FileFinding[],
  path: string,
  text: string,
  fileScanners: readonly FileScanner[],
): Promise<RawFinding[]> {
  const secrets: FileFinding[] = [];
  let known = true;
  for (const scanner of fileScanners) {
    if (!scanner.masks || !scanner.wants(path)) continue;
    try {
      secrets.push(...(await scanner.scan({ path, text }, { deep: true })));
    } catch {
      known = false;
    }
  }
  return hideSecrets([...own, ...secrets], linesOf(text), known)
    .slice(0, own.length)
    .map((one) => ({ ...one, trace: one.trace?.map((step) => ({ ...step, path: hideTokens(step.path) })) }));
}

/** What one scanner found in one file, before it is masked. */
interface Found extends Pick<FileResult, 'scanner' | 'ms' | 'left'> {
  readonly findings: readonly FileFinding[];
}

/** The findings of all scanners, none of which shows a secret that another of them knows. */
function masked(file: number, found: readonly Found[], text: string, known: boolean): FileResult[] {
  if (found.every(({ findings }) => findings.length === 0))
    return found.map((one) => ({ ...one, file, findings: [] }));
  // What is past the bound is not kept, but the secrets that it knows of are hidden nevertheless.
  const all = hideSecrets(
    found.flatMap(({ findings }) => findings),
    linesOf(text),
    known,
  );
  let from = 0;
  return found.map(({ scanner, ms, findings, left }) => {
    const own = all.slice(from, from + Math.min(findings.length, MAX_FINDINGS_PER_SCANNER));
    from += findings.length;
    return {
      file,
      scanner,
      ms,
      findings: own,
      left,
      more: findings.length > MAX_FINDINGS_PER_SCANNER ? (true as const) : undefined,
    };
  });
}

/** The kind of error alone: a message may quote the file, and so a secret. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'it threw something that is not an error';
  const [, at = ''] = /\n {1,9}at (\S+)/.exec(thrown.stack?.slice(0, 5000) ?? '') ?? [];
  return `${thrown.name}${at ? ` in ${at}` : ''}`.slice(0, MAX_REASON_CHARACTERS);
}

/** UTF-8, or UTF-16 where a byte order mark says so; undefined for what is not text. */
export function textOf(content: Uint8Array): string | undefined {
  const [first, second] = content;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(content);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(content);
  if (content.includes(0)) return undefined;
  return new TextDecoder().decode(content);
}
