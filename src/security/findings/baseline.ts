import { AppError } from '../../errors.ts';
import type { Finding } from './finding.ts';

/** What was known before: findings with these fingerprints do not count. */
export interface Baseline {
  readonly fingerprints: ReadonlySet<string>;
  /** Why they do not: `known since scan 4f…`. */
  readonly reason: string;
}

/** Name under which SARIF carries our fingerprints. */
export const FINGERPRINT = 'magpie/v1';

/** Most fingerprints that a file may bring. */
const MAX_FINGERPRINTS = 500_000;

/**
 * The fingerprints of findings that a baseline takes in: those that count, and those that an earlier baseline had. What
 * a comment or the ignore file suppresses is left out: once its reason is gone or its day is past, it is news.
 */
export function knownOf(findings: readonly Pick<Finding, 'fingerprint' | 'suppressed'>[]): Set<string> {
  return new Set(
    findings.flatMap(({ fingerprint, suppressed }) => (takes(suppressed?.by) ? fingerprint : [])),
  );
}

/** Two baselines, of which the first says why a finding does not count. */
export function joinBaselines(first: Baseline, second: Baseline | undefined): Baseline {
  if (!second) return first;
  return { ...first, fingerprints: new Set([...first.fingerprints, ...second.fingerprints]) };
}

function takes(by: string | undefined): boolean {
  return by === undefined || by === 'baseline';
}

/**
 * The fingerprints in a file that an earlier scan was written to: SARIF of ours, or JSON as `scan` answers it.
 * AppError `bad_request` names the file when it is neither.
 */
export function readBaseline(text: string, name: string): Baseline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('bad_request', `the baseline ${name} is not JSON: ${TAKES}`);
  }
  const list = resultsOf(value);
  if (!list) throw new AppError('bad_request', `the baseline ${name} holds no findings of Magpie: ${TAKES}`);
  const fingerprints = new Set<string>();
  let any = false;
  for (const one of list.slice(0, MAX_FINGERPRINTS)) {
    const print = field(one, 'fingerprint') ?? field(field(one, 'partialFingerprints'), FINGERPRINT);
    if (typeof print !== 'string') continue;
    any = true;
    if (takes(suppressedBy(one))) fingerprints.add(print);
  }
  if (list.length > 0 && !any) {
    throw new AppError('bad_request', `the baseline ${name} has no fingerprints of Magpie: ${TAKES}`);
  }
  return { fingerprints, reason: `known from ${name}` };
}

const TAKES = 'it takes the id of a kept scan, or a file written by --format sarif or --format json';

/** As our JSON says it, or our SARIF, where only what a baseline knew is `unchanged`. */
function suppressedBy(one: unknown): string | undefined {
  const by = field(field(one, 'suppressed'), 'by');
  if (typeof by === 'string') return by;
  const suppressions = field(one, 'suppressions');
  if (!Array.isArray(suppressions) || suppressions.length === 0) return undefined;
  return field(one, 'baselineState') === 'unchanged' ? 'baseline' : 'file';
}

/** The findings of any of the shapes; undefined when it is none of them. */
function resultsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const runs = field(value, 'runs');
  if (Array.isArray(runs)) {
    return runs.flatMap((run) => {
      const results = field(run, 'results');
      return Array.isArray(results) ? (results as unknown[]) : [];
    });
  }
  const vulnerabilities = field(field(value, 'data') ?? value, 'vulnerabilities');
  return Array.isArray(vulnerabilities) ? vulnerabilities : undefined;
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
