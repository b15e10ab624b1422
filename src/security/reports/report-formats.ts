import type { Component, Finding } from '../findings/finding.ts';
import type { Scan } from '../scans/scan.ts';
import { cyclonedxOf } from './cyclonedx.ts';
import { openVexOf } from './openvex.ts';
import { sarifOf } from './sarif.ts';
import { spdxOf } from './spdx.ts';

export type ReportFormat = 'sarif' | 'cyclonedx' | 'spdx' | 'openvex';
type ReportBuilder = (scan: Scan, findings: readonly Finding[], components: readonly Component[]) => unknown;

export const REPORTS: Readonly<Record<ReportFormat, ReportBuilder>> = {
  sarif: sarifOf,
  cyclonedx: (scan, findings, components) => cyclonedxOf(scan, components, findings),
  spdx: (scan, _, components) => spdxOf(scan, components),
  openvex: openVexOf,
};
