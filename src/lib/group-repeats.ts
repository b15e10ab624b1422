/** The first of several items that differ only in the fields `K`. `also` has the fields `K` of the others. */
export type RepeatGroup<T, K extends keyof T> = T & { readonly also?: Pick<T, K>[] };

export function groupRepeats<T extends object, K extends keyof T>(
  items: readonly T[],
  own: readonly K[],
): RepeatGroup<T, K>[] {
  const groups = Map.groupBy(items, (item) => groupKey(item, own));
  return [...groups.values()].flatMap(([first, ...rest]) => {
    if (!first) return [];
    return rest.length === 0 ? [first] : [{ ...first, also: rest.map((item) => pick(item, own)) }];
  });
}

export function groupKey<T extends object>(item: T, own: readonly (keyof T)[]): string {
  const shared = Object.entries(item).filter(
    ([key, value]) => value !== undefined && !own.includes(key as keyof T),
  );
  return JSON.stringify(shared.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function pick<T extends object, K extends keyof T>(item: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(
    keys.filter((key) => item[key] !== undefined).map((key) => [key, item[key]]),
  ) as Pick<T, K>;
}

export const FINDING_PLACE_FIELDS = [
  'location',
  'fingerprint',
  'excerpt',
  'trace',
  'commit',
  'patch',
] as const;
