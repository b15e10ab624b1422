import { createHash } from 'node:crypto';
import { severityOf } from '../../lib/severity.ts';
import type { Problem } from '../probing/check.ts';
import type { MonitorFinding } from '../types.ts';

export function computeFingerprint(target: string, rule: string, subject = ''): string {
  const hash = createHash('sha256').update(JSON.stringify([target, rule, subject]));
  return hash.digest('hex').slice(0, 32);
}

export function toMonitorFinding(
  target: string,
  { rule, description, subject, score, scanners }: Problem,
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
    fingerprint: computeFingerprint(target, rule.id, subject),
  };
}
