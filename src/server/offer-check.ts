import type { Caller } from '../caller.ts';
import type { Catalog, IsOffered } from '../operation.ts';

export function createOfferCheck(
  { operations }: Catalog,
  caller: Caller,
  shown: ReadonlySet<string>,
): IsOffered {
  const scopes = new Map(operations.map(({ name, scope }) => [name, scope]));
  return (name) => {
    const scope = scopes.get(name);
    return scope !== undefined && shown.has(name) && caller.scopes.has(scope);
  };
}

export function listOperationNames({ operations, withheld = [] }: Catalog): string[] {
  return [...operations, ...withheld].map(({ name }) => name);
}
