import type { Evidence, EvidencePart } from '../../compliance/types.ts';
import { badRequestError } from '../../errors.ts';
import type { CheckCoverage, MonitorFacts } from '../../monitor/types.ts';
import type { Scan } from '../../security/types.ts';
import {
  type ComplianceCheckContext,
  explainScopeError,
  monitorsOf,
  type ResolvedScope,
} from './compliance-scope.ts';
import { evidenceOfScan, scanForEvidence } from './scan-evidence.ts';

const MAX_SCANS = 50;

export async function gatherEvidence(
  scope: string,
  meant: ResolvedScope,
  ctx: ComplianceCheckContext,
): Promise<Evidence> {
  if (meant.kind === 'all') return { scope: 'all', ...(await ofEverything(ctx)) };
  if (meant.kind === 'scan') return { scope, ...(await evidenceOfScan(meant.scan, ctx)) };
  if (meant.kind === 'monitor') {
    return { scope: meant.watched.id, ...evidenceOfMonitor(meant.watched, Date.now()) };
  }
  try {
    const { scan, part } = await scanForEvidence(meant.repository, ctx);
    return { scope: scan.request.repository, ...part };
  } catch (thrown) {
    ctx.signal.throwIfAborted();
    throw await explainScopeError(scope, thrown, ctx);
  }
}

async function ofEverything(ctx: ComplianceCheckContext): Promise<EvidencePart> {
  const { caller, services } = ctx;
  const newest = new Map<string, Scan>();
  for (const scan of await (await services.security()).listScans(caller.id)) {
    const { repository } = scan.request;
    if (scan.state === 'completed' && newest.size < MAX_SCANS && !newest.has(repository))
      newest.set(repository, scan);
  }
  const parts = (await monitorsOf(ctx)).map((one) => evidenceOfMonitor(one, Date.now()));
  for (const scan of newest.values()) {
    ctx.progress(`reading what the scan of ${scan.request.repository} found`);
    parts.push(await evidenceOfScan(scan, ctx));
  }
  if (parts.length === 0) {
    throw badRequestError(
      'scope is all, and there are no scans and no monitors yet: scan a repository or start a monitor first, or name a repository',
    );
  }
  return {
    subjects: parts.flatMap(({ subjects }) => subjects),
    findings: parts.flatMap(({ findings }) => findings),
    looks: parts.flatMap(({ looks }) => looks),
    practices: parts.flatMap(({ practices }) => practices),
    technologies: parts.flatMap(({ technologies = [] }) => technologies),
    judgements: parts.flatMap(({ judgements = [] }) => judgements),
  };
}

/** A probe is recent for 3 intervals of its target, and for at least an hour. */
const [VALID_INTERVALS, MIN_VALID_MS] = [3, 3_600_000];
const MAX_NAMED_TARGETS = 3;

export function evidenceOfMonitor(
  { id, findings, coverage, trouble }: Pick<MonitorFacts, 'id' | 'findings' | 'coverage' | 'trouble'>,
  now: number,
): EvidencePart {
  const looks = [...Map.groupBy(coverage, ({ check }) => check)].map(([what, each]) => {
    const gaps = each.flatMap((one) => gapOf(one, now) ?? []);
    const more = gaps.length > MAX_NAMED_TARGETS ? ` and ${gaps.length - MAX_NAMED_TARGETS} more` : '';
    return {
      what,
      subject: id,
      at: Math.max(...each.map(({ at = 0 }) => at)),
      items: each.filter(({ at }) => at !== undefined).length,
      ok: gaps.length === 0,
      why: gaps.length > 0 ? `${gaps.slice(0, MAX_NAMED_TARGETS).join(', ')}${more}` : undefined,
    };
  });
  return {
    subjects: [{ name: id, kind: 'infrastructure', from: `monitor ${id}`, trouble }],
    looks,
    practices: [],
    // Informational findings, such as a certificate that expires soon, do not violate a rule.
    findings: findings
      .filter(({ severity }) => severity !== 'info')
      .map((finding) => ({
        rule: finding.id,
        id: finding.id,
        severity: finding.severity,
        cwe: finding.cwe ?? [],
        title: finding.title,
        fix: finding.fix,
        location: finding.target,
        fingerprint: finding.fingerprint,
        subject: id,
      })),
  };
}

function gapOf({ target, at, reason, everyMs }: CheckCoverage, now: number): string | undefined {
  const isOld = at !== undefined && now - at > Math.max(MIN_VALID_MS, VALID_INTERVALS * everyMs);
  const why = reason ?? (isOld ? 'not probed lately' : undefined);
  if (why === undefined) return undefined;
  const last =
    at === undefined ? '' : `, last seen ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `${target}: ${why}${last}`;
}
