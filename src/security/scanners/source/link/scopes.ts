import { methodIn } from '../flow/values/objects.ts';
import type { AbstractValue, ClassInfo, Closure, VariableScope } from '../flow/values/value.ts';

export function readExport(scope: VariableScope, name: string | undefined): AbstractValue | undefined {
  const exports = scope.values.get('module')?.fields?.get('exports') ?? scope.values.get('exports');
  const all: AbstractValue = exports ?? { fields: scope.values };
  if (name === '*') return all;
  if (name === undefined) return exports ?? scope.values.get('default') ?? all;
  const own = exports?.fields?.get(name) ?? scope.values.get(name) ?? passedOn(scope, name);
  return name === 'default' ? (own ?? exports) : own;
}

function passedOn(scope: VariableScope, name: string): AbstractValue | undefined {
  for (const [key, value] of scope.values) {
    const found = key.startsWith('* ') ? value.link?.member(name) : undefined;
    if (found) return found;
  }
  return undefined;
}

const MAX_DEPTH = 4;

export function classIn(
  scope: VariableScope | undefined,
  name: string,
  depth = MAX_DEPTH,
): AbstractValue | undefined {
  const own = scope?.values.get(name);
  if (own?.of || own?.fn) return own;
  if (!scope || depth === 0) return undefined;
  for (const { of } of scope.values.values()) {
    const within = of && of.scope !== scope ? classIn(of.scope, name, depth - 1) : undefined;
    if (within) return within;
  }
  return undefined;
}

export function findMethodInOtherClass(
  scope: VariableScope,
  classInfo: ClassInfo,
  name: string,
  isMeant: (other: ClassInfo) => boolean,
): Closure | undefined {
  for (const { of: other } of scope.values.values()) {
    if (!other || other === classInfo || !isMeant(other)) continue;
    const method =
      other.methods.get(name) ?? (other.name === classInfo.name ? undefined : methodIn(other, name, 1));
    if (method && method.fn.body.length > 0) return method;
  }
  return undefined;
}

/** Returns the method `name` of each type in `scope` that implements a Go interface. */
export function findInterfaceMethods(
  scope: VariableScope,
  interfaceInfo: ClassInfo,
  name: string,
): Closure[] {
  return [...scope.values.values()].flatMap(({ of: other }) => {
    if (
      !other ||
      other === interfaceInfo ||
      ![...interfaceInfo.methods.keys()].every((one) => other.methods.has(one))
    )
      return [];
    const method = other.methods.get(name);
    return method && method.fn.body.length > 0 ? [method] : [];
  });
}

export const isMadeFrom = ({ bases, faces }: ClassInfo, name: string): boolean =>
  [...bases, ...faces].some((base) => base.replace(/<.*$/s, '').trim().split('.').at(-1) === name);
