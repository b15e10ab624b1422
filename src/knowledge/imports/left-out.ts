import type { ImportItem } from '../importing/import-kind.ts';

export type LeftOut = ReturnType<typeof createLeftOut>;

/** Counts the contents of a record that are skipped on purpose, by their description. */
export function createLeftOut(at: string) {
  const counts = new Map<string, number>();
  return {
    add(what: string, count = 1): void {
      if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count);
    },
    items: (): ImportItem[] => [...counts].map(([skipped, count]) => ({ at, skipped, count })),
  };
}
