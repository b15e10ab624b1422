import { type AbstractValue, joinValues, UNKNOWN_VALUE, type VariableScope } from './value.ts';

export function createVariableScope(parent: VariableScope | undefined): VariableScope {
  return { values: new Map(), parent, ended: false };
}

export function variableOf(scope: VariableScope | undefined, name: string): AbstractValue | undefined {
  for (let at = scope; at; at = at.parent) {
    const value = at.values.get(name);
    if (value) return value;
  }
  return undefined;
}

export function mergeBranches(base: VariableScope, branches: readonly VariableScope[]): void {
  const alive = branches.filter((one) => !one.ended);
  if (alive.length === 0) {
    base.ended = true;
    return;
  }
  const names = new Set(alive.flatMap((one) => [...one.values.keys()]));
  for (const name of names) {
    const before = variableOf(base, name);
    let value: AbstractValue | undefined;
    for (const one of alive) {
      const here = one.values.get(name) ?? before;
      if (here) value = value ? joinValues(value, here) : here;
    }
    base.values.set(name, value ?? UNKNOWN_VALUE);
  }
}

export function changesSince(scope: VariableScope, base: VariableScope): Map<string, AbstractValue> {
  const out = new Map<string, AbstractValue>();
  for (let at: VariableScope | undefined = scope; at && at !== base; at = at.parent) {
    for (const [name, value] of at.values) if (!out.has(name)) out.set(name, value);
  }
  return out;
}
