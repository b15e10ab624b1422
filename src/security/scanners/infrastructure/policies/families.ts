import type { Severity } from '../../../../lib/severity.ts';
import families from '../families.json' with { type: 'json' };
import type { Policy } from './policy.ts';

/** Texts shared by a group of policies. Their ids begin with the family's name. */
export interface Family {
  /** Name of the rule in a report. */
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  readonly danger: string;
  /** General advice, which follows the policy's own. */
  readonly fix: string;
}

/** Families by name. Good practice is low; exposure, unlimited permissions and unencrypted data are higher. */
export const FAMILIES = families as Readonly<Record<string, Family>>;

/** Returns the family of a policy. Throws Error for an unknown family: a mistake in the data, which a test finds. */
export function familyOf({ id, family }: Policy): Family {
  const found = FAMILIES[family];
  if (!found) throw new Error(`${id} is of an unknown family: ${JSON.stringify(family)}`);
  return found;
}
