import type { CommandContext } from '../../command.ts';
import { badRequestError, unavailableError } from '../../errors.ts';
import { FINDING_PLACE_FIELDS, groupRepeats } from '../../lib/group-repeats.ts';
import type { Severity } from '../../lib/severity.ts';
import {
  escapeInvisible,
  escapeInvisibleJson,
  escapeInvisibleLine,
} from '../../lib/text/escape-invisible.ts';
import type { Finding, ReportFormat, Scan, Vulnerability } from '../../security/types.ts';
import { printAssistants } from './scan-agents.ts';
import { printScanPage } from './scan-page.ts';
import { printScanTable } from './scan-table.ts';

const REPORT_FORMATS = ['sarif', 'cyclonedx', 'spdx', 'openvex'] as const satisfies readonly ReportFormat[];
export const SCAN_FORMATS = ['table', 'html', 'json', ...REPORT_FORMATS, 'patch', 'gitlab'] as const;
export type ScanFormat = (typeof SCAN_FORMATS)[number];

/** Throws AppError `bad_request` if `--json` is combined with another format. */
export function chooseScanFormat(
  named: ScanFormat | undefined,
  { json }: Pick<CommandContext, 'json'>,
): ScanFormat {
  if (!json) return named ?? 'table';
  if (named === undefined || named === 'json') return 'json';
  throw badRequestError(`--json and --format ${named} contradict each other: leave one out`);
}

function isReportFormat(format: ScanFormat): format is ReportFormat {
  return REPORT_FORMATS.includes(format as ReportFormat);
}

export async function printScan(scan: Scan, format: ScanFormat, ctx: CommandContext): Promise<void> {
  const { caller, services, print } = ctx;
  const room = await services.security();
  const { id, state, reason, progress, request } = scan;
  if (state !== 'completed') {
    if (format === 'json') return print(escapeInvisibleJson(JSON.stringify(bodyOf(scan, []))));
    const how = reason ?? progress?.message ?? '';
    throw unavailableError(`the scan ${id} of ${request.repository} is ${state}${how && `: ${how}`}`);
  }
  if (isReportFormat(format)) return print(await room.writeReport(caller.id, id, format));
  if (format === 'patch') return printFixPatch(await room.listFindings(caller.id, id), print);
  if (format === 'gitlab') return printGitlabReport(await room.listFindings(caller.id, id), print);
  const found = await room.listVulnerabilities(caller.id, id);
  if (format === 'json') return print(escapeInvisibleJson(JSON.stringify(bodyOf(scan, found))));
  if (format === 'table' && scan.report?.assistants) return printAssistants(scan, found, print);
  return format === 'html' ? printScanPage(scan, found, print) : printScanTable(scan, found, print);
}

function bodyOf(scan: Scan, found: readonly Vulnerability[]) {
  const { id, state, request, counts, report, reason } = scan;
  return {
    success: state !== 'failed',
    data: {
      scan_id: id,
      status: state,
      vulnerabilities: groupRepeats(found, FINDING_PLACE_FIELDS),
      summary: counts,
      repository: request.repository,
      branch: request.branch,
      commit: report?.commit,
      files: report?.files,
      reason,
      scanners: report?.scanners,
      left: report?.left,
      gaps: report?.gaps,
      assistants: report?.assistants,
    },
  };
}

const SEVERITIES: Readonly<Record<Severity, string>> = {
  critical: 'blocker',
  high: 'critical',
  medium: 'major',
  low: 'minor',
  info: 'info',
};

/** Prints GitLab's Code Quality report, without suppressed findings: its format cannot mark them. */
async function printGitlabReport(findings: readonly Finding[], print: CommandContext['print']) {
  const report = findings
    .filter(({ suppressed }) => suppressed === undefined)
    .map(({ id, severity, title, description, fix, fingerprint, path, line = 1 }) => ({
      description: escapeInvisibleLine(`${title}: ${description} ${fix}`),
      check_name: id,
      fingerprint,
      severity: SEVERITIES[severity],
      location: { path, lines: { begin: line } },
    }));
  await print(escapeInvisibleJson(JSON.stringify(report)));
}

/** Prints fixes for `git apply --unidiff-zero`. Leaves out fixes with Windows line ends or control characters. */
async function printFixPatch(findings: readonly Finding[], print: CommandContext['print']) {
  const shown = findings.filter(
    ({ path, patch }) => patch && isPlain(`${path}${patch.before}${patch.after}`),
  );
  const byPath = [...Map.groupBy(shown, ({ path }) => path)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [path, own] of byPath) {
    await print(`--- a/${path}\n+++ b/${path}`);
    for (const { line = 1, patch } of own.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))) {
      if (patch) await print(`@@ -${line} +${line} @@\n-${patch.before}\n+${patch.after}`);
    }
  }
}

function isPlain(text: string): boolean {
  const plain = text.replaceAll('\t', '');
  return escapeInvisible(plain) === plain;
}
