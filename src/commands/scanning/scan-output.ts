import type { CommandContext } from '../../command.ts';
import { badRequestError, unavailableError } from '../../errors.ts';
import { ASSISTANT_SETUPS } from '../../lib/assistants.ts';
import { FINDING_PLACE_FIELDS, groupRepeats } from '../../lib/group-repeats.ts';
import type { Severity } from '../../lib/severity.ts';
import {
  escapeInvisible,
  escapeInvisibleJson,
  escapeInvisibleLine,
} from '../../lib/text/escape-invisible.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type {
  AssistantPart,
  Finding,
  InstalledAssistant,
  ReportFormat,
  Scan,
  Vulnerability,
} from '../../security/types.ts';
import { printScanPage } from './scan-page.ts';
import { type Print, printFinding, printScanTable, printSummary } from './scan-table.ts';

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

const isReportFormat = (format: ScanFormat): format is ReportFormat =>
  REPORT_FORMATS.includes(format as ReportFormat);

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

const MAX_FINDINGS = 10;
const INDENT = '  ';
const LABEL_WIDTH = 10;

async function printAssistants(scan: Scan, found: readonly Vulnerability[], print: Print) {
  const assistants = scan.report?.assistants ?? [];
  if (assistants.length === 0) {
    const titles = Object.values(ASSISTANT_SETUPS).map(({ title }) => title);
    const names = `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}`;
    await print(`No assistants found: there are no settings of ${names} on this machine or in this folder.`);
    await print(
      'So there is nothing to mend. Once you have one, `magpie setup` connects it to Magpie.',
      'hint',
    );
    return;
  }
  const counted = found.filter(({ suppressed }) => !suppressed);
  const byOwner = Map.groupBy(counted, (one) => ownerOf(one, assistants));
  const tell = async (own: readonly Vulnerability[]) => {
    for (const one of own.slice(0, MAX_FINDINGS)) await printFinding(one, print, INDENT);
    const more = own.length - MAX_FINDINGS;
    if (more > 0) await print(`${INDENT}and ${more} more: magpie scans ${scan.id} --format html\n`, 'hint');
  };
  for (const assistant of assistants) {
    await print(`${assistant.title}: ${describeParts(assistant)}\n`);
    for (const part of assistant.parts) {
      const own = byOwner.get(part) ?? [];
      await print(`${INDENT}${part.kind} ${escapeInvisibleLine(part.name)}`);
      for (const [label, text] of describePart(part, own.length))
        await print(`${INDENT}${INDENT}${label.padEnd(LABEL_WIDTH)}${escapeInvisibleLine(text)}`);
      await print('');
      await tell(own);
    }
    const rest = byOwner.get(assistant) ?? [];
    await print(`${INDENT}settings and instructions: ${countFindings(rest.length)}\n`);
    await tell(rest);
  }
  const others = byOwner.get(undefined) ?? [];
  if (others.length > 0) await print(`Other files: ${countFindings(others.length)}\n`);
  await tell(others);
  await printSummary(scan, print);
  await print('Nothing was started and nothing was sent.', 'quiet');
}

function ownerOf({ location }: Vulnerability, assistants: readonly InstalledAssistant[]) {
  const [, path = '', line = '0'] = /^(.*?)(?::(\d{1,9}))?$/s.exec(location) ?? [];
  const holds = (place: string) => path === place || path.startsWith(`${place}/`);
  let owner: AssistantPart | InstalledAssistant | undefined;
  let longest = -1;
  for (const assistant of assistants) {
    if (!owner && assistant.paths.some(holds)) owner = assistant;
    for (const part of assistant.parts) {
      const { settings } = part;
      if (settings?.path === path && settings.from <= Number(line) && Number(line) <= settings.to)
        return part;
      const length = Math.max(-1, ...part.paths.filter(holds).map((place) => place.length));
      if (length > longest) [owner, longest] = [part, length];
    }
  }
  return owner;
}

function describeParts({ parts }: InstalledAssistant): string {
  const counts = [...Map.groupBy(parts, ({ kind }) => kind)].map(([kind, own]) =>
    formatCount(own.length, kind),
  );
  return counts.join(', ') || 'no servers, skills or plug-ins';
}

function describePart({ kind, start, version, paths, missing }: AssistantPart, findings: number) {
  const [first] = paths;
  const where = [version, first && `in ${first}`].filter(Boolean).join(', ');
  const rows: (readonly [label: string, text: string])[] = [];
  if (start) rows.push([kind === 'server' && !first && !missing ? 'is at' : 'starts', start]);
  if (where) rows.push(['code', where]);
  if (missing) rows.push([where ? '' : 'code', missing]);
  return [...rows, ['findings', countFindings(findings, missing ? 'none in its settings' : 'none')] as const];
}

const countFindings = (count: number, none = 'nothing found'): string =>
  count === 0 ? none : formatCount(count, 'finding');
