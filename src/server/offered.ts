import type { Caller } from '../caller.ts';
import type { Catalog, Offers } from '../operation.ts';

/** What this caller can call: the names that its surface shows, of a scope that it has. */
export function offersTo({ operations }: Catalog, caller: Caller, shown: ReadonlySet<string>): Offers {
  const scopes = new Map(operations.map(({ name, scope }) => [name, scope]));
  return (name) => {
    const scope = scopes.get(name);
    return scope !== undefined && shown.has(name) && caller.scopes.has(scope);
  };
}

/** The names of all operations, those among them that --read-only keeps from running: texts name them too. */
export function namesOf({ operations, withheld = [] }: Catalog): string[] {
  return [...operations, ...withheld].map(({ name }) => name);
}
