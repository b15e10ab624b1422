import { methodIn } from '../flow/values/objects.ts';
import type { ClassOf, Closure, Scope, Value } from '../flow/values/value.ts';

/** Returns an export of a file, or all of them. Without `module.exports`, all top-level names are exported. */
export function exported(scope: Scope, name: string | undefined): Value | undefined {
  const exports = scope.values.get('module')?.fields?.get('exports') ?? scope.values.get('exports');
  const all: Value = exports ?? { fields: scope.values };
  if (name === '*') return all;
  if (name === undefined) return exports ?? scope.values.get('default') ?? all;
  const own = exports?.fields?.get(name) ?? scope.values.get(name) ?? passedOn(scope, name);
  return name === 'default' ? (own ?? exports) : own;
}

function passedOn(scope: Scope, name: string): Value | undefined {
  for (const [key, value] of scope.values) {
    const found = key.startsWith('* ') ? value.link?.member(name) : undefined;
    if (found) return found;
  }
  return undefined;
}

const MAX_DEPTH = 4;

export function classIn(scope: Scope | undefined, name: string, depth = MAX_DEPTH): Value | undefined {
  const own = scope?.values.get(name);
  if (own?.of || own?.fn) return own;
  if (!scope || depth === 0) return undefined;
  for (const { of } of scope.values.values()) {
    const within = of && of.scope !== scope ? classIn(of.scope, name, depth - 1) : undefined;
    if (within) return within;
  }
  return undefined;
}

export function methodAmong(
  scope: Scope,
  of: ClassOf,
  name: string,
  isMeant: (other: ClassOf) => boolean,
): Closure | undefined {
  for (const { of: other } of scope.values.values()) {
    if (!other || other === of || !isMeant(other)) continue;
    const method = other.methods.get(name) ?? (other.name === of.name ? undefined : methodIn(other, name, 1));
    if (method && method.fn.body.length > 0) return method;
  }
  return undefined;
}

/** Returns the methods of that name of all classes in a file that have every method of a Go interface. */
export function methodsOfFace(scope: Scope, face: ClassOf, name: string): Closure[] {
  return [...scope.values.values()].flatMap(({ of: other }) => {
    if (!other || other === face || ![...face.methods.keys()].every((one) => other.methods.has(one)))
      return [];
    const method = other.methods.get(name);
    return method && method.fn.body.length > 0 ? [method] : [];
  });
}

export function isMadeFrom({ bases, faces }: ClassOf, name: string): boolean {
  return [...bases, ...faces].some((base) => base.replace(/<.*$/s, '').trim().split('.').at(-1) === name);
}
