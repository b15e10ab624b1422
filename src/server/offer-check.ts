import type { Caller } from '../caller.ts';
import type { IsOffered, OperationCatalog } from '../operation.ts';

export function createOfferCheck(
  { operations }: OperationCatalog,
  caller: Caller,
  shown: ReadonlySet<string>,
): IsOffered {
  const scopes = new Map(operations.map(({ name, scope }) => [name, scope]));
  return (name) => {
    const scope = scopes.get(name);
    return scope !== undefined && shown.has(name) && caller.scopes.has(scope);
  };
}

export function listOperationNames({ operations, withheld = [] }: OperationCatalog): string[] {
  return [...operations, ...withheld].map(({ name }) => name);
}
