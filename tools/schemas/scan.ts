import { z } from 'zod';
import { FINDING_PLACE_FIELDS, groupKey, groupRepeats } from '../../src/lib/group-repeats.ts';
import { SEVERITIES } from '../../src/lib/severity.ts';
import { listedObject, type OperationContext, optional } from '../../src/operation.ts';
import type { ReportFormat, Scan, SecurityService } from '../../src/security/types.ts';

const place = z.object({
  location: z.string(),
  fingerprint: z.string(),
  excerpt: z.string().optional(),
  trace: z.array(z.object({ path: z.string(), line: z.number(), note: z.string() })).optional(),
  commit: z.string().optional(),
  patch: z.object({ before: z.string(), after: z.string() }).optional(),
});

const vulnerability = listedObject(['severity', 'title', 'location'], {
  ...place.shape,
  id: z.string(),
  severity: z.enum(SEVERITIES),
  description: z.string(),
  title: z.string(),
  fix: z.string(),
  scanner: z.string(),
  aliases: z.array(z.string()).optional(),
  cwe: z.array(z.string()).optional(),
  cvss: z.object({ score: z.number(), vector: z.string() }).optional(),
  fixedIn: z.string().optional(),
  development: z.boolean().optional(),
  suppressed: z.object({ by: z.string(), reason: z.string() }).optional(),
  also: z.array(place).optional(),
});

const counts = listedObject([], {
  critical: z.int(),
  high: z.int(),
  medium: z.int(),
  low: z.int(),
  info: z.int(),
  suppressed: z.int(),
});

const scanner = z.object({
  name: z.string(),
  ok: z.boolean(),
  reason: z.string().optional(),
  ms: z.int(),
  findings: z.int(),
});

export const scanAnswer = listedObject(['data'], {
  success: z.boolean(),
  data: listedObject(['scan_id', 'status', 'vulnerabilities', 'next_offset'], {
    scan_id: z.string(),
    status: z.enum(['queued', 'running', 'completed', 'failed']),
    vulnerabilities: z.array(vulnerability),
    next_offset: z.int().optional(),
    summary: counts.optional(),
    repository: z.string(),
    branch: z.string().optional(),
    commit: z.string().optional(),
    files: z.int().optional(),
    progress: z.string().optional(),
    reason: z.string().optional(),
    scanners: z.array(scanner).optional(),
    left: z.array(z.string()).optional(),
    gaps: z.array(z.object({ kind: z.string(), what: z.string(), fix: z.string() })).optional(),
    assistants: z.array(z.string()).optional(),
    started_at: z.string().optional(),
    ended_at: z.string().optional(),
  }),
});
export type ScanAnswer = z.output<typeof scanAnswer>;
type VulnerabilityData = ScanAnswer['data']['vulnerabilities'][number];

export const severity = optional(z.enum(SEVERITIES), 'This and worse');

const REPORT_TYPES: Readonly<Record<string, ReportFormat>> = {
  'application/sarif+json': 'sarif',
  'application/vnd.cyclonedx+json': 'cyclonedx',
  'application/spdx+json': 'spdx',
};
export const SCAN_MEDIA_TYPES = Object.keys(REPORT_TYPES);

const MAX_ASSISTANT_CHARACTERS = 2000;
/** Default maximum number of findings in a tool's answer. Equal findings at several places count once. */
const PAGE_GROUPS = 25;
const PAGE_PLACES = 200;
const STEP_FINDINGS = 500;
/** Bytes of an answer that are reserved for everything except findings. */
const REST_BYTES = 50_000;

export interface FindingsPageRequest {
  readonly severity?: (typeof SEVERITIES)[number] | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export async function buildScanAnswer(
  scan: Scan,
  page: FindingsPageRequest,
  ctx: OperationContext,
): Promise<ScanAnswer> {
  const room = await ctx.services.security();
  const { id, state, request, report, counts: summary, reason, progress, startedAt, endedAt } = scan;
  const { commit, files, scanners, left, gaps, assistants } = report ?? {};
  const shown =
    state === 'completed' ? await vulnerabilitiesOf(room, id, page, ctx) : { vulnerabilities: [] };
  return {
    success: state !== 'failed',
    data: {
      scan_id: id,
      status: state,
      ...shown,
      summary,
      repository: request.repository,
      branch: request.branch,
      commit,
      files,
      progress: progress?.message,
      reason,
      scanners: scanners ? [...scanners] : undefined,
      left: left ? [...left] : undefined,
      gaps: gaps ? [...gaps] : undefined,
      assistants: assistants?.map(({ title, parts }) => {
        const named = parts.map(
          ({ kind, name, version }) => `${kind} ${name}${version ? ` (${version})` : ''}`,
        );
        return `${title}: ${named.join(', ') || 'no servers or skills'}`.slice(0, MAX_ASSISTANT_CHARACTERS);
      }),
      started_at: startedAt !== undefined ? new Date(startedAt).toISOString() : undefined,
      ended_at: endedAt !== undefined ? new Date(endedAt).toISOString() : undefined,
    },
  };
}

async function vulnerabilitiesOf(
  room: SecurityService,
  id: string,
  { severity: floor, offset = 0, limit }: FindingsPageRequest,
  { caller, wishes, responseBytes }: OperationContext,
): Promise<Pick<ScanAnswer['data'], 'vulnerabilities' | 'next_offset'>> {
  const grouped = !wishes.whole;
  const most = limit ?? (grouped ? PAGE_PLACES : Infinity);
  const mostGroups = grouped && limit === undefined ? PAGE_GROUPS : Infinity;
  let space = responseBytes - REST_BYTES;
  const shown: VulnerabilityData[] = [];
  const groups = new Set<string>();
  const answer = (isEnd: boolean) => ({
    vulnerabilities: grouped ? groupRepeats(shown, FINDING_PLACE_FIELDS) : shown,
    ...(isEnd ? {} : { next_offset: offset + shown.length }),
  });
  for (;;) {
    const wanted = Math.min(STEP_FINDINGS, most - shown.length);
    const next = await room.listVulnerabilities(caller.id, id, {
      floor,
      offset: offset + shown.length,
      limit: wanted + 1,
    });
    for (const one of next.slice(0, wanted) as VulnerabilityData[]) {
      space -= Buffer.byteLength(JSON.stringify(one)) + 1;
      groups.add(groupKey(one, FINDING_PLACE_FIELDS));
      if (space < 0 || groups.size > mostGroups) return answer(false);
      shown.push(one);
    }
    if (next.length <= wanted) return answer(true);
    if (shown.length >= most) return answer(false);
  }
}

export async function writeScanReport(
  type: string,
  { data: { scan_id, status } }: ScanAnswer,
  { caller, services }: OperationContext,
): Promise<string | undefined> {
  if (status !== 'completed') return undefined;
  const room = await services.security();
  const format = REPORT_TYPES[type];
  return format && room.writeReport(caller.id, scan_id, format);
}
