import type { Severity } from '../../../lib/severity.ts';
import { CHECKOV_CLASSES } from './checkov-classes.ts';

export interface ExternalProgram {
  readonly name: string;
  /** Returns the arguments for a scan of `folder` with a SARIF report in `report`, if possible without sending data. */
  args(folder: string, report: string): readonly string[];
  readonly reportName?: string;
  /** Exit codes after a complete scan, with or without findings. */
  readonly ended: readonly number[];
  readonly cwe?: string;
  /** CWEs by rule id, for rules that state none; used before `cwe`. */
  readonly classes?: ReadonlyMap<string, string>;
  /** Network service that the program needs, named in its error messages. */
  readonly reaches?: string;
  /** Severity of all findings without a score, if the program's levels have no meaning. */
  readonly severity?: Severity;
}

export const EXTERNAL_PROGRAMS: readonly ExternalProgram[] = [
  {
    // Options for version 1.100 and newer.
    name: 'semgrep',
    args: (folder, report) => [
      'scan',
      '--config=p/default',
      '--sarif',
      `--output=${report}`,
      // `--quiet` is not used, since it would hide the reason of a failure.
      '--metrics=off',
      '--disable-version-check',
      '--no-git-ignore',
      folder,
    ],
    ended: [0, 1],
    reaches: 'its rules come from semgrep.dev',
  },
  {
    // Options for version 8.19 and newer.
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
    // Options for version 0.50 and newer.
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
    // Options for version 2.0 and newer.
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
    // Options for version 3.0 and newer.
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

/** Files by which a scanned tree could configure these programs, and even make them run code. They are left out. */
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
