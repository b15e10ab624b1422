import type { ComplianceControl } from '../../src/compliance/assessing/catalogue.ts';
import type { Evidence, EvidenceFinding } from '../../src/compliance/assessing/evidence.ts';
import { parseControls } from '../../src/compliance/catalogues/read-controls.ts';
import { createAssessmentStore } from '../../src/compliance/stores/assessments.ts';
import { createAttestationStore } from '../../src/compliance/stores/attestations.ts';
import { createJobStore } from '../../src/compliance/stores/jobs.ts';
import { createLog } from '../../src/log.ts';
import { loadSigningSecret } from '../../src/storage/secret.ts';
import type { Database } from '../../src/storage/sqlite.ts';
import type { ComplianceFoundation } from '../../src/wiring/open/open-compliance.ts';

export const AT = Date.UTC(2026, 10, 21, 12);
/** Names of all practices that are checked. */
export const PRACTICES: readonly string[] = [
  'security-policy',
  'license',
  'code-owners',
  'contributing',
  'continuous-integration',
  'tests',
  'dependency-updates',
  'fuzzing',
  'static-analysis',
  'bill-of-materials',
  'provenance',
  'lockfiles',
  'pinned-actions',
  'workflows',
  'no-binaries',
  'signed-commits',
];
const KINDS = ['secrets', 'source', 'infrastructure', 'agents', 'dependencies'];

/** A finding as the tool makes it, in the repository `shop`. */
export function finding(rule: string, more: Partial<EvidenceFinding> = {}): EvidenceFinding {
  return {
    rule,
    id: rule,
    severity: 'high',
    cwe: [],
    title: `A fault: ${rule}`,
    fix: 'Mend it.',
    location: 'src/app.js:3',
    fingerprint: `print-${rule}-${more.location ?? ''}`,
    subject: 'shop',
    ...more,
  };
}

/** A repository where everything was looked for, and only `findings` were found. */
export function evidence(findings: readonly EvidenceFinding[] = [], more: Partial<Evidence> = {}): Evidence {
  return {
    scope: 'shop',
    subjects: [{ name: 'shop', kind: 'repository', commit: 'a'.repeat(40), from: 'scan 1' }],
    findings,
    looks: KINDS.map((what) => ({ what, subject: 'shop', at: AT, ok: true, items: 10 })),
    practices: PRACTICES.map((name) => ({
      name,
      state: 'kept' as const,
      detail: 'seen',
      subject: 'shop',
      at: AT,
    })),
    ...more,
  };
}

/** What the room is made from, on a database and with the secret of a folder. */
export function complianceFoundation(db: Database, folder: string): ComplianceFoundation {
  return {
    log: createLog('silent'),
    stores: async () => ({
      assessments: async () => createAssessmentStore(db),
      attestations: async () => createAttestationStore(db),
      jobs: async () => createJobStore(db),
      secret: () => loadSigningSecret(folder),
    }),
  };
}

/** Controls of a made-up standard: lines of a catalogue, with `=> whole source/sql-injection cwe:89` where checks cover one. */
export function coveredControls(lines: string): readonly ComplianceControl[] {
  const coverage = new Map(
    lines.split('\n').flatMap((line) => {
      const [words = '', reading = ''] = line.trim().split(' => ');
      const [reach, ...by] = reading.split(' ');
      const id = words.split(' ')[0] ?? '';
      return reach === 'whole' || reach === 'part' ? [[id, { reach, by }] as const] : [];
    }),
  );
  const controls = parseControls(lines.replace(/ => .*$/gm, ''));
  return controls.map((one) => ({ ...one, coverage: coverage.get(one.id) }));
}
