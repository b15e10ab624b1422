import { pushTo } from '../../lib/push-to.ts';
import { SEVERITIES } from '../../lib/severity.ts';
import type { StandardResult } from '../assessing/assessment.ts';
import { getCheckKind } from '../assessing/checks.ts';
import type { EvidenceFinding } from '../assessing/evidence.ts';

const MAX_PLACES = 5;
const MAX_CONTROLS = 12;

export type ComplianceRisk = ReturnType<typeof groupRisks>[number];

export function groupRisks(
  standards: readonly StandardResult[],
  findings: readonly EvidenceFinding[],
  named: boolean,
) {
  const against = controlsByCheck(standards);
  const groups = Map.groupBy(findings, ({ severity, id, title, fix }) =>
    JSON.stringify([severity, id, title, fix]),
  );
  return [...groups.values()]
    .flatMap(([first, ...more]) => {
      if (!first) return [];
      const all = [first, ...more];
      const { severity, title, id, fix } = first;
      const controls = new Set(all.flatMap(({ fingerprint }) => against.get(`= ${fingerprint}`) ?? []));
      for (const rule of new Set(all.map((one) => one.rule))) {
        for (const key of [rule, `${getCheckKind(rule)}/*`])
          for (const one of against.get(key) ?? []) controls.add(one);
      }
      return [
        {
          severity,
          title,
          id,
          fix,
          count: all.length,
          places: all.slice(0, MAX_PLACES).map((finding) => formatLocation(finding, named)),
          controls: inOrder(standards, controls),
        },
      ];
    })
    .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || b.count - a.count);
}

export const formatLocation = ({ location, subject }: EvidenceFinding, named: boolean): string =>
  named && location !== subject ? `${location} in ${subject}` : location;

export const formatRiskCount = ({ title, id, count }: ComplianceRisk): string =>
  `${title} (${id})${count > 1 ? `, ${count} times` : ''}`;

export const RISK_HEADS = ['Severity', 'Finding', 'Where', 'What to do', 'Controls'] as const;

export function formatRiskRow(risk: ComplianceRisk): readonly string[] {
  const { severity, places, count, fix, controls } = risk;
  const more = count - places.length;
  const where = `${places.join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [severity, formatRiskCount(risk), where, fix, formatControlNames(controls)];
}

function formatControlNames(controls: readonly string[]): string {
  if (controls.length === 0) return 'none of these standards';
  const shown = Map.groupBy(controls.slice(0, MAX_CONTROLS), (name) => name.slice(0, name.indexOf(' ')));
  const words = [...shown].map(
    ([standard, names]) => `${standard} ${names.map((name) => name.slice(standard.length + 1)).join(', ')}`,
  );
  const more = controls.length - MAX_CONTROLS;
  return `${words.join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function controlsByCheck(standards: readonly StandardResult[]): ReadonlyMap<string, readonly string[]> {
  const against = new Map<string, string[]>();
  for (const { standard, controls } of standards) {
    for (const { id, status, found, checks, findings } of controls) {
      if (status !== 'fail' || found === 0) continue;
      const name = `${standard.id} ${id}`;
      for (const key of [...checks, ...findings.map((one) => `= ${one}`)]) pushTo(against, key, name);
    }
  }
  return against;
}

function inOrder(standards: readonly StandardResult[], names: ReadonlySet<string>): string[] {
  const rank = new Map(standards.map(({ standard }, at) => [standard.id, at]));
  const of = (name: string) => rank.get(name.slice(0, name.indexOf(' '))) ?? 0;
  return [...names].sort((a, b) => of(a) - of(b));
}
