import type { EvidencePart } from '../compliance/types.ts';
import type { Watched } from './compliance-scope.ts';

/** A look counts for three of its intervals, and for an hour at least; milliseconds. */
const [INTERVALS, LEAST] = [3, 3_600_000];
/** Targets that a reason names. */
const NAMED = 3;

/**
 * What a monitor has seen, at the time `now`. A check is looked for where it has seen every target that it is for, and
 * lately: not where one does not answer, was not looked at yet or for long, or is watched no more. What was found before
 * stands all the same, since nothing shows that it was mended.
 */
export function evidenceOfMonitor({ id, findings, looked, trouble }: Watched, now: number): EvidencePart {
  const looks = [...Map.groupBy(looked, ({ check }) => check)].map(([what, each]) => {
    const gaps = each.flatMap((one) => gapOf(one, now) ?? []);
    const more = gaps.length > NAMED ? ` and ${gaps.length - NAMED} more` : '';
    return {
      what,
      subject: id,
      at: Math.max(...each.map(({ at = 0 }) => at)),
      items: each.filter(({ at }) => at !== undefined).length,
      ok: gaps.length === 0,
      why: gaps.length > 0 ? `${gaps.slice(0, NAMED).join(', ')}${more}` : undefined,
    };
  });
  return {
    subjects: [{ name: id, kind: 'infrastructure', from: `monitor ${id}`, trouble }],
    looks,
    practices: [],
    findings: findings.map((finding) => ({
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

/** Why a target was not looked at; undefined where it was, and lately. */
function gapOf({ target, at, reason, everyMs }: Watched['looked'][number], now: number): string | undefined {
  const old = at !== undefined && now - at > Math.max(LEAST, INTERVALS * everyMs);
  const why = reason ?? (old ? 'nobody has looked lately' : undefined);
  if (why === undefined) return undefined;
  const last =
    at === undefined ? '' : `, last seen ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `${target}: ${why}${last}`;
}
