import { checks } from '../../src/monitor/checks/list.ts';
import type { Rule } from '../../src/monitor/probing/check.ts';

/** Every rule of the monitor's checks, by id. */
export const monitorRules: ReadonlyMap<string, Rule> = new Map(
  checks.flatMap(({ rules }) => rules).map((rule) => [rule.id, rule]),
);
