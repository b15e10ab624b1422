import type { Severity } from '../../../../lib/severity.ts';
import families from '../families.json' with { type: 'json' };
import type { Policy } from './policy.ts';

export interface Family {
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  readonly danger: string;
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
