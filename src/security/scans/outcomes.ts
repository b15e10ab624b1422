import { escapeInvisible } from '../../lib/text/escape-invisible.ts';
import type { RawFinding } from '../findings/finding.ts';
import { hideTokens } from '../findings/hide.ts';
import type { FileScanOutcome, UnfinishedScanner } from './file-scan-pool.ts';
import { createOmissions } from './omissions.ts';

/** After this number of unfinished files, a scan continues without the scanner that did not finish them. */
export const MAX_UNFINISHED_FILES_PER_SCANNER = 20;
/** Maximum number of findings of one scanner in memory. A hostile repository can cause any number. */
const MAX_FINDINGS = 100_000;

export type ScanOutcomes = ReturnType<typeof createOutcomes>;

interface ScannerTally {
  readonly findings: RawFinding[];
  ms: number;
  failures: number;
  reason: string;
  late: number;
  full: boolean;
}

export function createOutcomes(fileMs: number) {
  const entries = new Map<string, ScannerTally>();
  const omissions = createOmissions();
  const ended = new Set<string>();
  const refuted = new Set<string>();

  const entryOf = (name: string): ScannerTally => {
    const known = entries.get(name);
    if (known) return known;
    const fresh = { findings: [], ms: 0, failures: 0, reason: '', late: 0, full: false };
    entries.set(name, fresh);
    return fresh;
  };
  const fail = (name: string, reason: string) => {
    const entry = entryOf(name);
    if (entry.failures++ === 0) entry.reason = escapeInvisible(hideTokens(reason)).slice(0, 500);
  };

  const addFindings = (name: string, findings: readonly RawFinding[], ms: number) => {
    const entry = entryOf(name);
    const space = MAX_FINDINGS - entry.findings.length;
    for (const finding of findings.slice(0, space)) entry.findings.push(finding);
    if (findings.length > space && !entry.full) {
      entry.full = true;
      omissions.miss('limits', `findings of ${name} past the first ${MAX_FINDINGS}`);
    }
    entry.ms += ms;
  };
  const giveUp = (path: string, { scanner, why }: UnfinishedScanner) => {
    const what = why === 'time' ? `took over ${fileMs / 1000} seconds of processor time` : 'broke its thread';
    omissions.miss('limits', `${path}: ${scanner} ${what}`);
    if (++entryOf(scanner).late < MAX_UNFINISHED_FILES_PER_SCANNER || ended.has(scanner)) return;
    fail(
      scanner,
      `it was given up on ${MAX_UNFINISHED_FILES_PER_SCANNER} files, the last ${path}: it ${what}`,
    );
    ended.add(scanner);
  };

  return {
    omissions,
    /** Scanners that were stopped for the rest of the scan, because they left too many files unfinished. */
    ended,
    addScanner: (name: string) => void entryOf(name),
    addFindings,
    refute(name: string, findings: readonly RawFinding[]) {
      for (const one of findings) refuted.add(placeOf(name, one));
    },
    addFailure: fail,
    addFile(path: string, { results, gaveUp }: FileScanOutcome, commit?: string) {
      for (const { scanner, findings, ms, more, left, failed } of results) {
        if (failed !== undefined) fail(scanner, `${path}: ${failed}`);
        if (left !== undefined) omissions.miss('limits', `${path}: ${left}`);
        if (more) omissions.miss('limits', `${path}: more findings of ${scanner} than are kept of one file`);
        addFindings(
          scanner,
          commit === undefined ? findings : findings.map((one) => ({ ...one, commit })),
          ms,
        );
      }
      for (const one of gaveUp) giveUp(path, one);
      return (
        gaveUp.length === 0 && results.every(({ failed, left }) => failed === undefined && left === undefined)
      );
    },
    findings: () =>
      [...entries].map(([scanner, { findings }]) => ({
        scanner,
        findings: findings.filter((one) => one.commit || !refuted.has(placeOf(scanner, one))),
      })),
    scanners: () =>
      [...entries].map(([name, { findings, ms, failures, reason }]) => ({
        name,
        ok: failures === 0,
        reason: failures > 0 ? (failures > 1 ? `${reason} (and ${failures - 1} more)` : reason) : undefined,
        ms: Math.round(ms),
        findings: findings.length,
      })),
  };
}

const placeOf = (scanner: string, { id, path, line }: RawFinding): string =>
  `${scanner}\0${id}\0${path}\0${line}`;
