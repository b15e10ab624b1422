import { compareEach } from './compare-each.ts';
import words from './version-words.json' with { type: 'json' };

/** A Composer version. In `1.2.3.0-beta2-dev`, `beta` is the stability and `2` the step. */
type ComposerVersion = NonNullable<ReturnType<typeof parsePackagist>>;

const VERSION =
  /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:[._-]?(stable|beta|b|rc|alpha|a|patch|pl|p)((?:[.-]?\d{1,9}){0,5}))?([.-]?dev)?(?:\+\S{0,100})?$/i;
const STABILITIES: ReadonlyMap<string, number> = new Map(Object.entries(words.packagist));
const STABLE = 3;
/** Rank of a development version. All other ranks are higher: `1.0-dev` comes before `1.0-alpha`. */
const DEV = -1;

export function parsePackagist(version: string) {
  const [whole, ...parts] = VERSION.exec(version.trim()) ?? [];
  if (whole === undefined) return undefined;
  const [stability, step, dev] = parts.slice(4);
  return {
    numbers: parts.slice(0, 4).map((part) => Number(part ?? 0)),
    /** Rank of the stability in the order of PHP's version_compare: alpha, beta, RC, none, patch. */
    stability: STABILITIES.get(stability?.toLowerCase() ?? '') ?? (dev === undefined ? STABLE : DEV),
    step: [...(step ?? '').matchAll(/\d+/g)].map(([digits]) => Number(digits)),
    dev: dev !== undefined,
  };
}

export const comparePackagist = (a: ComposerVersion, b: ComposerVersion): number =>
  compareLists(a.numbers, b.numbers) ||
  a.stability - b.stability ||
  compareLists(a.step, b.step) ||
  Number(b.dev) - Number(a.dev);

const compareLists = (a: readonly number[], b: readonly number[]): number =>
  compareEach(a, b, (left = -1, right = -1) => left - right);
