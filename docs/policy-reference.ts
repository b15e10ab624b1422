import { POLICIES } from '../src/security/scanners/infrastructure/policies/find-policy-violations.ts';
import {
  type InfrastructurePolicy,
  POLICY_FAMILIES,
} from '../src/security/scanners/infrastructure/policies/policy.ts';

/** Every policy in a table for each family, with what it means and for which resources. */
export function policyReference(): string {
  return Object.entries(POLICY_FAMILIES)
    .map(([name, { title, danger, cwe }]) => {
      const rows = POLICIES.filter(({ family }) => family === name).map((one) => rowOf(one));
      return rows.length === 0
        ? ''
        : `## ${title}\n\n${danger} (${cwe}).\n\n| name | severity | what | resources | checkov |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}`;
    })
    .filter(Boolean)
    .join('\n\n');
}

/** `ids.json`: what a suppression may name, for those who need no more than the names. */
export function policyIds(): string {
  return `${JSON.stringify(
    POLICIES.map(({ id }) => id),
    undefined,
    2,
  )}\n`;
}

function rowOf({ id, family, severity, title, checks, checkov = [] }: InfrastructurePolicy): string {
  const types = [...new Set(checks.flatMap(({ types: of }) => of))].map((type) => `\`${type}\``).join(', ');
  return `| \`${id}\` | ${severity ?? POLICY_FAMILIES[family]?.severity} | ${title} | ${types} | ${checkov.join(', ')} |`;
}
