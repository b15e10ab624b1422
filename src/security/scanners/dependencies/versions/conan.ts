import { compareEach, compareValues } from './compare-each.ts';

/** A Conan version. `before` is its prerelease part. Source: Conan documentation. */
type ConanVersion = NonNullable<ReturnType<typeof parseConan>>;

const VERSION = /^([\da-z_]+(?:\.[\da-z_]+)*)(?:-([\da-z._-]+))?(?:\+([\da-z._+-]+))?$/;

export function parseConan(version: string) {
  const [whole, items = '', before, build] = VERSION.exec(version.trim().toLowerCase()) ?? [];
  if (whole === undefined || !/\d/.test(items)) return undefined;
  return {
    items: significant(items),
    before: before && significant(before),
    build: build && significant(build),
  };
}

function significant(text: string): string[] {
  const items = text.split('.');
  while (items.length > 1 && /^0+$/.test(items.at(-1) ?? '')) items.pop();
  return items;
}

export function compareConan(a: ConanVersion, b: ConanVersion): number {
  const result = compareItems(a.items, b.items);
  if (result !== 0) return result;
  if (a.before && b.before) return compareItems(a.before, b.before) || compareBuilds(a, b);
  return Number(b.before !== undefined) - Number(a.before !== undefined) || compareBuilds(a, b);
}

function compareBuilds(a: ConanVersion, b: ConanVersion): number {
  if (a.build && b.build) return compareItems(a.build, b.build);
  return Number(a.build !== undefined) - Number(b.build !== undefined);
}

const compareItems = (a: readonly string[], b: readonly string[]): number =>
  compareEach(a, b, (left, right) => {
    if (left === undefined || right === undefined) return a.length - b.length;
    const numbers = /^\d+$/.test(left) && /^\d+$/.test(right);
    return numbers ? compareValues(BigInt(left), BigInt(right)) : compareValues(left, right);
  });
