import type { Severity } from '../../../lib/severity.ts';
import { CHECKOV_CLASSES } from './checkov-classes.ts';

/** An external scanner that writes SARIF. */
export interface Program {
  readonly name: string;
  /** Arguments that scan `folder` and write SARIF to `report`; nothing is sent where that can be said. */
  args(folder: string, report: string): readonly string[];
  /** Where the report is, when the program names the file itself. */
  readonly reportName?: string;
  /** Exit codes that mean it has read everything, findings or none. */
  readonly ended: readonly number[];
  /** CWE of findings that carry none. */
  readonly cwe?: string;
  /** CWE of rules that carry none, by their ids; before `cwe`. */
  readonly classes?: ReadonlyMap<string, string>;
  /** What it has to reach, which is said where it fails. */
  readonly reaches?: string;
  /** Of all findings without a score, where the program's levels mean nothing. */
  readonly severity?: Severity;
}

/** Every program that can be switched on, by name. Their options are those of the versions named. */
export const PROGRAMS: readonly Program[] = [
  {
    // 1.100 and newer
    name: 'semgrep',
    args: (folder, report) => [
      'scan',
      '--config=p/default',
      '--sarif',
      `--output=${report}`,
      // Not quiet: it would not even say why it fails.
      '--metrics=off',
      '--disable-version-check',
      '--no-git-ignore',
      folder,
    ],
    ended: [0, 1],
    reaches: 'its rules come from semgrep.dev',
  },
  {
    // 8.19 and newer
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
    // 0.50 and newer
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
    // 2.0 and newer
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
    // 3.0 and newer
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

/**
 * Files by which a scanned tree could steer these programs, up to running the tree's own code (checkov's external
 * checks): they are not handed over.
 */
export const STEERING: ReadonlySet<string> = new Set([
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
