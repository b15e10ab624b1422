import { AppError } from '../errors.ts';
import type { Catalog } from '../operation.ts';

export interface CatalogSelection {
  readonly readOnly: boolean;
  readonly toolsets: readonly string[];
}

/** Removes the operations that `--read-only` and `--toolsets` exclude. */
export function selectCatalog(catalog: Catalog, { readOnly, toolsets }: CatalogSelection): Catalog {
  const groups = toolsets.filter((name) => name !== 'essential');
  return {
    ...catalog,
    readOnly,
    withheld: catalog.operations.filter(({ effect }) => readOnly && effect !== 'read'),
    operations: catalog.operations.filter(
      (operation) =>
        (!readOnly || operation.effect === 'read') &&
        (groups.length === 0 || groups.includes(operation.toolset)) &&
        (!toolsets.includes('essential') || operation.essential === true),
    ),
  };
}

export function readOnlyError(name: string): AppError {
  return new AppError(
    'forbidden',
    `${name} changes stored data, and Magpie runs read-only here: --no-read-only, MAGPIE_READ_ONLY=false or ` +
      '"readOnly": false in the settings file switches that off',
  );
}
