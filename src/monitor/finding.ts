import { createHash } from 'node:crypto';
import { type Severity, severityOf } from '../lib/severity.ts';
import type { Fault } from './check.ts';

/** A fault of a target, as it stands now. */
export interface MonitorFinding {
  /** Id of the rule: `certificate/expired`. */
  readonly id: string;
  readonly severity: Severity;
  /** On the CVSS scale, 0 to 10; what the alert threshold is held against. */
  readonly score: number;
  readonly title: string;
  readonly description: string;
  readonly fix: string;
  readonly cwe?: readonly string[];
  /** Name of the target. */
  readonly target: string;
  /** Names of the scanners that found it, in a repository. */
  readonly scanners?: readonly string[];
  /** See `fingerprintOf`. */
  readonly fingerprint: string;
}

/** The same for the same fault of the same target, however often it comes. */
export function fingerprintOf(target: string, rule: string, subject = ''): string {
  const hash = createHash('sha256').update(JSON.stringify([target, rule, subject]));
  return hash.digest('hex').slice(0, 32);
}

/** A check's fault with its target. */
export function findingOf(
  target: string,
  { rule, description, subject, score, scanners }: Fault,
): MonitorFinding {
  const said = score ?? rule.score;
  return {
    id: rule.id,
    severity: severityOf(said),
    score: said,
    title: rule.title,
    description,
    fix: rule.fix,
    cwe: rule.cwe,
    target,
    scanners,
    fingerprint: fingerprintOf(target, rule.id, subject),
  };
}
