import { checks } from '../../src/monitor/checks/list.ts';
import type { CheckRule } from '../../src/monitor/probing/check.ts';

/** Every rule of the monitor's checks, by id. */
export const monitorRules: ReadonlyMap<string, CheckRule> = new Map(
  checks.flatMap(({ rules }) => rules).map((rule) => [rule.id, rule]),
);
