import type { Severity } from '../../../../lib/severity.ts';
import families from '../families.json' with { type: 'json' };
import type { Policy } from './policy.ts';

/** What policies of one kind have in common: their ids begin with its name. */
export interface Family {
  /** What a report of the rules calls it. */
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  /** What the danger is. */
  readonly danger: string;
  /** What to do, after what to write. */
  readonly fix: string;
}

/** By name. What is hygiene is low; exposure, rights without bounds and plain data are more. */
export const FAMILIES = families as Readonly<Record<string, Family>>;

/** The family of a policy. Throws Error for an unknown one: a mistake in the data, which a test finds. */
export function familyOf({ id, family }: Policy): Family {
  const found = FAMILIES[family];
  if (!found) throw new Error(`${id} is of an unknown family: ${JSON.stringify(family)}`);
  return found;
}
