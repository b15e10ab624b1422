import { withoutInvisible } from '../../lib/text/invisible.ts';

export const MAX_VALUE_CHARS = 5000;
const MAX_NAME_CHARS = 100;
export const MAX_VALUES = 500;

export interface ValueBudget {
  chars: number;
  things: number;
}

export function trimValue(value: unknown, depth: number, budget: ValueBudget, most = MAX_VALUES): unknown {
  if (typeof value === 'string') {
    const text = withoutInvisible(value.slice(0, MAX_VALUE_CHARS)).trim();
    budget.chars -= text.length;
    return budget.chars > 0 ? text : undefined;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === 0 || budget.things <= 0) return undefined;
  budget.things -= 1;
  if (Array.isArray(value)) {
    const list = value.slice(0, most).map((one) => trimValue(one, depth - 1, budget, most));
    return list.filter((one) => one !== undefined);
  }
  const entries = Object.entries(value)
    .slice(0, MAX_VALUES)
    .map(([name, one]) => [name.slice(0, MAX_NAME_CHARS), trimValue(one, depth - 1, budget, most)] as const);
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined));
}
