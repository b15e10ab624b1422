import { compareEach } from './compare-each.ts';

type NugetVersion = NonNullable<ReturnType<typeof parseNuget>>;

const VERSION =
  /^v?(\d{1,10})(?:\.(\d{1,10}))?(?:\.(\d{1,10}))?(?:\.(\d{1,10}))?(?:-([0-9a-z-]{1,100}(?:\.[0-9a-z-]{1,100}){0,20}))?(?:\+\S{0,100})?$/;

export function parseNuget(version: string) {
  const [whole, ...parts] = VERSION.exec(version.trim().toLowerCase()) ?? [];
  if (whole === undefined) return undefined;
  return { numbers: parts.slice(0, 4).map((part) => Number(part ?? 0)), labels: parts[4]?.split('.') ?? [] };
}

export function compareNuget(a: NugetVersion, b: NugetVersion): number {
  const numbers = compareEach(a.numbers, b.numbers, (left = 0, right = 0) => left - right);
  if (numbers !== 0) return numbers;
  if (a.labels.length === 0 || b.labels.length === 0) return b.labels.length - a.labels.length;
  return compareEach(a.labels, b.labels, compareLabels);
}

/** Compares labels of prereleases: `1.0-rc` is older than `1.0-rc.1`, and `1.0-1` is older than `1.0-rc`. */
function compareLabels(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return Number(BigInt(a) > BigInt(b)) - Number(BigInt(a) < BigInt(b));
  if (left !== right) return left ? -1 : 1;
  return Number(a > b) - Number(a < b);
}
