import type { RawFinding } from '../findings/finding.ts';
import { hideSecrets, hideTokens, type UnmaskedFinding } from '../findings/hide.ts';
import type { UserRules } from '../scanners/source/rules/own.ts';
import { createLineIndex } from '../trees/lines.ts';
import type { FileScanner, ScannedFile, ScanOptions, UnreadableFileKinds } from './scanner.ts';

export interface FileScanTask {
  readonly path: string;
  readonly content: Uint8Array;
  readonly scanners: readonly string[];
}

export interface FileScanJob {
  readonly module: string;
  readonly deep: boolean;
  readonly rules?: UserRules;
  readonly files: readonly FileScanTask[];
  /** Memory shared with the worker. The worker writes the index of its current file and scanner there. */
  readonly place: Int32Array<SharedArrayBuffer>;
}

export interface FileGroupJob extends Pick<FileScanJob, 'module' | 'rules' | 'place'> {
  readonly together: string;
  readonly files: readonly { readonly path: string; readonly content: Uint8Array }[];
}

export interface UnreadableKindsJob {
  readonly module: string;
  readonly lacks: string;
}

/** Indexes in `place`. `file` is -1 between files. `since` is the processor time in ms at the scanner's start. */
export const WORKER_POSITION_CELLS = { file: 0, scanner: 1, since: 2 } as const;

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export interface FileScanResult {
  readonly file: number;
  readonly scanner: string;
  readonly ms: number;
  readonly findings: readonly RawFinding[];
  readonly more?: true;
  /** Reason why content was not read: `is over 1 MB`. In messages, the reason follows the file's name. */
  readonly left?: string | undefined;
  readonly failed?: string;
}

export type ScanWorkerAnswer =
  | { readonly results: readonly FileScanResult[] }
  | { readonly together: FileGroupResult }
  | { readonly lacks: UnreadableFileKinds }
  | { readonly failed: string };

export interface FileGroupResult {
  readonly findings: readonly RawFinding[];
  readonly refuted: readonly RawFinding[];
  readonly left: number;
  readonly cut?: readonly string[];
  readonly ms: number;
  readonly failed?: string;
}

const MAX_FINDINGS_PER_SCANNER = 1000;
const MAX_REASON_CHARACTERS = 200;

export async function scanFiles(
  job: FileScanJob,
  fileScanners: readonly FileScanner[],
): Promise<FileScanResult[]> {
  const byName = new Map(fileScanners.map((scanner) => [scanner.name, scanner]));
  const results: FileScanResult[] = [];
  for (const [file, { path, content, scanners }] of job.files.entries()) {
    const text = decodeFileText(content);
    if (text === undefined) continue;
    const found: ScannerResult[] = [];
    let known = fileScanners.every((one) => !one.masks || scanners.includes(one.name) || !one.wants(path));
    for (const [number, name] of scanners.entries()) {
      const scanner = byName.get(name);
      if (!scanner) continue;
      Atomics.store(job.place, WORKER_POSITION_CELLS.since, Math.floor(processorMs()));
      Atomics.store(job.place, WORKER_POSITION_CELLS.scanner, number);
      Atomics.store(job.place, WORKER_POSITION_CELLS.file, file);
      const started = performance.now();
      const ms = () => performance.now() - started;
      try {
        let left: string | undefined;
        const leave = (what: string) => {
          left ??= what;
        };
        const options = { deep: job.deep, rules: job.rules, leave };
        const findings = await scanInPieces(scanner, { path, text }, options);
        found.push({ scanner: name, findings, ms: ms(), left });
      } catch (thrown) {
        if (scanner.masks) known = false;
        results.push({ file, scanner: name, findings: [], ms: ms(), failed: reasonOf(thrown) });
      }
      Atomics.store(job.place, WORKER_POSITION_CELLS.file, -1);
    }
    results.push(...masked(file, found, text, known));
  }
  return results;
}

export async function scanFileGroup(
  job: FileGroupJob,
  fileScanners: readonly FileScanner[],
): Promise<FileGroupResult> {
  const started = performance.now();
  const files = job.files.flatMap(({ path, content }) => {
    const text = decodeFileText(content);
    return text === undefined ? [] : [{ path, text }];
  });
  const numbers = new Map(job.files.map(({ path }, at) => [path, at]));
  const begin = (path: string) => {
    Atomics.store(job.place, WORKER_POSITION_CELLS.since, Math.floor(processorMs()));
    Atomics.store(job.place, WORKER_POSITION_CELLS.scanner, 0);
    Atomics.store(job.place, WORKER_POSITION_CELLS.file, numbers.get(path) ?? -1);
  };
  const ms = () => performance.now() - started;
  try {
    const together = fileScanners.find(({ name }) => name === job.together)?.together;
    const found = await together?.scan(files, { deep: true, rules: job.rules }, begin);
    Atomics.store(job.place, WORKER_POSITION_CELLS.file, -1);
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

/** Masks secrets in a file's findings. For this, first runs the scanners that find secrets (`masks`). */
async function maskedAlone(
  own: readonly UnmaskedFinding[],
  path: string,
  text: string,
  fileScanners: readonly FileScanner[],
): Promise<RawFinding[]> {
  const secrets: UnmaskedFinding[] = [];
  let known = true;
  for (const scanner of fileScanners) {
    if (!scanner.masks || !scanner.wants(path)) continue;
    try {
      secrets.push(...(await scanner.scan({ path, text }, { deep: true })));
    } catch {
      known = false;
    }
  }
  return hideSecrets([...own, ...secrets], createLineIndex(text), known)
    .slice(0, own.length)
    .map((one) => ({ ...one, trace: one.trace?.map((step) => ({ ...step, path: hideTokens(step.path) })) }));
}

interface ScannerResult extends Pick<FileScanResult, 'scanner' | 'ms' | 'left'> {
  readonly findings: readonly UnmaskedFinding[];
}

/** Masks secrets in all findings of a file. A finding can quote a secret that another scanner found. */
function masked(file: number, found: readonly ScannerResult[], text: string, known: boolean) {
  if (found.every(({ findings }) => findings.length === 0))
    return found.map((one) => ({ ...one, file, findings: [] }));
  // Masks secrets before findings are dropped, because others may quote a dropped finding's secret.
  const all = hideSecrets(
    found.flatMap(({ findings }) => findings),
    createLineIndex(text),
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

/** Returns the name and place of an error. Leaves out the message, which may quote a secret from the file. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'it threw something that is not an error';
  const [, at = ''] = /\n {1,9}at (\S+)/.exec(thrown.stack?.slice(0, 5000) ?? '') ?? [];
  return `${thrown.name}${at ? ` in ${at}` : ''}`.slice(0, MAX_REASON_CHARACTERS);
}

export function decodeFileText(content: Uint8Array): string | undefined {
  const [first, second] = content;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(content);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(content);
  if (content.includes(0)) return undefined;
  return new TextDecoder().decode(content);
}

/** Maximum number of characters that a scanner reads at once. A longer text is split into overlapping sections. */
const PIECE_CHARACTERS = 2_000_000;
/** Characters that neighbouring sections share, so that one section contains all lines of a private key. */
const OVERLAP_CHARACTERS = 20_000;

interface FilePiece {
  readonly text: string;
  readonly linesBefore: number;
  /** First line whose findings are taken from the next section, because sections overlap. */
  readonly nextLine: number;
}

function* piecesOf(text: string): Generator<FilePiece> {
  let [start, linesBefore] = [0, 0];
  while (text.length - start > PIECE_CHARACTERS) {
    const end = start + PIECE_CHARACTERS;
    const newline = text.indexOf('\n', end - OVERLAP_CHARACTERS);
    const isCut = newline < 0 || newline >= end;
    const next = isCut ? end - OVERLAP_CHARACTERS : newline + 1;
    let lines = linesBefore;
    for (let at = text.indexOf('\n', start); at >= 0 && at < next; at = text.indexOf('\n', at + 1)) lines++;
    // If a section ends within a line, both sections report findings in this line.
    yield { text: text.slice(start, end), linesBefore, nextLine: lines + (isCut ? 2 : 1) };
    [start, linesBefore] = [next, lines];
  }
  yield { text: text.slice(start), linesBefore, nextLine: Number.POSITIVE_INFINITY };
}

export async function scanInPieces(
  scanner: FileScanner,
  { path, text }: ScannedFile,
  options: ScanOptions,
): Promise<readonly UnmaskedFinding[]> {
  if (text.length <= PIECE_CHARACTERS) return scanner.scan({ path, text }, options);
  const found = new Map<string, UnmaskedFinding>();
  for (const piece of piecesOf(text)) {
    for (const one of await scanner.scan({ path, text: piece.text }, options)) {
      const line = one.line === undefined ? undefined : one.line + piece.linesBefore;
      if (line !== undefined && line >= piece.nextLine) continue;
      const endLine = one.endLine === undefined ? undefined : one.endLine + piece.linesBefore;
      const key = `${one.id} ${line} ${one.identity}`;
      if (!found.has(key)) found.set(key, { ...one, line, endLine });
    }
  }
  return [...found.values()];
}
