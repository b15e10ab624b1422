import type { Severity } from '../../../lib/severity.ts';
import { CHECKOV_CLASSES } from './checkov-classes.ts';

export interface ExternalProgram {
  readonly name: string;
  /** Returns the arguments to scan `folder` and write SARIF to `report`. They turn off sending data where this is possible. */
  args(folder: string, report: string): readonly string[];
  readonly reportName?: string;
  /** Exit codes of a complete scan, with or without findings. */
  readonly ended: readonly number[];
  readonly cwe?: string;
  /** CWE ids by rule id, for rules that name no CWE. An entry takes precedence over `cwe`. */
  readonly classes?: ReadonlyMap<string, string>;
  readonly reaches?: string;
  /** Severity of findings without a score. Set for a program whose own severity levels are not meaningful. */
  readonly severity?: Severity;
}

export const EXTERNAL_PROGRAMS: readonly ExternalProgram[] = [
  {
    // Options of semgrep 1.100 and newer.
    name: 'semgrep',
    args: (folder, report) => [
      'scan',
      '--config=p/default',
      '--sarif',
      `--output=${report}`,
      // `--quiet` is not used, because it would hide the reason of a failure.
      '--metrics=off',
      '--disable-version-check',
      '--no-git-ignore',
      folder,
    ],
    ended: [0, 1],
    reaches: 'its rules come from semgrep.dev',
  },
  {
    // Options of gitleaks 8.19 and newer.
    name: 'gitleaks',
    args: (folder, report) => [
      'dir',
      folder,
      '--report-format=sarif',
      `--report-path=${report}`,
      '--redact=75',
      '--no-banner',
      '--exit-code=0',
    ],
    ended: [0],
    cwe: 'CWE-798',
  },
  {
    // Options of trivy 0.50 and newer.
    name: 'trivy',
    args: (folder, report) => [
      'filesystem',
      '--format=sarif',
      `--output=${report}`,
      '--scanners=vuln,misconfig,secret',
      '--quiet',
      folder,
    ],
    ended: [0],
    reaches: 'its databases come from mirror.gcr.io and ghcr.io',
  },
  {
    // Options of osv-scanner 2.0 and newer.
    name: 'osv-scanner',
    args: (folder, report) => [
      'scan',
      'source',
      '--recursive',
      '--format=sarif',
      `--output=${report}`,
      '--no-ignore',
      folder,
    ],
    ended: [0, 1, 128],
    reaches: 'it asks api.osv.dev',
    cwe: 'CWE-1395',
  },
  {
    // Options of checkov 3.0 and newer.
    name: 'checkov',
    args: (folder, report) => [
      `--directory=${folder}`,
      '--output=sarif',
      `--output-file-path=${report}`,
      '--quiet',
      '--compact',
      '--soft-fail',
      '--skip-download',
      '--download-external-modules=false',
    ],
    reportName: 'results_sarif.sarif',
    classes: CHECKOV_CLASSES,
    severity: 'medium',
    ended: [0, 1],
  },
];

/** Files that configure these programs or make them run code. A hostile repository may contain them, so they are not scanned. */
export const STEERING_FILES: ReadonlySet<string> = new Set([
  '.semgrepignore',
  '.semgrep.yml',
  '.gitleaks.toml',
  '.gitleaksignore',
  'trivy.yaml',
  '.trivyignore',
  '.trivyignore.yaml',
  'trivy-secret.yaml',
  'osv-scanner.toml',
  '.checkov.yaml',
  '.checkov.yml',
  '.checkov.baseline',
]);
