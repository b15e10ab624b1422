import type { TextCondition } from '../rule.ts';
import conditions from './text-conditions.json' with { type: 'json' };

export const TEXT_CONDITIONS = Object.fromEntries(
  Object.entries(conditions).map(([name, { is, written, flags }]): [string, TextCondition] => [
    name,
    { is: new RegExp(is, flags[0]), written: new RegExp(written, flags[1]) },
  ]),
) as Readonly<Record<keyof typeof conditions, TextCondition>>;
