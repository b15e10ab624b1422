import type { Caller } from '../caller.ts';
import type { Catalog, Offers } from '../operation.ts';

export function offersTo({ operations }: Catalog, caller: Caller, shown: ReadonlySet<string>): Offers {
  const scopes = new Map(operations.map(({ name, scope }) => [name, scope]));
  return (name) => {
    const scope = scopes.get(name);
    return scope !== undefined && shown.has(name) && caller.scopes.has(scope);
  };
}

/** Returns the names of all operations, including those that `--read-only` withholds, since texts name them too. */
export function namesOf({ operations, withheld = [] }: Catalog): string[] {
  return [...operations, ...withheld].map(({ name }) => name);
}
