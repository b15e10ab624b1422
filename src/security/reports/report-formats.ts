import type { Finding, SoftwareComponent } from '../findings/finding.ts';
import type { SecurityScan } from '../scans/scan.ts';
import { cyclonedxOf } from './cyclonedx.ts';
import { openVexOf } from './openvex.ts';
import { sarifOf } from './sarif.ts';
import { spdxOf } from './spdx.ts';

export type ReportFormat = 'sarif' | 'cyclonedx' | 'spdx' | 'openvex';
type ReportBuilder = (
  scan: SecurityScan,
  findings: readonly Finding[],
  components: readonly SoftwareComponent[],
) => unknown;

export const REPORTS: Readonly<Record<ReportFormat, ReportBuilder>> = {
  sarif: sarifOf,
  cyclonedx: (scan, findings, components) => cyclonedxOf(scan, components, findings),
  spdx: (scan, _, components) => spdxOf(scan, components),
  openvex: openVexOf,
};
