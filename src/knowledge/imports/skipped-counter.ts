import type { ImportItem } from '../importing/import-kind.ts';

export type SkippedCounter = ReturnType<typeof createSkippedCounter>;

export function createSkippedCounter(at: string) {
  const counts = new Map<string, number>();
  return {
    add(what: string, count = 1): void {
      if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count);
    },
    items: (): ImportItem[] => [...counts].map(([skipped, count]) => ({ at, skipped, count })),
  };
}
