import { pushTo } from '../../lib/push-to.ts';
import { SEVERITIES } from '../../lib/severity.ts';
import { type ControlChecks, getCheckKind, isExternalRule } from './checks.ts';
import type { Evidence, EvidenceFinding } from './evidence.ts';

export type EvidenceIndex = ReturnType<typeof indexEvidence>;

export function indexEvidence(evidence: Evidence) {
  const worstFirst = [...evidence.findings].sort(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  );
  const byCwe = new Map<string, EvidenceFinding[]>();
  for (const finding of worstFirst) {
    // Skips findings in packages, because controls judge the repository's own code.
    if (getCheckKind(finding.rule) === 'dependencies') continue;
    for (const one of finding.cwe) pushTo(byCwe, one, finding);
  }
  return {
    evidence,
    byCwe,
    byRule: Map.groupBy(worstFirst, ({ rule }) => rule),
    byKind: Map.groupBy(worstFirst, ({ rule }) => getCheckKind(rule)),
    rank: new Map(worstFirst.map((finding, at) => [finding, at])),
    probes: Map.groupBy(evidence.looks, ({ what }) => what),
    practices: Map.groupBy(evidence.practices, ({ name }) => name),
  };
}

export function findMatchingFindings(
  { ids, except, cwe, foreignCwe }: ControlChecks,
  index: EvidenceIndex,
): EvidenceFinding[] {
  const found = new Set<EvidenceFinding>();
  for (const id of ids) {
    for (const finding of findingsOf(id, index)) if (!except.get(id)?.has(finding.rule)) found.add(finding);
  }
  for (const one of cwe) for (const finding of index.byCwe.get(one) ?? []) found.add(finding);
  for (const one of foreignCwe) {
    for (const finding of index.byCwe.get(one) ?? []) if (isExternalRule(finding.rule)) found.add(finding);
  }
  const rank = (finding: EvidenceFinding) => index.rank.get(finding) ?? 0;
  return [...found].sort((a, b) => rank(a) - rank(b));
}

function findingsOf(id: string, { byKind, byRule }: EvidenceIndex): readonly EvidenceFinding[] {
  if (id.endsWith('/*')) return byKind.get(getCheckKind(id)) ?? [];
  if (!id.endsWith('*')) return byRule.get(id) ?? [];
  return [...byRule].flatMap(([rule, findings]) => (rule.startsWith(id.slice(0, -1)) ? findings : []));
}
