import { badRequestError } from '../../errors.ts';
import { listOrEmpty, memberOf } from '../../lib/json-members.ts';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import type { Finding } from './finding.ts';

export interface FindingBaseline {
  readonly fingerprints: ReadonlySet<string>;
  /** Reason that a scan shows for findings suppressed by this baseline: `known since scan 4f…`. */
  readonly reason: string;
}

export const SARIF_FINGERPRINT_KEY = 'magpie/v1';
const MAX_FINGERPRINTS = 500_000;

export function selectBaselineFingerprints(
  findings: readonly Pick<Finding, 'fingerprint' | 'suppressed'>[],
): Set<string> {
  return new Set(
    findings.flatMap(({ fingerprint, suppressed }) => (takes(suppressed?.by) ? fingerprint : [])),
  );
}

export function joinBaselines(first: FindingBaseline, second: FindingBaseline | undefined): FindingBaseline {
  if (!second) return first;
  return { ...first, fingerprints: new Set([...first.fingerprints, ...second.fingerprints]) };
}

const takes = (by: string | undefined): boolean => by === undefined || by === 'baseline';

/** Reads a baseline from Magpie's SARIF or JSON report. Throws AppError `bad_request` for other files. */
export function readBaseline(text: string, name: string): FindingBaseline {
  const value = parseJsonOrNothing(text);
  if (value === undefined) throw badRequestError(`the baseline ${name} is not JSON: ${TAKES}`);
  const list = resultsOf(value);
  if (!list) throw badRequestError(`the baseline ${name} holds no findings of Magpie: ${TAKES}`);
  const fingerprints = new Set<string>();
  let any = false;
  for (const one of list.slice(0, MAX_FINGERPRINTS)) {
    const print =
      memberOf(one, 'fingerprint') ?? memberOf(memberOf(one, 'partialFingerprints'), SARIF_FINGERPRINT_KEY);
    if (typeof print !== 'string') continue;
    any = true;
    if (takes(suppressedBy(one))) fingerprints.add(print);
  }
  if (list.length > 0 && !any) {
    throw badRequestError(`the baseline ${name} has no fingerprints of Magpie: ${TAKES}`);
  }
  return { fingerprints, reason: `known from ${name}` };
}

const TAKES = 'it takes the id of a kept scan, or a file written by --format sarif or --format json';

function suppressedBy(one: unknown): string | undefined {
  const by = memberOf(memberOf(one, 'suppressed'), 'by');
  if (typeof by === 'string') return by;
  const suppressions = memberOf(one, 'suppressions');
  if (!Array.isArray(suppressions) || suppressions.length === 0) return undefined;
  return memberOf(one, 'baselineState') === 'unchanged' ? 'baseline' : 'file';
}

function resultsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const runs = memberOf(value, 'runs');
  if (Array.isArray(runs)) return runs.flatMap((run) => listOrEmpty(memberOf(run, 'results')));
  const vulnerabilities = memberOf(memberOf(value, 'data') ?? value, 'vulnerabilities');
  if (!Array.isArray(vulnerabilities)) return undefined;
  // `also` lists further locations of a finding. If the finding is suppressed, they are suppressed too.
  return vulnerabilities.flatMap((one: unknown) => {
    const suppressed = memberOf(one, 'suppressed');
    return [
      one,
      ...listOrEmpty(memberOf(one, 'also')).map((place) => ({ ...(place as object), suppressed })),
    ];
  });
}
