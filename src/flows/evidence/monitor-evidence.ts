import type { EvidencePart } from '../../compliance/types.ts';
import type { CheckCoverage, Monitored } from '../../monitor/types.ts';

/** A probe counts as recent for 3 intervals of its target, but at least for an hour. */
const [VALID_INTERVALS, MIN_VALID_MS] = [3, 3_600_000];
const MAX_NAMED_TARGETS = 3;

/** Returns a monitor's evidence. A check is `ok` if all its targets were probed recently. Old findings count. */
export function evidenceOfMonitor(
  { id, findings, coverage, trouble }: Pick<Monitored, 'id' | 'findings' | 'coverage' | 'trouble'>,
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
    // Informational findings violate no rule, such as a certificate that is due for renewal.
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
