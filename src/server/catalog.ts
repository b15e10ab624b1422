import type { Catalog } from '../operation.ts';

export interface Selection {
  /** Only operations that change nothing. */
  readonly readOnly: boolean;
  /** Names of toolsets, `essential` among them; empty means all. */
  readonly toolsets: readonly string[];
}

/** The catalog that is left after `--read-only` and `--toolsets`, in the same order. */
export function select(catalog: Catalog, { readOnly, toolsets }: Selection): Catalog {
  const groups = toolsets.filter((name) => name !== 'essential');
  return {
    ...catalog,
    operations: catalog.operations.filter(
      (operation) =>
        (!readOnly || operation.effect === 'read') &&
        (groups.length === 0 || groups.includes(operation.toolset)) &&
        (!toolsets.includes('essential') || operation.essential === true),
    ),
  };
}
